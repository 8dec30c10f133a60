// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToken, Money, Signatures} from "./Kit.sol";

/// What the stand-ins for Bebop's contracts have in common.
abstract contract SimBebopParts {

    mapping(address => mapping(uint256 => uint256)) internal nonces;

    function useNonce(address owner, uint256 nonce) internal {
        if (nonce == 0) revert("ZeroNonce");
        uint256 bit = 1 << (nonce & 0xff);
        if (nonces[owner][nonce >> 8] & bit != 0) revert("InvalidNonce");
        nonces[owner][nonce >> 8] |= bit;
    }
}

/// Stands for JamSettlement: https://github.com/bebop-dex/bebop-jam-contracts
contract SimJamSettlement is SimBebopParts {
    struct JamOrder {
        address taker;
        address receiver;
        uint256 expiry;
        uint256 exclusivityDeadline;
        uint256 nonce;
        address executor;
        uint256 partnerInfo;
        address[] sellTokens;
        address[] buyTokens;
        uint256[] sellAmounts;
        uint256[] buyAmounts;
        bool usingPermit2;
    }

    struct Interaction {
        bool result;
        address to;
        uint256 value;
        bytes data;
    }

    struct Hooks {
        Interaction[] beforeSettle;
        Interaction[] afterSettle;
    }

    address private constant TREASURY = 0x1af49c826Ea0A8F29ea448f2171D1BCb716cB22D;
    SimJamBalanceManager public constant balanceManager = SimJamBalanceManager(0xC5a350853E4e36b73EB0C24aaA4b8816C9A3579a);
    bytes32 private constant ORDER_TYPE =
        keccak256(
            "JamOrder(address taker,address receiver,uint256 expiry,uint256 exclusivityDeadline,uint256 nonce,address executor,uint256 partnerInfo,address[] sellTokens,address[] buyTokens,uint256[] sellAmounts,uint256[] buyAmounts,bytes32 hooksHash)"
        );

    event BebopJamOrderFilled(
        uint256 indexed nonce, address indexed user, address[] sellTokens, address[] buyTokens, uint256[] sellAmounts,
        uint256[] buyAmounts
    );

    receive() external payable {}

    function transferNativeFromContract(address receiver, uint256 amount) external {
        Money.pay(Money.COINS, receiver, amount);
    }

    /// Pays out of what it then holds, all of it.
    function settle(
        JamOrder calldata order, bytes calldata signature, Interaction[] calldata interactions, bytes calldata hooksData,
        address balanceRecipient
    ) external payable {
        require(hooksData.length == 0, "no hooks here");
        validate(order, signature);
        balanceManager.transferTokens(order.sellTokens, order.sellAmounts, order.taker, balanceRecipient);
        run(interactions);
        uint256[] memory paid = order.buyAmounts;
        for (uint256 i = 0; i < paid.length; i++) paid[i] = payOut(order, i, Money.held(order.buyTokens[i], address(this)));
        emit BebopJamOrderFilled(order.nonce, order.taker, order.sellTokens, order.buyTokens, order.sellAmounts, paid);
    }

    /// Takes all inputs before it pays any output: of what it then holds, each order its share.
    function settleBatch(
        JamOrder[] calldata orders, bytes[] calldata signatures, Interaction[] calldata interactions, Hooks[] calldata hooks,
        address balanceRecipient
    ) external payable {
        require(hooks.length == 0, "no hooks here");
        require(signatures.length == orders.length, "InvalidBatchSignaturesLength()");
        for (uint256 i = 0; i < orders.length; i++) {
            validate(orders[i], signatures[i]);
            balanceManager.transferTokens(orders[i].sellTokens, orders[i].sellAmounts, orders[i].taker, balanceRecipient);
        }
        run(interactions);
        for (uint256 i = 0; i < orders.length; i++) {
            JamOrder calldata order = orders[i];
            uint256[] memory paid = sharesOf(orders, i);
            for (uint256 k = 0; k < paid.length; k++) paid[k] = payOut(order, k, paid[k]);
            emit BebopJamOrderFilled(order.nonce, order.taker, order.sellTokens, order.buyTokens, order.sellAmounts, paid);
        }
    }

    function run(Interaction[] calldata interactions) private {
        for (uint256 i = 0; i < interactions.length; i++) {
            require(interactions[i].to != address(balanceManager), "CallToBalanceManagerNotAllowed()");
            (bool done, ) = interactions[i].to.call{value: interactions[i].value}(interactions[i].data);
            require(done || !interactions[i].result, "InteractionsFailed()");
        }
    }

    function sharesOf(JamOrder[] calldata orders, uint256 from) private view returns (uint256[] memory shares) {
        JamOrder calldata own = orders[from];
        shares = own.buyAmounts;
        for (uint256 k = 0; k < shares.length; k++) {
            uint256 due = 0;
            for (uint256 i = from; i < orders.length; i++)
                for (uint256 j = 0; j < orders[i].buyTokens.length; j++)
                    if (orders[i].buyTokens[j] == own.buyTokens[k]) due += orders[i].buyAmounts[j];
            uint256 share = (Money.held(own.buyTokens[k], address(this)) * own.buyAmounts[k]) / due;
            if (share > shares[k]) shares[k] = share;
        }
    }

    /// Paid by the caller itself.
    function settleInternal(
        JamOrder calldata order, bytes calldata signature, uint256[] calldata filledAmounts, bytes calldata hooksData
    ) external payable {
        require(hooksData.length == 0 && filledAmounts.length == order.buyAmounts.length, "InvalidFilledAmountsLength()");
        validate(order, signature);
        balanceManager.transferTokens(order.sellTokens, order.sellAmounts, order.taker, msg.sender);
        uint256[] memory paid = payFrom(order, filledAmounts);
        emit BebopJamOrderFilled(order.nonce, order.taker, order.sellTokens, order.buyTokens, order.sellAmounts, paid);
    }

    function payOut(JamOrder calldata order, uint256 i, uint256 gross) private returns (uint256 net) {
        address token = order.buyTokens[i];
        (uint256 ours, uint256 theirs, address partner) = feesOf(order.partnerInfo, gross);
        Money.pay(token, TREASURY, ours);
        Money.pay(token, partner, theirs);
        net = gross - ours - theirs;
        if (net < order.buyAmounts[i]) revert("InvalidOutputBalance");
        Money.pay(token, order.receiver, net);
    }

    function payFrom(JamOrder calldata order, uint256[] calldata gross) private returns (uint256[] memory net) {
        net = new uint256[](gross.length);
        uint256[] memory ours = new uint256[](gross.length);
        uint256[] memory theirs = new uint256[](gross.length);
        address partner;
        for (uint256 i = 0; i < gross.length; i++) {
            (ours[i], theirs[i], partner) = feesOf(order.partnerInfo, gross[i]);
            net[i] = gross[i] - ours[i] - theirs[i];
            if (net[i] < order.buyAmounts[i]) revert("InvalidFilledAmounts");
        }
        balanceManager.transferTokens(order.buyTokens, net, msg.sender, order.receiver);
        if (order.partnerInfo & 0xffff != 0) balanceManager.transferTokens(order.buyTokens, ours, msg.sender, TREASURY);
        if (partner != address(0)) balanceManager.transferTokens(order.buyTokens, theirs, msg.sender, partner);
    }

    function feesOf(uint256 info, uint256 gross) private pure returns (uint256 ours, uint256 theirs, address partner) {
        (uint256 protocolBps, uint256 partnerBps) = (info & 0xffff, (info >> 16) & 0xffff);
        partner = address(uint160(info >> 32));
        require(protocolBps + partnerBps < 10000, "InvalidFeePercentage()");
        require(partnerBps > 0 || partner == address(0), "InvalidPartnerAddress()");
        return ((gross * protocolBps) / 10000, (gross * partnerBps) / 10000, partner);
    }

    function validate(JamOrder calldata order, bytes calldata signature) private {
        require(!order.usingPermit2, "no Permit2 here");
        if (order.taker != msg.sender) Signatures.verify(order.taker, Signatures.domain("JamSettlement", "2"), hashOf(order), signature);
        useNonce(order.taker, order.nonce);
        bool isFree = order.executor == msg.sender || order.executor == address(0);
        if (!isFree && block.timestamp <= order.exclusivityDeadline) revert("InvalidExecutor");
        require(order.buyTokens.length == order.buyAmounts.length, "BuyTokensInvalidLength()");
        require(order.sellTokens.length == order.sellAmounts.length, "SellTokensInvalidLength()");
        if (block.timestamp >= order.expiry) revert("OrderExpired");
    }

    function hashOf(JamOrder calldata order) private pure returns (bytes32) {
        bytes memory head = abi.encode(
            ORDER_TYPE, order.taker, order.receiver, order.expiry, order.exclusivityDeadline, order.nonce, order.executor,
            order.partnerInfo
        );
        bytes memory tail = abi.encode(
            keccak256(abi.encodePacked(order.sellTokens)),
            keccak256(abi.encodePacked(order.buyTokens)),
            keccak256(abi.encodePacked(order.sellAmounts)),
            keccak256(abi.encodePacked(order.buyAmounts)),
            bytes32(0)
        );
        return keccak256(bytes.concat(head, tail));
    }
}

