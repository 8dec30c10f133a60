/**
 * Everything that can be made to go wrong. The first group is done to the HTTP answer of any venue or chain, the second by
 * the node of a chain; the others by the venues themselves, each as far as it makes sense there.
 */
export const FAULTS = [
  // Transport
  'latency', // params: ms
  'hang', // never answers
  'reset', // closes the connection without an answer
  'http-500',
  'http-429',
  'malformed-body', // not JSON
  'truncated-body', // fewer bytes than promised
  'huge-body', // params: bytes
  'wrong-shape', // JSON of another shape
  // The node of an EVM chain
  'prunes-state', // has no state but of the latest blocks; params: blocks, 128 when left out
  // Answers that moved on, as `drift.json` says for each venue
  'rotated-contract', // another contract than the published one
  'renamed-asset', // another id of a token or chain
  'unknown-member', // an enum has a new member
  'extra-row', // a list has a row of an unknown chain
  'large-number', // an unused number beyond 2^53
  'null-value', // null in the place of a value
  // Prices
  'wrong-decimals', // amounts scaled by 10^12 or 10^-12
  'price-x100',
  'halt', // no pair is quoted
  // Payloads
  'wrong-recipient',
  'wrong-amount',
  'wrong-minimum',
  'wrong-contract',
  'bad-signature', // the venue's own signature does not verify
  // Settlement
  'lying-success', // says success, delivers nothing
  'never-fills', // expires, and is refunded later
  'fails',
  'short-fill', // delivers less than the guaranteed minimum
  'unknown-status', // answers a raw status nobody documented
] as const

export type FaultName = (typeof FAULTS)[number]

export type FaultParams = { readonly [name: string]: string | number }

export type ActiveFault = {
  readonly venue: string
  readonly fault: FaultName
  readonly params: FaultParams
  readonly remaining: number | null
}

/** Which faults are on. Each venue asks for the ones it can commit. */
export interface Faults {
  /** Turns one on; `count` calls at the most, or until cleared when null. `path` in params limits it to a path prefix. */
  set(venue: string, fault: FaultName, params: FaultParams, count: number | null): void
  /** All of one venue, or all there are. */
  clear(venue: string | null): void
  /** The parameters of a fault that is on, using up one of its count; else null. */
  take(venue: string, fault: FaultName, path?: string): FaultParams | null
  list(): readonly ActiveFault[]
  /** Runs once, when the faults of the venue are cleared: for what a fault holds until then. */
  onceCleared(venue: string, run: () => void): void
}

export const isFaultName = (name: string): name is FaultName => (FAULTS as readonly string[]).includes(name)

type Entry = { venue: string; fault: FaultName; params: FaultParams; remaining: number | null }

/** @param onChange - called whenever another set of them is on, or one has fewer calls left */
export const createFaults = (onChange: () => void = () => undefined): Faults => {
  let entries: Entry[] = []
  let held: { venue: string; run: () => void }[] = []
  return {
    set: (venue, fault, params, count) => {
      entries = entries.filter((entry) => entry.venue !== venue || entry.fault !== fault)
      entries.push({ venue, fault, params, remaining: count })
      onChange()
    },
    clear: (venue) => {
      entries = venue === null ? [] : entries.filter((entry) => entry.venue !== venue)
      const over = held.filter((one) => venue === null || one.venue === venue)
      held = held.filter((one) => !over.includes(one))
      for (const { run } of over) run()
      onChange()
    },
    take: (venue, fault, path) => {
      const entry = entries.find(
        (candidate) =>
          candidate.venue === venue &&
          candidate.fault === fault &&
          (typeof candidate.params['path'] !== 'string' || path?.startsWith(candidate.params['path']) === true),
      )
      if (!entry) return null
      if (entry.remaining !== null) {
        entry.remaining -= 1
        if (entry.remaining <= 0) entries = entries.filter((other) => other !== entry)
        onChange()
      }
      return entry.params
    },
    onceCleared: (venue, run) => {
      held.push({ venue, run })
    },
    list: () => entries.map((entry) => ({ ...entry })),
  }
}
