// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit_,
        SignatureTransferDetails calldata wish,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// Stands for 0x's AllowanceHolder: holds allowances of wallets, and lets one operator take one amount of one token while a
/// call of the wallet's own runs. https://github.com/0xProject/0x-settler
contract SimAllowanceHolder {

    mapping(bytes32 => uint256) private allowed;

    function exec(address operator, address token, uint256 amount, address payable target, bytes calldata data)
        external
        payable
        returns (bytes memory)
    {
        if (target.code.length == 0 || isToken(target)) revert("ConfusedDeputy");
        bytes32 slot = keccak256(abi.encode(operator, msg.sender, token));
        allowed[slot] = amount;
        bytes memory answer = Money.run(target, msg.value, abi.encodePacked(data, msg.sender));
        delete allowed[slot];
        return answer;
    }

    function transferFrom(address token, address owner, address recipient, uint256 amount) external returns (bool) {
        allowed[keccak256(abi.encode(msg.sender, owner, token))] -= amount;
        Money.take(token, owner, recipient, amount);
        return true;
    }

    function isToken(address target) private view returns (bool) {
        (bool done, bytes memory answer) = target.staticcall(abi.encodeWithSignature("balanceOf(address)", address(0xdead)));
        return done && answer.length >= 32;
    }
}

/// Stands for 0x's Settlers as far as calls of pools, wrapped coins and fees go: what is taken in comes first, what is paid out
/// and held to the minimum last. The actions and the order of checks are those of the same.
abstract contract SimSettlerBase {
    struct AllowedSlippage {
        address payable recipient;
        address buyToken;
        uint256 minAmountOut;
    }

    uint256 internal constant BASIS = 10_000;

    receive() external payable {}

    function run(bytes calldata action) internal {
        bytes4 selector = bytes4(action[:4]);
        if (selector == 0x38c9c147) {
            (address sold, uint256 bps, address pool, uint256 offset, bytes memory data) = abi.decode(
                action[4:],
                (address, uint256, address, uint256, bytes)
            );
            basic(sold, bps, pool, offset, data);
        } else if (selector == 0x34ee90ca) {
            (address payable to, address token, uint256 expected, uint256 maxBps) = abi.decode(
                action[4:],
                (address, address, uint256, uint256)
            );
            surplus(to, token, expected, maxBps);
        } else {
            revert("ActionInvalid");
        }
    }

    /// Calls a pool with a share of what is held of a token written into the call.
    function basic(address sold, uint256 bps, address pool, uint256 offset, bytes memory data) private {
        uint256 amount = sold == address(0) ? 0 : (Money.held(sold, address(this)) * bps) / BASIS;
        if (sold == Money.COINS && data.length == 0) {
            if (offset != 0) revert("InvalidOffset");
            return Money.pay(sold, pool, amount);
        }
        if (sold != address(0)) {
            require(offset + 32 <= data.length);
            assembly {
                mstore(add(data, add(offset, 0x20)), amount)
            }
        }
        if (!Money.isCoins(sold) && sold != pool) Money.allow(sold, pool, amount);
        Money.run(pool, sold == Money.COINS ? amount : 0, data);
    }

    function surplus(address payable to, address token, uint256 expected, uint256 maxBps) private {
        uint256 balance = Money.held(token, address(this));
        if (balance <= expected) return;
        uint256 cap = (balance * maxBps) / BASIS;
        Money.pay(token, to, balance - expected > cap ? cap : balance - expected);
    }

    /// Without any header it checks and pays nothing.
    function settle(AllowedSlippage calldata slippage) internal {
        if (slippage.minAmountOut == 0 && slippage.buyToken == address(0)) return;
        uint256 amount = Money.held(slippage.buyToken, address(this));
        if (amount < slippage.minAmountOut) revert("TooMuchSlippage");
        Money.pay(slippage.buyToken, slippage.recipient, amount);
    }
}

