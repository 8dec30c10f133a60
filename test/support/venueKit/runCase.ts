import { expect } from 'vitest'
import type { ChainFailure } from '../../../engine/chains/chains.ts'
import type { Binding, Execution, Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import type { SignedPayload, Venue, VenueDefinition } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, usually, WALLETS } from '../anOrder.ts'
import { chainFails, type FakeChains } from '../fakeChains.ts'
import type { VenueBench } from '../venueBench.ts'
import { type Change, changed, never, offerOf, prove, signed, track } from './calls.ts'
import { type Answer, type Asked, canned, toldBy } from './canned.ts'
import type { FakeNetwork } from './network.ts'

/** One answer in place of the simulator's. `change` changes fields of its body, or else of the simulator's, by their dotted paths. */
type CaseAnswer = Answer & {
  /** The end of the path that this answers, or `/a pattern/` for it; every path when left out. */
  readonly path?: string
  /** Answers only calls whose query has these. */
  readonly query?: { readonly [name: string]: string }
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

type CaseBench = VenueBench & { readonly chains: FakeChains; readonly network: FakeNetwork }

type OrderOf = Partial<OrderWish> & { readonly of: string }

export type Case = {
  readonly title: string
  readonly call: 'quote' | 'execute' | 'submit' | 'track' | 'price'
  /** A name of `orders`, or one of them with other fields. */
  readonly order: string | OrderOf
  readonly settings?: { readonly [name: string]: string }
  /** The simulator's when left out; null: none. */
  readonly apiKey?: string | null
  /**
   * After the build, `<ref>` in a path or body is the reference of the built swap, and `<a.path>` the text at this dotted path of the
   * execution.
   */
  readonly answers?: readonly CaseAnswer[]
  /** What reads of the chains return, by the name of the read; `{"fails": "timeout"}` for a read that fails. */
  readonly chains?: { readonly [read: string]: unknown }
  /** Changes of the sealed offer before the build, by their dotted paths. */
  readonly sealed?: Change
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
  /** What the adapter must report to the operator, each text once. */
  readonly notices?: readonly string[]
  /**
   * Fields of the offer, execution (with `claims` and `mismatches`), submission, status or price of the input; or `error` alone. A
   * payment or refund that a status does not name is `<none>`.
   */
  readonly outcome: { readonly [field: string]: unknown }
  /**
   * One case for each row, in place of this one: other fields of the first answer or answers before it, and changes of the case by
   * dotted paths.
   */
  readonly each?: readonly (readonly [answer: Partial<CaseAnswer> | readonly CaseAnswer[], more?: Change])[]
  /** The places of the answers that must be read. When left out: all, of a row its own, and none where `sent` lists the requests. */
  readonly read?: readonly number[]
}

export type Cases = {
  readonly orders: { readonly [name: string]: OrderWish }
  /** Values that cases write as `$NAME`. */
  readonly constants?: { readonly [name: string]: unknown }
  readonly cases: readonly Case[]
}

const rowsOf = ({ each, ...one }: Case): readonly Case[] =>
  each?.map(([answer, more = {}]) => {
    const { answers = [] } = one
    const title = `${one.title}: ${[answer, more].map((part) => JSON.stringify(part)).join(' ')}`
    const isUsual = Object.keys(answer).length === 0
    const own = Array.isArray(answer) ? [...answer, ...answers] : [{ ...answers[0], ...answer }, ...answers.slice(1)]
    const changes = Object.keys(more).flatMap((path) => /^answers\.(\d+)/.exec(path)?.[1] ?? [])
    const read = [...(Array.isArray(answer) ? answer.keys() : isUsual ? [] : [0]), ...changes.map(Number)]
    return changed({ ...one, title, answers: isUsual ? answers : own, read }, more)
  }) ?? [one]

/** Reads `250n` as a bigint and `$NAME` as a constant. */
export const readCases = (json: unknown): Cases => {
  const { constants = {}, cases } = json as Cases
  const known: { readonly [name: string]: unknown } = { ...constants, ...WALLETS }
  const text = JSON.stringify({ ...(json as Cases), cases: cases.flatMap(rowsOf) })
  return JSON.parse(text, (_name, value) => {
    if (typeof value !== 'string') return value
    if (/^-?\d+n$/.test(value)) return BigInt(value.slice(0, -1))
    if (!value.startsWith('$')) return value
    if (!(value.slice(1) in known)) throw new TypeError(`no constant ${value}`)
    return known[value.slice(1)]
  }) as Cases
}

/** The orders of a table of cases, each with other fields as a test wishes. */
export const ordersIn = <T extends { readonly orders: object }>(json: T) =>
  Object.fromEntries(Object.entries(readCases(json).orders).map(([name, wish]) => [name, usually(wish)])) as {
    readonly [name in keyof T['orders']]: ReturnType<typeof usually>
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

const isFor = ({ path: end = '', query = {} }: CaseAnswer, { path, query: asked }: Asked): boolean =>
  (patternOf(end)?.test(path) ?? path.endsWith(end)) && Object.entries(query).every(([name, value]) => asked.get(name) === value)

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

/** Sets what the chains return, and opens the accounts of the venue's fees. */
const setChains = ({ chains, network }: CaseBench, { profile }: Venue, reads: NonNullable<Case['chains']>): void => {
  for (const { account, mint } of profile.feeAccounts ?? []) network.holdings.set(account, { mint, owner: account, amount: 0n })
  for (const [read, value] of Object.entries(reads)) {
    const { fails } = (value ?? {}) as { readonly fails?: ChainFailure }
    Object.assign(chains.script, { [read]: fails ? chainFails(fails, 1) : async () => value })
  }
}

const withRefs = (answers: readonly CaseAnswer[], { venueRef, ...execution }: Execution): readonly CaseAnswer[] => {
  const textAt = (path: string): unknown =>
    path.split('.').reduce<unknown>((part, name) => (part as { readonly [name: string]: unknown } | undefined)?.[name], execution)
  const text = JSON.stringify(answers).replaceAll('<ref>', venueRef ?? '')
  return JSON.parse(text.replace(/<([\w.]+)>/g, (was, path) => String(textAt(path) ?? was))) as readonly CaseAnswer[]
}

const refusalIn = (error: unknown): object => {
  if (!(error instanceof VenueError)) throw error
  const { kind, message, party, reason, nature, check, found, minimum, maximum, isDecline, retryAfterMs } = error
  return { error: { kind, message, party, reason, nature, check, found, minimum, maximum, isDecline, retryAfterMs } }
}

const expectSent = (asked: readonly Asked[], due: NonNullable<Case['sent']>): void => {
  const sent = asked.map(({ query, ...request }) => ({ ...request, query: Object.fromEntries(query) }))
  // A query is complete, so that a field too many is noticed.
  const expected = due.map(({ query, ...fields }, at) => ({ ...fields, ...(query ? { query: sent[at]?.query } : {}) }))
  expect(sent).toMatchObject(matcher(expected) as object[])
  for (const [at, { query }] of due.entries()) if (query) expect(sent[at]?.query).toEqual(matcher(query))
}

/** Runs the venue's adapter against its simulator with the answers of one case, and compares what it sent and returned. */
export const runCase = async (definition: VenueDefinition, bench: CaseBench, all: Cases, one: Case): Promise<void> => {
  let { answers = [] } = one
  const { call, settings = {}, apiKey, bound = {}, before = {}, later = {}, ref, isRecordLost = false } = one
  const order = orderOf(all, one.order)
  const used = answers.map(() => 0)
  const answering = (asks: Asked): CaseAnswer | undefined =>
    answers.find((answer, at) => {
      if (!isFor(answer, asks) || (used[at] ?? 0) >= (answer.times ?? Number.POSITIVE_INFINITY)) return false
      used[at] = (used[at] ?? 0) + 1
      return true
    })
  const usual = toldBy(bench.sim)
  const key = apiKey === undefined ? bench.sim.settings?.['API_KEY'] : apiKey
  const { venue, asked, notices } = canned(
    definition,
    async (request) => {
      const answer = answering(request)
      if (answer && !answer.change) return answer
      const told = answer?.body === undefined ? await usual(request) : answer
      return answer?.change ? { ...told, body: changed(told.body, changeOf(answer.change)) } : told
    },
    {
      ...{ settings: { ...bench.sim.settings, ...settings }, chains: bench.chains, now: () => bench.clock.now() },
      ...(key ? { apiKey: key } : {}),
    },
  )

  setChains(bench, venue, one.chains ?? {})
  happen(definition, bench, before)

  const outcome = async (): Promise<object> => {
    if (call === 'price') return { usd: (await venue.prices?.usd(order.input, never()))?.usd ?? null }
    const offer = changed(await offerOf(venue, order), one.sealed ?? {})
    if (call === 'quote') {
      checkOffer({ offer, order, asked: order, profile: venue.profile, now: bench.clock.now() })
      return offer
    }
    if (call === 'execute') happen(definition, bench, later)
    const binding = { recipient: order.recipient, refundTo: order.refundTo, ...bound }
    const execution = await venue.execute({ order, offer }, binding, never())
    answers = withRefs(answers, execution)
    const executed = { order, offer, binding, execution }
    const swap = { ...executed, executed }
    if (call === 'submit' || call === 'track') happen(definition, bench, later)
    if (call === 'submit') {
      if (!venue.submitter) throw new TypeError('a venue without a submitter')
      return venue.submitter.submit(swap, { ...(await signed(execution)), ...one.signed }, never())
    }
    if (call === 'track') {
      const word = await track(venue, ref ?? execution.venueRef ?? '', swap, isRecordLost ? 'without' : 'with')
      return { paidBy: '<none>', refundTx: '<none>', refundedAmount: '<none>', ...word }
    }
    const mismatches = await prove(venue, swap, execution, bench.clock.now())
    return { ...execution, claims: await venue.decode(execution), mismatches }
  }
  const result = await outcome().catch(refusalIn)
  if (Object.keys(one.outcome['error'] ?? one.outcome).length === 0) throw new TypeError('no outcome')
  expect(result).toMatchObject(matcher(one.outcome) as object)
  const { read = one.sent ? [] : [...answers.keys()] } = one
  expect(answers.filter(({ times }, at) => read.includes(at) && (used[at] ?? 0) < (times ?? 1))).toEqual([])
  if (one.notices) expect([...new Set(notices)]).toEqual(matcher(one.notices))
  if (one.sent) expectSent(asked, one.sent)
}