/// Stands for JamBalanceManager: takes what takers allowed it, for the settlement alone.
contract SimJamBalanceManager {
    address private constant OPERATOR = 0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6;

    function transferTokens(address[] calldata tokens, uint256[] calldata amounts, address sender, address receiver) external {
        if (msg.sender != OPERATOR) revert("InvalidCaller");
        for (uint256 i = 0; i < tokens.length; i++) {
            if (tokens[i] != Money.COINS) Money.take(tokens[i], sender, receiver, amounts[i]);
            else if (receiver != OPERATOR) SimJamSettlement(payable(OPERATOR)).transferNativeFromContract(receiver, amounts[i]);
        }
    }
}

/// An order of a maker, as it stands in calls of the settlement.
struct Single {
    uint256 expiry;
    address taker_address;
    address maker_address;
    uint256 maker_nonce;
    address taker_token;
    address maker_token;
    uint256 taker_amount;
    uint256 maker_amount;
    address receiver;
    uint256 packed_commands;
    uint256 flags;
}

struct MakerSignature {
    bytes signatureBytes;
    uint256 flags;
}

/// Stands for BebopSettlement as far as one maker fills an order: what the maker pays, it holds for the maker.
contract SimBebopSettlement is SimBebopParts {
    bytes32 private constant ORDER_TYPE =
        keccak256(
            "SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)"
        );

    struct Partner {
        uint16 fee;
        address beneficiary;
        bool registered;
    }

    mapping(uint64 => Partner) public partners;

    event BebopOrder(uint128 indexed eventId);

    /// By anyone, and with any fee.
    function registerPartner(uint64 id, uint16 fee, address beneficiary) external {
        require(id != 0 && !partners[id].registered && fee <= 10000 && beneficiary != address(0), "PARTNER");
        partners[id] = Partner(fee, beneficiary, true);
    }

    function swapSingle(Single calldata order, MakerSignature calldata makerSignature, uint256 filled) external payable {
        require(msg.sender == order.taker_address && msg.value == 0 && order.packed_commands == 0, "INVALID_TAKER");
        if (block.timestamp > order.expiry) revert("OrderExpired");
        useNonce(order.maker_address, order.maker_nonce);
        bytes memory head = abi.encode(ORDER_TYPE, uint64(order.flags >> 64), order.expiry, order.taker_address);
        bytes memory tokens = abi.encode(order.maker_address, order.maker_nonce, order.taker_token, order.maker_token);
        bytes memory rest = abi.encode(order.taker_amount, order.maker_amount, order.receiver, order.packed_commands);
        bytes32 hash = keccak256(bytes.concat(head, tokens, rest));
        Signatures.verify(order.maker_address, Signatures.domain("BebopSettlement", "2"), hash, makerSignature.signatureBytes);
        uint256 takes = filled == 0 ? order.taker_amount : filled;
        require(takes <= order.taker_amount, "INVALID_FILL");
        uint256 gives = (order.maker_amount * takes) / order.taker_amount;
        Money.take(order.taker_token, msg.sender, order.maker_address, takes);
        Partner memory partner = partners[uint64(order.flags >> 64)];
        uint256 fee = (gives * partner.fee) / 10000;
        if (fee > 0) Money.pay(order.maker_token, partner.beneficiary, fee);
        Money.pay(order.maker_token, order.receiver, gives - fee);
        emit BebopOrder(uint128(order.flags >> 128));
    }
}

