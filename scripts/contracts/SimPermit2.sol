// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface IContractWallet {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// Stands for Permit2 at its one address of every chain: transfers by signature, alone or in batches, with or without a
/// witness, and allowances that run out. Its types, nonces, errors and events are those of
/// https://github.com/Uniswap/permit2
contract SimPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct PermitBatchTransferFrom {
        TokenPermissions[] permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    struct PackedAllowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitDetails {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitSingle {
        PermitDetails details;
        address spender;
        uint256 sigDeadline;
    }

    struct AllowanceTransferDetails {
        address from;
        address to;
        uint160 amount;
        address token;
    }

    error SignatureExpired(uint256 signatureDeadline);
    error InvalidNonce();
    error InvalidAmount(uint256 maxAmount);
    error LengthMismatch();
    error InvalidSignatureLength();
    error InvalidSignature();
    error InvalidSigner();
    error InvalidContractSignature();
    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);

    event UnorderedNonceInvalidation(address indexed owner, uint256 word, uint256 mask);
    event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration);
    event Permit(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration,
        uint48 nonce
    );

    bytes32 private constant TOKEN_PERMISSIONS = keccak256("TokenPermissions(address token,uint256 amount)");
    string private constant SINGLE_STUB =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";
    string private constant BATCH_STUB =
        "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,";
    bytes32 private constant SINGLE =
        keccak256(
            "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
        );
    bytes32 private constant BATCH =
        keccak256(
            "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
        );
    bytes32 private constant PERMIT_DETAILS =
        keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
    bytes32 private constant PERMIT_SINGLE =
        keccak256(
            "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
        );

    mapping(address => mapping(uint256 => uint256)) public nonceBitmap;
    mapping(address => mapping(address => mapping(address => PackedAllowance))) public allowance;

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 domainType = keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(domainType, keccak256("Permit2"), block.chainid, address(this)));
    }

    function permitTransferFrom(
        PermitTransferFrom calldata permit_,
        SignatureTransferDetails calldata wish,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 hash = keccak256(
            abi.encode(SINGLE, hashOf(permit_.permitted), msg.sender, permit_.nonce, permit_.deadline)
        );
        moveOne(permit_, wish, owner, hash, signature);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit_,
        SignatureTransferDetails calldata wish,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 typeHash = keccak256(abi.encodePacked(SINGLE_STUB, witnessTypeString));
        bytes32 hash = keccak256(
            abi.encode(typeHash, hashOf(permit_.permitted), msg.sender, permit_.nonce, permit_.deadline, witness)
        );
        moveOne(permit_, wish, owner, hash, signature);
    }

    function permitTransferFrom(
        PermitBatchTransferFrom calldata permit_,
        SignatureTransferDetails[] calldata wishes,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 hash = keccak256(
            abi.encode(BATCH, hashOfAll(permit_.permitted), msg.sender, permit_.nonce, permit_.deadline)
        );
        moveAll(permit_, wishes, owner, hash, signature);
    }

    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit_,
        SignatureTransferDetails[] calldata wishes,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 typeHash = keccak256(abi.encodePacked(BATCH_STUB, witnessTypeString));
        bytes32 hash = keccak256(
            abi.encode(typeHash, hashOfAll(permit_.permitted), msg.sender, permit_.nonce, permit_.deadline, witness)
        );
        moveAll(permit_, wishes, owner, hash, signature);
    }

    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        PackedAllowance storage allowed = allowance[msg.sender][token][spender];
        (allowed.amount, allowed.expiration) = (amount, expiration == 0 ? uint48(block.timestamp) : expiration);
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function permit(address owner, PermitSingle calldata single, bytes calldata signature) external {
        if (block.timestamp > single.sigDeadline) revert SignatureExpired(single.sigDeadline);
        PermitDetails calldata details = single.details;
        bytes32 hash = keccak256(
            abi.encode(PERMIT_SINGLE, keccak256(abi.encode(PERMIT_DETAILS, details)), single.spender, single.sigDeadline)
        );
        verify(signature, hash, owner);
        PackedAllowance storage allowed = allowance[owner][details.token][single.spender];
        if (allowed.nonce != details.nonce) revert InvalidNonce();
        (allowed.amount, allowed.expiration, allowed.nonce) = (details.amount, details.expiration, details.nonce + 1);
        emit Permit(owner, details.token, single.spender, details.amount, details.expiration, details.nonce);
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        spend(from, to, amount, token);
    }

    function transferFrom(AllowanceTransferDetails[] calldata all) external {
        for (uint256 i = 0; i < all.length; i++) spend(all[i].from, all[i].to, all[i].amount, all[i].token);
    }

    function spend(address from, address to, uint160 amount, address token) private {
        PackedAllowance storage allowed = allowance[from][token][msg.sender];
        if (block.timestamp > allowed.expiration) revert AllowanceExpired(allowed.expiration);
        if (allowed.amount != type(uint160).max) {
            if (amount > allowed.amount) revert InsufficientAllowance(allowed.amount);
            allowed.amount -= amount;
        }
        take(token, from, to, amount);
    }

    function moveOne(
        PermitTransferFrom calldata permit_,
        SignatureTransferDetails calldata wish,
        address owner,
        bytes32 hash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permit_.deadline) revert SignatureExpired(permit_.deadline);
        if (wish.requestedAmount > permit_.permitted.amount) revert InvalidAmount(permit_.permitted.amount);
        useNonce(owner, permit_.nonce);
        verify(signature, hash, owner);
        take(permit_.permitted.token, owner, wish.to, wish.requestedAmount);
    }

    function moveAll(
        PermitBatchTransferFrom calldata permit_,
        SignatureTransferDetails[] calldata wishes,
        address owner,
        bytes32 hash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permit_.deadline) revert SignatureExpired(permit_.deadline);
        if (wishes.length != permit_.permitted.length) revert LengthMismatch();
        useNonce(owner, permit_.nonce);
        verify(signature, hash, owner);
        for (uint256 i = 0; i < wishes.length; i++) {
            TokenPermissions calldata permitted = permit_.permitted[i];
            if (wishes[i].requestedAmount > permitted.amount) revert InvalidAmount(permitted.amount);
            if (wishes[i].requestedAmount != 0) take(permitted.token, owner, wishes[i].to, wishes[i].requestedAmount);
        }
    }

    function hashOf(TokenPermissions calldata permitted) private pure returns (bytes32) {
        return keccak256(abi.encode(TOKEN_PERMISSIONS, permitted));
    }

    function hashOfAll(TokenPermissions[] calldata permitted) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](permitted.length);
        for (uint256 i = 0; i < permitted.length; i++) hashes[i] = hashOf(permitted[i]);
        return keccak256(abi.encodePacked(hashes));
    }

    function useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << uint8(nonce);
        if (nonceBitmap[owner][nonce >> 8] & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][nonce >> 8] |= bit;
    }

    function verify(bytes calldata signature, bytes32 hash, address owner) private view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), hash));
        if (owner.code.length > 0) {
            if (IContractWallet(owner).isValidSignature(digest, signature) != 0x1626ba7e) revert InvalidContractSignature();
            return;
        }
        (bytes32 r, bytes32 s, uint8 v) = parts(signature);
        address signer = ecrecover(digest, v, r, s);
        if (signer == address(0)) revert InvalidSignature();
        if (signer != owner) revert InvalidSigner();
    }

    /// 65 bytes, or the 64 of EIP-2098.
    function parts(bytes calldata signature) private pure returns (bytes32 r, bytes32 s, uint8 v) {
        if (signature.length == 65) return (bytes32(signature[0:32]), bytes32(signature[32:64]), uint8(signature[64]));
        if (signature.length != 64) revert InvalidSignatureLength();
        bytes32 vs = bytes32(signature[32:64]);
        return (bytes32(signature[0:32]), vs & bytes32(uint256(type(int256).max)), uint8(uint256(vs) >> 255) + 27);
    }

    /// Some tokens answer nothing.
    function take(address token, address from, address to, uint256 amount) private {
        (bool done, bytes memory answer) = token.call(abi.encodeCall(IToken.transferFrom, (from, to, amount)));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "TRANSFER_FROM_FAILED");
    }
}
