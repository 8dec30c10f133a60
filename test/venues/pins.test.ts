import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../engine/core/order.ts'
import { checkPins, describePin } from '../../engine/venues/checkPins.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { anOrder, type OrderWish } from '../support/anOrder.ts'
import { renamed } from '../support/renamed.ts'
import { never, outcomeOf } from '../support/venueKit/calls.ts'
import { canned, toldBy } from '../support/venueKit/canned.ts'
import { withBigints } from '../support/withBigints.ts'
import { servedBy, withBench } from './everyVenue.ts'
import table from './settings.json' with { type: 'json' }
import values from './settingValues.json' with { type: 'json' }

type Table = {
  /** What contracts return to a call, by its data, or by `chain:data`. */
  readonly calls?: { readonly [data: string]: string }
  /** Who owns each account of Solana. */
  readonly owner?: string
  readonly cases: readonly {
    readonly what: string
    readonly settings?: { readonly [name: string]: string }
    readonly calls?: Table['calls']
    /** Texts of the simulator's answers to a path, each with what stands in its place. */
    readonly replaced?: readonly (readonly [path: string, from: string, to: string])[]
    /** In place of the usual owner; null where there is no such account. */
    readonly owner?: string | null
    /** Which of the ordinary swaps that the venue serves, of those from a chain; the first when left out. */
    readonly order?: number
    readonly from?: number
    /** One pattern for each difference. */
    readonly found: readonly string[]
    /** Of a swap by these answers; left out: it is signed. */
    readonly outcome?: string
  }[]
}

const tables = VENUE_DEFINITIONS.flatMap((definition) => {
  const file = new URL(`${definition.id}/pins.json`, import.meta.url)
  return existsSync(file) ? [{ definition, ...(JSON.parse(readFileSync(file, 'utf8')) as Table) }] : []
})

/** A value that is published is reported, and decides nothing: only a pinned one is sold by. */
describe.each(tables)('pins of $definition.id [venue-pins-report-only]', ({ definition, calls, owner, cases }) => {
  test.each(cases)(
    'report differences and allow only pinned or configured values: $what',
    async ({ settings, calls: changed, owner: own = owner, replaced = [], order: at = 0, from, found, outcome = 'signed' }) => {
      await withBench(definition, async (bench) => {
        const answering = toldBy(bench.sim)
        const { chains, sim } = bench
        const views = { ...calls, ...changed }
        chains.script.call = async ({ chainId }, data) => (views[`${chainId}:${data}`] ?? views[data] ?? '0x') as `0x${string}`
        const replacedIn = (text: string, at?: string) =>
          replaced.reduce((was, [path, from, to]) => (at === undefined || at === path ? was.replaceAll(from, to) : was), text)
        const { lookupTable } = chains.script
        chains.script.lookupTable = async (...asked) => JSON.parse(replacedIn(JSON.stringify(await lookupTable(...asked))))
        if (own !== undefined)
          chains.script.solanaAccount = async () => (own === null ? null : { owner: own as never, data: new Uint8Array() })
        const { API_KEY: apiKey, ...ofSim } = sim.settings
        const { venue } = canned(
          definition,
          async (asked) => {
            const { body, ...answer } = await answering(asked)
            return { ...answer, raw: replacedIn(JSON.stringify(body), asked.path) }
          },
          { settings: { ...ofSim, ...settings }, chains, ...(apiKey && { apiKey }) },
        )
        const checks = await checkPins(venue, never())
        expect(checks.map(({ failure }) => failure)).toEqual(checks.map(() => null))
        const differences = checks.flatMap((check) => check.differences.map(describePin))
        expect(differences).toEqual(found.map((line) => expect.stringMatching(line)))
        const order = servedBy({ venue }).filter(({ input }) => from === undefined || input.chainId === from)[at]
        expect(order && (await outcomeOf(venue, order))).toBe(outcome)
      })
    },
  )
})

type Row = {
  readonly venue: string
  readonly what: string
  readonly wish?: Partial<OrderWish>
  readonly usual?: { readonly [name: string]: string }
  readonly settings: { readonly [name: string]: string }
  readonly names: readonly (readonly [from: string, to: string])[]
}

const definitionOf = (id: string) => {
  const definition = VENUE_DEFINITIONS.find((one) => one.id === id)
  if (!definition) throw new TypeError(`no venue ${id}`)
  return definition
}

test.each(Object.entries(values).flatMap(([venue, rows]) => Object.entries(rows).map((row) => [venue, ...row] as const)))(
  '%s: the start accepts exactly the valid values of %s',
  (venue, setting, taken) => {
    const pattern = definitionOf(venue).settings.find(({ name }) => name === setting)?.pattern
    expect(Object.fromEntries(Object.keys(taken).map((value) => [value, pattern?.test(value)]))).toEqual(taken)
  },
)

test.each<[jam: string | null, managers: string | null, isTaken: boolean]>([
  [null, null, true],
  ['1=0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '1=0x90F79bf6EB2c4f870365E785982E1f101E93b906', true],
  ['1=0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '8453=0x90F79bf6EB2c4f870365E785982E1f101E93b906', false],
  ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', null, false],
  [null, '0x90F79bf6EB2c4f870365E785982E1f101E93b906', false],
])('bebop: the start accepts JAM_SETTLEMENTS %s with BALANCE_MANAGERS %s: %s', (jam, managers, isTaken) => {
  const { agrees } = definitionOf('bebop').settings.find(({ name }) => name === 'BALANCE_MANAGERS') ?? {}
  expect(agrees?.({ JAM_SETTLEMENTS: jam, BALANCE_MANAGERS: managers })).toBe(isTaken)
})

/** The same by chains. Another chain than both of the swap serves it with nothing. */
const onChains = (settings: Row['settings'], ids: readonly number[]) => {
  const text = (value: string) => ids.map((id) => value.replace(/^(\d+=)?/, `${id}=`)).join()
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, text(value)]))
}

test.each(withBigints(table) as readonly Row[])(
  '$venue: $what outside the pins is used only on chains whose setting adds it [venue-pin-settings]',
  async ({ venue: id, wish, usual, settings, names }) => {
    const definition = definitionOf(id)
    await withBench(definition, async (bench) => {
      const { API_KEY: apiKey, ...ofSim } = bench.sim.settings
      const [order] = servedBy(bench)
      const own = wish?.from ? anOrder(wish as OrderWish) : order && { ...order, ...(wish as object) }
      const outcome = async (added: (own: VenueOrder) => Row['settings']) => {
        const answering = async (asked: Parameters<ReturnType<typeof toldBy>>[0]) =>
          renamed(await toldBy(bench.sim)(asked), names)
        const set = { ...ofSim, ...usual, ...(own && added(own)) }
        const { venue } = canned(definition, answering, { settings: set, chains: bench.chains, ...(apiKey && { apiKey }) })
        return own && outcomeOf(venue, own)
      }
      const both = ({ input, output }: VenueOrder) => onChains(settings, [...new Set([input.chainId, output.chainId])])
      const outcomes = [outcome(() => ({})), outcome(() => settings), outcome(both), outcome(() => onChains(settings, [10]))]
      expect(await Promise.all(outcomes)).toEqual(['rejected', 'signed', 'signed', 'rejected'])
      // Of two chains it counts on the one where it stands.
      const sides = new Set(own && [own.input.chainId, own.output.chainId])
      const bySide = await Promise.all([...sides].map((id) => outcome(() => onChains(settings, [id]))))
      expect(bySide.toSorted()).toEqual(sides.size === 2 ? ['rejected', 'signed'] : ['signed'])
    })
  },
)
