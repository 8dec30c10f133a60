// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface IPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit_,
        SignatureTransferDetails calldata wish,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external;
}

/// What the reactors of UniswapX have in common, as far as orders are filled by a caller who holds the outputs. Orders, hashes,
/// decays, events and errors are those of https://github.com/Uniswap/UniswapX
abstract contract SimReactor {
    struct OrderInfo {
        address reactor;
        address swapper;
        uint256 nonce;
        uint256 deadline;
        address additionalValidationContract;
        bytes additionalValidationData;
    }

    struct SignedOrder {
        bytes order;
        bytes sig;
    }

    struct Output {
        address token;
        uint256 amount;
        address recipient;
    }

    struct Resolved {
        OrderInfo info;
        address inputToken;
        uint256 inputAmount;
        uint256 inputMax;
        Output[] outputs;
        bytes32 hash;
    }

    event Fill(bytes32 indexed orderHash, address indexed filler, address indexed swapper, uint256 nonce);

    error InvalidReactor();
    error DeadlinePassed();
    error InvalidCosignature();
    error InvalidCosignerInput();
    error InvalidCosignerOutput();
    error NativeTransferFailed();

    IPermit2 public constant permit2 = IPermit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);
    bytes internal constant ORDER_INFO =
        "OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)";
    bytes internal constant TOKEN_PERMISSIONS = "TokenPermissions(address token,uint256 amount)";

    function resolve(bytes calldata order) internal view virtual returns (Resolved memory);

    function witnessTypeString() internal pure virtual returns (string memory);

    function execute(SignedOrder calldata order) external payable {
        fill(take(order));
        giveBack();
    }

    /// Takes all inputs before it pays any output.
    function executeBatch(SignedOrder[] calldata orders) external payable {
        Resolved[] memory resolved = new Resolved[](orders.length);
        for (uint256 i = 0; i < orders.length; i++) resolved[i] = take(orders[i]);
        for (uint256 i = 0; i < orders.length; i++) fill(resolved[i]);
        giveBack();
    }

    function take(SignedOrder calldata order) private returns (Resolved memory resolved) {
        resolved = resolve(order.order);
        OrderInfo memory info = resolved.info;
        if (info.reactor != address(this)) revert InvalidReactor();
        if (block.timestamp > info.deadline) revert DeadlinePassed();
        permit2.permitWitnessTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(resolved.inputToken, resolved.inputMax),
                info.nonce,
                info.deadline
            ),
            IPermit2.SignatureTransferDetails(msg.sender, resolved.inputAmount),
            info.swapper,
            resolved.hash,
            witnessTypeString(),
            order.sig
        );
    }

    function fill(Resolved memory resolved) private {
        for (uint256 i = 0; i < resolved.outputs.length; i++) pay(resolved.outputs[i]);
        emit Fill(resolved.hash, msg.sender, resolved.info.swapper, resolved.info.nonce);
    }

    function giveBack() private {
        if (address(this).balance > 0) send(msg.sender, address(this).balance);
    }

    function pay(Output memory output) private {
        if (output.token == address(0)) return send(output.recipient, output.amount);
        bytes memory call = abi.encodeCall(IToken.transferFrom, (msg.sender, output.recipient, output.amount));
        (bool done, bytes memory answer) = output.token.call(call);
        require(done && (answer.length == 0 || abi.decode(answer, (bool))), "TRANSFER_FROM_FAILED");
    }

    function send(address to, uint256 amount) private {
        (bool done, ) = to.call{value: amount}("");
        if (!done) revert NativeTransferFailed();
    }

    function hashOf(OrderInfo memory info) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(ORDER_INFO),
                    info.reactor,
                    info.swapper,
                    info.nonce,
                    info.deadline,
                    info.additionalValidationContract,
                    keccak256(info.additionalValidationData)
                )
            );
    }

    function demandCosigned(bytes32 digest, address cosigner, bytes memory signature) internal pure {
        (bytes32 r, bytes32 s) = abi.decode(signature, (bytes32, bytes32));
        address signer = ecrecover(digest, uint8(signature[64]), r, s);
        if (signer == address(0) || signer != cosigner) revert InvalidCosignature();
    }
}

