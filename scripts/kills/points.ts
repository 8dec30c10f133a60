import type { SimRandom } from '../../engine/simnet/kit/world.ts'

/**
 * Where a process kills itself, the `nth` time that it comes there. `write`: a statement such as `insert swaps`. `commit`: the end of
 * the transaction with that statement. `call`: a request of which method and URL match, or any `webhook`. `sent`: the statement or
 * request has left, and its answer has not arrived.
 */
export type Point = {
  readonly on: 'write' | 'commit' | 'call'
  readonly to: string
  readonly when: 'before' | 'sent' | 'after'
  readonly nth: number
}

/** A point, or a time after the process listens. Of a start, the time after the process was created. */
export type Death = Point | { readonly on: 'time'; readonly ms: number }

/** The step of the clock before a start, ms. It makes work due: the lease of a dead process, a build, or a final fee. */
const DUE_MS = { build: 21_000, lease: 90_000, final: 1_200_000 } as const

type Aim = { readonly dueMs: number; readonly statements: readonly string[]; readonly calls?: readonly string[] }

/** What a process is doing when it is killed. */
export const AIMS = {
  execute: {
    dueMs: DUE_MS.build,
    statements: ['insert builds', 'delete builds', 'insert swaps', 'insert swap_keys', 'insert settlement'],
    calls: ['POST .*/v0/quote'],
  },
  submit: {
    dueMs: DUE_MS.build,
    statements: ['update swaps', 'insert broadcasts', 'update broadcasts'],
    calls: ['POST .*/api/v1/orders', 'POST .*/solana'],
  },
  status: {
    dueMs: DUE_MS.build,
    statements: ['update swaps', 'insert payments', 'insert partner_events', 'insert partner_feeds', 'update settlement'],
  },
  settle: {
    dueMs: DUE_MS.lease,
    statements: ['update swaps', 'insert payments', 'insert partner_events', 'update settlement', 'insert leases'],
  },
  accrue: {
    dueMs: DUE_MS.final,
    statements: ['insert ledger_entries', 'insert ledger_lines', 'update settlement', 'delete settlement'],
  },
  webhook: { dueMs: DUE_MS.lease, statements: ['update partner_events'], calls: ['webhook'] },
  partner: {
    dueMs: DUE_MS.build,
    statements: [
      ...['insert partners', 'insert api_keys', 'insert partner_contacts', 'update partners'],
      ...['insert payout_addresses', 'insert webhooks', 'insert partner_events', 'insert partner_feeds'],
    ],
  },
  payout: { dueMs: DUE_MS.final, statements: ['insert ledger_entries', 'insert ledger_lines'] },
  start: { dueMs: DUE_MS.build, statements: [] },
} as const satisfies { readonly [name: string]: Aim }

export type AimName = keyof typeof AIMS

export const AIM_NAMES = Object.keys(AIMS) as readonly AimName[]

const BY_TIME_PERCENT = 25
const TIME_MS = 2_000
const NTH_MAX = 3

export const chooseDeath = (name: AimName, random: SimRandom): Death => {
  const { statements, calls = [] }: Aim = AIMS[name]
  const to = [...statements, ...calls][random.integer(Math.max(1, statements.length + calls.length))]
  if (to === undefined || random.integer(100) < BY_TIME_PERCENT) return { on: 'time', ms: random.integer(TIME_MS) }
  const on = calls.includes(to) ? 'call' : random.integer(5) < 2 ? 'write' : 'commit'
  const when = on === 'write' ? (['before', 'after'] as const) : (['before', 'sent', 'after'] as const)
  // A later time may never come, so most deaths are at the first.
  const nth = name !== 'payout' && random.integer(3) === 0 ? 1 + random.integer(NTH_MAX) : 1
  return { on, to, when: when[random.integer(when.length)] ?? 'before', nth }
}
