/** A parameter of a fault. */
type FaultParam = {
  readonly name: string
  readonly type: 'number' | 'text'
  /** In a few plain words, with the unit. */
  readonly means: string
  /** What applies without it; null: nothing. */
  readonly default: string | number | null
}

type Kind = {
  /** What can have it; `node` is the node of an EVM chain. */
  readonly on: readonly ('venue' | 'chain' | 'node' | 'facilitator')[]
  /** In a few plain words, beside its switch. */
  readonly does: string
  /** Beside `count`. */
  readonly params: readonly FaultParam[]
}

/** A fault, for those who offer it as a switch: `POST /faults` takes `{venue, fault, count?, ...params}`. */
export type FaultKind = Kind & { readonly name: FaultName }

const PATH: FaultParam = {
  name: 'path',
  type: 'text',
  means: 'only requests whose path starts with this, such as /v1/quote',
  default: null,
}
const number = (name: string, means: string, usual: number): FaultParam => ({ name, type: 'number', means, default: usual })

/** Of the HTTP answer of a venue, a chain or the facilitator. */
const transport = (does: string, ...params: readonly FaultParam[]): Kind => ({
  on: ['venue', 'chain', 'facilitator'],
  does,
  params: [...params, PATH],
})

/** Of the calls of a venue. */
const venue = (does: string): Kind => ({ on: ['venue'], does, params: [PATH] })

/** Decided when an order is paid, whatever was called. */
const settlement = (does: string): Kind => ({ on: ['venue'], does, params: [] })

/** What applies without a parameter. `statesKept` is that of a full node (go-ethereum's TriesInMemory). */
export const FAULT_DEFAULTS = { latencyMs: 1_000, hugeBytes: 64 * 1024 * 1024, statesKept: 128 } as const

const KINDS = {
  latency: transport('answers late', number('ms', 'milliseconds', FAULT_DEFAULTS.latencyMs)),
  hang: transport('never answers'),
  reset: transport('closes the connection without an answer', {
    name: 'when',
    type: 'text',
    means: 'after: the venue handles the request first, and only the answer is lost',
    default: null,
  }),
  'http-500': transport('answers 500 with a page of HTML'),
  'http-429': transport('answers 429: too many requests'),
  'malformed-body': transport('answers a body that is not JSON'),
  'truncated-body': transport('sends fewer bytes than Content-Length'),
  'huge-body': transport('never stops sending', number('bytes', 'number of bytes', FAULT_DEFAULTS.hugeBytes)),
  'wrong-shape': transport('answers JSON of another shape'),
  'prunes-state': {
    on: ['node'],
    does: 'has the state of its latest blocks only',
    params: [number('blocks', 'number of blocks with state', FAULT_DEFAULTS.statesKept)],
  },
  // Answers that moved on, as `drift.json` describes for each venue.
  'rotated-contract': venue('names another contract than the published one'),
  'renamed-asset': venue('names a token or chain by another id'),
  'unknown-member': venue('returns an undocumented enum member'),
  'extra-row': venue('lists a row of an unknown chain'),
  'large-number': venue('adds an unused number beyond 2^53'),
  'null-value': venue('returns null instead of a value'),
  'wrong-decimals': venue('scales amounts by wrong decimals'),
  'price-x100': venue('offers a hundred times too much'),
  halt: venue('quotes no pair'),
  'wrong-recipient': venue('builds a payload that pays another address'),
  'wrong-amount': venue('builds a payload that takes twice the input'),
  'wrong-minimum': venue('builds a payload that guarantees half of what was quoted'),
  'wrong-contract': venue('builds a payload for another contract'),
  'bad-signature': venue('signs its quotes with a wrong key'),
  'lying-success': settlement('reports success without a delivery'),
  'never-fills': settlement('lets the order expire, and refunds it later'),
  fails: settlement('reports that the order failed'),
  'short-fill': settlement('delivers less than it guaranteed'),
  'unknown-status': settlement('returns an undocumented status'),
} as const satisfies { readonly [fault: string]: Kind }

export type FaultName = keyof typeof KINDS

export const FAULTS = Object.keys(KINDS) as readonly FaultName[]

export const FAULT_KINDS: readonly FaultKind[] = FAULTS.map((name) => ({ name, ...KINDS[name] }))

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

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(KINDS, name)

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
