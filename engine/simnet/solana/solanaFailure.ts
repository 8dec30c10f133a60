import { instructionErrorText, transactionErrorText } from './solanaErrorText.ts'

/** Why a transaction failed: as the RPC shows it, and in the words of the node. */
export type SolanaFailure = { readonly json: unknown; readonly text: string }

/** In the order LiteSVM numbers them. */
const TRANSACTION: readonly string[] = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
]

/** Likewise. */
const INSTRUCTION: readonly string[] = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
]

/** Up to this one the node begins its texts with a small letter: https://docs.rs/solana-instruction-error. */
const SMALL_LETTERS_TO = INSTRUCTION.indexOf('ExecutableAccountNotRentExempt')

const UNKNOWN: SolanaFailure = { json: 'Unknown', text: 'unknown error' }

/** A failure of the whole transaction, by its name. */
export const failureNamed = (name: string): SolanaFailure => ({ json: name, text: transactionErrorText(name) })

/** A failure of the whole transaction, by LiteSVM's number for it. */
export const failureNumbered = (code: number): SolanaFailure => {
  const name = TRANSACTION[code]
  return name === undefined ? UNKNOWN : failureNamed(name)
}

const instructionFailureNumbered = (code: number): SolanaFailure => {
  const name = INSTRUCTION[code]
  if (name === undefined) return UNKNOWN
  const text = instructionErrorText(name)
  return { json: name, text: code <= SMALL_LETTERS_TO ? text.charAt(0).toLowerCase() + text.slice(1) : text }
}

/** A failure of one instruction: LiteSVM's number, or the program's own code. */
export const instructionFailure = (index: number, error: number | { readonly custom: number }): SolanaFailure => {
  if (typeof error === 'object') {
    const text = `Error processing Instruction ${index}: custom program error: 0x${error.custom.toString(16)}`
    return { json: { InstructionError: [index, { Custom: error.custom }] }, text }
  }
  const { json, text } = instructionFailureNumbered(error)
  return { json: { InstructionError: [index, json] }, text: `Error processing Instruction ${index}: ${text}` }
}

export const rentFailure = (account: number): SolanaFailure => ({
  json: { InsufficientFundsForRent: { account_index: account } },
  text: transactionErrorText('InsufficientFundsForRent', { accountIndex: account }),
})

export const duplicateInstructionFailure = (index: number): SolanaFailure => ({
  json: { DuplicateInstruction: index },
  text: transactionErrorText('DuplicateInstruction', { index }),
})

export const restrictedFailure = (account: number): SolanaFailure => ({
  json: { ProgramExecutionTemporarilyRestricted: { account_index: account } },
  text: transactionErrorText('ProgramExecutionTemporarilyRestricted', { accountIndex: account }),
})
