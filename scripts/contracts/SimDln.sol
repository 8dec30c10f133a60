// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

/// deBridge's contracts as far as wallets and takers know them. What reaches the real ones from the other chain through a
/// gate is called here by one account.
/// https://github.com/debridge-finance/dln-contracts

struct OrderCreation {
    address giveTokenAddress;
    uint256 giveAmount;
    bytes takeTokenAddress;
    uint256 takeAmount;
    uint256 takeChainId;
    bytes receiverDst;
    address givePatchAuthoritySrc;
    bytes orderAuthorityAddressDst;
    bytes allowedTakerDst;
    bytes externalCall;
    bytes allowedCancelBeneficiarySrc;
}

struct Order {
    uint64 makerOrderNonce;
    bytes makerSrc;
    uint256 giveChainId;
    bytes giveTokenAddress;
    uint256 giveAmount;
    uint256 takeChainId;
    bytes takeTokenAddress;
    uint256 takeAmount;
    bytes receiverDst;
    bytes givePatchAuthoritySrc;
    bytes orderAuthorityAddressDst;
    bytes allowedTakerDst;
    bytes allowedCancelBeneficiarySrc;
    bytes externalCall;
}

abstract contract SimDlnBase {
    address internal constant GATE = 0x43dE2d77BF8027e25dBD179B491e8d64f38398aA;
    uint256 internal constant SOLANA = 7565164;
    error Unauthorized();

    function sized(bytes memory part) private pure returns (bytes memory) {
        return abi.encodePacked(uint8(part.length), part);
    }

    function idOf(Order memory order) internal pure returns (bytes32) {
        bytes memory give = abi.encodePacked(
            order.makerOrderNonce, sized(order.makerSrc), order.giveChainId, sized(order.giveTokenAddress), order.giveAmount
        );
        bytes memory taken = abi.encodePacked(
            order.takeChainId, sized(order.takeTokenAddress), order.takeAmount, sized(order.receiverDst)
        );
        bytes memory parties = abi.encodePacked(
            sized(order.givePatchAuthoritySrc),
            sized(order.orderAuthorityAddressDst),
            sized(order.allowedTakerDst),
            sized(order.allowedCancelBeneficiarySrc)
        );
        bytes memory call = order.externalCall.length == 0
            ? abi.encodePacked(uint8(0))
            : abi.encodePacked(uint8(1), keccak256(order.externalCall));
        return keccak256(abi.encodePacked(give, taken, parties, call));
    }

    function take(address token, address from, address to, uint256 amount) internal {
        uint256 before = Money.held(token, to);
        Money.take(token, from, to, amount);
        require(from == to || Money.held(token, to) - before == amount, "MismatchedTransferAmount()");
    }
}

