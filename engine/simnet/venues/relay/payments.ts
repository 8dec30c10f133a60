import type { World } from '../../kit/world.ts'
import { type Book, endWith, FILL_MS, type RelayRequest } from './book.ts'
import { createConclude, REFUND_MS } from './conclude.ts'
import { decideFate } from './fate.ts'
import { quoteAgain } from './quoteBody.ts'
import { ApiRefusal } from './refusal.ts'

/** To the next look at a payment in bitcoin that is not in a block yet. */
const UNCONFIRMED_MS = 60_000
/** To the next look for one that is gone; it may come back, of which nobody is told. */
const GONE_MS = 10 * 60_000
/** How long a payment is looked for. */
const PATIENCE_MS = 24 * 3_600_000

type Payment = { readonly txHash: string; readonly amount: bigint }

/** Takes note of a payment for a request. */
type Pay = (entry: RelayRequest, payment: Payment) => void

/** Waits for blocks where the venue does, and sees each payment through: to its fill, or back to where it came from. */
export const createPay = (world: World, venue: string, book: Book): Pay => {
  const { clock, evm, bitcoin, schedule } = world
  const { conclude, giveBack } = createConclude(world)

  /** In a block: a reorganisation may have undone it. */
  const isOnChain = async ({ request: { origin } }: RelayRequest, txHash: string): Promise<boolean> => {
    if (origin.vm === 'evm') return (await evm.receipt(origin.chainId, txHash))?.status === 'success'
    return origin.vm === 'svm' || (bitcoin.confirmations(txHash) ?? 0) > 0
  }

  /** What no request can use any more goes back once it is on the chain. */
  const giveBackLater = (entry: RelayRequest, { txHash, amount }: Payment, untilMs = clock.now() + PATIENCE_MS): void =>
    schedule.at(clock.now() + REFUND_MS, async () => {
      if (await isOnChain(entry, txHash)) return giveBack(entry, amount)
      if (clock.now() < untilMs) giveBackLater(entry, { txHash, amount }, untilMs)
    })

  const finish = async (entry: RelayRequest): Promise<void> => {
    const { paid } = entry
    if (!paid || (await isOnChain(entry, paid.txHash))) return conclude(entry)
    entry.end = endWith('failure', { failReason: 'DEPOSIT_REORGED' })
    giveBackLater(entry, paid)
  }

  const awaitReturn = (entry: RelayRequest, payment: Payment, untilMs: number): void =>
    schedule.at(clock.now() + GONE_MS, () => {
      if (bitcoin.confirmations(payment.txHash) !== null) pay(entry, payment)
      else if (clock.now() < untilMs) awaitReturn(entry, payment, untilMs)
    })

  const awaitBlock = (entry: RelayRequest, payment: Payment): void =>
    schedule.at(clock.now() + UNCONFIRMED_MS, () => {
      const confirmations = bitcoin.confirmations(payment.txHash)
      if (confirmations === 0) return awaitBlock(entry, payment)
      if (confirmations === null) {
        // Never in a block, it was no payment: the request waits for one again.
        entry.paid = null
        return awaitReturn(entry, payment, clock.now() + PATIENCE_MS)
      }
      entry.confirmedAt = clock.now()
      schedule.at(clock.now() + FILL_MS, () => finish(entry))
    })

  /** An address takes what comes: what does not pay its request is quoted again, as a request of its own. */
  const taker = (entry: RelayRequest, { amount }: Payment): RelayRequest | null => {
    const isTaken = entry.paid !== null || entry.supersededBy !== null
    if (!isTaken && (entry.depositAddress === null || amount === entry.request.amount)) return entry
    if (entry.depositAddress === null) return null
    try {
      const fresh = quoteAgain(world, entry, amount)
      book.add(fresh)
      if (!isTaken) entry.supersededBy = fresh.requestId
      return fresh
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      // Too little for anything, or too much, it goes back: for the request, if that still waits.
      return isTaken ? null : entry
    }
  }

  /** Sent a second time for the same request of the depository, a payment is one too many. */
  const pay: Pay = (first, payment) => {
    const entry = taker(first, payment)
    if (!entry) {
      giveBackLater(first, payment)
      return
    }
    entry.paid = { ...payment, at: clock.now() }
    entry.fate = decideFate(venue, entry, payment.amount, world)
    if (entry.request.origin.vm === 'bvm') awaitBlock(entry, payment)
    else schedule.at(clock.now() + FILL_MS, () => finish(entry))
  }

  return pay
}
