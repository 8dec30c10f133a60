import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import { parseConfig } from '../../engine/config/config.ts'
import { CHAIN_IDS, isEvmChainId } from '../../engine/core/chain.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'
import { HOUR_MS, temporaryFolder } from './support.ts'

const DATA_DIR = temporaryFolder()
let simnet: Simnet
let database: OwnDatabase
let records: Store
const running: LiveService[] = []

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['near-intents'] })
  database = await ownDatabase()
  records = await openStore(parseConfig({ NETWORK: 'mainnet', DATA_DIR, ...database.env }), systemClock)
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.close()
})
afterAll(async () => {
  await records.close()
  await simnet.close()
  await database.remove()
})

/** By the blocks of two chains the clock of the service would be wrong: this test moves the time of the network. */
const UNREADABLE = Object.fromEntries(
  CHAIN_IDS.filter((id) => isEvmChainId(id) && id !== 8453).map((id) => [rpcUrlsKey(id), 'http://127.0.0.1:9']),
)

const start = async (): Promise<LiveService> => {
  const service = await startLive(simnet, {
    DATA_DIR,
    ...database.env,
    VENUES_ENABLED: 'near-intents',
    ...UNREADABLE,
    // A swap with a fee of the operator needs settlement, as one with a fee of a partner does.
    FEE_SCHEDULE: 'route',
    VENUE_NEAR_INTENTS_FEE_ACCOUNT: 'swap-service.near',
    SETTLEMENT_INTERVAL_SECONDS: '1',
  })
  running.push(service)
  return service
}

it('settlement: a stop ends a pass that waits for a venue and releases the lease, and the swap, without status requests, ends after a restart with two instances [settlement-survives-restart]', {
  timeout: 90_000,
}, async () => {
  const control = controlNetwork(simnet.controlUrl)
  const first = await start()
  const { quoteToken } = await first.call('quote', { body: DEPOSIT_SWAP })
  const { deposit } = await executeAs(first, 'DEPOSIT', { quoteToken })
  await control.fault('near-intents', 'hang', { count: 1 })
  await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })
  const faults = async () => ((await (await fetch(`${control.url}/faults`)).json()) as { active: unknown[] }).active
  // The fault is used up when the pass asks the venue.
  await expect.poll(faults, { timeout: 30_000, interval: 50 }).toEqual([])
  const startedAt = performance.now()
  await running.pop()?.close()
  // The venue would have had eight seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  expect(await records.leases.take('settlement', 'another', 1)).toBe(true)

  await control.advance(HOUR_MS)
  await start()
  await start()
  const state = async () => (await records.swaps.byId(1))?.status.state
  await vi.waitFor(async () => expect(await state()).toBe('success'), { timeout: 30_000, interval: 200 })
})
