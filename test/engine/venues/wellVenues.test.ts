import { expect, it } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { anOrder } from '../../support/anOrder.ts'
import { asClient } from '../../support/quoteBench.ts'
import { createTestEngine } from '../../support/testEngine.ts'

const order = anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n })
const BRIDGES = 'across,polymer,polymerStandard,lifiIntents'

it.each([
  [
    'leaves out a bridge that is an enabled venue here, until its breaker opens',
    'across,lifi',
    'polymer,polymerStandard,lifiIntents',
  ],
  ['names a bridge whose venue is disabled', 'lifi', BRIDGES],
])('a request to LI.FI %s', async (_what, enabled, first) => {
  const bridges: (string | null)[] = []
  const engine = await createTestEngine({
    env: { NETWORK: 'mainnet', VENUES_ENABLED: enabled, VENUE_LIFI_API_KEY: 'a-key-0123456789' },
    http: async ({ url }) => {
      const { host, searchParams } = new URL(url)
      if (host !== 'li.quest') return { status: 500, headers: {}, text: '{}' }
      bridges.push(searchParams.get('allowBridges'))
      return { status: 404, headers: {}, text: '{"message":"none","code":1002}' }
    },
  })
  for (const client of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await engine.engine.quote(order, asClient(engine, client).context).catch(() => undefined)
  await engine.close()
  expect([bridges[0], bridges.at(-1)]).toEqual([first, BRIDGES])
})
