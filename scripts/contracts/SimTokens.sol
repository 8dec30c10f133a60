// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Signatures} from "./Kit.sol";

/// Tokens of the offline network. Their code is put at the real tokens' addresses, so nothing may depend on a
/// constructor: decimals, name and symbol are written into storage, at the slots given by the order below.
abstract contract SimLedger {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public totalSupply;
    uint256 internal decimalsSlot;
    bytes32 internal nameSlot;
    bytes32 internal symbolSlot;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function decimals() external view returns (uint8) {
        return uint8(decimalsSlot);
    }

    function move(address from, address to, uint256 value) internal virtual {
        require(to != address(0), "transfer to the zero address");
        require(balanceOf[from] >= value, "transfer amount exceeds balance");
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    function spend(address owner, address spender, uint256 value) internal {
        uint256 allowed = allowance[owner][spender];
        require(allowed >= value, "transfer amount exceeds allowance");
        if (allowed != type(uint256).max) allowance[owner][spender] = allowed - value;
    }

    function allow(address owner, address spender, uint256 value) internal {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }
}

/// name and symbol of at most 31 bytes, in Solidity's short form of a string.
abstract contract SimNamed is SimLedger {
    function name() public view returns (string memory) {
        return short(nameSlot);
    }

    function symbol() external view returns (string memory) {
        return short(symbolSlot);
    }

    function short(bytes32 word) private pure returns (string memory) {
        uint256 length = uint256(uint8(word[31])) / 2;
        bytes memory text = new bytes(length);
        for (uint256 i = 0; i < length; i++) text[i] = word[i];
        return string(text);
    }
}

abstract contract SimErc20 is SimLedger {
    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        spend(from, msg.sender, value);
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allow(msg.sender, spender, value);
        return true;
    }
}

contract SimToken is SimNamed, SimErc20 {}

/// As the tokens that deduct a fee from every transfer: one percent, rounded down, is burnt.
contract SimFeeToken is SimNamed, SimErc20 {
    function move(address from, address to, uint256 value) internal override {
        uint256 fee = value / 100;
        super.move(from, to, value - fee);
        require(balanceOf[from] >= fee, "transfer amount exceeds balance");
        balanceOf[from] -= fee;
        totalSupply -= fee;
        emit Transfer(from, address(0), fee);
    }
}

/// As MKR: name and symbol are bytes32.
contract SimBytes32Token is SimErc20 {
    function name() external view returns (bytes32) {
        return nameSlot;
    }

    function symbol() external view returns (bytes32) {
        return symbolSlot;
    }
}

/// As USDT on Ethereum: nothing is returned, and an allowance goes to zero before it changes.
contract SimTetherToken is SimNamed {
    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        spend(from, msg.sender, value);
        move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allow(msg.sender, spender, value);
    }
}

/// As WETH9.
contract SimWrappedNative is SimNamed, SimErc20 {
    event Deposit(address indexed to, uint256 value);
    event Withdrawal(address indexed from, uint256 value);

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        balanceOf[msg.sender] += msg.value;
        totalSupply += msg.value;
        emit Deposit(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        require(balanceOf[msg.sender] >= value, "withdraw amount exceeds balance");
        balanceOf[msg.sender] -= value;
        totalSupply -= value;
        emit Withdrawal(msg.sender, value);
        (bool sent, ) = msg.sender.call{value: value}("");
        require(sent, "withdraw failed");
    }
}

/// As USDC: EIP-2612 permit, and EIP-3009 with both forms of a signature; EIP-712 domain version 2. Whoever has code, an
/// account that delegates to some (EIP-7702) among them, is asked by EIP-1271 whether it signed.
contract SimFiatToken is SimNamed, SimErc20 {
    string public constant version = "2";

    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
        keccak256(
            "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    mapping(address => uint256) public nonces;
    mapping(address => mapping(bytes32 => bool)) public authorizationState;

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

    modifier timely(uint256 validAfter, uint256 validBefore) {
        require(block.timestamp > validAfter, "authorization is not yet valid");
        require(block.timestamp < validBefore, "authorization is expired");
        _;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return Signatures.domain(name(), version);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline, "permit is expired");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        Signatures.verify(owner, DOMAIN_SEPARATOR(), structHash, abi.encodePacked(r, s, v));
        allow(owner, spender, value);
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes memory signature
    ) public timely(validAfter, validBefore) {
        bytes32 kind = TRANSFER_WITH_AUTHORIZATION_TYPEHASH;
        bytes32 structHash = keccak256(abi.encode(kind, from, to, value, validAfter, validBefore, nonce));
        useUp(from, nonce, structHash, signature);
        emit AuthorizationUsed(from, nonce);
        move(from, to, value);
    }

    function transferWithAuthorization(
        address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce,
        uint8 v, bytes32 r, bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public {
        useUp(authorizer, nonce, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    /// Used and cancelled are one state: neither can be used any more.
    function useUp(address authorizer, bytes32 nonce, bytes32 structHash, bytes memory signature) private {
        require(!authorizationState[authorizer][nonce], "authorization is used");
        Signatures.verify(authorizer, DOMAIN_SEPARATOR(), structHash, signature);
        authorizationState[authorizer][nonce] = true;
    }
}