contract SimV2DutchReactor is SimReactor {
    struct DutchInput {
        address token;
        uint256 startAmount;
        uint256 endAmount;
    }

    struct DutchOutput {
        address token;
        uint256 startAmount;
        uint256 endAmount;
        address recipient;
    }

    struct CosignerData {
        uint256 decayStartTime;
        uint256 decayEndTime;
        address exclusiveFiller;
        uint256 exclusivityOverrideBps;
        uint256 inputAmount;
        uint256[] outputAmounts;
    }

    struct V2DutchOrder {
        OrderInfo info;
        address cosigner;
        DutchInput baseInput;
        DutchOutput[] baseOutputs;
        CosignerData cosignerData;
        bytes cosignature;
    }

    bytes private constant OUTPUT = "DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)";
    bytes private constant ORDER =
        "V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)";

    function witnessTypeString() internal pure override returns (string memory) {
        return string(abi.encodePacked("V2DutchOrder witness)", OUTPUT, ORDER_INFO, TOKEN_PERMISSIONS, ORDER));
    }

    function resolve(bytes calldata encoded) internal view override returns (Resolved memory resolved) {
        V2DutchOrder memory order = abi.decode(encoded, (V2DutchOrder));
        CosignerData memory data = order.cosignerData;
        resolved.hash = hashOrder(order);
        demandCosigned(
            keccak256(abi.encodePacked(resolved.hash, abi.encode(data))),
            order.cosigner,
            order.cosignature
        );
        uint256 inputStart = order.baseInput.startAmount;
        if (data.inputAmount != 0) {
            if (data.inputAmount > inputStart) revert InvalidCosignerInput();
            inputStart = data.inputAmount;
        }
        if (data.outputAmounts.length != order.baseOutputs.length) revert InvalidCosignerOutput();
        resolved.info = order.info;
        resolved.inputToken = order.baseInput.token;
        resolved.inputMax = order.baseInput.endAmount;
        resolved.inputAmount = decayed(inputStart, order.baseInput.endAmount, data);
        resolved.outputs = new Output[](order.baseOutputs.length);
        for (uint256 i = 0; i < order.baseOutputs.length; i++) {
            DutchOutput memory output = order.baseOutputs[i];
            uint256 start = output.startAmount;
            if (data.outputAmounts[i] != 0) {
                if (data.outputAmounts[i] < start) revert InvalidCosignerOutput();
                start = data.outputAmounts[i];
            }
            resolved.outputs[i] = Output(output.token, decayed(start, output.endAmount, data), output.recipient);
        }
    }

    function decayed(uint256 start, uint256 end, CosignerData memory data) private view returns (uint256) {
        if (start == end || block.timestamp <= data.decayStartTime) return start;
        if (block.timestamp >= data.decayEndTime) return end;
        uint256 elapsed = block.timestamp - data.decayStartTime;
        uint256 duration = data.decayEndTime - data.decayStartTime;
        if (end < start) return start - ((start - end) * elapsed) / duration;
        return start + ((end - start) * elapsed) / duration;
    }

    function hashOrder(V2DutchOrder memory order) private pure returns (bytes32) {
        bytes32[] memory outputs = new bytes32[](order.baseOutputs.length);
        for (uint256 i = 0; i < outputs.length; i++)
            outputs[i] = keccak256(abi.encode(keccak256(OUTPUT), order.baseOutputs[i]));
        return
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(ORDER, OUTPUT, ORDER_INFO)),
                    hashOf(order.info),
                    order.cosigner,
                    order.baseInput,
                    keccak256(abi.encodePacked(outputs))
                )
            );
    }
}

