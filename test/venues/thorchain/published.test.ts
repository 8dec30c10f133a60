import { afterAll, expect, test } from 'vitest'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import type { SimResponse } from '../../../engine/simnet/kit/simVenue.ts'
import { thorchain } from '../../../engine/venues/thorchain/venue.ts'
import { HOST_COMPARATORS } from '../../../scripts/published/comparators.ts'
import { isUpToDate } from '../../../scripts/published/comparison.ts'
import { compareThorchain } from '../../../scripts/published/thorchain.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { openAnyBench } from '../everyVenue.ts'
import { INBOUND, ROUTER_6, STRANGER } from './support.ts'

const open = closedAfterEach(() => openAnyBench(thorchain))
const http = createHttpClient()
afterAll(() => http.close())

type Row = { readonly chain: string; readonly router?: string }

/** A node that lists other chains or routers than ours does. */
const nodeListing = async (change: (rows: readonly Row[]) => unknown) => {
  const bench = await open()
  const listed = (await (await fetch(`${bench.baseUrl}${INBOUND}`)).json()) as readonly Row[]
  bench.instead = (path): SimResponse | null => (path === INBOUND ? { status: 200, body: change(listed) } : null)
  return compareThorchain(http, bench.baseUrl)
}

const replaced = (chain: string, change: object) => (rows: readonly Row[]) =>
  rows.map((row) => (row.chain === chain ? { ...row, ...change } : row))

test('both nodes are asked for their routers, and those known to us are no difference', async () => {
  expect(HOST_COMPARATORS.map(({ host }) => new URL(host).host)).toEqual(['gateway.liquify.com', 'api.thorchain.shapeshift.com'])
  const asListed = await nodeListing((rows) => rows)
  expect([asListed.compared, asListed.differences]).toEqual([4, []])
  expect(isUpToDate([asListed])).toBe(true)
  // Of two that are known on a chain either may be the network's.
  expect((await nodeListing(replaced('ETH', { router: ROUTER_6.toLowerCase() }))).differences).toEqual([])
})

test.each([
  ['a router that was exchanged', replaced('BASE', { router: STRANGER }), 'router on BASE', ROUTER_6, STRANGER],
  [
    'a chain it left',
    (rows: readonly Row[]) => rows.filter(({ chain }) => chain !== 'AVAX'),
    'router on AVAX',
    ROUTER_6,
    'nothing',
  ],
  ['a chain without one', replaced('AVAX', { router: '' }), 'router on AVAX', ROUTER_6, 'nothing'],
  ['a chain it came to', replaced('BTC', { chain: 'POL', router: STRANGER }), 'router on POL', 'nothing', STRANGER],
])('%s is found', async (_what, change, what, ours, theirs) => {
  const comparison = await nodeListing(change)
  expect(comparison.differences).toEqual([{ what, ours, theirs }])
  expect(isUpToDate([comparison])).toBe(false)
})

test('a list that cannot be read, or none, is no agreement', async () => {
  await expect(nodeListing(() => ({ chains: [] }))).rejects.toThrow()
  await expect(nodeListing(() => [])).rejects.toThrow()
  await expect(compareThorchain(http, 'http://127.0.0.1:9')).rejects.toThrow()
})
