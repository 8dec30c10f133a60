import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { statusOf } from '../../../scripts/client/swap.ts'
import { SIGNUP } from '../../support/keysStage.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { openAttempt } from '../journeys/attempt.ts'
import { COINS_OF, dollars, USDC_ON, units, whole } from '../sides.ts'
import { withKey } from '../support.ts'
import { createPayers, openSwap, type Route } from './payers.ts'

let client: TestService
beforeAll(async () => {
  const service = await startService({
    ...only('jupiter', 'kyberswap', 'mayan', 'relay', 'thorchain'),
    SETTLEMENT_INTERVAL_SECONDS: '1',
    RATE_LIMIT_KEYS_PER_ADDRESS: '0',
  })
  client = withKey(service, (await service.call('createKey', { body: SIGNUP })).apiKey)
})
afterAll(() => client.close())

const eventsSent = async () => (await client.call('keyEvents')).events.map(({ event, swap }) => [event, swap?.venue])

/** Pays a swap without a report. */
const expectEnd = async (venue: string, quoteToken: string, pay: () => Promise<{ readonly ref: string }>): Promise<void> => {
  const events = [...(await eventsSent()), ['swap.settled', venue]]
  const { ref } = await pay()
  const hasEnded = async () => {
    await client.control.advance(10_000)
    expect(await eventsSent()).toEqual(events)
  }
  await vi.waitFor(hasEnded, { timeout: 45_000, interval: 500 })
  const { status, payments } = await statusOf(client, { quoteToken, ref })
  expect([status, payments?.[0]]).toMatchObject(['success', { kind: 'input', txHash: ref }])
  expect(await eventsSent()).toEqual(events)
}

it.each([
  ['kyberswap', 'a token, in one transaction', { from: dollars(USDC_ON.ethereum, 1_000), to: COINS_OF.ethereum }],
  ['relay', 'coins, by an event of its contract', { from: whole(COINS_OF.base), to: USDC_ON.arbitrum }],
  ['thorchain', 'a token, by a memo', { from: dollars(USDC_ON.base), to: COINS_OF.ethereum }],
  ['jupiter', 'coins of Solana, in one transaction', { from: units(COINS_OF.solana, '2000000000'), to: USDC_ON.solana }],
  ['mayan', 'tokens of Solana', { from: dollars(USDC_ON.solana), to: USDC_ON.base }],
])('%s, paid in %s without a report: the swap ends, and its partner receives one event', async (venue, _what, route) => {
  const { quoteToken, execution, pay } = await openAttempt(client, venue, route)
  expect(execution.executionType).toBe('TRANSACTION')
  await expectEnd(venue, quoteToken, pay)
})

it('relay, paid by a contract wallet without a report: the swap ends, and its partner receives one event', async () => {
  const payer = await createPayers(client, 8453).newPayer('a contract wallet')
  const route: Route = { venue: 'relay', from: dollars(USDC_ON.base), to: USDC_ON.arbitrum, stepMs: 2_000 }
  const { quoteToken, calls } = await openSwap(client, route, payer.address)
  await expectEnd('relay', quoteToken, () => payer.pay(calls))
})
