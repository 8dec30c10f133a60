// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToken, Money} from "./Kit.sol";

/// Relay's depository as far as wallets know it: it takes deposits and emits their events. What it holds stays there.
/// https://github.com/relayprotocol/relay-depository
contract SimRelayDepository {
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(depositor == address(0) ? msg.sender : depositor, msg.value, id);
    }

    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) public {
        Money.take(token, msg.sender, address(this), amount);
        emit RelayErc20Deposit(depositor == address(0) ? msg.sender : depositor, token, amount, id);
    }

    /// Takes the whole allowance.
    function depositErc20(address depositor, address token, bytes32 id) external {
        depositErc20(depositor, token, IToken(token).allowance(msg.sender, address(this)), id);
    }
}

/// Relay's router as far as its solver pays coins through it: it passes on what it receives, and emits the events.
/// https://github.com/relayprotocol/relay-periphery
contract SimRelayRouter {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    event SolverNativeTransfer(address to, uint256 amount);

    /// Without calls, the whole value is left over and goes to refundTo.
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata) external payable {
        require(calls.length == 0 && nftRecipient == address(0), "it only passes coins on");
        Money.pay(address(0), refundTo, msg.value);
        emit SolverNativeTransfer(refundTo, msg.value);
    }
}
