import type { AnyEvent, VenueCall, VenueOutcome } from '../observe/observe.ts'

/** What went wrong lately and has not gone well since, as far as events tell it. */
export interface Outages {
  observe(event: AnyEvent): void
  /** Whether the last calls of one kind all failed, although others may be answered. */
  isFailing(venue: string): boolean
  /** Of which none of the endpoints answers. */
  readonly chainsDown: readonly number[]
  /** Payments are neither verified nor settled. */
  readonly isFacilitatorDown: boolean
  /** Is called when a call of the store failed. */
  onStoreFailure(look: () => void): void
}

/** So many of one kind in a row, as many as open a breaker. */
const FAILURES_MAX = 5
/** A kind of call that nobody has made for so long is not held against anybody. */
const RECALLED_MS = 15 * 60_000

type Row = { failures: number; at: number }

/** Beside quotes. What is looked up in lists may come from an adapter's memory, and nobody's swap waits for it. */
const ASKED: readonly VenueCall[] = ['execute', 'submit', 'track']
const FAILED: readonly VenueOutcome[] = ['timeout', 'failure']
const ANSWERED: readonly VenueOutcome[] = ['answer', 'decline', 'rejected']

/**
 * `now` in ms, never running backwards. A venue's row is of whoever called: it tells the operator, and decides about no call.
 */
export const createOutages = (now: () => number = () => performance.now()): Outages => {
  /** By venue, and by what was asked of it. */
  const rows = new Map<string, Map<string, Row>>()
  /** By chain, the endpoints that fail. */
  const chains = new Map<number, { readonly endpoints: number; readonly failing: Set<number> }>()
  let isFacilitatorDown = false
  let lookAtStore: () => void = () => undefined

  const failed = (venue: string, kind: string): void => {
    const kinds = rows.get(venue) ?? new Map<string, Row>()
    const row = kinds.get(kind) ?? { failures: 0, at: 0 }
    rows.set(venue, kinds.set(kind, { failures: row.failures + 1, at: now() }))
  }
  const answered = (venue: string, kind: string): void => void rows.get(venue)?.delete(kind)

  const onCall = ({ venue, call, outcome, unexplained }: Extract<AnyEvent, { event: 'venue.call' }>): void => {
    // Whether it answers quotes at all is the breaker's to know.
    if (!ASKED.includes(call)) return
    if (FAILED.includes(outcome) && !unexplained) failed(venue, call)
    else if (ANSWERED.includes(outcome) || unexplained) answered(venue, call)
  }
  const onChain = ({ chainId, endpoint, endpoints, healthy }: Extract<AnyEvent, { event: 'chain.health' }>): void => {
    const failing = chains.get(chainId)?.failing ?? new Set<number>()
    if (healthy) failing.delete(endpoint)
    else failing.add(endpoint)
    chains.set(chainId, { endpoints, failing })
  }

  return {
    observe: (event) => {
      if (event.event === 'venue.call') onCall(event)
      else if (event.event === 'chain.health') onChain(event)
      else if (event.event === 'facilitator.health') isFacilitatorDown = !event.healthy
      else if (event.event === 'store.query' && event.outcome === 'failed') lookAtStore()
    },
    isFailing: (venue) =>
      [...(rows.get(venue)?.values() ?? [])].some(({ failures, at }) => failures >= FAILURES_MAX && now() - at < RECALLED_MS),
    get chainsDown() {
      return [...chains].flatMap(([chainId, { endpoints, failing }]) => (failing.size >= endpoints ? [chainId] : []))
    },
    get isFacilitatorDown() {
      return isFacilitatorDown
    },
    onStoreFailure: (look) => {
      lookAtStore = look
    },
  }
}
