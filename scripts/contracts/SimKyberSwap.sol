// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Money} from "./Kit.sol";

/// Stands where KyberSwap has one of its executors: it pays out of what it holds, as it is told, until it is too late.
contract SimKyberExecutor {
    receive() external payable {}

    function callBytes(bytes calldata data) external payable {
        (address token, address to, uint256 amount, uint256 deadline) = abi.decode(data, (address, address, uint256, uint256));
        require(block.timestamp <= deadline, "Router: EXPIRED");
        Money.pay(token, to, amount);
    }
}

/// KyberSwap's MetaAggregationRouterV2 as far as wallets are handed calls of it: `swap` with a fee on the output, a share of
/// it. https://docs.kyberswap.com/kyberswap-solutions/kyberswap-aggregator/contracts
contract SimKyberRouter {
    struct Description {
        address srcToken;
        address dstToken;
        address[] srcReceivers;
        uint256[] srcAmounts;
        address[] feeReceivers;
        uint256[] feeAmounts;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 flags;
        bytes permit;
    }

    struct Execution {
        address callTarget;
        address approveTarget;
        bytes targetData;
        Description desc;
        bytes clientData;
    }

    event Swapped(
        address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount
    );
    event Exchange(address pair, uint256 amountOut, address output);
    event ClientData(bytes clientData);
    event Fee(address token, uint256 totalAmount, uint256 totalFee, address[] recipients, uint256[] amounts, bool isBps);

    /// The wrapped coin of the chain, set at genesis.
    address public WETH;

    uint256 private constant FEE_ON_DST = 0x40;
    uint256 private constant FEE_IN_BPS = 0x80;
    uint256 private constant NO_MEANING = 0x200;

    receive() external payable {}

    function swap(Execution calldata execution) external payable returns (uint256 returnAmount, uint256 gasUsed) {
        uint256 gasBefore = gasleft();
        Description calldata desc = execution.desc;
        require(desc.minReturnAmount > 0, "Min return should not be 0");
        require(execution.targetData.length > 0, "executorData should be not zero");
        require(desc.flags & ~(FEE_ON_DST | FEE_IN_BPS | NO_MEANING) == 0, "a flag that is not simulated");
        require(desc.permit.length == 0 && execution.approveTarget == address(0), "a permit that is not simulated");
        require(desc.feeReceivers.length == 0 || desc.flags & FEE_ON_DST != 0, "a fee that is not simulated");
        collect(desc);
        address to = desc.dstReceiver == address(0) ? msg.sender : desc.dstReceiver;
        uint256 before = Money.held(desc.dstToken, to);
        execute(execution, to);
        returnAmount = Money.held(desc.dstToken, to) - before;
        require(returnAmount >= desc.minReturnAmount, "Return amount is not enough");
        emit Swapped(msg.sender, desc.srcToken, desc.dstToken, to, desc.amount, returnAmount);
        emit Exchange(execution.callTarget, returnAmount, desc.dstToken);
        emit ClientData(execution.clientData);
        gasUsed = gasBefore - gasleft();
    }

    function collect(Description calldata desc) private {
        bool isOfCoins = Money.isCoins(desc.srcToken);
        require(msg.value == (isOfCoins ? desc.amount : 0), "Invalid msg.value");
        if (isOfCoins) return;
        require(desc.srcReceivers.length == desc.srcAmounts.length, "invalid src receivers length");
        uint256 total = 0;
        for (uint256 i = 0; i < desc.srcReceivers.length; i++) {
            total += desc.srcAmounts[i];
            Money.take(desc.srcToken, msg.sender, desc.srcReceivers[i], desc.srcAmounts[i]);
        }
        require(total <= desc.amount, "Exceeded desc.amount");
    }

    /// What comes is the executor's affair, and where it goes is this one's.
    function execute(Execution calldata execution, address to) private {
        Description calldata desc = execution.desc;
        uint256 before = Money.held(desc.dstToken, address(this));
        SimKyberExecutor(payable(execution.callTarget)).callBytes{value: msg.value}(execution.targetData);
        if (desc.flags & FEE_ON_DST == 0) return;
        uint256 gross = Money.held(desc.dstToken, address(this)) - before;
        Money.pay(desc.dstToken, to, gross - takeFee(desc, gross));
    }

    function takeFee(Description calldata desc, uint256 gross) private returns (uint256 total) {
        require(desc.feeReceivers.length == desc.feeAmounts.length, "invalid fee receivers length");
        bool isInBps = desc.flags & FEE_IN_BPS != 0;
        for (uint256 i = 0; i < desc.feeReceivers.length; i++) {
            uint256 fee = isInBps ? (gross * desc.feeAmounts[i]) / 10000 : desc.feeAmounts[i];
            total += fee;
            Money.pay(desc.dstToken, desc.feeReceivers[i], fee);
        }
        require(total <= gross, "Exceeded fee");
        if (total > 0) emit Fee(desc.dstToken, gross, total, desc.feeReceivers, desc.feeAmounts, isInBps);
    }
}
