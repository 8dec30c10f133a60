import { expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never } from '../../support/venueKit/calls.ts'
import { openBench, orders, ROUTES } from './support.ts'

const open = closedAfterEach(openBench)

test('quote: with an API key, calls the same paths of the gateway with the key', async () => {
  const bench = await open({ apiKey: 'kyber-key-1234' })
  const gateway = bench.afresh({ baseUrl: `${bench.baseUrl}/swap` })
  const order = orders.usdc()
  const offer = await gateway.quote(order, never())
  await gateway.execute({ order, offer }, order, never())
  expect(bench.sent.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
    [`/swap${ROUTES}`, 'kyber-key-1234'],
    [`/swap${ROUTES}`, 'kyber-key-1234'],
    ['/swap/ethereum/api/v1/route/build', 'kyber-key-1234'],
  ])
})
