// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToken, Money} from "./Kit.sol";

/// Stands for an exchange of the Forwarder's list: it takes the input, and pays what it is told out of what it holds.
contract SimMayanRouter {
    function swap(address tokenIn, uint256 amountIn, address tokenOut, uint256 amountOut) external payable {
        if (tokenIn != address(0)) Money.pull(tokenIn, amountIn);
        Money.pay(tokenOut, msg.sender, amountOut);
    }
}

/// MayanForwarder2 as far as wallets are handed calls of it. https://github.com/mayan-finance/swap-bridge, src/MayanForwarder.sol
contract SimMayanForwarder {

    event ForwardedERC20(address token, uint256 amount, address mayanProtocol, bytes protocolData);
    event SwapAndForwardedEth(
        uint256 amountIn, address swapProtocol, address middleToken, uint256 middleAmount, address mayanProtocol, bytes mayanData
    );
    event SwapAndForwardedERC20(
        address tokenIn, uint256 amountIn, address swapProtocol, address middleToken, uint256 middleAmount, address mayanProtocol,
        bytes mayanData
    );

    struct Permit {
        uint256 value;
        uint256 deadline;
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    address private constant SWIFT = 0x40fFE85A28DC9993541449464d7529a922142960;
    address private constant ROUTER = 0x00000000009726632680FB29d3F7A9734E3010E2;

    function mayanProtocols(address protocol) external pure returns (bool) {
        return protocol == SWIFT;
    }

    function forwardERC20(
        address tokenIn, uint256 amountIn, Permit calldata permit, address mayanProtocol, bytes calldata protocolData
    ) external payable {
        take(tokenIn, amountIn, permit);
        forward(tokenIn, amountIn, mayanProtocol, protocolData);
        emit ForwardedERC20(tokenIn, amountIn, mayanProtocol, protocolData);
    }

    function swapAndForwardEth(
        uint256 amountIn, address swapProtocol, bytes calldata swapData, address middleToken, uint256 minMiddleAmount,
        address mayanProtocol, bytes calldata mayanData
    ) external payable {
        require(middleToken != address(0), "middle token should be valid");
        require(msg.value >= amountIn, "insufficient amountIn");
        uint256 left = exchange(swapProtocol, swapData, amountIn, middleToken, minMiddleAmount);
        bytes memory data = overwritten(mayanData, left);
        forward(middleToken, left, mayanProtocol, data);
        emit SwapAndForwardedEth(amountIn, swapProtocol, middleToken, left, mayanProtocol, data);
    }

    function swapAndForwardERC20(
        address tokenIn, uint256 amountIn, Permit calldata permit, address swapProtocol, bytes calldata swapData,
        address middleToken, uint256 minMiddleAmount, address mayanProtocol, bytes calldata mayanData
    ) external payable {
        require(middleToken != address(0), "a swap into coins is not simulated");
        take(tokenIn, amountIn, permit);
        Money.allow(tokenIn, swapProtocol, amountIn);
        uint256 left = exchange(swapProtocol, swapData, 0, middleToken, minMiddleAmount);
        bytes memory data = overwritten(mayanData, left);
        forward(middleToken, left, mayanProtocol, data);
        emit SwapAndForwardedERC20(tokenIn, amountIn, swapProtocol, middleToken, left, mayanProtocol, data);
    }

    function take(address tokenIn, uint256 amountIn, Permit calldata permit) private {
        require(permit.value == 0, "a permit that is not simulated");
        Money.pull(tokenIn, amountIn);
    }

    function exchange(
        address router, bytes calldata data, uint256 value, address token, uint256 least
    ) private returns (uint256 left) {
        if (router != ROUTER && router != token) revert("UnsupportedProtocol");
        uint256 before = Money.held(token, address(this));
        Money.run(router, value, data);
        left = Money.held(token, address(this)) - before;
        require(left >= least, "insufficient middle token");
    }

    function forward(address token, uint256 amount, address protocol, bytes memory data) private {
        if (protocol != SWIFT) revert("UnsupportedProtocol");
        Money.allow(token, protocol, amount);
        Money.run(protocol, 0, data);
    }

    /// The second argument of the call.
    function overwritten(bytes memory data, uint256 amount) private pure returns (bytes memory) {
        require(data.length >= 68, "Mayan data too short");
        assembly {
            mstore(add(data, 68), amount)
        }
        return data;
    }
}

/// Swift V2 where orders are placed, at any time: one that is late is only given back. An order is taken once here, where the
/// real one takes it again for more. In place of Wormhole's messages anybody may say that an order came to nothing.
/// src/swift/SwiftSource.sol
contract SimMayanSwift {
    event OrderCreated(bytes32 key);
    event OrderRefunded(bytes32 key, uint256 netAmount);
    error FeesTooHigh();
    error InvalidDestChain();

    struct Order {
        uint8 payloadType;
        bytes32 trader;
        bytes32 destAddr;
        uint16 destChainId;
        bytes32 referrerAddr;
        bytes32 tokenOut;
        uint64 minAmountOut;
        uint64 gasDrop;
        uint64 cancelFee;
        uint64 refundFee;
        uint64 deadline;
        uint8 referrerBps;
        uint8 auctionMode;
        bytes32 random;
    }

    /// Wormhole's number of the chain, put here with the contract.
    uint16 private own;
    mapping(bytes32 => uint8) private status;
    /// The wrapped coin, likewise: zeros in an order stand for it, and are given back as coins.
    address private weth;
    uint8 private constant PROTOCOL_BPS = 3;
    uint8 private constant BPS_MAX = 200;

    function createOrderWithToken(
        address tokenIn, uint256 amountIn, Order calldata order, bytes calldata customPayload
    ) external returns (bytes32 key) {
        address token = tokenIn == address(0) ? weth : tokenIn;
        uint256 counted = Money.pull(token, amountIn) / unitOf(token);
        if (counted == 0) revert("SmallAmountIn");
        if (uint256(order.cancelFee) + order.refundFee >= counted) revert FeesTooHigh();
        if (order.tokenOut == bytes32(0) && order.gasDrop != 0) revert("InvalidGasDrop");
        if (order.referrerBps > BPS_MAX) revert("InvalidBpsFee");
        if (order.destChainId == 0 || order.destChainId == own) revert InvalidDestChain();
        key = keyOf(tokenIn, order, order.payloadType == 2 ? keccak256(customPayload) : bytes32(0));
        if (status[key] != 0) revert("DuplicateOrder");
        status[key] = 1;
        emit OrderCreated(key);
    }

    function refund(bytes32 key, address token, address trader, uint256 amount) external {
        if (status[key] != 1) revert("InvalidOrderStatus");
        status[key] = 2;
        if (token == address(0)) IToken(weth).withdraw(amount);
        Money.pay(token, trader, amount);
        emit OrderRefunded(key, amount);
    }

    receive() external payable {}

    /// The contract that fills on the other chains, and on Solana an account of the program of Swift.
    function emitters(uint16 chainId) external pure returns (bytes32) {
        if (chainId == 1) return 0xffcec24e0f2cdeade143c339b81a2e8861c0bffcb7e46dfb705e28d6dff9d8cf;
        return bytes32(uint256(uint160(0xD78D199f8C402e7B5Cc2abE278dF0412400a3BAe)));
    }

    function keyOf(address tokenIn, Order calldata order, bytes32 payloadHash) private view returns (bytes32) {
        bytes32 token = bytes32(uint256(uint160(tokenIn)));
        bytes memory first = abi.encodePacked(
            order.payloadType, order.trader, own, token, order.destAddr, order.destChainId, order.tokenOut
        );
        bytes memory sums = abi.encodePacked(order.minAmountOut, order.gasDrop, order.cancelFee, order.refundFee, order.deadline);
        bytes memory last = abi.encodePacked(
            order.referrerAddr, order.referrerBps, PROTOCOL_BPS, order.auctionMode, order.random, payloadHash
        );
        return keccak256(abi.encodePacked(first, sums, last));
    }

    /// Orders count in eight decimals at most.
    function unitOf(address token) private view returns (uint256) {
        uint8 decimals = IToken(token).decimals();
        return decimals > 8 ? 10 ** (decimals - 8) : 1;
    }
}

/// Swift V2 where orders are filled. The driver pays through it: coins with the call, tokens out of what it keeps here.
/// src/swift/SwiftDest.sol
contract SimMayanFills {
    event OrderFulfilled(bytes32 key, uint64 sequence, uint256 netAmount);

    mapping(bytes32 => bool) private filled;

    function fulfill(bytes32 key, address token, address to, uint256 amount) external payable {
        if (filled[key]) revert("InvalidOrderStatus");
        filled[key] = true;
        Money.pay(token, to, token == address(0) ? msg.value : amount);
        emit OrderFulfilled(key, 0, amount);
    }
}
