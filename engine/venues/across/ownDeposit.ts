import type { Abi } from 'abitype'
import { type Address, addressOf } from '../../core/address.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import { DEPOSIT, DEPOSIT_NATIVE, DEPOSIT_NATIVE_OF_CALLER, DEPOSIT_V3, readTaggedCall, SWAP_AND_BRIDGE } from './abi.ts'

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

/** What the periphery exchanges first, and how it tells of it. `least`: what it must give. */
export type OwnSwap = {
  readonly periphery: Address
  readonly swapToken: Address
  readonly swapTokenAmount: bigint
  readonly exchange: Address
  readonly routerCalldata: Hex
  /** The output grows in proportion to what the swap gives beyond the least. */
  readonly isProportional: boolean
}

/** The deposit a payload makes, as far as its bytes fix it. */
export type OwnDeposit = DepositTerms &
  DepositSums & {
    /** Null: the sums are exact. Else `inputAmount` is the least that the swap gives. */
    readonly swap: OwnSwap | null
    /** The wallet pays the coin, and the contract called wraps it. */
    readonly isPaidInCoins: boolean
  }

const ENTRY_POINTS: readonly Abi[] = [DEPOSIT, DEPOSIT_V3, DEPOSIT_NATIVE, DEPOSIT_NATIVE_OF_CALLER, SWAP_AND_BRIDGE]

type Named = { readonly [name: string]: unknown }

const named = (abi: Abi, args: readonly unknown[]): Named => {
  const [call] = abi.filter(({ type }) => type === 'function')
  const inputs = call && 'inputs' in call ? call.inputs : []
  return Object.fromEntries(inputs.map(({ name }, i) => [name, args[i]]))
}

/** The same 32 bytes for an address and for the word it stands in. */
export const wordOf = (text: string): Hex => `0x${text.slice(2).toLowerCase().padStart(64, '0')}`

/** `stated`: by the names that all entry points share. A periphery that is not told a depositor names its caller. */
const termsOf = (stated: Named, sender: Address): DepositTerms => {
  const word = (name: string): Hex => wordOf(String(stated[name]))
  return {
    depositor: wordOf(String(stated['depositor'] ?? sender)),
    recipient: word('recipient'),
    inputToken: word('inputToken'),
    outputToken: word('outputToken'),
    destinationChainId: stated['destinationChainId'] as bigint,
    exclusiveRelayer: word('exclusiveRelayer'),
    exclusivityParameter: stated['exclusivityParameter'] as number,
    quoteTimestamp: stated['quoteTimestamp'] as number,
    fillDeadline: stated['fillDeadline'] as number,
    message: stated['message'] as Hex,
  }
}

type SwapAndDeposit = {
  readonly depositData: Named & { readonly outputAmount: bigint }
  readonly swapToken: string
  readonly exchange: string
  readonly swapTokenAmount: bigint
  readonly minExpectedInputTokenAmount: bigint
  readonly routerCalldata: Hex
  readonly enableProportionalAdjustment: boolean
}

const swapOf = (given: SwapAndDeposit, periphery: Address): OwnSwap => ({
  periphery,
  swapToken: addressOf('evm', given.swapToken),
  swapTokenAmount: given.swapTokenAmount,
  exchange: addressOf('evm', given.exchange),
  routerCalldata: given.routerCalldata,
  isProportional: given.enableProportionalAdjustment,
})

/**
 * The deposit that a transaction on an EVM chain makes, when it is one that was handed out: that its times, contracts and
 * nonce are sound was proved then. Null for any other calldata.
 */
export const readOwnDeposit = async ({ to, data, value }: WalletTransaction, sender: Address): Promise<OwnDeposit | null> => {
  const isPaidInCoins = value > 0n
  for (const abi of ENTRY_POINTS) {
    const args = await readTaggedCall(abi, data.toLowerCase() as Hex)
    if (args === null) continue
    const stated = named(abi, args)
    const given = stated['swapAndDepositData'] as SwapAndDeposit | undefined
    if (given === undefined) {
      const sums = { inputAmount: stated['inputAmount'] as bigint, outputAmount: stated['outputAmount'] as bigint }
      return { ...termsOf(stated, sender), ...sums, swap: null, isPaidInCoins }
    }
    const sums = { inputAmount: given.minExpectedInputTokenAmount, outputAmount: given.depositData.outputAmount }
    return { ...termsOf(given.depositData, sender), ...sums, swap: swapOf(given, to), isPaidInCoins }
  }
  return null
}

/** Whether a deposit of these sums is what the payload makes: SpokePoolPeriphery.sol, `_swapAndBridge`. */
export const areSums = (own: OwnDeposit, { inputAmount, outputAmount }: DepositSums): boolean => {
  if (own.swap === null) return inputAmount === own.inputAmount && outputAmount === own.outputAmount
  if (own.inputAmount === 0n || inputAmount < own.inputAmount) return false
  return outputAmount === (own.swap.isProportional ? (own.outputAmount * inputAmount) / own.inputAmount : own.outputAmount)
}

/** SpokePool.sol: below it the parameter is a time from the deposit on, in seconds; above it is a time of its own. */
const EXCLUSIVITY_SECONDS_MAX = 31_536_000

/** Whether a deposit made `at` (epoch ms) has this deadline. Without a time one that depends on it is taken as it is. */
export const isExclusivity = (deadline: number, { exclusivityParameter }: DepositTerms, at: number | 'any' | null): boolean => {
  const isRelative = exclusivityParameter > 0 && exclusivityParameter <= EXCLUSIVITY_SECONDS_MAX
  if (!isRelative) return deadline === exclusivityParameter
  if (at === 'any') return deadline > exclusivityParameter
  return at !== null && deadline === Math.floor(at / 1_000) + exclusivityParameter
}