/// Of swaps that a taker sends himself, by AllowanceHolder.
contract SimSettler is SimSettlerBase {

    address private constant ALLOWANCE_HOLDER = 0x0000000000001fF3684f28c67538d4D072C22734;

    function execute(AllowedSlippage calldata slippage, bytes[] calldata actions, bytes32) external payable returns (bool) {
        require(msg.sender == ALLOWANCE_HOLDER, "only by AllowanceHolder here");
        for (uint256 i = 0; i < actions.length; i++) {
            bytes calldata action = actions[i];
            bytes4 selector = bytes4(action[:4]);
            if (i == 0 && selector == 0xc1fb425e) take(action);
            else if (selector == 0xbd01c226) checkNative(action);
            else run(action);
        }
        settle(slippage);
        return true;
    }

    /// Whoever called AllowanceHolder stands in the last bytes.
    function take(bytes calldata action) private {
        (address to, IPermit2.PermitTransferFrom memory permit_, ) = abi.decode(
            action[4:],
            (address, IPermit2.PermitTransferFrom, bytes)
        );
        if (block.timestamp > permit_.deadline) revert("SignatureExpired");
        address sender = address(bytes20(msg.data[msg.data.length - 20:]));
        SimAllowanceHolder(ALLOWANCE_HOLDER).transferFrom(permit_.permitted.token, sender, to, permit_.permitted.amount);
    }

    function checkNative(bytes calldata action) private view {
        (uint256 deadline, uint256 value) = abi.decode(action[4:], (uint256, uint256));
        if (block.timestamp > deadline) revert("SignatureExpired");
        if (msg.value > value) revert("MsgValueMismatch");
    }
}

/// Of trades that a taker signs, and anybody may bring.
contract SimSettlerMetaTxn is SimSettlerBase {
    IPermit2 private constant PERMIT2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    string private constant WITNESS =
        "SlippageAndActions(address recipient,address buyToken,uint256 minAmountOut,bytes[] actions)";
    string private constant WITNESS_TYPES =
        "SlippageAndActions slippageAndActions)SlippageAndActions(address recipient,address buyToken,uint256 minAmountOut,bytes[] actions)TokenPermissions(address token,uint256 amount)";

    function executeMetaTxn(
        AllowedSlippage calldata slippage,
        bytes[] calldata actions,
        bytes32,
        address msgSender,
        bytes calldata sig
    ) external returns (bool) {
        require(slippage.minAmountOut != 0 && actions.length != 0);
        bytes4 first = bytes4(actions[0][:4]);
        if (first != 0x0dfeb419) revert("ActionInvalid");
        take(slippage, actions, msgSender, sig);
        for (uint256 i = 1; i < actions.length; i++) run(actions[i]);
        settle(slippage);
        return true;
    }

    function take(AllowedSlippage calldata slippage, bytes[] calldata actions, address owner, bytes calldata sig) private {
        (address to, IPermit2.PermitTransferFrom memory permit_) = abi.decode(
            actions[0][4:],
            (address, IPermit2.PermitTransferFrom)
        );
        bytes32[] memory hashes = new bytes32[](actions.length);
        for (uint256 i = 0; i < actions.length; i++) hashes[i] = keccak256(actions[i]);
        bytes32 witness = keccak256(abi.encode(keccak256(bytes(WITNESS)), slippage, keccak256(abi.encodePacked(hashes))));
        PERMIT2.permitWitnessTransferFrom(
            permit_,
            IPermit2.SignatureTransferDetails(to, permit_.permitted.amount),
            owner,
            witness,
            WITNESS_TYPES,
            sig
        );
    }
}

/// Stands for the registry of Settlers, whose owners of tokens are the Settlers of a feature: src/deployer/Deployer.sol
contract SimSettlerRegistry {
    /// Written at its genesis.
    address[4] public ownerOf;

    function prev(uint128 feature) external view returns (address) {
        return ownerOf[feature];
    }
}