contract SimV3DutchReactor is SimReactor {
    struct Curve {
        uint256 relativeBlocks;
        int256[] relativeAmounts;
    }

    struct V3DutchInput {
        address token;
        uint256 startAmount;
        Curve curve;
        uint256 maxAmount;
        uint256 adjustmentPerGweiBaseFee;
    }

    struct V3DutchOutput {
        address token;
        uint256 startAmount;
        Curve curve;
        address recipient;
        uint256 minAmount;
        uint256 adjustmentPerGweiBaseFee;
    }

    struct CosignerData {
        uint256 decayStartBlock;
        address exclusiveFiller;
        uint256 exclusivityOverrideBps;
        uint256 inputAmount;
        uint256[] outputAmounts;
    }

    struct V3DutchOrder {
        OrderInfo info;
        address cosigner;
        uint256 startingBaseFee;
        V3DutchInput baseInput;
        V3DutchOutput[] baseOutputs;
        CosignerData cosignerData;
        bytes cosignature;
    }

    bytes private constant CURVE = "NonlinearDutchDecay(uint256 relativeBlocks,int256[] relativeAmounts)";
    bytes private constant INPUT =
        "V3DutchInput(address token,uint256 startAmount,NonlinearDutchDecay curve,uint256 maxAmount,uint256 adjustmentPerGweiBaseFee)";
    bytes private constant OUTPUT =
        "V3DutchOutput(address token,uint256 startAmount,NonlinearDutchDecay curve,address recipient,uint256 minAmount,uint256 adjustmentPerGweiBaseFee)";
    bytes private constant ORDER =
        "V3DutchOrder(OrderInfo info,address cosigner,uint256 startingBaseFee,V3DutchInput baseInput,V3DutchOutput[] baseOutputs)";

    function witnessTypeString() internal pure override returns (string memory) {
        return
            string(
                abi.encodePacked("V3DutchOrder witness)", CURVE, ORDER_INFO, TOKEN_PERMISSIONS, INPUT, ORDER, OUTPUT)
            );
    }

    function resolve(bytes calldata encoded) internal view override returns (Resolved memory resolved) {
        V3DutchOrder memory order = abi.decode(encoded, (V3DutchOrder));
        CosignerData memory data = order.cosignerData;
        resolved.hash = hashOrder(order);
        demandCosigned(
            keccak256(abi.encodePacked(resolved.hash, block.chainid, abi.encode(data))),
            order.cosigner,
            order.cosignature
        );
        uint256 inputStart = order.baseInput.startAmount;
        if (data.inputAmount != 0) {
            if (data.inputAmount > inputStart) revert InvalidCosignerInput();
            inputStart = data.inputAmount;
        }
        if (data.outputAmounts.length != order.baseOutputs.length) revert InvalidCosignerOutput();
        resolved.info = order.info;
        resolved.inputToken = order.baseInput.token;
        resolved.inputMax = order.baseInput.maxAmount;
        resolved.inputAmount = decayed(order.baseInput.curve, inputStart, data, 0, resolved.inputMax);
        resolved.outputs = new Output[](order.baseOutputs.length);
        for (uint256 i = 0; i < order.baseOutputs.length; i++) {
            V3DutchOutput memory output = order.baseOutputs[i];
            uint256 start = output.startAmount;
            if (data.outputAmounts[i] != 0) {
                if (data.outputAmounts[i] < start) revert InvalidCosignerOutput();
                start = data.outputAmounts[i];
            }
            uint256 amount = decayed(output.curve, start, data, output.minAmount, type(uint256).max);
            resolved.outputs[i] = Output(output.token, amount, output.recipient);
        }
    }

    /// Linear between the points of the curve, which says by how much less; the base fee is as it was signed.
    function decayed(Curve memory curve, uint256 start, CosignerData memory data, uint256 least, uint256 most)
        private
        view
        returns (uint256)
    {
        int256 amount = int256(start);
        if (block.number > data.decayStartBlock && curve.relativeAmounts.length > 0)
            amount -= lessAt(curve, block.number - data.decayStartBlock);
        if (amount < int256(least)) return least;
        return uint256(amount) > most ? most : uint256(amount);
    }

    function lessAt(Curve memory curve, uint256 elapsed) private pure returns (int256) {
        uint256 since = 0;
        int256 less = 0;
        for (uint256 i = 0; i < curve.relativeAmounts.length; i++) {
            uint256 until = uint16(curve.relativeBlocks >> (i * 16));
            if (elapsed < until)
                return less + ((curve.relativeAmounts[i] - less) * int256(elapsed - since)) / int256(until - since);
            (since, less) = (until, curve.relativeAmounts[i]);
        }
        return less;
    }

    function hashOf(Curve memory curve) private pure returns (bytes32) {
        bytes32 amounts = keccak256(abi.encodePacked(curve.relativeAmounts));
        return keccak256(abi.encode(keccak256(CURVE), curve.relativeBlocks, amounts));
    }

    function hashOf(V3DutchInput memory input) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(INPUT, CURVE)),
                    input.token,
                    input.startAmount,
                    hashOf(input.curve),
                    input.maxAmount,
                    input.adjustmentPerGweiBaseFee
                )
            );
    }

    function hashOf(V3DutchOutput memory output) private pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(OUTPUT, CURVE)),
                    output.token,
                    output.startAmount,
                    hashOf(output.curve),
                    output.recipient,
                    output.minAmount,
                    output.adjustmentPerGweiBaseFee
                )
            );
    }

    function hashOrder(V3DutchOrder memory order) private pure returns (bytes32) {
        bytes32[] memory outputs = new bytes32[](order.baseOutputs.length);
        for (uint256 i = 0; i < outputs.length; i++) outputs[i] = hashOf(order.baseOutputs[i]);
        return
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(ORDER, CURVE, ORDER_INFO, INPUT, OUTPUT)),
                    hashOf(order.info),
                    order.cosigner,
                    order.startingBaseFee,
                    hashOf(order.baseInput),
                    keccak256(abi.encodePacked(outputs))
                )
            );
    }
}