contract SimDlnSource is SimDlnBase {
    struct Given {
        uint8 status;
        address token;
        uint256 amount;
        uint256 percentFee;
        uint256 fixFee;
        address affiliate;
        uint256 affiliateAmount;
    }

    /// Set at genesis, with the number that stands for the chain; zero stands for the chain's own.
    uint88 public globalFixedNativeFee;
    uint32 public subscriptionId;
    mapping(bytes32 => Given) public giveOrders;

    uint16 public constant globalTransferFeeBps = 4;

    event CreatedOrder(
        Order order, bytes32 orderId, bytes affiliateFee, uint256 nativeFixFee, uint256 percentFee, uint32 referralCode,
        bytes metadata
    );
    event ClaimedUnlock(bytes32 orderId, address beneficiary, uint256 giveAmount, address giveTokenAddress);
    event ClaimedOrderCancel(bytes32 orderId, address beneficiary, uint256 paidAmount, address giveTokenAddress);

    function createSaltedOrder(
        OrderCreation calldata made, uint64 salt, bytes memory affiliateFee, uint32 referralCode, bytes memory,
        bytes memory metadata
    ) external payable returns (bytes32 orderId) {
        if (affiliateFee.length != 0 && affiliateFee.length != 52) revert("WrongAffiliateFeeLength");
        Order memory order = orderOf(made, salt);
        pull(made);
        uint256 percentFee = (globalTransferFeeBps * order.giveAmount) / 10000;
        order.giveAmount -= percentFee + amountIn(affiliateFee);
        orderId = idOf(order);
        book(giveOrders[orderId], order, percentFee, affiliateFee);
        emit CreatedOrder(order, orderId, affiliateFee, globalFixedNativeFee, percentFee, referralCode, metadata);
    }

    function dlnDestinationAddresses(uint256) external pure returns (bytes memory) {
        return abi.encodePacked(0xE7351Fd770A37282b91D153Ee690B63579D6dd7f);
    }

    function amountIn(bytes memory affiliateFee) private pure returns (uint256 amount) {
        if (affiliateFee.length > 0) assembly ("memory-safe") { amount := mload(add(affiliateFee, 52)) }
    }

    function book(Given storage given, Order memory order, uint256 percentFee, bytes memory affiliateFee) private {
        if (given.status != 0) revert("IncorrectOrderStatus");
        given.status = 1;
        given.token = address(bytes20(order.giveTokenAddress));
        given.amount = order.giveAmount;
        given.percentFee = percentFee;
        given.fixFee = globalFixedNativeFee;
        given.affiliateAmount = amountIn(affiliateFee);
        if (given.affiliateAmount > 0) given.affiliate = address(bytes20(affiliateFee));
    }

    function claimUnlock(bytes32 orderId, address beneficiary) external {
        Given storage given = begin(orderId, 2);
        Money.pay(given.token, beneficiary, given.amount);
        Money.pay(given.token, given.affiliate, given.affiliateAmount);
        emit ClaimedUnlock(orderId, beneficiary, given.amount, given.token);
    }

    function claimCancel(bytes32 orderId, address beneficiary) external {
        Given storage given = begin(orderId, 3);
        uint256 amount = given.amount + given.percentFee + given.affiliateAmount;
        Money.pay(given.token, beneficiary, amount);
        Money.pay(address(0), beneficiary, given.fixFee);
        emit ClaimedOrderCancel(orderId, beneficiary, amount, given.token);
    }

    function begin(bytes32 orderId, uint8 status) private returns (Given storage given) {
        if (msg.sender != GATE) revert Unauthorized();
        given = giveOrders[orderId];
        if (given.status != 1) revert("IncorrectOrderStatus");
        given.status = status;
    }

    function pull(OrderCreation calldata made) private {
        if (made.giveTokenAddress == address(0)) {
            if (msg.value != made.giveAmount + globalFixedNativeFee) revert("MismatchNativeGiveAmount");
            return;
        }
        if (msg.value != globalFixedNativeFee) revert("WrongFixedFee");
        take(made.giveTokenAddress, msg.sender, address(this), made.giveAmount);
    }

    function orderOf(OrderCreation calldata made, uint64 salt) private view returns (Order memory order) {
        uint256 giveChainId = subscriptionId == 0 ? block.chainid : subscriptionId;
        if (made.takeChainId == giveChainId) revert("NotSupportedDstChain");
        uint256 length = made.takeChainId == SOLANA ? 32 : 20;
        bool isWrong = made.takeTokenAddress.length != length || made.receiverDst.length != length
            || made.orderAuthorityAddressDst.length != length
            || (made.allowedTakerDst.length > 0 && made.allowedTakerDst.length != length)
            || (made.allowedCancelBeneficiarySrc.length > 0 && made.allowedCancelBeneficiarySrc.length != 20);
        if (isWrong) revert("WrongAddressLength");
        order.makerOrderNonce = salt;
        order.makerSrc = abi.encodePacked(tx.origin);
        order.giveChainId = giveChainId;
        order.giveTokenAddress = abi.encodePacked(made.giveTokenAddress);
        order.giveAmount = made.giveAmount;
        order.takeChainId = made.takeChainId;
        order.takeTokenAddress = made.takeTokenAddress;
        order.takeAmount = made.takeAmount;
        order.receiverDst = made.receiverDst;
        order.givePatchAuthoritySrc = abi.encodePacked(made.givePatchAuthoritySrc);
        order.orderAuthorityAddressDst = made.orderAuthorityAddressDst;
        order.allowedTakerDst = made.allowedTakerDst;
        order.allowedCancelBeneficiarySrc = made.allowedCancelBeneficiarySrc;
        order.externalCall = made.externalCall;
    }
}

contract SimDlnDestination is SimDlnBase {
    /// As in the other.
    uint256 public subscriptionId;
    mapping(bytes32 => bool) public isFulfilled;

    event FulfilledOrder(Order order, bytes32 orderId, address sender, address unlockAuthority);

    function fulfillOrder(
        Order memory order, uint256 amount, bytes32 orderId, bytes calldata, address unlockAuthority
    ) external payable {
        if (order.takeChainId != (subscriptionId == 0 ? block.chainid : subscriptionId)) revert("WrongChain");
        if (idOf(order) != orderId) revert("MismatchedOrderId");
        if (isFulfilled[orderId]) revert("IncorrectOrderStatus");
        if (order.allowedTakerDst.length > 0 && address(bytes20(order.allowedTakerDst)) != unlockAuthority) revert Unauthorized();
        if (order.takeAmount != amount) revert("MismatchTakerAmount");
        address token = address(bytes20(order.takeTokenAddress));
        address receiver = address(bytes20(order.receiverDst));
        if (token == address(0) && msg.value != amount) revert("MismatchNativeTakerAmount");
        if (token == address(0)) Money.pay(token, receiver, amount);
        else take(token, msg.sender, receiver, amount);
        isFulfilled[orderId] = true;
        emit FulfilledOrder(order, orderId, msg.sender, unlockAuthority);
    }
}

contract SimDlnForwarder is SimDlnBase {

    function strictlySwapAndCall(
        address tokenIn, uint256 amountIn, bytes memory, address router, bytes memory swap,
        address tokenOut, uint256 least, address refundRecipient, address target, bytes memory call
    ) external payable {
        take(tokenIn, msg.sender, address(this), amountIn);
        Money.allow(tokenIn, router, amountIn);
        uint256 before = Money.held(tokenOut, address(this));
        Money.run(router, 0, swap);
        uint256 bought = Money.held(tokenOut, address(this)) - before;
        if (bought < least) revert("NotEnoughSrcFundsIn");
        Money.pay(tokenOut, refundRecipient, bought - least);
        Money.allow(tokenOut, target, least);
        Money.run(target, msg.value, call);
    }
}
