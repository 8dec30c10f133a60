import { expect } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import type { VenueDefinition } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../anOrder.ts'
import type { FakeChains } from '../fakeChains.ts'
import type { VenueBench } from '../venueBench.ts'
import { type Change, changed, never, offerOf, prove, track } from './calls.ts'
import { type Answer, type Asked, canned, toldBy } from './canned.ts'

/** One answer in place of the simulator's, or the simulator's with some fields changed by their dotted paths. */
type CaseAnswer = Answer & {
  /** The end of the path that this answers; every path when left out. */
  readonly path?: string
  /** How many calls it answers; all when left out. */
  readonly times?: number
  readonly change?: Change
}

type OrderOf = Partial<OrderWish> & { readonly of: string }

export type Case = {
  readonly title: string
  readonly call: 'quote' | 'execute' | 'track'
  /** A name of `orders`, or one of them with other fields. */
  readonly order: string | OrderOf
  readonly settings?: { readonly [name: string]: string }
  readonly apiKey?: string
  readonly answers?: readonly CaseAnswer[]
  /** For `track`: the reference; the one of the built swap when left out. `lost`: our record of the swap is lost. */
  readonly ref?: string
  readonly isRecordLost?: boolean
  /** What the adapter must have sent, in order, each with at least these fields; `query` is complete where given. */
  readonly sent?: readonly { readonly [field: string]: unknown }[]
  /** Fields of the offer, of the execution with its `claims` and `mismatches`, or of the status; or `error` alone. */
  readonly outcome: { readonly [field: string]: unknown }
}

export type Cases = {
  readonly orders: { readonly [name: string]: OrderWish }
  /** Values that cases write as `$NAME`. */
  readonly constants?: { readonly [name: string]: unknown }
  readonly cases: readonly Case[]
}

/** Reads `250n` as a bigint and `$NAME` as a constant. */
export const readCases = (json: unknown): Cases => {
  const { constants = {} } = json as Cases
  const known: { readonly [name: string]: unknown } = { ...constants, ...WALLETS }
  const text = JSON.stringify(json)
  return JSON.parse(text, (_name, value) => {
    if (typeof value !== 'string') return value
    if (/^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1))
    if (!value.startsWith('$')) return value
    if (!(value.slice(1) in known)) throw new TypeError(`no constant ${value}`)
    return known[value.slice(1)]
  }) as Cases
}

/** `/text/` is a pattern for texts, `<any>` any value but null and undefined. */
const matcher = (value: unknown): unknown => {
  if (value === '<any>') return expect.anything()
  if (typeof value === 'string' && /^\/.+\/$/.test(value)) return expect.stringMatching(value.slice(1, -1))
  if (Array.isArray(value)) return value.map(matcher)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, matcher(part)]))
}

/** `{"add": "-2"}` changes an amount that the simulator wrote. */
const changeOf = (change: Change): Change =>
  Object.fromEntries(
    Object.entries(change).map(([path, to]) => {
      const add = (to as { readonly add?: string } | null)?.add
      return [path, add === undefined ? to : (was: unknown) => String(BigInt(String(was)) + BigInt(add))]
    }),
  )

const orderOf = ({ orders }: Cases, order: Case['order']): VenueOrder => {
  const { of, ...more } = typeof order === 'string' ? { of: order } : order
  const usual = orders[of]
  if (!usual) throw new TypeError(`no order ${of}`)
  return anOrder({ ...usual, ...more } as OrderWish)
}

/** Runs the venue's adapter against its simulator with the answers of one case, and compares what it sent and returned. */
export const runCase = async (
  definition: VenueDefinition,
  bench: VenueBench & { readonly chains: FakeChains },
  all: Cases,
  one: Case,
): Promise<void> => {
  const { call, settings = {}, apiKey, answers = [], ref, isRecordLost = false } = one
  const order = orderOf(all, one.order)
  const used = answers.map(() => 0)
  const answering = ({ path }: Asked): CaseAnswer | undefined =>
    answers.find(({ path: of = '', times = Number.POSITIVE_INFINITY }, at) => {
      if (!path.endsWith(of) || (used[at] ?? 0) >= times) return false
      used[at] = (used[at] ?? 0) + 1
      return true
    })
  const usual = toldBy(bench.sim)
  const key = apiKey ?? bench.sim.settings?.['API_KEY']
  const { venue, asked } = canned(
    definition,
    async (request) => {
      const answer = answering(request)
      if (answer && !answer.change) return answer
      const told = await usual(request)
      return answer?.change ? { ...told, body: changed(told.body, changeOf(answer.change)) } : told
    },
    { settings: { ...bench.sim.settings, ...settings }, chains: bench.chains, ...(key === undefined ? {} : { apiKey: key }) },
  )

  const outcome = async (): Promise<object> => {
    const offer = await offerOf(venue, order)
    if (call === 'quote') {
      checkOffer({ offer, order, asked: order, profile: venue.profile, now: bench.clock.now() })
      return offer
    }
    const binding = { recipient: order.recipient, refundTo: order.refundTo }
    const execution = await venue.execute({ order, offer }, binding, never())
    const executed = { order, offer, binding, execution }
    const swap = { ...executed, executed }
    if (call === 'track') return track(venue, ref ?? execution.venueRef ?? '', swap, isRecordLost ? 'without' : 'with')
    return { ...execution, claims: await venue.decode(execution), mismatches: await prove(venue, swap) }
  }
  const result = await outcome().catch((error: unknown) => {
    if (!(error instanceof VenueError)) throw error
    const { kind, message, party, reason, nature, check, found, minimum, maximum, isDecline } = error
    return { error: { kind, message, party, reason, nature, check, found, minimum, maximum, isDecline } }
  })
  expect(result).toMatchObject(matcher(one.outcome) as object)
  if (!one.sent) return
  const sent = asked.map(({ query, ...request }) => ({ ...request, query: Object.fromEntries(query) }))
  // A query is complete, so that a field too many is noticed.
  const expected = one.sent.map(({ query, ...fields }, at) => ({ ...fields, ...(query ? { query: sent[at]?.query } : {}) }))
  expect(sent).toMatchObject(matcher(expected) as object[])
  for (const [at, { query }] of one.sent.entries()) if (query) expect(sent[at]?.query).toEqual(matcher(query))
}
