import { expect } from 'vitest'
import type { Binding, Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import type { SignedPayload, VenueDefinition } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../anOrder.ts'
import { chainFails, type FakeChains } from '../fakeChains.ts'
import type { VenueBench } from '../venueBench.ts'
import { type Change, changed, never, offerOf, prove, signed, track } from './calls.ts'
import { type Answer, type Asked, canned, toldBy } from './canned.ts'

/** One answer in place of the simulator's. `change` alters it, or without a body the simulator's answer, by dotted paths. */
type CaseAnswer = Answer & {
  /** The end of the path that this answers, or `/a pattern/` for it; every path when left out. */
  readonly path?: string
  /** How many calls it answers; all when left out. */
  readonly times?: number
  readonly change?: Change
}

/** The clock moved on, a fault of the simulator, other market prices in millionths of a US dollar, and other code on the chains. */
type Later = {
  readonly ms?: number
  readonly fault?: FaultName
  readonly prices?: { readonly [symbol: string]: bigint }
  /** At every address that the adapter reads; null where no chain answers. */
  readonly code?: Hex | null
}

type CaseBench = VenueBench & { readonly chains: FakeChains }
type OrderOf = Partial<OrderWish> & { readonly of: string }

export type Case = {
  readonly title: string
  readonly call: 'quote' | 'execute' | 'submit' | 'track'
  /** A name of `orders`, or one of them with other fields. */
  readonly order: string | OrderOf
  readonly settings?: { readonly [name: string]: string }
  readonly apiKey?: string
  /** After the build, `<ref>` in a path or body is the reference of the built swap. */
  readonly answers?: readonly CaseAnswer[]
  /** Addresses that `execute` binds in place of the order's. */
  readonly bound?: Partial<Binding>
  /** What is different before the quote. */
  readonly before?: Later
  /** What is different after the quote; for `submit` and `track`, after the build. */
  readonly later?: Later
  /** For `submit`: other signatures than those of the sender's key. */
  readonly signed?: Partial<SignedPayload>
  /** For `track`: the reference; the one of the built swap when left out. `lost`: our record of the swap is lost. */
  readonly ref?: string
  readonly isRecordLost?: boolean
  /** What the adapter must have sent, in order, each with at least these fields; `query` is complete where given. */
  readonly sent?: readonly { readonly [field: string]: unknown }[]
  /** Fields of the offer, of the execution with its `claims` and `mismatches`, of the submission or of the status; or `error` alone. */
  readonly outcome: { readonly [field: string]: unknown }
}

export type Cases = {
  readonly orders: { readonly [name: string]: OrderWish }
  /** Values that cases write as `$NAME`. */
  readonly constants?: { readonly [name: string]: unknown }
  readonly cases: readonly Case[]
}

type Rows = Partial<Case> & { readonly each?: readonly Partial<Case>[] }

/** Reads `250n` as a bigint and `$NAME` as a constant. Cases of `each` have the fields beside it, and its answers after their own. */
export const readCases = (json: unknown): Cases => {
  const { constants = {} } = json as Cases
  const known: { readonly [name: string]: unknown } = { ...constants, ...WALLETS }
  const text = JSON.stringify(json)
  const all = JSON.parse(text, (_name, value) => {
    if (typeof value !== 'string') return value
    if (/^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1))
    if (!value.startsWith('$')) return value
    if (!(value.slice(1) in known)) throw new TypeError(`no constant ${value}`)
    return known[value.slice(1)]
  }) as Cases
  const rows = all.cases as readonly Rows[]
  const withShared = ({ each = [{}], answers = [], ...shared }: Rows) =>
    each.map((one) => ({ ...shared, ...one, answers: [...(one.answers ?? []), ...answers] }) as Case)
  return { ...all, cases: rows.flatMap(withShared) }
}

const patternOf = (text: string): RegExp | null => (/^\/.+\/$/.test(text) ? new RegExp(text.slice(1, -1)) : null)

/** `/text/` is a pattern for texts, `<any>` any value but null and undefined. */
const matcher = (value: unknown): unknown => {
  if (value === '<any>') return expect.anything()
  const pattern = typeof value === 'string' ? patternOf(value) : null
  if (pattern) return expect.stringMatching(pattern)
  if (Array.isArray(value)) return value.map(matcher)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, matcher(part)]))
}

