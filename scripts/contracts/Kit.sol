// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The functions that the contracts of several venues share.

/// A token, with the two functions of wrapped coins.
interface IToken {
    function allowance(address owner, address spender) external view returns (uint256);
    function approve(address spender, uint256 value) external returns (bool);
    function balanceOf(address owner) external view returns (uint256);
    function decimals() external view returns (uint8);
    function deposit() external payable;
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function withdraw(uint256 value) external;
}

interface IContractWallet {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// Payments in tokens, and in the chain's coins under either of the two addresses that venues use for them.
library Money {
    address internal constant COINS = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    function isCoins(address token) internal pure returns (bool) {
        return token == COINS || token == address(0);
    }

    function held(address token, address holder) internal view returns (uint256) {
        return isCoins(token) ? holder.balance : IToken(token).balanceOf(holder);
    }

    function pay(address token, address to, uint256 amount) internal {
        if (amount == 0) return;
        if (isCoins(token)) run(to, amount, "");
        else demand(token, abi.encodeCall(IToken.transfer, (to, amount)));
    }

    function take(address token, address from, address to, uint256 amount) internal {
        demand(token, abi.encodeCall(IToken.transferFrom, (from, to, amount)));
    }

    /// Takes from the caller. Returns what arrived: some tokens deduct a fee.
    function pull(address token, uint256 amount) internal returns (uint256) {
        uint256 before = held(token, address(this));
        take(token, msg.sender, address(this), amount);
        return held(token, address(this)) - before;
    }

    /// Resets the allowance first: some tokens refuse to change one that is not zero.
    function allow(address token, address spender, uint256 amount) internal {
        demand(token, abi.encodeCall(IToken.approve, (spender, 0)));
        demand(token, abi.encodeCall(IToken.approve, (spender, amount)));
    }

    /// Calls a contract. Reverts as the contract reverts.
    function run(address target, uint256 value, bytes memory data) internal returns (bytes memory) {
        (bool done, bytes memory answer) = target.call{value: value}(data);
        if (!done) assembly ("memory-safe") { revert(add(answer, 32), mload(answer)) }
        return answer;
    }

    /// Some tokens return nothing.
    function demand(address token, bytes memory data) private {
        bytes memory answer = run(token, 0, data);
        require(answer.length == 0 || abi.decode(answer, (bool)), "the token refuses");
    }
}

/// Signatures of typed data (EIP-712), by keys and by accounts with code (EIP-1271, EIP-7702).
library Signatures {
    error InvalidSignature();

    /// Half the order of the curve: of the two forms of a signature, only the lower one is valid (EIP-2).
    uint256 private constant S_MAX = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    function domain(string memory name, string memory version) internal view returns (bytes32) {
        bytes32 kind = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        return keccak256(abi.encode(kind, keccak256(bytes(name)), keccak256(bytes(version)), block.chainid, address(this)));
    }

    function verify(address signer, bytes32 domain_, bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain_, structHash));
        if (signer.code.length > 0) {
            if (IContractWallet(signer).isValidSignature(digest, signature) != 0x1626ba7e) revert InvalidSignature();
            return;
        }
        if (signature.length != 65 || signer == address(0)) revert InvalidSignature();
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        uint8 v = uint8(signature[64]);
        if (uint256(s) > S_MAX || (v != 27 && v != 28) || ecrecover(digest, v, r, s) != signer) revert InvalidSignature();
    }
}
