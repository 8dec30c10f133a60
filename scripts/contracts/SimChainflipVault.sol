// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

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
        uint32 dstChain,
        bytes dstAddress,
        uint32 dstToken,
        address srcToken,
        uint256 amount,
        address indexed sender,
        bytes cfParameters
    );

    address private constant COINS = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    receive() external payable {}

    function xSwapNative(uint32 dstChain, bytes calldata dstAddress, uint32 dstToken, bytes calldata cfParameters)
        external
        payable
    {
        require(msg.value != 0, "Shared: uint input is empty");
        emit SwapNative(dstChain, dstAddress, dstToken, msg.value, msg.sender, cfParameters);
    }

    function xSwapToken(
        uint32 dstChain,
        bytes calldata dstAddress,
        uint32 dstToken,
        address srcToken,
        uint256 amount,
        bytes calldata cfParameters
    ) external {
        require(amount != 0, "Shared: uint input is empty");
        call(srcToken, abi.encodeWithSelector(0x23b872dd, msg.sender, address(this), amount));
        emit SwapToken(dstChain, dstAddress, dstToken, srcToken, amount, msg.sender, cfParameters);
    }

    function transfer(SigData calldata, TransferParams calldata params) external payable {
        if (params.token == COINS) {
            (bool done, ) = params.recipient.call{value: params.amount}("");
            require(done, "TransferNativeFailed");
        } else {
            call(params.token, abi.encodeWithSelector(0xa9059cbb, params.recipient, params.amount));
        }
    }

    /// Some tokens answer nothing.
    function call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "SafeERC20FailedOperation");
    }
}
