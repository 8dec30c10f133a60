import { BoundedMap } from '../../kit/boundedMap.ts'
import { sumOf } from '../../kit/deposits.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Fulfilment } from '../../kit/fulfilment.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import { payFor } from './payFor.ts'
import { priced } from './pricing.ts'
import { FILL_MS, quoteAgain, type RelayRequest } from './quoteBody.ts'

/** Why a request failed whose payment a reorganisation undid. */
export const REORGED = 'DEPOSIT_REORGED'
const REFUND_MS = 30 * 60_000

/** What becomes of a request that was paid this much: a fault that is on, or a price of today. A better one is not passed on. */
const decideFate = (world: World, venue: string, entry: RelayRequest, paid: bigint, at: number): Fate => {
  const { amount, expected, minimum } = entry
  const { faults, market } = world
  const refund = (reason: string): Fate => refunds(at + REFUND_MS, reason)
  if (paid < amount) return refund('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
  const fill = fills(at, expected, amount)
  const fault = takeSettlementFault(faults, venue)
  if (fault) return fateByFault(fault, { fill, minimum, refundAt: at + REFUND_MS, reason: 'NO_QUOTES' })
  if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  // Beyond the depth, or below the least, it fetches nothing.
  const fresh = orRefused(() => priced(entry, market).expected) ?? 0n
  if (fresh < minimum) return refund('SLIPPAGE')
  return fresh < expected ? { ...fill, amount: fresh } : fill
}

/** Requests in memory, and what becomes of those that are paid. */
export const createRequests = (world: World, venue: string) => {
  const { clock } = world
  const entries = new BoundedMap<string, RelayRequest>()
  const find = (fits: (entry: RelayRequest) => boolean) => [...entries.values()].find(fits) ?? null

  const add = (entry: RelayRequest): RelayRequest => {
    entries.set(entry.requestId, entry)
    return entry
  }

  const fulfilment: Fulfilment<RelayRequest> = createFulfilment<RelayRequest>(world, {
    decide: (entry, completedAt) => {
      // On Bitcoin it waits for a block, and from there on.
      const at = (completedAt ?? clock.now()) + (entry.settleMs > 0 ? 0 : FILL_MS)
      return decideFate(world, venue, entry, sumOf(fulfilment.seen(entry)), at)
    },
    instead: () => refunds(clock.now() + REFUND_MS, 'TRANSFER_FAILED'),
    deliver: ({ orderId, output: token, recipient: to }, amount) => payFor(world, orderId, { token, to, amount }),
    giveBack: ({ orderId, input: token, refundTo, user }, amount) =>
      payFor(world, orderId, { token, to: refundTo ?? user, amount }),
    vanished: (entry) => {
      if (entry.origin.vm === 'bvm' && entry.confirmedAt === null) {
        // Never in a block, it was no payment: the request waits for one again.
        for (const payment of entry.paid) fulfilment.whenBack(payment, () => pay(entry, payment))
        entry.paid = []
      } else entry.end = { ...fails(clock.now(), REORGED), keeps: 0n, txHash: null }
    },
  })

  /** An address takes what comes: what does not pay its request is quoted again, as a request of its own. */
  const taker = (entry: RelayRequest, amount: bigint): RelayRequest => {
    const isTaken = entry.paid.length > 0 || entry.supersededBy !== null
    // Sent a second time for the same request of the depository, a payment is one too many, and comes back.
    if (entry.depositAddress === null || (!isTaken && amount === entry.amount)) return entry
    const fresh = orRefused(() => add(quoteAgain(world, entry, amount)))
    if (fresh && !isTaken) entry.supersededBy = fresh.requestId
    // Too little for anything, or too much, it goes back.
    return fresh ?? entry
  }

  /** Takes note of a payment for a request. */
  const pay = (entry: RelayRequest, payment: { readonly txHash: string; readonly amount: bigint }): void =>
    fulfilment.pay(taker(entry, payment.amount), payment)

  return {
    add,
    byRequestId: (requestId: string) => entries.get(requestId.toLowerCase()) ?? null,
    byOrderId: (orderId: string) => find((entry) => entry.orderId === orderId.toLowerCase()),
    byDepositTx: (txHash: string) => find(({ paid }) => paid[0]?.txHash.toLowerCase() === txHash.toLowerCase()),
    /** The request the address was opened for, then those its payments were quoted again as. */
    atDepositAddress: (address: string) => [...entries.values()].filter(({ depositAddress }) => depositAddress === address),
    pay,
  }
}

export type Requests = Readonly<ReturnType<typeof createRequests>>
