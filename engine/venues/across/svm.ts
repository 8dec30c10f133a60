/**
 * The call and the events of programs/svm-spoke: dist/src/svm/assets/idl/svm_spoke.json in @across-protocol/contracts. The names
 * are those of the same fields in SpokePool.sol.
 */

export const SVM_DEPOSIT = {
  depositor: 'word',
  recipient: 'word',
  inputToken: 'word',
  outputToken: 'word',
  inputAmount: 'u64',
  outputAmount: 'bigWord',
  destinationChainId: 'u64',
  exclusiveRelayer: 'word',
  quoteTimestamp: 'u32',
  fillDeadline: 'u32',
  exclusivityParameter: 'u32',
  message: 'bytes',
} as const

export const SVM_FUNDS_DEPOSITED = {
  name: 'FundsDeposited',
  layout: {
    inputToken: 'word',
    outputToken: 'word',
    inputAmount: 'u64',
    outputAmount: 'bigWord',
    destinationChainId: 'u64',
    depositId: 'bigWord',
    quoteTimestamp: 'u32',
    fillDeadline: 'u32',
    exclusivityDeadline: 'u32',
    depositor: 'word',
    recipient: 'word',
    exclusiveRelayer: 'word',
    message: 'bytes',
  },
} as const

export const SVM_FILLED_RELAY = {
  name: 'FilledRelay',
  layout: {
    inputToken: 'word',
    outputToken: 'word',
    inputAmount: 'bigWord',
    outputAmount: 'u64',
    repaymentChainId: 'u64',
    originChainId: 'u64',
    depositId: 'bigWord',
    fillDeadline: 'u32',
    exclusivityDeadline: 'u32',
    exclusiveRelayer: 'word',
    relayer: 'word',
    depositor: 'word',
    recipient: 'word',
    messageHash: 'word',
    relayExecutionInfo: { updatedRecipient: 'word', updatedMessageHash: 'word', updatedOutputAmount: 'u64', fillType: 'u8' },
  },
} as const

export const SVM_EXECUTED_REFUND_ROOT = {
  name: 'ExecutedRelayerRefundRoot',
  layout: {
    amountToReturn: 'u64',
    chainId: 'u64',
    refundAmounts: ['u64'],
    rootBundleId: 'u32',
    leafId: 'u32',
    l2TokenAddress: 'key',
    refundAddresses: ['key'],
    deferredRefunds: 'bool',
    caller: 'key',
  },
} as const

export const SVM_CLAIMED_REFUND = {
  name: 'ClaimedRelayerRefund',
  layout: { l2TokenAddress: 'key', claimAmount: 'u64', refundAddress: 'key' },
} as const
