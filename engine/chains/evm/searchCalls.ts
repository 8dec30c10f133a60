import { isWithin } from '../../core/clock.ts'
import { endpointFacts } from '../endpoints/publicEndpoints.ts'

/** The owner of a search: settlement or a caller with a key, or an anonymous status request. */
export type SearchBudget = 'partner' | 'anonymous'

/** A search, and the budget that its calls are counted in. */
export type Searcher = { readonly search: string; readonly budget: SearchBudget }

/** The most search calls of one endpoint in any 60 s. No anonymous request spends a call of the partners' budget. */
export const SEARCH_CALLS_MAX: { readonly [B in SearchBudget]: number } = { partner: 25, anonymous: 5 }
const MINUTE_MS = 60_000
/** A search keeps its turn for this many minutes' calls. Short turns would all be spent on the newest blocks. */
const TURN_MINUTES = 40
/** A search that does not ask keeps its place for so long; others go before it after a minute. */
const PLACE_MS = 600_000
const LINE_MAX = 1_000

/** The ranges of blocks that nodes and gateways allow by default, so that a refused range is followed by the next such limit. */
const WINDOWS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]
const FIRST_WINDOW = 2_000
/** Refusals narrow the window of all searches no further, where no other limit is documented. */
const LEAST_WINDOW = 100
/** How long an accepted range proves that the endpoint takes it, and how often a longer one is tried. */
const PROVEN_MS = 600_000

export const narrower = (blocks: number): number => WINDOWS.findLast((step) => step < blocks) ?? 1
const wider = (blocks: number): number => WINDOWS.find((step) => step > blocks) ?? blocks

/** `turn`: how many calls it made since its turn came. */
type Place = { askedAt: number; turn: number }
/** `line`: the searches that ask, in the order of their turns. */
type Spent = { uses: readonly number[]; readonly line: Map<string, Place> }
type Window = { blocks: number; provenAt: number; triedAt: number }

/** The search calls that this process may make to each endpoint: one instance for all searches. */
export interface SearchCalls {
  /** Counts one call. False where the budget of this endpoint is used up for now, or another search has its turn. */
  take(url: string, by: Searcher): boolean
  /** The search needs no more calls for now. */
  leave(by: Searcher): void
  /** False for an endpoint known to serve no `eth_getLogs`. */
  servesLogs(url: string): boolean
  /** How many blocks one call may span. */
  windowOf(url: string): number
  accepted(url: string, blocks: number): void
  /**
   * False where the endpoint accepted such a range lately, or is documented to accept it. It then refused this search, and other
   * searches continue with the range.
   */
  refused(url: string, blocks: number): boolean
}

/** In the last minute. */
const isRecent = (at: number, now: number): boolean => isWithin(MINUTE_MS, at, now)

/** `time`: ms of a monotonic clock, so that a clock that is set does not renew a budget. */
export const createSearchCalls = (time: () => number = () => performance.now()): SearchCalls => {
  const spent = new Map<string, Spent>()
  const windows = new Map<string, Window>()

  const spentOf = (url: string, budget: SearchBudget): Spent => {
    const key = `${budget} ${url}`
    const known = spent.get(key) ?? { uses: [], line: new Map() }
    spent.set(key, known)
    const now = time()
    known.uses = known.uses.filter((at) => isRecent(at, now))
    for (const [search, { askedAt }] of known.line) if (!isWithin(PLACE_MS, askedAt, now)) known.line.delete(search)
    return known
  }

  const windowOf = (url: string): Window => {
    const now = time()
    const blocks = endpointFacts(url)?.logBlocks
    const provenAt = blocks ? now : Number.NEGATIVE_INFINITY
    const known = windows.get(url) ?? { blocks: Math.min(blocks ?? FIRST_WINDOW, WINDOWS.at(-1) ?? 1), provenAt, triedAt: now }
    windows.set(url, known)
    return known
  }

  return {
    take: (url, { search, budget }) => {
      const own = spentOf(url, budget)
      const { line } = own
      const [now, most] = [time(), SEARCH_CALLS_MAX[budget]]
      const place = line.get(search) ?? { askedAt: now, turn: 0 }
      place.askedAt = now
      if (line.size < LINE_MAX) line.set(search, place)
      // The first in line that still asks, however rarely, is served whenever it does.
      for (const [other, { askedAt }] of line) {
        if (other === search) break
        if (isRecent(askedAt, now)) return false
      }
      if (own.uses.length >= most) return false
      own.uses = [...own.uses, now]
      place.turn += 1
      if (place.turn < TURN_MINUTES * most) return true
      line.delete(search)
      line.set(search, { askedAt: now, turn: 0 })
      return true
    },
    leave: ({ search, budget }) => {
      for (const [key, { line }] of spent) if (key.startsWith(`${budget} `)) line.delete(search)
    },
    servesLogs: (url) => endpointFacts(url)?.logBlocks !== 0,
    windowOf: (url) => {
      const window = windowOf(url)
      const now = time()
      if (isWithin(PROVEN_MS, window.triedAt, now)) return window.blocks
      window.triedAt = now
      return wider(window.blocks)
    },
    accepted: (url, blocks) => {
      const window = windowOf(url)
      if (blocks < window.blocks) return
      window.blocks = blocks
      window.provenAt = time()
    },
    refused: (url, blocks) => {
      const window = windowOf(url)
      const least = endpointFacts(url)?.logBlocks || LEAST_WINDOW
      if (blocks <= least || (blocks <= window.blocks && time() - window.provenAt < PROVEN_MS)) return false
      window.blocks = Math.max(least, Math.min(window.blocks, narrower(blocks)))
      return true
    },
  }
}
