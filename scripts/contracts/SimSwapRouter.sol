// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

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

    function exactInputSingle(ExactInputSingleParams calldata wish) external payable returns (uint256) {
        address recipient = wish.recipient == MSG_SENDER ? msg.sender : wish.recipient;
        move(wish.tokenIn, abi.encodeWithSelector(0x23b872dd, msg.sender, address(this), wish.amountIn));
        move(wish.tokenOut, abi.encodeWithSelector(0xa9059cbb, recipient, wish.amountOutMinimum));
        return wish.amountOutMinimum;
    }

    /// Some tokens answer nothing.
    function move(address token, bytes memory call) private {
        (bool done, bytes memory answer) = token.call(call);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "the exchange cannot pay");
    }
}
