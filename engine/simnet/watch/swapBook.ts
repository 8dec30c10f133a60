import type { ExecutionType } from '../../core/offer.ts'
import { factsOf, isTerminal } from '../../core/swapStatus.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import type { Quoted } from './raceBook.ts'
import type { StepTold, SwapStateTold } from './told.ts'
import type { WatchedPayment, WatchedStep } from './watched.ts'

/** A transaction of a swap, without what its chain says of it. */
export type KeptTransaction = WatchedPayment & { readonly seenAt: number }

/** What is known of a swap by what the service told of it. */
export type KeptSwap = {
  readonly swapId: number
  readonly quoteId: string
  readonly venue: string
  readonly executionType: ExecutionType
  readonly executedAt: number
  readonly quoted: Quoted | null
  ref: string | null
  state: SwapStateTold
  venueStatus: string | null
  endedAt: number | null
  steps: readonly StepTold[]
  transactions: readonly KeptTransaction[]
}

/** The swaps that were executed last, each with how it came to stand as it does. */
export interface SwapBook {
  /** The swap that it changed; null where it told nothing new, or nothing of a swap that is known here. */
  add(event: WatchedStep, at: number): KeptSwap | null
  /** Newest first. */
  list(): readonly KeptSwap[]
}

const SWAPS_KEPT = 50
const STEPS_KEPT = 60

const SEEN = { input: 'paid', extra: 'paid', output: 'delivered', refund: 'refunded' } as const satisfies {
  readonly [kind in WatchedPayment['kind']]: StepTold['what']
}

type Step = Pick<StepTold, 'what' | 'by'> & Partial<Pick<StepTold, 'txHash'>>

const isSame = (one: WatchedPayment, other: WatchedPayment): boolean =>
  one.chainId === other.chainId && one.txHash === other.txHash && one.kind === other.kind && one.token === other.token

/** Adds a step at which the swap stands as it does. The first stays: all later ones count from it. */
const addStep = (swap: KeptSwap, at: number, { what, by, txHash = null }: Step): void => {
  const { state, venueStatus, steps } = swap
  const [first, ...rest] = [...steps, { at, what, by, txHash, state, venueStatus }]
  swap.steps = first ? [first, ...rest.slice(1 - STEPS_KEPT)] : []
}

/** Takes what is known of a swap's money as all there is: what a chain took back is gone. Tells whether that is news. */
const takePayments = (swap: KeptSwap, payments: readonly WatchedPayment[], at: number, by: StepTold['by']): boolean => {
  const before = swap.transactions
  // Several payments of one transaction, such as fills of one order, are one.
  const merged = payments.filter((payment, index) => payments.findIndex((other) => isSame(payment, other)) === index)
  const sumOf = (payment: WatchedPayment): string | null => {
    const amounts = payments.filter((other) => isSame(payment, other)).map(({ amount }) => amount)
    return amounts.reduce((sum, amount) => (sum === null || amount === null ? null : String(BigInt(sum) + BigInt(amount))))
  }
  swap.transactions = merged.map((payment) => {
    const seenAt = before.find((known) => isSame(known, payment))?.seenAt ?? at
    return { ...payment, amount: sumOf(payment), seenAt }
  })
  const fresh = swap.transactions.filter((payment) => !before.some((known) => isSame(known, payment)))
  for (const { kind, txHash } of fresh) addStep(swap, at, { what: SEEN[kind], by, txHash })
  const changed = swap.transactions.some(
    (now) => !before.some((known) => isSame(known, now) && known.isFinal === now.isFinal && known.amount === now.amount),
  )
  return changed || before.length !== swap.transactions.length
}

const track = (swap: KeptSwap, event: Extract<WatchedStep, { event: 'swap.tracked' }>, at: number): boolean => {
  const { by, state, venueStatus, payments } = event
  // Somebody asked by what is none of it.
  if (state === 'not_found') return false
  const isNews = swap.state !== state || swap.venueStatus !== venueStatus
  swap.state = state
  swap.venueStatus = venueStatus
  const isPaid = payments !== undefined && takePayments(swap, payments, at, by)
  const isEnd = isTerminal(state) && swap.endedAt === null
  if (isEnd) swap.endedAt = at
  if (isNews) addStep(swap, at, { what: isEnd ? 'ended' : 'seen', by })
  return isNews || isPaid
}

const change = (swap: KeptSwap, event: WatchedStep, at: number): boolean => {
  switch (event.event) {
    case 'swap.executed':
      return false
    case 'signature.submitted':
      addStep(swap, at, { what: 'submitted', by: 'client' })
      return true
    case 'transaction.submitted':
      if (event.outcome === 'rejected') return false
      addStep(swap, at, { what: 'submitted', by: 'client', txHash: event.txHash })
      return true
    case 'swap.tracked':
      return track(swap, event, at)
  }
}

/** @param quoted - what is known of a quote; see RaceBook */
export const createSwapBook = (quoted: (quoteId: string) => Quoted | null): SwapBook => {
  const swaps = new BoundedMap<number, KeptSwap>(SWAPS_KEPT)

  const open = ({ quoteId, swapId, ref = null, ...event }: WatchedStep, at: number): KeptSwap | null => {
    if (event.event !== 'swap.executed' || quoteId === undefined || swapId === undefined) return null
    const { venue, executionType } = event
    const swap: KeptSwap = {
      ...{ swapId, quoteId, venue, executionType, ref, executedAt: at, quoted: quoted(quoteId) },
      ...{ state: 'pending', venueStatus: null, endedAt: null, steps: [], transactions: [] },
    }
    addStep(swap, at, { what: 'executed', by: 'client' })
    swaps.set(swapId, swap)
    return swap
  }

  return {
    add: (event, at) => {
      const known = event.swapId === undefined ? undefined : swaps.get(event.swapId)
      if (!known) return open(event, at)
      const { ref = null } = event
      // What it is asked by is not what it goes by, until its venue or its chain says so.
      const isBound = event.event !== 'swap.tracked' || factsOf(event.state).isRecognised
      const isRenamed = isBound && ref !== null && ref !== known.ref
      if (isRenamed) known.ref = ref
      return change(known, event, at) || isRenamed ? known : null
    },
    list: () => [...swaps.values()].reverse(),
  }
}
