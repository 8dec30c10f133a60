// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

/// An exchange that the diamond may call: it pays out of what it holds, as it is told.
contract SimLiFiExchange {
    receive() external payable {}

    function swap(address from, address to, uint256 amountIn, uint256 amountOut) external payable {
        if (from == address(0)) require(msg.value == amountIn, "the exchange is not paid");
        else Money.take(from, msg.sender, address(this), amountIn);
        Money.pay(to, msg.sender, amountOut);
    }
}

/// FeeForwarder.sol of lifinance/contracts.
contract SimFeeForwarder {
    struct FeeDistribution {
        address recipient;
        uint256 amount;
    }

    function forwardERC20Fees(address token, FeeDistribution[] calldata shares) external {
        for (uint256 i = 0; i < shares.length; i++) Money.take(token, msg.sender, shares[i].recipient, shares[i].amount);
    }

    function forwardNativeFees(FeeDistribution[] calldata shares) external payable {
        uint256 total = 0;
        for (uint256 i = 0; i < shares.length; i++) {
            total += shares[i].amount;
            Money.pay(address(0), shares[i].recipient, shares[i].amount);
        }
        require(total <= msg.value, "InsufficientBalance");
        Money.pay(address(0), msg.sender, msg.value - total);
    }
}

/// IOpenIntentFramework.sol of lifinance/contracts.
struct MandateOutput {
    bytes32 oracle;
    bytes32 settler;
    uint256 chainId;
    bytes32 token;
    uint256 amount;
    bytes32 recipient;
    bytes callbackData;
    bytes context;
}

struct StandardOrder {
    address user;
    uint256 nonce;
    uint256 originChainId;
    uint32 expires;
    uint32 fillDeadline;
    address inputOracle;
    uint256[2][] inputs;
    MandateOutput[] outputs;
}

/// InputSettlerEscrow.sol and OutputSettlerSimple.sol of openintentsframework/oif-contracts in one, without proofs of fills.
contract SimLiFiSettler {
    receive() external payable {}

    event Open(bytes32 indexed orderId, StandardOrder order);
    event Refunded(bytes32 indexed orderId);
    event OutputFilled(bytes32 indexed orderId, bytes32 solver, uint32 timestamp, MandateOutput output, uint256 finalAmount);

    /// 1: open, or filled; 3: given back.
    mapping(bytes32 => uint256) public orderStatus;

    function step(bytes32 id, uint256 from, uint256 to) private {
        require(orderStatus[id] == from, "InvalidOrderStatus");
        orderStatus[id] = to;
    }

    function orderIdentifier(StandardOrder calldata order) public view returns (bytes32) {
        bytes memory times = abi.encodePacked(order.user, order.nonce, order.expires, order.fillDeadline, order.inputOracle);
        bytes32 inputs = keccak256(abi.encodePacked(order.inputs[0]));
        return keccak256(bytes.concat(abi.encodePacked(block.chainid, address(this)), times, inputs, abi.encode(order.outputs)));
    }

    function open(StandardOrder calldata order) external {
        require(order.originChainId == block.chainid, "WrongChain");
        require(block.timestamp < order.fillDeadline && order.fillDeadline <= order.expires, "TimestampPassed");
        step(orderIdentifier(order), 0, 1);
        Money.take(address(uint160(order.inputs[0][0])), msg.sender, address(this), order.inputs[0][1]);
        emit Open(orderIdentifier(order), order);
    }

    function refund(StandardOrder calldata order) external {
        require(block.timestamp > order.expires, "TimestampNotPassed");
        step(orderIdentifier(order), 1, 3);
        Money.pay(address(uint160(order.inputs[0][0])), order.user, order.inputs[0][1]);
        emit Refunded(orderIdentifier(order));
    }

    function fill(bytes32 orderId, MandateOutput calldata output, uint48 fillDeadline, bytes32 solver) external payable {
        require(block.timestamp <= fillDeadline && output.chainId == block.chainid, "FillDeadline");
        step(keccak256(abi.encode(orderId, output)), 0, 1);
        (address token, address to) = (address(uint160(uint256(output.token))), address(uint160(uint256(output.recipient))));
        if (token == address(0)) Money.pay(token, to, output.amount);
        else Money.take(token, msg.sender, to, output.amount);
        emit OutputFilled(orderId, solver, uint32(block.timestamp), output, output.amount);
    }
}

