import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { openAttempt } from './journeys/attempt.ts'
import { createPayers } from './own/payments/payers.ts'
import { openSwap } from './own/payments/routes.ts'
import { COINS_OF, dollars, USDC_ON, units, whole } from './sides.ts'
import { temporaryFolder, withKey } from './support.ts'

const DATA_DIR = temporaryFolder()
let client: TestService
let records: Store
let partnerId: string

beforeAll(async () => {
  const service = await startService({
    ...only('jupiter', 'kyberswap', 'mayan', 'relay', 'thorchain'),
    DATA_DIR,
    SETTLEMENT_INTERVAL_SECONDS: '1',
    RATE_LIMIT_KEYS_PER_ADDRESS: '0',
  })
  records = await openStore({ dataDir: DATA_DIR, database: { url: null, poolMax: 1 }, network: 'simnet' }, systemClock)
  const issued = await service.call('createKey', { body: SIGNUP })
  partnerId = issued.partnerId
  client = withKey(service, issued.apiKey)
}, 120_000)
afterAll(async () => {
  await records.close()
  await client.close()
})

const usdcToEther = { from: dollars(USDC_ON.ethereum, 1_000), to: COINS_OF.ethereum }
const relay = { from: dollars(USDC_ON.base), to: USDC_ON.arbitrum }

/** The newest swap of a venue ends by the transaction `ref`, and its partner receives one event. */
const expectEnd = async (venue: string, ref: string): Promise<void> => {
  const swap = async () => (await records.operator.swaps({ venue }, { beforeId: null, limit: 1 }))[0]
  const comesToItsEnd = async () => {
    await client.control.advance(10_000)
    expect((await swap())?.status.state).toBe('success')
  }
  await vi.waitFor(comesToItsEnd, { timeout: 45_000, interval: 500 })
  const { ref: known, id } = (await swap()) ?? {}
  expect(known).toBe(ref)
  const events = await records.partnerEvents.ofPartner(partnerId, { afterPlace: 0, limit: 100 })
  expect(events.filter(({ swapId }) => swapId === id).map(({ event }) => event)).toEqual(['swap.settled'])
}

it.each([
  ['kyberswap', 'a token, in one transaction', usdcToEther],
  ['relay', 'coins, by an event of its contract', { from: whole(COINS_OF.base), to: USDC_ON.arbitrum }],
  ['thorchain', 'a token, by a memo', { from: dollars(USDC_ON.base), to: COINS_OF.ethereum }],
  ['jupiter', 'coins of Solana, in one transaction', { from: units(COINS_OF.solana, '2000000000'), to: USDC_ON.solana }],
  ['mayan', 'tokens of Solana', { from: dollars(USDC_ON.solana), to: USDC_ON.base }],
])(
  '%s, paid in %s without a report: the swap ends, and its partner receives one event',
  async (venue, _what, route) => {
    const attempt = await openAttempt(client, venue, route)
    expect(attempt.execution.executionType).toBe('TRANSACTION')
    await expectEnd(venue, (await attempt.pay()).ref)
  },
  60_000,
)

it('relay, paid by a contract wallet without a report: the swap ends, and its partner receives one event', async () => {
  const payer = await createPayers(client, 8453).newPayer('a contract wallet')
  const { calls } = await openSwap(client, { venue: 'relay', ...relay, stepMs: 2_000 }, { payer })
  await expectEnd('relay', (await payer.pay(calls)).ref)
}, 60_000)
