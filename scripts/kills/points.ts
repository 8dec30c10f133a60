import type { SimRandom } from '../../engine/simnet/kit/world.ts'

/**
 * Where a process kills itself, the `nth` time that it comes there. `write`: a statement such as `insert swaps`. `commit`: the end of
 * the transaction with that statement. `call`: a request to a venue or a chain of which method and URL match. `hook`: the post of a
 * webhook. `sent`: the statement or request has left, and its answer has not arrived.
 */
export type Point = {
  readonly on: 'write' | 'commit' | 'call' | 'hook'
  readonly to: string
  readonly when: 'before' | 'sent' | 'after'
  readonly nth: number
}

/** A point, or a time after the process listens. Of a start, the time after the process was created. */
export type Death = Point | { readonly on: 'time'; readonly ms: number }

type Place = Omit<Point, 'nth'>

const BEFORE_AND_AFTER = ['before', 'after'] as const
const ALL_THREE = ['before', 'sent', 'after'] as const

const written = (...statements: readonly string[]): readonly Place[] =>
  statements.flatMap((to) => [
    ...BEFORE_AND_AFTER.map((when) => ({ on: 'write', to, when }) as const),
    ...ALL_THREE.map((when) => ({ on: 'commit', to, when }) as const),
  ])
const called = (to: string): readonly Place[] => ALL_THREE.map((when) => ({ on: 'call', to, when }))
const hooked: readonly Place[] = ALL_THREE.map((when) => ({ on: 'hook', to: '', when }))

/** The clock moves by so much before a start, so that work is due: the lease of a dead process, a build, or a fee that is final. */
const DUE_MS = { build: 21_000, lease: 90_000, final: 1_200_000 } as const
/** Kills by the clock fall within so many ms. */
const TIME_MS = 2_000

type Aim = { readonly places: readonly Place[]; readonly dueMs: number }

/** What a process is doing when it is killed. */
export const AIMS = {
  execute: {
    places: [
      ...written('insert builds', 'delete builds', 'insert swaps', 'insert swap_keys', 'insert settlement'),
      ...called('POST .*/v0/quote'),
    ],
    dueMs: DUE_MS.build,
  },
  submit: {
    places: [
      ...written('update swaps', 'insert broadcasts', 'update broadcasts'),
      ...called('POST .*/api/v1/orders'),
      ...called('POST .*/solana'),
    ],
    dueMs: DUE_MS.build,
  },
  status: {
    places: written('update swaps', 'insert payments', 'insert partner_events', 'insert partner_feeds', 'update settlement'),
    dueMs: DUE_MS.build,
  },
  settle: {
    places: written('update swaps', 'insert payments', 'insert partner_events', 'update settlement', 'insert leases'),
    dueMs: DUE_MS.lease,
  },
  accrue: {
    places: written('insert ledger_entries', 'insert ledger_lines', 'update settlement', 'delete settlement'),
    dueMs: DUE_MS.final,
  },
  webhook: { places: [...written('update partner_events'), ...hooked, ...hooked], dueMs: DUE_MS.lease },
  partner: {
    places: written(
      ...['insert partners', 'insert api_keys', 'insert partner_contacts', 'update partners'],
      ...['insert payout_addresses', 'insert webhooks', 'insert partner_events', 'insert partner_feeds'],
    ),
    dueMs: DUE_MS.build,
  },
  payout: { places: written('insert ledger_entries', 'insert ledger_lines'), dueMs: DUE_MS.final },
  start: { places: [], dueMs: DUE_MS.build },
} as const satisfies { readonly [name: string]: Aim }

export type AimName = keyof typeof AIMS

export const AIM_NAMES = Object.keys(AIMS) as readonly AimName[]

const BY_TIME_PERCENT = 25
const NTH_MAX = 3

export const chooseDeath = (name: AimName, random: SimRandom): Death => {
  const { places }: Aim = AIMS[name]
  const place = places[random.integer(Math.max(1, places.length))]
  if (place === undefined || random.integer(100) < BY_TIME_PERCENT) return { on: 'time', ms: random.integer(TIME_MS) }
  // A later time may never come, so most deaths are at the first.
  const nth = name !== 'payout' && random.integer(3) === 0 ? 1 + random.integer(NTH_MAX) : 1
  return { ...place, nth }
}
