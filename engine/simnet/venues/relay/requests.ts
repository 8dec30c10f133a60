import { BoundedMap } from '../../kit/boundedMap.ts'
import { sumOf } from '../../kit/deposits.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { payOut } from '../../kit/payOut.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { World } from '../../kit/world.ts'
import { priceOf } from './pricing.ts'
import { type QuotedRequest, quoteAgain } from './quoteBody.ts'
import type { QuoteRequest } from './quoteRequest.ts'

export type RelayRequest = QuotedRequest &
  Terms &
  Progress & {
    /** The request a payment of another amount was taken for; null while there is none. */
    supersededBy: string | null
  }

/** From the payment, or from its block on Bitcoin, until it is filled. */
export const FILL_MS = 6_000
/** Why a request failed whose payment a reorganisation undid. */
export const REORGED = 'DEPOSIT_REORGED'
const REFUND_MS = 30 * 60_000
/** The solver takes its own cost of sending out of a refund. */
const REFUND_COST_SATOSHI = 1_900n

const toEntry = (quote: QuotedRequest): RelayRequest => {
  const { request, createdAt } = quote
  const isBitcoin = request.origin.vm === 'bvm'
  return {
    ...quote,
    ...untouched(),
    input: request.input,
    // Any payment is taken: what one is worth is decided then.
    amountNeeded: 1n,
    refundCost: isBitcoin ? REFUND_COST_SATOSHI : 0n,
    openUntil: createdAt,
    settleMs: isBitcoin ? FILL_MS : 0,
    supersededBy: null,
  }
}

/** What the deposit fetches now; beyond the depth, or below the least, nothing. */
const freshAmount = (request: QuoteRequest, { market }: World): bigint => orRefused(() => priceOf(request, market).expected) ?? 0n

/** What becomes of a request that was paid this much: a fault that is on, or a price of today. A better one is not passed on. */
const decideFate = (world: World, venue: string, entry: RelayRequest, { amount, at }: { amount: bigint; at: number }): Fate => {
  const { request, quoted } = entry
  const { faults } = world
  const refund = (reason: string): Fate => refunds(at + REFUND_MS, reason)
  if (amount < request.amount) return refund('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
  const fill = fills(at, quoted.expected, request.amount)
  const fault = takeSettlementFault(faults, venue)
  if (fault) return fateByFault(fault, { fill, minimum: quoted.minimum, refundAt: at + REFUND_MS, reason: 'NO_QUOTES' })
  if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  const fresh = freshAmount(request, world)
  if (fresh < quoted.minimum) return refund('SLIPPAGE')
  return fresh < quoted.expected ? { ...fill, amount: fresh } : fill
}

/** Requests in memory, and what becomes of those that are paid. */
export const createRequests = (world: World, venue: string) => {
  const { clock } = world
  const entries = new BoundedMap<string, RelayRequest>()
  const find = (fits: (entry: RelayRequest) => boolean) => [...entries.values()].find(fits) ?? null

  const add = (quote: QuotedRequest): RelayRequest => {
    const entry = toEntry(quote)
    entries.set(entry.requestId, entry)
    return entry
  }

  const fulfilment: Fulfilment<RelayRequest> = createFulfilment<RelayRequest>(world, {
    decide: (entry, completedAt) =>
      decideFate(world, venue, entry, {
        amount: sumOf(fulfilment.seen(entry)),
        // On Bitcoin it waits for a block, and from there on.
        at: (completedAt ?? clock.now()) + (entry.settleMs > 0 ? 0 : FILL_MS),
      }),
    instead: () => refunds(clock.now() + REFUND_MS, 'TRANSFER_FAILED'),
    deliver: ({ request: { output: token, recipient: to } }, amount) => payOut(world, { token, to, amount }),
    giveBack: ({ request: { input: token, refundTo, user } }, amount) => payOut(world, { token, to: refundTo ?? user, amount }),
    vanished: (entry) => {
      if (entry.request.origin.vm === 'bvm' && entry.confirmedAt === null) {
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
    if (entry.depositAddress === null || (!isTaken && amount === entry.request.amount)) return entry
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
