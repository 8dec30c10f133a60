// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Relay's depository as far as wallets know it: it takes deposits and tells of them. What it holds stays there.
/// https://github.com/relayprotocol/relay-depository
contract SimRelayDepository {
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);

    function depositNative(address depositor, bytes32 id) external payable {
        emit RelayNativeDeposit(depositor == address(0) ? msg.sender : depositor, msg.value, id);
    }

    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) public {
        take(token, amount);
        emit RelayErc20Deposit(depositor == address(0) ? msg.sender : depositor, token, amount, id);
    }

    /// Takes all that is allowed.
    function depositErc20(address depositor, address token, bytes32 id) external {
        (bool done, bytes memory answer) = token.call(abi.encodeWithSelector(0xdd62ed3e, msg.sender, address(this)));
        require(done && answer.length == 32, "no allowance to read");
        depositErc20(depositor, token, abi.decode(answer, (uint256)), id);
    }

    /// Some tokens answer nothing.
    function take(address token, uint256 amount) private {
        (bool done, bytes memory answer) = token.call(abi.encodeWithSelector(0x23b872dd, msg.sender, address(this), amount));
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "TransferFromFailed()");
    }
}
