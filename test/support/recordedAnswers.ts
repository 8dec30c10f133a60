import { type Address, addressOf } from '../../engine/core/address.ts'
import { toAmount } from '../../engine/core/amount.ts'
import { isNative } from '../../engine/core/asset.ts'
import { type ChainId, ecosystemOf } from '../../engine/core/chain.ts'
import type { Execution } from '../../engine/core/execution.ts'
import type { Offer } from '../../engine/core/offer.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import type { Venue } from '../../engine/venues/venue.ts'
import { anOrder } from './anOrder.ts'
import { provePayload } from './venueKit/calls.ts'

/**
 * Why an answer needs no acceptance: the adapter never asks its question, venues no longer send its form, the recording is not whole, or
 * the answer breaks the tolerance of its own request, which is a decline by the caller's limit.
 */
export type OutOfScope = 'another question' | 'retired form' | 'broken recording' | 'beyond the tolerance'

/** An answer that a live venue once gave, with the order it was given for. */
export type RecordedAnswer = {
  readonly name: string
  /** Where the recording is published. */
  readonly source: string
  /** Day of the recording, such as `2026-10-02`; null when its source does not tell. */
  readonly recordedAt: string | null
  /** Why it is rightly refused; left out for one that must be accepted. */
  readonly refusedBecause?: string
  /** Left out, a refusal counts against the adapter. */
  readonly outOfScope?: OutOfScope
  /** Why the row is no answer of the venue, which keeps it out of the count. */
  readonly vector?: string
  /** The setting that the venue is asked with, where it is not the default. */
  readonly setting?: string
  /** What the refusal must say, so that a recording that merely fails to run is not taken for one rightly refused. */
  readonly refusedWith?: RegExp
  /**
   * Takes the answer through the adapter's quote, and through decode and proof as far as the recording allows. Rejects with
   * the reason when it is refused.
   */
  run(): Promise<void>
}

/** How a recording is kept as data. */
export type RecordedRow = Omit<RecordedAnswer, 'run' | 'refusedWith' | 'outOfScope'> & {
  readonly refusedWith?: string
  readonly outOfScope?: string
}

const KINDS: readonly OutOfScope[] = ['another question', 'retired form', 'broken recording', 'beyond the tolerance']

export const recordedAnswer = (row: RecordedRow, run: RecordedAnswer['run']): RecordedAnswer => {
  const { name, source, recordedAt, refusedBecause, refusedWith = 'nothing', vector, setting } = row
  const outOfScope = KINDS.find((kind) => kind === row.outOfScope)
  if (outOfScope !== row.outOfScope) throw new Error(`${name}: ${row.outOfScope} is no kind`)
  const refusal = refusedBecause && { refusedBecause, refusedWith: new RegExp(refusedWith), ...(outOfScope && { outOfScope }) }
  return { name, source, recordedAt, ...refusal, ...(vector && { vector }), ...(setting && { setting }), run }
}

type Place = readonly [ChainId, string]

/** Who asked for what. */
export type RecordedSwap = {
  readonly wallet: string
  /** Left out for a wallet that swaps for itself. */
  readonly recipient?: string
  readonly from: Place
  readonly to: Place
}

const addressOn = ([chainId]: Place, text: string): Address => {
  const ecosystem = ecosystemOf(chainId)
  return addressOf(ecosystem, ecosystem === 'evm' ? text.toLowerCase() : text)
}

/** The order of a recorded swap, refunded to the wallet itself. */
export const recordedOrder = (swap: RecordedSwap, amount: string, slippageBps: number): VenueOrder => {
  const { wallet, recipient = wallet, from, to } = swap
  const sender = addressOn(from, wallet)
  const parties = { sender, refundTo: sender, recipient: addressOn(to, recipient) }
  return anOrder({ from, to, amount: BigInt(amount), slippageBps, ...parties })
}

/** A recorded transaction, and what it delivers. */
export type RecordedCall = { readonly to: string; readonly data: string; readonly value?: string; readonly delivers: string }

/** Decode and proof, where only the transaction was recorded; `words` are what the adapter keeps beside it. Throws what is refused. */
export const proveCall = async (
  venue: Venue,
  order: VenueOrder,
  now: number,
  { to, data, value = '0', delivers }: RecordedCall,
  words: { readonly carry?: unknown; readonly evidence?: unknown } = {},
): Promise<void> => {
  const { chainId } = order.input
  const transaction = { chainId, to: addressOf('evm', to.toLowerCase()), data, value: toAmount(BigInt(value)) }
  const outputAmount = toAmount(BigInt(delivers))
  const terms = { outputAmount, slippage: { isFirm: true, guaranteedMin: outputAmount }, carry: null }
  const payload = { executionType: 'TRANSACTION', transaction } as const
  const execution = { ...terms, payload, venueRef: null, evidence: null, ...words } as Execution
  const offer: Offer = {
    ...{ ...terms, venue: venue.profile.id, executionType: 'TRANSACTION', fee: { bps: 0, amount: toAmount(0n) }, gasUnits: null },
    ...{ spender: isNative(order.input) ? null : transaction.to, nativeFee: toAmount(0n), estimatedTimeSeconds: null },
    ...{ expiresAt: null, decimals: { input: null, output: null } },
  }
  const mismatches = await provePayload(venue, execution, { sealed: { order, offer }, binding: order, now })
  if (mismatches.length > 0) throw new Error(mismatches.join(', '))
}