/// LI.FI's diamond as far as wallets are handed calls of it: GenericSwapFacetV3, AcrossFacetV4, PolymerCCTPFacet and
/// LiFiIntentEscrowFacetV2 of lifinance/contracts. What Circle would burn goes to an address without a key. The addresses of
/// the chain lie in its first slots.
contract SimLiFiDiamond {
    struct SwapData {
        address callTo;
        address approveTo;
        address sendingAssetId;
        address receivingAssetId;
        uint256 fromAmount;
        bytes callData;
        bool requiresDeposit;
    }

    struct BridgeData {
        bytes32 transactionId;
        string bridge;
        string integrator;
        address referrer;
        address sendingAssetId;
        address receiver;
        uint256 minAmount;
        uint256 destinationChainId;
        bool hasSourceSwaps;
        bool hasDestinationCall;
    }

    struct AcrossV4Data {
        bytes32 receiverAddress;
        bytes32 refundAddress;
        bytes32 sendingAssetId;
        bytes32 receivingAssetId;
        uint256 outputAmount;
        uint128 outputAmountMultiplier;
        bytes32 exclusiveRelayer;
        uint32 quoteTimestamp;
        uint32 fillDeadline;
        uint32 exclusivityParameter;
        bytes message;
    }

    struct PolymerCCTPData {
        uint256 polymerTokenFee;
        uint256 maxCCTPFee;
        bytes32 nonEVMReceiver;
        bytes32 solanaReceiverATA;
        uint32 minFinalityThreshold;
        address refundRecipient;
        bytes hookData;
    }

    struct LiFiIntentEscrowDataV2 {
        bytes32 dstCallReceiver;
        bytes32 recipient;
        address depositAndRefundAddress;
        uint256 nonce;
        uint32 expires;
        uint32 fillDeadline;
        address inputOracle;
        bytes32 outputOracle;
        bytes32 outputSettler;
        bytes32 outputToken;
        uint128 outputAmountMultiplier;
        SwapData[] dstCallSwapData;
        bytes outputContext;
    }

    struct Swap {
        bytes32 transactionId;
        string integrator;
        string referrer;
        address receiver;
        uint256 minAmountOut;
    }

    event LiFiGenericSwapCompleted(
        bytes32 indexed transactionId, string integrator, string referrer, address receiver, address fromAssetId,
        address toAssetId, uint256 fromAmount, uint256 toAmount
    );
    event LiFiTransferStarted(BridgeData bridgeData);

    address private constant NON_EVM_ADDRESS = 0x11f111f111f111F111f111f111F111f111f111F1;
    address private constant BURNT = 0x000000000000000000000000000000000000dEaD;
    uint256 private constant SOLANA = 1151111081099710;
    uint256 private constant RELATIVE = 31536000;
    address public constant LIFI_INTENT_ESCROW_SETTLER_V2 = 0x00fC00edbe7C003b006f870068c548940000223e;

    address private spokePool;
    address private wrappedNative;
    address private usdc;
    address private feeForwarder;
    address private exchange;
    address private polymerFeeReceiver;

    receive() external payable {}

    function swapTokensMultipleV3ERC20ToERC20(
        bytes32 transactionId, string calldata integrator, string calldata referrer, address receiver, uint256 minAmountOut,
        SwapData[] calldata swapData
    ) external {
        deposit(swapData);
        multiple(Swap(transactionId, integrator, referrer, receiver, minAmountOut), swapData);
    }

    function swapTokensMultipleV3ERC20ToNative(
        bytes32 transactionId, string calldata integrator, string calldata referrer, address receiver, uint256 minAmountOut,
        SwapData[] calldata swapData
    ) external {
        deposit(swapData);
        multiple(Swap(transactionId, integrator, referrer, receiver, minAmountOut), swapData);
    }

    function swapTokensMultipleV3NativeToERC20(
        bytes32 transactionId, string calldata integrator, string calldata referrer, address receiver, uint256 minAmountOut,
        SwapData[] calldata swapData
    ) external payable {
        multiple(Swap(transactionId, integrator, referrer, receiver, minAmountOut), swapData);
    }

    function swapAndStartBridgeTokensViaAcrossV4(
        BridgeData memory bridge, SwapData[] calldata swapData, AcrossV4Data calldata data
    ) external payable {
        checkStart(bridge);
        require(bridge.receiver != address(0), "InvalidReceiver");
        uint256 before = address(this).balance - msg.value;
        bridge.minAmount = depositAndSwap(bridge, swapData, msg.sender);
        startAcross(bridge, data, (bridge.minAmount * data.outputAmountMultiplier) / 1e18);
        refundCoins(msg.sender, before);
    }

    function swapAndStartBridgeTokensViaPolymerCCTP(
        BridgeData memory bridge, SwapData[] calldata swapData, PolymerCCTPData calldata data
    ) external payable {
        checkStart(bridge);
        require(bridge.sendingAssetId == usdc, "InvalidSendingToken");
        require(data.refundRecipient != address(0), "InvalidCallData");
        uint256 before = address(this).balance - msg.value;
        require(swapData.length > 0 && swapData[swapData.length - 1].receivingAssetId == usdc, "InvalidSendingToken");
        bridge.minAmount = depositAndSwap(bridge, swapData, data.refundRecipient);
        startCctp(bridge, data);
        refundCoins(data.refundRecipient, before);
    }

    function swapAndStartBridgeTokensViaLiFiIntentEscrowV2(
        BridgeData memory bridge, SwapData[] calldata swapData, LiFiIntentEscrowDataV2 calldata data
    ) external payable {
        checkStart(bridge);
        uint256 before = address(this).balance - msg.value;
        bridge.minAmount = depositAndSwap(bridge, swapData, data.depositAndRefundAddress);
        startIntent(bridge, data);
        refundCoins(msg.sender, before);
    }

    function getPeripheryContract(string calldata name) external view returns (address) {
        return keccak256(bytes(name)) == keccak256("FeeForwarder") ? feeForwarder : address(0);
    }

    function checkStart(BridgeData memory bridge) private view {
        require(bridge.minAmount > 0, "InvalidAmount");
        require(bridge.destinationChainId != block.chainid, "CannotBridgeToSameNetwork");
        require(bridge.hasSourceSwaps, "InformationMismatch");
    }

    function startAcross(BridgeData memory bridge, AcrossV4Data calldata data, uint256 outputAmount) private {
        require((data.message.length > 0) == bridge.hasDestinationCall, "InformationMismatch");
        require(data.message.length == 0, "a message that is not simulated");
        bool isOther = bridge.receiver != NON_EVM_ADDRESS &&
            bytes32(uint256(uint160(bridge.receiver))) != data.receiverAddress;
        require(!isOther && data.receiverAddress != bytes32(0), "InvalidReceiver");
        require(data.refundAddress != bytes32(0), "InvalidCallData");
        bool isCoins = bridge.sendingAssetId == address(0);
        if (!isCoins) Money.allow(bridge.sendingAssetId, spokePool, bridge.minAmount);
        Money.run(spokePool, isCoins ? bridge.minAmount : 0, depositCall(bridge, data, outputAmount));
        emit LiFiTransferStarted(bridge);
    }

    /// `deposit` of SpokePool.sol, with an empty message.
    function depositCall(
        BridgeData memory bridge, AcrossV4Data calldata data, uint256 outputAmount
    ) private view returns (bytes memory) {
        bytes32 token = bridge.sendingAssetId == address(0)
            ? bytes32(uint256(uint160(wrappedNative)))
            : data.sendingAssetId;
        bytes memory sums = abi.encode(token, data.receivingAssetId, bridge.minAmount, outputAmount, bridge.destinationChainId);
        bytes memory times = abi.encode(
            data.exclusiveRelayer, data.quoteTimestamp, data.fillDeadline, data.exclusivityParameter, uint256(12 * 32), uint256(0)
        );
        return bytes.concat(abi.encodeWithSelector(0xad5425c6, data.refundAddress, data.receiverAddress), sums, times);
    }

    function startIntent(BridgeData memory bridge, LiFiIntentEscrowDataV2 calldata data) private {
        require(bridge.sendingAssetId != address(0), "NativeAssetNotSupported");
        require(data.dstCallSwapData.length == 0 && !bridge.hasDestinationCall, "InformationMismatch");
        require(data.recipient == bytes32(uint256(uint160(bridge.receiver))) && data.recipient != 0, "InvalidReceiver");
        uint256 amount = (bridge.minAmount * data.outputAmountMultiplier) / 1e18;
        require(amount > 0 && data.depositAndRefundAddress != address(0), "InvalidAmount");
        Money.allow(bridge.sendingAssetId, LIFI_INTENT_ESCROW_SETTLER_V2, bridge.minAmount);
        StandardOrder memory order;
        (order.user, order.nonce, order.originChainId) = (data.depositAndRefundAddress, data.nonce, block.chainid);
        (order.expires, order.fillDeadline) = (timeOf(data.expires), timeOf(data.fillDeadline));
        (order.inputOracle, order.inputs, order.outputs) = (data.inputOracle, new uint256[2][](1), new MandateOutput[](1));
        order.inputs[0] = [uint256(uint160(bridge.sendingAssetId)), bridge.minAmount];
        MandateOutput memory output = order.outputs[0];
        (output.oracle, output.settler, output.chainId) = (data.outputOracle, data.outputSettler, bridge.destinationChainId);
        (output.token, output.amount, output.recipient) = (data.outputToken, amount, data.recipient);
        output.context = data.outputContext;
        SimLiFiSettler(payable(LIFI_INTENT_ESCROW_SETTLER_V2)).open(order);
        emit LiFiTransferStarted(bridge);
    }

    /// Since facet 1.1.0.
    function timeOf(uint32 stated) private view returns (uint32) {
        return stated < RELATIVE ? uint32(block.timestamp) + stated : stated;
    }

    function startCctp(BridgeData memory bridge, PolymerCCTPData calldata data) private {
        require(!bridge.hasDestinationCall, "InformationMismatch");
        require(data.hookData.length == 0, "InvalidCallData");
        bool isSolana = bridge.destinationChainId == SOLANA;
        require((bridge.receiver == NON_EVM_ADDRESS) == isSolana && bridge.receiver != address(0), "InvalidReceiver");
        require(!isSolana || data.nonEVMReceiver != bytes32(0), "InvalidNonEVMReceiver");
        require(!isSolana || data.solanaReceiverATA != bytes32(0), "InvalidConfig");
        Money.pay(usdc, polymerFeeReceiver, data.polymerTokenFee);
        require(bridge.minAmount - data.polymerTokenFee > data.maxCCTPFee, "Max fee must be less than amount");
        Money.pay(usdc, BURNT, bridge.minAmount - data.polymerTokenFee);
        emit LiFiTransferStarted(bridge);
    }

    function depositOne(address token, uint256 amount) private {
        require(amount > 0, "InvalidAmount");
        if (token == address(0)) require(msg.value >= amount, "InvalidAmount");
        else Money.take(token, msg.sender, address(this), amount);
    }

    function deposit(SwapData[] calldata swaps) private {
        for (uint256 i = 0; i < swaps.length; i++)
            if (swaps[i].requiresDeposit) depositOne(swaps[i].sendingAssetId, swaps[i].fromAmount);
    }

    function call(SwapData calldata swap, uint256 value) private {
        bool isKnown = swap.callTo == exchange || swap.callTo == feeForwarder;
        require(isKnown && (swap.sendingAssetId == address(0) || swap.approveTo == swap.callTo), "ContractCallNotAllowed");
        if (swap.sendingAssetId != address(0)) Money.allow(swap.sendingAssetId, swap.approveTo, swap.fromAmount);
        Money.run(swap.callTo, value, swap.callData);
    }

    function callAll(SwapData[] calldata swaps) private {
        for (uint256 i = 0; i < swaps.length; i++)
            call(swaps[i], swaps[i].sendingAssetId == address(0) ? swaps[i].fromAmount : 0);
    }

    function depositAndSwap(
        BridgeData memory bridge, SwapData[] calldata swaps, address leftovers
    ) private returns (uint256 got) {
        require(swaps.length > 0, "NoSwapDataProvided");
        address last = swaps[swaps.length - 1].receivingAssetId;
        uint256 before = Money.held(last, address(this)) - (last == address(0) ? msg.value : 0);
        deposit(swaps);
        callAll(swaps);
        for (uint256 i = 0; i < swaps.length; i++)
            if (swaps[i].sendingAssetId != last)
                Money.pay(swaps[i].sendingAssetId, leftovers, Money.held(swaps[i].sendingAssetId, address(this)));
        got = Money.held(last, address(this)) - before;
        require(got >= bridge.minAmount, "CumulativeSlippageTooHigh");
    }

    function multiple(Swap memory swap, SwapData[] calldata swaps) private {
        callAll(swaps);
        complete(swap, swaps[0].sendingAssetId, swaps[swaps.length - 1].receivingAssetId, swaps[0].fromAmount);
    }

    function complete(Swap memory swap, address from, address to, uint256 fromAmount) private {
        uint256 got = Money.held(to, address(this));
        require(got >= swap.minAmountOut, "CumulativeSlippageTooHigh");
        Money.pay(to, swap.receiver, got);
        emit LiFiGenericSwapCompleted(
            swap.transactionId, swap.integrator, swap.referrer, swap.receiver, from, to, fromAmount, got
        );
    }

    function refundCoins(address to, uint256 before) private {
        if (address(this).balance > before) Money.pay(address(0), to, address(this).balance - before);
    }
}
