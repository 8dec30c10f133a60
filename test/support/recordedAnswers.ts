import { type Address, addressOf } from '../../engine/core/address.ts'
import { type ChainId, ecosystemOf } from '../../engine/core/chain.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { anOrder } from './anOrder.ts'

/**
 * Nothing that is signed or sent bounds what is paid or taken; it guarantees less than was asked for; it is what the venue is not
 * asked for; it is not the whole answer, or not as it was.
 */
export type NotOffered = 'no bound' | 'bound too wide' | 'another product' | 'broken recording'

/** An answer that a live venue once gave, with the order it was given for. */
export type RecordedAnswer = {
  readonly name: string
  /** Where the recording is published. */
  readonly source: string
  /** Day of the recording, such as `2026-10-02`; null when its source does not tell. */
  readonly recordedAt: string | null
  /** Why it is rightly refused; left out for one that must be accepted. */
  readonly refusedBecause?: string
  /** Of what kind the answer is, where it is of one that nothing is sold by. Left out, a refusal is the adapter's own failing. */
  readonly notOffered?: NotOffered
  /** What the refusal must say, so that a recording that merely fails to run is not taken for one rightly refused. */
  readonly refusedWith?: RegExp
  /**
   * Takes the answer through the adapter's quote, and through decode and proof as far as the recording allows. Rejects with
   * the reason when it is refused.
   */
  run(): Promise<void>
}

/** How a recording is kept as data. */
export type RecordedRow = Omit<RecordedAnswer, 'run' | 'refusedWith' | 'notOffered'> & {
  readonly refusedWith?: string
  readonly notOffered?: string
}

const KINDS: readonly NotOffered[] = ['no bound', 'bound too wide', 'another product', 'broken recording']

export const recordedAnswer = (row: RecordedRow, run: RecordedAnswer['run']): RecordedAnswer => {
  const { name, source, recordedAt, refusedBecause, refusedWith = 'nothing' } = row
  const notOffered = KINDS.find((kind) => kind === row.notOffered)
  if (notOffered !== row.notOffered) throw new Error(`${name}: ${row.notOffered} is no kind`)
  const refusal = refusedBecause && { refusedBecause, refusedWith: new RegExp(refusedWith), ...(notOffered && { notOffered }) }
  return { name, source, recordedAt, ...refusal, run }
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
