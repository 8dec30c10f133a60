// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Relay's router as far as its solver pays coins by it: what it is sent it passes on, and tells of it.
/// https://github.com/relayprotocol/relay-periphery
contract SimRelayRouter {
    struct Call3Value {
        address target;
        bool allowFailure;
        uint256 value;
        bytes callData;
    }

    event SolverNativeTransfer(address to, uint256 amount);
    event FundsMovement(address from, address to, address currency, uint256 amount, bytes metadata);

    /// Without calls all that came is left over, and goes to refundTo.
    function multicall(Call3Value[] calldata calls, address refundTo, address nftRecipient, bytes calldata metadata)
        external
        payable
    {
        require(calls.length == 0 && nftRecipient == address(0), "it only passes coins on");
        emit FundsMovement(msg.sender, address(this), address(0), msg.value, metadata);
        (bool done, ) = refundTo.call{value: msg.value}("");
        require(done, "ETHTransferFailed()");
        emit SolverNativeTransfer(refundTo, msg.value);
        emit FundsMovement(address(this), refundTo, address(0), msg.value, metadata);
    }
}
