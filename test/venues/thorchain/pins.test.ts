import { expect, test } from 'vitest'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never } from '../../support/venueKit/calls.ts'
import { INBOUND, openBench, ROUTER_6, SECOND, SETTINGS, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

type Rows = (rows: readonly { readonly chain: string }[]) => unknown

/** The second node lists other chains or routers than ours. */
const listing = async (change: Rows, settings = {}) =>
  told(await open(), { changes: { [`${SECOND}${INBOUND}`]: change as never }, settings: { ...SETTINGS, ...settings } }).venue

const routed =
  (chain: string, router: string): Rows =>
  (rows) =>
    altered(rows, `[chain=${chain}].router`, router)

test.each<[string, Rows, readonly string[]]>([
  ['the published list', (rows) => rows, []],
  // Of two that are known on a chain either may be the network's.
  ['a known router in another case', routed('ETH', ROUTER_6.toLowerCase()), []],
  ['a replaced router', routed('BASE', STRANGER), ['router on BASE']],
  ['a removed chain', (rows) => rows.filter(({ chain }) => chain !== 'AVAX'), ['router on AVAX']],
  ['a chain without a router', routed('AVAX', ''), ['router on AVAX']],
  ['a new chain', (rows) => [...rows, { chain: 'POL', router: STRANGER }], ['router on POL']],
])('thorchain pins: compares each node, and reports differences for %s', async (_what, change, differing) => {
  const [first, second] = await checkPins(await listing(change), never())
  expect(first).toMatchObject({ compared: 4, differences: [], failure: null })
  expect([second?.failure, second?.differences.map(({ what }) => what)]).toEqual([null, differing])
})

// That a router of the list alone is rejected at quote is a case.
test('thorchain pins: a router of VENUE_THORCHAIN_ROUTERS is pinned', async () => {
  const venue = await listing(routed('BASE', STRANGER), { ROUTERS: `8453=${STRANGER}` })
  for (const { differences } of await checkPins(venue, never())) expect(differences).toEqual([])
})

test('thorchain pins: fail for an unreadable or empty list, or one of 40,000 chains or rows', async () => {
  const rows = Array.from({ length: 40_000 }, (_row, i) => ({ chain: `C${i}`, router: `0x${i}` }))
  for (const body of [{ chains: [] }, [], rows, rows.map((row) => ({ ...row, chain: 'ETH' }))]) {
    const [, second] = await checkPins(await listing(() => body), never())
    expect(second?.failure).not.toBeNull()
  }
})
