// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

/// The exchange of the offline network, where Uniswap has its SwapRouter02: it pays exactly the least that is asked of it,
/// out of what it holds. https://github.com/Uniswap/swap-router-contracts
contract SimSwapRouter {
    struct ExactInputSingleParams {
        address tokenIn;
        address tokenOut;
        uint24 fee;
        address recipient;
        uint256 amountIn;
        uint256 amountOutMinimum;
        uint160 sqrtPriceLimitX96;
    }

    /// Stands for the caller.
    address private constant MSG_SENDER = address(1);

    function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256) {
        Money.take(params.tokenIn, msg.sender, address(this), params.amountIn);
        Money.pay(params.tokenOut, params.recipient == MSG_SENDER ? msg.sender : params.recipient, params.amountOutMinimum);
        return params.amountOutMinimum;
    }
}
