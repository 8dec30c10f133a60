import type { SimRandom } from '../../engine/simnet/kit/world.ts'

/**
 * Where in the process it dies, the `nth` time it comes there. `write`: a statement that changes this table. `commit`: the end
 * of what changed it, a transaction or a statement alone; `sent`: handed to the database, whose answer nobody has. `call`: to a
 * host of which URL and method match; `hook`: the post to a webhook.
 */
export type Point =
  | { readonly on: 'write'; readonly table: string; readonly when: 'before' | 'after'; readonly nth: number }
  | { readonly on: 'commit'; readonly table: string; readonly when: 'before' | 'sent' | 'after'; readonly nth: number }
  | { readonly on: 'call'; readonly to: string; readonly when: 'before' | 'sent' | 'answered'; readonly nth: number }
  | { readonly on: 'hook'; readonly when: 'before' | 'sent' | 'answered'; readonly nth: number }

/** By the clock instead, so long after the request was sent or the process was up. */
export type Moment = { readonly on: 'time'; readonly ms: number }

/** What the parent says to the process that is to die. `aheadMs`: how far its time runs ahead. */
export type Order = { readonly aheadMs: number } | { readonly dieAt: Point }

type Where = Omit<Point, 'nth'> & { readonly nthMax?: number }

const written = (...tables: readonly string[]): readonly Where[] =>
  tables.flatMap((table): readonly Where[] => [
    { on: 'write', table, when: 'before' } as Where,
    { on: 'write', table, when: 'after' } as Where,
    { on: 'commit', table, when: 'before' } as Where,
    { on: 'commit', table, when: 'sent' } as Where,
    { on: 'commit', table, when: 'after' } as Where,
  ])

const called = (to: string): readonly Where[] =>
  (['before', 'sent', 'answered'] as const).map((when) => ({ on: 'call', to, when }) as Where)

const hooked = (['before', 'sent', 'answered'] as const).map((when) => ({ on: 'hook', when }) as Where)

/** What is under way when the process dies, and the points where that may be. */
export const CLASSES = {
  'execute DEPOSIT': {
    points: [...written('builds', 'swaps', 'swap_keys', 'settlement'), ...called('POST .*/v0/quote')],
    momentMs: 60,
  },
  'execute TRANSACTION': { points: written('builds', 'swaps', 'swap_keys', 'settlement'), momentMs: 60 },
  'execute SIGNATURE': { points: written('builds', 'swaps', 'swap_keys'), momentMs: 60 },
  'submit-signature': { points: [...written('swaps', 'settlement'), ...called('POST .*/api/v1/orders')], momentMs: 60 },
  'submit-transaction': { points: [...written('broadcasts', 'settlement'), ...called('POST .*/solana')], momentMs: 60 },
  status: { points: written('swaps', 'payments', 'partner_events', 'partner_feeds', 'settlement'), momentMs: 120 },
  settle: { points: written('swaps', 'payments', 'partner_events', 'settlement', 'leases'), momentMs: 2_000 },
  accrue: { points: [...written('ledger_entries', 'ledger_lines'), ...written('settlement')], momentMs: 2_000 },
  webhook: { points: [...written('partner_events'), ...hooked, ...hooked], momentMs: 2_000 },
  signup: { points: written('partners', 'api_keys', 'partner_contacts'), momentMs: 30 },
  patch: { points: written('partners', 'payout_addresses', 'partner_events', 'partner_feeds', 'webhooks'), momentMs: 30 },
  payout: { points: written('ledger_entries', 'ledger_lines'), momentMs: 1_500 },
  start: { points: [], momentMs: 1_200 },
} as const satisfies { readonly [name: string]: { readonly points: readonly Where[]; readonly momentMs: number } }

export type ClassName = keyof typeof CLASSES

export const CLASS_NAMES = Object.keys(CLASSES) as readonly ClassName[]

/** A process dies by the clock so often, in percent; and at which time of those it comes to a point, at most. */
const MOMENTS_PERCENT = 25
const NTH_MAX = 3

export const choosePoint = (name: ClassName, random: SimRandom): Point | Moment => {
  const { points, momentMs }: { readonly points: readonly Where[]; readonly momentMs: number } = CLASSES[name]
  const where = points[points.length === 0 ? 0 : random.integer(points.length)]
  const isMoment = random.integer(100) < MOMENTS_PERCENT
  if (where === undefined || isMoment) return { on: 'time', ms: random.integer(momentMs) }
  // Most often the first time: what comes later may never.
  const nth = name !== 'payout' && random.integer(3) === 0 ? 1 + random.integer(NTH_MAX) : 1
  return { ...where, nth } as Point
}