contract SimPriorityReactor is SimReactor {
    struct PriorityInput {
        address token;
        uint256 amount;
        uint256 mpsPerPriorityFeeWei;
    }

    struct PriorityOutput {
        address token;
        uint256 amount;
        uint256 mpsPerPriorityFeeWei;
        address recipient;
    }

    struct CosignerData {
        uint256 auctionTargetBlock;
    }

    struct PriorityOrder {
        OrderInfo info;
        address cosigner;
        uint256 auctionStartBlock;
        uint256 baselinePriorityFeeWei;
        PriorityInput input;
        PriorityOutput[] outputs;
        CosignerData cosignerData;
        bytes cosignature;
    }

    error OrderNotFillable();
    error InputOutputScaling();

    uint256 private constant MPS = 1e7;
    bytes private constant INPUT = "PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)";
    bytes private constant OUTPUT =
        "PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)";
    bytes private constant ORDER =
        "PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,PriorityInput input,PriorityOutput[] outputs)";

    function witnessTypeString() internal pure override returns (string memory) {
        return string(abi.encodePacked("PriorityOrder witness)", ORDER_INFO, INPUT, ORDER, OUTPUT, TOKEN_PERMISSIONS));
    }

    /// The cosigner may only let it begin sooner, which nobody here asks of it.
    function resolve(bytes calldata encoded) internal view override returns (Resolved memory resolved) {
        PriorityOrder memory order = abi.decode(encoded, (PriorityOrder));
        if (block.number < order.auctionStartBlock) revert OrderNotFillable();
        resolved.hash = hashOrder(order);
        uint256 paid = tx.gasprice > block.basefee ? tx.gasprice - block.basefee : 0;
        uint256 fee = paid > order.baselinePriorityFeeWei ? paid - order.baselinePriorityFeeWei : 0;
        resolved.info = order.info;
        resolved.inputToken = order.input.token;
        resolved.inputMax = order.input.amount;
        uint256 less = fee * order.input.mpsPerPriorityFeeWei;
        resolved.inputAmount = less >= MPS ? 0 : (order.input.amount * (MPS - less)) / MPS;
        resolved.outputs = new Output[](order.outputs.length);
        for (uint256 i = 0; i < order.outputs.length; i++) {
            PriorityOutput memory output = order.outputs[i];
            if (order.input.mpsPerPriorityFeeWei > 0 && output.mpsPerPriorityFeeWei > 0) revert InputOutputScaling();
            uint256 amount = (output.amount * (MPS + fee * output.mpsPerPriorityFeeWei) + MPS - 1) / MPS;
            resolved.outputs[i] = Output(output.token, amount, output.recipient);
        }
    }

    function hashOrder(PriorityOrder memory order) private pure returns (bytes32) {
        bytes32[] memory outputs = new bytes32[](order.outputs.length);
        for (uint256 i = 0; i < outputs.length; i++)
            outputs[i] = keccak256(abi.encode(keccak256(OUTPUT), order.outputs[i]));
        return
            keccak256(
                abi.encode(
                    keccak256(abi.encodePacked(ORDER, ORDER_INFO, INPUT, OUTPUT)),
                    hashOf(order.info),
                    order.cosigner,
                    order.auctionStartBlock,
                    order.baselinePriorityFeeWei,
                    keccak256(abi.encode(keccak256(INPUT), order.input)),
                    keccak256(abi.encodePacked(outputs))
                )
            );
    }
}
