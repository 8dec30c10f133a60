import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkPins, describePin } from '../../engine/venues/checkPins.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { never, outcomeOf } from '../support/venueKit/calls.ts'
import { canned, toldBy } from '../support/venueKit/canned.ts'
import { servedBy, withBench } from './everyVenue.ts'

type Table = {
  /** What contracts return to a call, by its data, or by `chain:data`. */
  readonly calls?: { readonly [data: string]: string }
  /** Who owns each account of Solana. */
  readonly owner?: string
  /** Of a setting, and whether the start takes each. */
  readonly values?: { readonly [setting: string]: { readonly [value: string]: boolean } }
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
describe.each(tables)('pins of $definition.id [venue-pins-report-only]', ({ definition, calls, owner, values = {}, cases }) => {
  test.each(Object.entries(values))('%s accepts only chains of the venue, each with its own value', (setting, taken) => {
    const { pattern } = definition.settings.find(({ name }) => name === setting) ?? {}
    expect(Object.fromEntries(Object.keys(taken).map((value) => [value, pattern?.test(value)]))).toEqual(taken)
  })

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
