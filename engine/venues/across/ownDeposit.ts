import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { EventOf } from '../../chains/evm/abiFields.ts'
import type { SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import { anything, tells } from '../../chains/tells.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex, WalletTransaction } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { FILLED_RELAY, FUNDS_DEPOSITED } from './abi.ts'
import { type Router, readStatedDeposit, wordOf } from './decodeEvm.ts'
import { findDeposit } from './decodeSolana.ts'
import { PERIOD_SECONDS_MAX, type StatedOutput } from './deposit.ts'

/** What the periphery exchanges first, and how it tells of it. */
export type OwnSwap = Router & {
  readonly periphery: Address
  readonly swapToken: Address
  readonly swapTokenAmount: bigint
}

/** The deposit a payload makes, as far as its bytes fix it. Words of 32 bytes in lower case. */
export type OwnDeposit = StatedOutput & {
  readonly depositor: Hex
  readonly inputToken: Hex
  /** The least that the swap gives, where there is one. */
  readonly inputAmount: bigint
  /** Null: the sums are exact. */
  readonly swap: OwnSwap | null
  /** The wallet pays the coin, and the contract called wraps it. */
  readonly isPaidInCoins: boolean
  /** The very instruction; null on EVM chains. */
  readonly instruction: SolanaInstruction | null
}

const readOnSolana = async ({ data }: WalletTransaction): Promise<OwnDeposit | null> => {
  const found = await findDeposit(data)
  return found && { ...found.stated, instruction: found.instruction, swap: null, isPaidInCoins: false }
}

/** A periphery that is not told a depositor names its caller. */
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

/** The deposit of a payload that was handed out; null for none of Across. Throws VenueError for any other call of an EVM chain. */
export const readOwnDeposit = async ({ order, execution: { payload } }: ExecutedSwap): Promise<OwnDeposit | null> => {
  if (payload.executionType !== 'TRANSACTION') return null
  const { transaction } = payload
  return transaction.chainId === SOLANA ? readOnSolana(transaction) : readOnEvm(transaction, order.sender)
}

/** What is told of a deposit both when it is taken and when it is paid. What a swap gave: SpokePoolPeriphery.sol, `_swapAndBridge`. */
const termsDue = (own: OwnDeposit, took: bigint) => {
  const { swap, inputAmount: least, outputAmount } = own
  return {
    depositor: own.depositor,
    recipient: own.recipient,
    inputToken: own.inputToken,
    outputToken: own.outputToken,
    exclusiveRelayer: own.exclusiveRelayer,
    fillDeadline: own.fillDeadline,
    inputAmount: (told: bigint) => (swap === null ? told === least : least > 0n && told >= least),
    outputAmount: swap?.isProportional && least > 0n ? (outputAmount * took) / least : outputAmount,
  }
}

/** Whether a deposit made `at` (epoch ms) has this deadline. Without a time one that depends on it is taken as it is. */
const isExclusivity = (deadline: number, { exclusivityParameter: parameter }: OwnDeposit, at: number | 'any' | null): boolean => {
  const isRelative = parameter > 0 && parameter <= PERIOD_SECONDS_MAX
  if (!isRelative) return deadline === parameter
  if (at === 'any') return deadline > parameter
  return at !== null && deadline === Math.floor(at / 1_000) + parameter
}

/**
 * Deposits by any call that was handed out are counted; others bear a hash (SpokePool.sol, `getUnsafeDepositId`), which
 * two of them may share.
 */
const DEPOSIT_IDS_END = 1n << 32n

/** Whether what a SpokePool tells, on whichever chain, is this deposit, made `at` (epoch ms). */
export const isDepositOf = (event: EventOf<typeof FUNDS_DEPOSITED>, own: OwnDeposit, at: number | null): boolean =>
  tells(event, {
    ...termsDue(own, event.inputAmount),
    destinationChainId: own.destinationChainId,
    quoteTimestamp: own.quoteTimestamp,
    message: own.message,
    depositId: (id) => id < DEPOSIT_IDS_END,
    exclusivityDeadline: (deadline) => isExclusivity(deadline, own, at),
  })

/** SpokePool.sol, `_hashNonEmptyMessage`. */
const messageHash = (message: Hex): Hex =>
  message === '0x' ? `0x${'0'.repeat(64)}` : `0x${bytesToHex(keccak_256(hexToBytes(message.slice(2))))}`

/**
 * Whether a fill is one of this deposit, under one of these ids. What the depositor may have signed anew must be as it was:
 * the output amount alone may differ, as in a slow fill.
 */
export const isFillOf = (event: EventOf<typeof FILLED_RELAY>, own: OwnDeposit, orderIds: readonly string[]): boolean => {
  const hash = messageHash(own.message)
  return tells(event, {
    ...termsDue(own, event.inputAmount),
    originChainId: (chainId) => orderIds.includes(`${chainId}:${event.depositId}`),
    depositId: anything,
    exclusivityDeadline: (deadline) => isExclusivity(deadline, own, 'any'),
    messageHash: hash,
    repaymentChainId: anything,
    relayer: anything,
    relayExecutionInfo: {
      updatedRecipient: own.recipient,
      updatedMessageHash: hash,
      updatedOutputAmount: anything,
      fillType: anything,
    },
  })
}
