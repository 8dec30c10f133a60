// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToken, Money} from "./Kit.sol";

interface SimSettlement {
    function domainSeparator() external view returns (bytes32);
    function filledAmount(bytes calldata orderUid) external view returns (uint256);
    function vaultRelayer() external view returns (address);
}

/// Stand-in for CoW Protocol's EthFlow, whose bytecode no package carries: the functions, events and rules of
/// https://github.com/cowprotocol/ethflowcontract. Its code is put at the real contract's address, so it has no
/// constructor: the first storage slot is written with the chain's wrapped coin.
contract SimEthFlow {
    struct FlowOrder {
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        bytes32 appData;
        uint256 feeAmount;
        uint32 validTo;
        bool partiallyFillable;
        int64 quoteId;
    }

    /// GPv2Order.Data of the settlement contract.
    struct Order {
        address sellToken;
        address buyToken;
        address receiver;
        uint256 sellAmount;
        uint256 buyAmount;
        uint32 validTo;
        bytes32 appData;
        uint256 feeAmount;
        bytes32 kind;
        bool partiallyFillable;
        bytes32 sellTokenBalance;
        bytes32 buyTokenBalance;
    }

    struct OnchainSignature {
        /// 0 for EIP-1271.
        uint8 scheme;
        bytes data;
    }

    struct OnchainData {
        address owner;
        uint32 validTo;
    }

    event OrderPlacement(address indexed sender, Order order, OnchainSignature signature, bytes data);
    event OrderInvalidation(bytes orderUid);
    event OrderRefund(bytes orderUid, address indexed refunder);

    IToken public wrappedNativeToken;
    mapping(bytes32 => OnchainData) public orders;

    SimSettlement public constant cowSwapSettlement = SimSettlement(0x9008D19f58AAbD9eD0D60971565AA8510560ab41);
    address private constant INVALIDATED_OWNER = address(type(uint160).max);
    bytes32 private constant ORDER_TYPE_HASH =
        keccak256(
            "Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)"
        );

    receive() external payable {}

    function createOrder(FlowOrder calldata flow) external payable returns (bytes32 orderHash) {
        if (msg.value != flow.sellAmount + flow.feeAmount) revert("IncorrectEthAmount");
        if (flow.sellAmount == 0) revert("NotAllowedZeroSellAmount");
        if (flow.validTo < block.timestamp) revert("OrderIsAlreadyExpired");
        Order memory order = toOrder(flow);
        orderHash = hash(order);
        if (orders[orderHash].owner != address(0)) revert("OrderIsAlreadyOwned");
        orders[orderHash] = OnchainData(msg.sender, flow.validTo);
        OnchainSignature memory signature = OnchainSignature(0, abi.encodePacked(address(this)));
        emit OrderPlacement(msg.sender, order, signature, abi.encodePacked(flow.quoteId, flow.validTo));
    }

    /// The real contract allows the vault relayer everything in its constructor.
    function wrapAll() external {
        address relayer = cowSwapSettlement.vaultRelayer();
        if (wrappedNativeToken.allowance(address(this), relayer) != type(uint256).max)
            wrappedNativeToken.approve(relayer, type(uint256).max);
        wrappedNativeToken.deposit{value: address(this).balance}();
    }

    /// EIP-1271: an order is signed while it is owned by someone and not past the trader's own deadline.
    function isValidSignature(bytes32 orderHash, bytes calldata) external view returns (bytes4) {
        OnchainData memory data = orders[orderHash];
        bool isOwned = data.owner != address(0) && data.owner != INVALIDATED_OWNER;
        return isOwned && block.timestamp <= data.validTo ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function toOrder(FlowOrder calldata flow) private view returns (Order memory) {
        if (flow.receiver == address(0)) revert("ReceiverMustBeSet");
        (bytes32 sell, bytes32 erc20) = (keccak256("sell"), keccak256("erc20"));
        return Order(
            address(wrappedNativeToken), flow.buyToken, flow.receiver, flow.sellAmount, flow.buyAmount, type(uint32).max,
            flow.appData, flow.feeAmount, sell, flow.partiallyFillable, erc20, erc20
        );
    }

    function hash(Order memory order) private view returns (bytes32) {
        bytes32 structHash = keccak256(abi.encode(ORDER_TYPE_HASH, order));
        return keccak256(abi.encodePacked("\x19\x01", cowSwapSettlement.domainSeparator(), structHash));
    }

    function invalidateOrder(FlowOrder calldata flow) external {
        bytes32 orderHash = hash(toOrder(flow));
        OnchainData memory data = orders[orderHash];
        bool isTrader = data.owner == msg.sender;
        bool isOpen = data.owner != address(0) && data.owner != INVALIDATED_OWNER;
        if (!isOpen || (!isTrader && data.validTo >= block.timestamp)) revert("NotAllowedToInvalidateOrder");
        orders[orderHash].owner = INVALIDATED_OWNER;
        bytes memory uid = abi.encodePacked(orderHash, address(this), type(uint32).max);
        if (isTrader) emit OrderInvalidation(uid);
        else emit OrderRefund(uid, msg.sender);
        uint256 filled = cowSwapSettlement.filledAmount(uid);
        uint256 refund = flow.sellAmount - filled + flow.feeAmount - (flow.feeAmount * filled) / flow.sellAmount;
        if (address(this).balance < refund) wrappedNativeToken.withdraw(refund - address(this).balance);
        Money.pay(Money.COINS, data.owner, refund);
    }
}