/** `{"add": "-2"}` changes an amount that the simulator wrote, `{"replace": ["a", "b"]}` each such part of a text. */
const changeOf = (change: Change): Change =>
  Object.fromEntries(
    Object.entries(change).map(([path, to]) => {
      if (typeof to !== 'object' || to === null) return [path, to]
      const { add, replace } = to as { readonly add?: string; readonly replace?: readonly [string, string] }
      if (replace) return [path, (was: unknown) => String(was).replaceAll(...replace)]
      return [path, add === undefined ? to : (was: unknown) => String(BigInt(String(was)) + BigInt(add))]
    }),
  )

const orderOf = ({ orders }: Cases, order: Case['order']): VenueOrder => {
  const { of, ...more } = typeof order === 'string' ? { of: order } : order
  const usual = orders[of]
  if (!usual) throw new TypeError(`no order ${of}`)
  return anOrder({ ...usual, ...more } as OrderWish)
}

const happen = (
  { id }: VenueDefinition,
  { clock, faults, market, chains }: CaseBench,
  { ms = 0, fault, prices = {}, code }: Later,
): void => {
  clock.advance(ms)
  if (code !== undefined)
    chains.script.code = ({ chainId }) => (code === null ? chainFails('unreachable', chainId)() : Promise.resolve(code))
  if (fault) faults.set(id, fault, {}, null)
  for (const [symbol, price] of Object.entries(prices)) market.setPrice(symbol, price)
}

const refusalIn = (error: unknown): object => {
  if (!(error instanceof VenueError)) throw error
  const { kind, message, party, reason, nature, check, found, minimum, maximum, isDecline } = error
  return { error: { kind, message, party, reason, nature, check, found, minimum, maximum, isDecline } }
}

/** Runs the venue's adapter against its simulator with the answers of one case, and compares what it sent and returned. */
export const runCase = async (definition: VenueDefinition, bench: CaseBench, all: Cases, one: Case): Promise<void> => {
  let { answers = [] } = one
  const { call, settings = {}, apiKey, bound = {}, before = {}, later = {}, ref, isRecordLost = false } = one
  const order = orderOf(all, one.order)
  const used = answers.map(() => 0)
  const answering = ({ path }: Asked): CaseAnswer | undefined =>
    answers.find(({ path: of = '', times = Number.POSITIVE_INFINITY }, at) => {
      if (!(patternOf(of)?.test(path) ?? path.endsWith(of)) || (used[at] ?? 0) >= times) return false
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
      const told = answer?.body === undefined ? await usual(request) : answer
      return answer?.change ? { ...told, body: changed(told.body, changeOf(answer.change)) } : told
    },
    {
      ...{ settings: { ...bench.sim.settings, ...settings }, chains: bench.chains, now: () => bench.clock.now() },
      ...(key === undefined ? {} : { apiKey: key }),
    },
  )

  happen(definition, bench, before)
  const outcome = async (): Promise<object> => {
    const offer = await offerOf(venue, order)
    if (call === 'quote') {
      checkOffer({ offer, order, asked: order, profile: venue.profile, now: bench.clock.now() })
      return offer
    }
    if (call === 'execute') happen(definition, bench, later)
    const binding = { recipient: order.recipient, refundTo: order.refundTo, ...bound }
    const execution = await venue.execute({ order, offer }, binding, never())
    answers = JSON.parse(JSON.stringify(answers).replaceAll('<ref>', execution.venueRef ?? '')) as readonly CaseAnswer[]
    const executed = { order, offer, binding, execution }
    const swap = { ...executed, executed }
    if (call === 'submit' || call === 'track') happen(definition, bench, later)
    if (call === 'submit') {
      if (!venue.submitter) throw new TypeError('a venue without a submitter')
      return venue.submitter.submit(swap, { ...(await signed(execution)), ...one.signed }, never())
    }
    if (call === 'track') return track(venue, ref ?? execution.venueRef ?? '', swap, isRecordLost ? 'without' : 'with')
    const mismatches = await prove(venue, swap, execution, bench.clock.now())
    return { ...execution, claims: await venue.decode(execution), mismatches }
  }
  const result = await outcome().catch(refusalIn)
  expect(result).toMatchObject(matcher(one.outcome) as object)
  if (!one.sent) return
  const sent = asked.map(({ query, ...request }) => ({ ...request, query: Object.fromEntries(query) }))
  // A query is complete, so that a field too many is noticed.
  const expected = one.sent.map(({ query, ...fields }, at) => ({ ...fields, ...(query ? { query: sent[at]?.query } : {}) }))
  expect(sent).toMatchObject(matcher(expected) as object[])
  for (const [at, { query }] of one.sent.entries()) if (query) expect(sent[at]?.query).toEqual(matcher(query))
}
