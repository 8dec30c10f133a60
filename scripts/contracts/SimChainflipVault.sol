// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

/// Chainflip's vault as far as wallets know it: it takes what is to be swapped, tells of it, and pays what was. Whose signature
/// a payment is by, nobody checks here. https://github.com/chainflip-io/chainflip-eth-contracts
contract SimChainflipVault {
    struct SigData {
        uint256 sig;
        uint256 nonce;
        address kTimesGAddress;
    }

    struct TransferParams {
        address token;
        address payable recipient;
        uint256 amount;
    }

    event SwapNative(
        uint32 dstChain, bytes dstAddress, uint32 dstToken, uint256 amount, address indexed sender, bytes cfParameters
    );
    event SwapToken(
        uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, address indexed sender,
        bytes cfParameters
    );

    receive() external payable {}

    function xSwapNative(
        uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, bytes calldata cfParameters
    ) external payable {
        require(msg.value != 0, "Shared: uint input is empty");
        emit SwapNative(dstChain, dstAddress, dstToken, msg.value, msg.sender, cfParameters);
    }

    function xSwapToken(
        uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes calldata cfParameters
    ) external {
        require(amount != 0, "Shared: uint input is empty");
        Money.take(srcToken, msg.sender, address(this), amount);
        emit SwapToken(dstChain, dstAddress, dstToken, srcToken, amount, msg.sender, cfParameters);
    }

    function transfer(SigData calldata, TransferParams calldata params) external payable {
        Money.pay(params.token, params.recipient, params.amount);
    }
}