/// Stands for BebopRouter without its hooks, oracles and checkers: https://github.com/bebop-dex/bebop-rfqa
contract SimBebopRouter is SimBebopParts {
    struct RouterOrder {
        uint256 fromAmount;
        uint256 toAmount;
        int256 limitAmount;
        address fromToken;
        address toToken;
        address pmmFromToken;
        address pmmToToken;
        address tokensOwner;
        address receiver;
        address originAddress;
        address oracle;
        address checker;
        uint256 info;
        uint256 routerNonce;
        uint256 unsignedFlags;
    }

    struct Hook {
        address targetContract;
        bytes data;
        bytes hookSignature;
        uint256 flags;
    }

    SimBebopSettlement private constant SETTLEMENT = SimBebopSettlement(0xbbbbbBB520d69a9775E85b458C58c648259FAD5F);
    bytes32 private constant ORDER_TYPE =
        keccak256(
            "BebopRouterOrder(uint256 fromAmount,uint256 toAmount,int256 limitAmount,address fromToken,address toToken,address pmmFromToken,address pmmToToken,address tokensOwner,address receiver,address originAddress,address oracle,address checker,uint256 info,uint256 routerNonce,bytes32 extraInfoHash,bytes32 hooksHash)"
        );

    /// Written at its genesis; the slot before them is that of the nonces.
    address public routerSigner;
    IToken public wrappedNativeToken;

    event BebopRouterSwap(
        uint128 indexed eventId, uint256 indexed routerNonce, address indexed receiver, address fromToken, address toToken,
        uint256 fromAmount, uint256 toAmount, uint256 feeValue, uint256 slippageValue, uint256 unsignedFlags
    );

    receive() external payable {}

    function swap(
        int256 exactAmount, RouterOrder calldata order, bytes calldata extraInfo, bytes calldata routerSignature,
        bytes calldata bebopPmmCalldata, Hook[] calldata hooks
    ) external payable {
        require(hooks.length == 0 && order.oracle == address(0) && order.checker == address(0), "no hooks here");
        require(exactAmount > 0 && uint256(exactAmount) == order.fromAmount, "exact input alone");
        Signatures.verify(routerSigner, Signatures.domain("BebopRouter", "1"), hashOf(order, extraInfo), routerSignature);
        if (order.originAddress != address(0) && tx.origin != order.originAddress) revert("InvalidOrigin");
        if (order.tokensOwner != address(0) && msg.sender != order.tokensOwner) revert("InvalidMsgSender");
        useNonce(msg.sender, order.routerNonce);
        if (block.timestamp >= uint64(order.info >> 64)) revert("OrderExpired");
        takeInput(order);
        uint128 eventId = callMaker(order, bebopPmmCalldata);
        emitSwap(eventId, order, payOutput(order));
    }

    function emitSwap(uint128 eventId, RouterOrder calldata order, uint256 toAmount) private {
        (address from, address to) = (order.fromToken, order.toToken);
        emit BebopRouterSwap(
            eventId, order.routerNonce, order.receiver, from, to, order.fromAmount, toAmount, 0, 0, order.unsignedFlags
        );
    }

    function isNonceValid(address owner, uint256 nonce) external view returns (bool) {
        return nonces[owner][nonce >> 8] & (1 << (nonce & 0xff)) == 0;
    }

    function takeInput(RouterOrder calldata order) private {
        if (order.fromToken == Money.COINS) {
            if (msg.value != order.fromAmount) revert("UnexpectedMsgValue");
            wrappedNativeToken.deposit{value: order.fromAmount}();
            return;
        }
        if (msg.value != 0) revert("UnexpectedMsgValue");
        Money.take(order.fromToken, msg.sender, address(this), order.fromAmount);
    }

    function callMaker(RouterOrder calldata order, bytes calldata data) private returns (uint128) {
        require(bytes4(data[0:4]) == SimBebopSettlement.swapSingle.selector, "InvalidPmmSelector()");
        (Single memory single, MakerSignature memory signature, ) = abi.decode(data[4:], (Single, MakerSignature, uint256));
        require(single.taker_token == order.pmmFromToken && single.maker_token == order.pmmToToken, "TokenMismatch()");
        Money.allow(order.pmmFromToken, address(SETTLEMENT), order.fromAmount);
        SETTLEMENT.swapSingle(single, signature, order.fromAmount);
        return uint128(single.flags >> 128);
    }

    /// All that it then holds.
    function payOutput(RouterOrder calldata order) private returns (uint256 amount) {
        if (order.toToken == Money.COINS) wrappedNativeToken.withdraw(wrappedNativeToken.balanceOf(address(this)));
        amount = Money.held(order.toToken, address(this));
        if (order.limitAmount > 0 && amount < uint256(order.limitAmount)) revert("LimitAmountViolation");
        Money.pay(order.toToken, order.receiver, amount);
    }

    function hashOf(RouterOrder calldata order, bytes calldata extraInfo) private pure returns (bytes32) {
        bytes memory words = abi.encode(order);
        assembly {
            mstore(words, sub(mload(words), 32))
        }
        return keccak256(bytes.concat(ORDER_TYPE, words, keccak256(extraInfo), bytes32(0)));
    }
}
