import type { Address } from '../../core/address.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import { type Router, readStatedDeposit, wordOf } from './decodeEvm.ts'
import { PERIOD_SECONDS_MAX } from './deposit.ts'

/** What a SpokePool is given, and tells again when it takes and when it pays it. Words of 32 bytes in lower case. */
export type DepositTerms = {
  readonly depositor: Hex
  readonly recipient: Hex
  readonly inputToken: Hex
  readonly outputToken: Hex
  readonly destinationChainId: bigint
  readonly exclusiveRelayer: Hex
  readonly exclusivityParameter: number
  /** Unix seconds, as the next. */
  readonly quoteTimestamp: number
  readonly fillDeadline: number
  readonly message: Hex
}

/** The sums of a deposit: as the calldata has them, or what a swap before it may make of them. */
export type DepositSums = { readonly inputAmount: bigint; readonly outputAmount: bigint }

/** What the periphery exchanges first, and how it tells of it. */
export type OwnSwap = Router & {
  readonly periphery: Address
  readonly swapToken: Address
  readonly swapTokenAmount: bigint
}

/** The deposit a payload makes, as far as its bytes fix it. */
export type OwnDeposit = DepositTerms &
  DepositSums & {
    /** Null: the sums are exact. Else `inputAmount` is the least that the swap gives. */
    readonly swap: OwnSwap | null
    /** The wallet pays the coin, and the contract called wraps it. */
    readonly isPaidInCoins: boolean
  }

/**
 * The deposit of a payload that was handed out. A periphery that is not told a depositor names its caller. Throws VenueError
 * for any other calldata.
 */
export const readOwnDeposit = async (transaction: WalletTransaction, sender: Address): Promise<OwnDeposit> => {
  const { depositor, paid, bridged, router, ...stated } = await readStatedDeposit(transaction)
  const { token, amount: inputAmount } = bridged ?? paid
  const { outputAmount, destinationChainId, exclusivityParameter, quoteTimestamp, fillDeadline, message } = stated
  return {
    depositor: wordOf(depositor ?? sender),
    recipient: wordOf(stated.recipient),
    inputToken: wordOf(token),
    outputToken: wordOf(stated.outputToken),
    exclusiveRelayer: wordOf(stated.exclusiveRelayer),
    inputAmount,
    outputAmount,
    destinationChainId,
    exclusivityParameter,
    quoteTimestamp,
    fillDeadline,
    message,
    swap: router && { ...router, periphery: transaction.to, swapToken: paid.token, swapTokenAmount: paid.amount },
    isPaidInCoins: transaction.value > 0n,
  }
}

/** Whether a deposit of these sums is what the payload makes: SpokePoolPeriphery.sol, `_swapAndBridge`. */
export const areSums = (own: OwnDeposit, { inputAmount, outputAmount }: DepositSums): boolean => {
  if (own.swap === null) return inputAmount === own.inputAmount && outputAmount === own.outputAmount
  if (own.inputAmount === 0n || inputAmount < own.inputAmount) return false
  return outputAmount === (own.swap.isProportional ? (own.outputAmount * inputAmount) / own.inputAmount : own.outputAmount)
}

/** Whether a deposit made `at` (epoch ms) has this deadline. Without a time one that depends on it is taken as it is. */
export const isExclusivity = (deadline: number, { exclusivityParameter }: DepositTerms, at: number | 'any' | null): boolean => {
  const isRelative = exclusivityParameter > 0 && exclusivityParameter <= PERIOD_SECONDS_MAX
  if (!isRelative) return deadline === exclusivityParameter
  if (at === 'any') return deadline > exclusivityParameter
  return at !== null && deadline === Math.floor(at / 1_000) + exclusivityParameter
}
