import type { EventOf } from '../../chains/evm/abiFields.ts'
import type { SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import { isDepositOf as isPoolDeposit, isFillOf as isPoolFill, type PoolDeposit } from '../kit/spokePoolEvents.ts'
import { type FILLED_RELAY, type FUNDS_DEPOSITED, wordOf } from '../kit/spokePools.ts'
import { type Router, readStatedDeposit } from './decodeEvm.ts'
import { findDeposit } from './decodeSolana.ts'
import type { StatedOutput } from './deposit.ts'

/** The exchange that the periphery makes first, and the values of its event. */
export type OwnSwap = Router & {
  readonly periphery: Address
  readonly swapToken: Address
  readonly swapTokenAmount: bigint
}

/** The fields of a payload's deposit that its bytes fix. Words of 32 bytes in lower case. */
export type OwnDeposit = StatedOutput & {
  readonly depositor: Hex
  readonly inputToken: Hex
  /** The least output of the swap, with a swap. */
  readonly inputAmount: bigint
  /** Null: the amounts are exact. */
  readonly swap: OwnSwap | null
  /** The wallet pays the coin, and the called contract wraps it. */
  readonly isPaidInCoins: boolean
  /** The exact instruction; null on EVM chains. */
  readonly instruction: SolanaInstruction | null
}

const readOnSolana = async ({ data }: WalletTransaction): Promise<OwnDeposit | null> => {
  const found = await findDeposit(data)
  return found && { ...found.stated, instruction: found.instruction, swap: null, isPaidInCoins: false }
}

/** A periphery without a depositor argument names its caller. */
const readOnEvm = async (transaction: WalletTransaction, sender: Address): Promise<OwnDeposit> => {
  const { depositor, paid, bridged, router, ...stated } = await readStatedDeposit(transaction)
  const { token, amount: inputAmount } = bridged ?? paid
  return {
    ...stated,
    depositor: wordOf(depositor ?? sender),
    recipient: wordOf(stated.recipient),
    inputToken: wordOf(token),
    outputToken: wordOf(stated.outputToken),
    exclusiveRelayer: wordOf(stated.exclusiveRelayer),
    inputAmount,
    swap: router && { ...router, periphery: transaction.to, swapToken: paid.token, swapTokenAmount: paid.amount },
    isPaidInCoins: transaction.value > 0n,
    instruction: null,
  }
}

/** The deposit of a payload that was handed out; null for another kind of payload. Throws VenueError for other EVM calls. */
export const readOwnDeposit = async ({ order, execution: { payload } }: ExecutedSwap): Promise<OwnDeposit | null> => {
  if (payload.executionType !== 'TRANSACTION') return null
  const { transaction } = payload
  return transaction.chainId === SOLANA ? readOnSolana(transaction) : readOnEvm(transaction, order.sender)
}

/** The output of a swap: SpokePoolPeriphery.sol, `_swapAndBridge`. */
const poolDepositOf = (own: OwnDeposit): PoolDeposit => {
  const { swap, inputAmount: least, outputAmount } = own
  return {
    ...own,
    isInput: (told) => (swap === null ? told === least : least > 0n && told >= least),
    outputFor: (took) => (swap?.isProportional && least > 0n ? (outputAmount * took) / least : outputAmount),
  }
}

/** Whether an event of a SpokePool, on either chain, is this deposit, made `at` (epoch ms). */
export const isDepositOf = (event: EventOf<typeof FUNDS_DEPOSITED>, own: OwnDeposit, at: number | null): boolean =>
  isPoolDeposit(event, poolDepositOf(own), at)

/** Whether a fill is one of this deposit, under one of these ids. */
export const isFillOf = (event: EventOf<typeof FILLED_RELAY>, own: OwnDeposit, orderIds: readonly string[]): boolean =>
  isPoolFill(event, poolDepositOf(own), orderIds)
