import { factsOf, isTerminal } from '../../core/swapStatus.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import type { Swap, SwapStep, WatchedPayment, WatchedStep } from './watched.ts'

/** A swap without what its chains show of its payments. */
export type RecordedSwap = Omit<Swap, 'payments'> & { readonly payments: readonly WatchedPayment[] }

/** The swaps that were executed last, with their timelines. */
export interface SwapBook {
  /** The changed swap; null where the event changes no known swap. */
  add(event: WatchedStep, at: number): RecordedSwap | null
  /** Newest first. */
  list(): readonly RecordedSwap[]
}

const SWAPS_KEPT = 50
const STEPS_KEPT = 60

const STEP_OF = { input: 'paid', extra: 'paid', output: 'delivered', refund: 'refunded' } as const satisfies {
  readonly [kind in WatchedPayment['kind']]: SwapStep['what']
}

const keyOf = ({ chainId, txHash, kind, token }: WatchedPayment): string => [chainId, txHash, kind, token].join()

/** Adds a step. The first one stays, and of the others the last. */
const withStep = (swap: RecordedSwap, at: number, { what, by }: Pick<SwapStep, 'what' | 'by'>): RecordedSwap => {
  const { state, venueStatus } = swap
  const [first, ...rest] = [...swap.steps, { at, what, by, state, venueStatus }]
  return { ...swap, steps: first ? [first, ...rest.slice(1 - STEPS_KEPT)] : [] }
}

/** Several payments of one transaction, such as fills of one order, as one. */
const merged = (payments: readonly WatchedPayment[]): readonly WatchedPayment[] =>
  [...Map.groupBy(payments, keyOf).values()].flatMap((parts) => {
    const [payment] = parts
    const amounts = parts.flatMap(({ amount }) => (amount === null ? [] : [BigInt(amount)]))
    const amount = amounts.length < parts.length ? null : String(amounts.reduce((sum, part) => sum + part, 0n))
    return payment ? [{ ...payment, amount, isFinal: parts.every(({ isFinal }) => isFinal) }] : []
  })

/** Replaces the payments: one that its chain no longer shows is removed. */
const withPayments = (swap: RecordedSwap, read: readonly WatchedPayment[], at: number, by: SwapStep['by']): RecordedSwap => {
  const payments = merged(read)
  const known = new Set(swap.payments.map(keyOf))
  return payments
    .filter((payment) => !known.has(keyOf(payment)))
    .reduce((now, { kind }) => withStep(now, at, { what: STEP_OF[kind], by }), { ...swap, payments })
}

const tracked = (swap: RecordedSwap, event: Extract<WatchedStep, { event: 'swap.tracked' }>, at: number): RecordedSwap => {
  const { by, state, venueStatus, payments } = event
  // The status request of a ref that does not belong to the swap.
  if (state === 'not_found') return swap
  const isNews = swap.state !== state || swap.venueStatus !== venueStatus
  const isEnd = isTerminal(state) && !swap.steps.some(({ what }) => what === 'ended')
  const moved = { ...swap, state, venueStatus }
  const paid = payments === undefined ? moved : withPayments(moved, payments, at, by)
  return isNews ? withStep(paid, at, { what: isEnd ? 'ended' : 'seen', by }) : paid
}

const changed = (swap: RecordedSwap, event: WatchedStep, at: number): RecordedSwap => {
  switch (event.event) {
    case 'swap.executed':
      return swap
    case 'signature.submitted':
      return withStep(swap, at, { what: 'submitted', by: 'client' })
    case 'transaction.submitted':
      return event.outcome === 'rejected' ? swap : withStep(swap, at, { what: 'submitted', by: 'client' })
    case 'swap.tracked':
      return tracked(swap, event, at)
  }
}

/** @param quotedBy - the route and the output of a quote; null of a forgotten one */
export const createSwapBook = (quotedBy: (quoteId: string) => Swap['quoted']): SwapBook => {
  const swaps = new BoundedMap<number, RecordedSwap>(SWAPS_KEPT)

  const opened = ({ quoteId, swapId, ref = null, ...event }: WatchedStep, at: number): RecordedSwap | null => {
    if (event.event !== 'swap.executed' || quoteId === undefined || swapId === undefined) return null
    const { venue, executionType } = event
    const named = { swapId, quoteId, venue, executionType, ref, executedAt: at, quoted: quotedBy(quoteId) }
    return withStep({ ...named, state: 'pending', venueStatus: null, steps: [], payments: [] }, at, {
      what: 'executed',
      by: 'client',
    })
  }

  const next = (known: RecordedSwap, event: WatchedStep, at: number): RecordedSwap => {
    const { ref = null } = event
    // A status request may name the swap by another ref, until its venue or its chain confirms that.
    const isBound = event.event !== 'swap.tracked' || factsOf(event.state).isRecognised
    const now = changed(known, event, at)
    return isBound && ref !== null && ref !== now.ref ? { ...now, ref } : now
  }

  return {
    add: (event, at) => {
      const known = event.swapId === undefined ? undefined : swaps.get(event.swapId)
      const now = known ? next(known, event, at) : opened(event, at)
      if (!now || JSON.stringify(now) === JSON.stringify(known)) return null
      swaps.set(now.swapId, now)
      return now
    },
    list: () => [...swaps.values()].reverse(),
  }
}
