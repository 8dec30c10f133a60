import { afterEach, expect, it } from 'vitest'
import { USDC } from '../../../scripts/client/tokens.ts'
import { anOrder } from '../../support/anOrder.ts'
import { createTestEngine, type TestEngine } from '../../support/testEngine.ts'

/** What a venue that sells what others sell learns of them, by what LI.FI asks for. */

let engine: TestEngine | null = null
afterEach(() => engine?.close())

const order = anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n })
const key = { VENUE_LIFI_API_KEY: 'a-key-0123456789' }

const open = async (env: { readonly [name: string]: string }) => {
  const bridges: (string | null)[] = []
  engine = await createTestEngine({
    env: { NETWORK: 'mainnet', ...key, ...env },
    http: async ({ url }) => {
      const { host, searchParams } = new URL(url)
      if (host !== 'li.quest') return { status: 500, headers: {}, text: '{}' }
      bridges.push(searchParams.get('allowBridges'))
      return { status: 404, headers: {}, text: '{"message":"none","code":1002}' }
    },
  })
  const { engine: under, context } = engine
  /** What is asked for while `client` asks. */
  const asked = async (client: string): Promise<string | null | undefined> => {
    const before = bridges.length
    await under.quote(order, { ...context, client }).catch(() => undefined)
    return bridges.length > before ? bridges.at(-1) : undefined
  }
  return { asked }
}

it('names a venue that is enabled until its breaker is open', async () => {
  const { asked } = await open({ VENUES_ENABLED: 'across,lifi' })
  expect(await asked('a')).toBe('polymer,polymerStandard,lifiIntents')
  for (const client of ['b', 'c', 'd', 'e', 'f', 'g']) await asked(client)
  expect(await asked('h')).toBe('across,polymer,polymerStandard,lifiIntents')
})

it('names no venue that is switched off, and none where the operator says what to deny', async () => {
  expect(await (await open({ VENUES_ENABLED: 'lifi' })).asked('a')).toBe('across,polymer,polymerStandard,lifiIntents')
  await engine?.close()
  const chosen = { VENUES_ENABLED: 'across,lifi', VENUE_LIFI_DENY_BRIDGES: 'polymer' }
  expect(await (await open(chosen)).asked('a')).toBe('across,polymerStandard,lifiIntents')
})
