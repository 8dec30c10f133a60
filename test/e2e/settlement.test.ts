import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { rpcUrlsKey } from '../../engine/config/chains.ts'
import { parseConfig } from '../../engine/config/config.ts'
import { CHAIN_IDS, isEvmChainId } from '../../engine/core/chain.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'
import { HOUR_MS } from './support.ts'

let simnet: Simnet
let control: NetworkControl
let dataDir: string
let database: OwnDatabase
let records: Store
let running: LiveService[] = []

beforeEach(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['near-intents'] })
  control = controlNetwork(simnet.controlUrl)
  dataDir = await mkdtemp(join(tmpdir(), 'swap-settlement-'))
  database = await ownDatabase()
  records = await openStore(parseConfig({ NETWORK: 'mainnet', DATA_DIR: dataDir, ...database.env }), systemClock)
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.close()
  await records.close()
  await simnet.close()
  await rm(dataDir, { recursive: true, force: true })
  await database.remove()
})

/** By the blocks of two chains the clock of the service would be wrong: these tests move the time of the network. */
const UNREADABLE = Object.fromEntries(
  CHAIN_IDS.filter((id) => isEvmChainId(id) && id !== 8453).map((id) => [rpcUrlsKey(id), 'http://127.0.0.1:9']),
)

const start = async (): Promise<LiveService> => {
  const service = await startLive(simnet, {
    DATA_DIR: dataDir,
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

/** The first swap, as another process finds it. */
const look = async () => {
  const [record, queued] = [await records.swaps.byId(1), await records.settlement.find(1)]
  return { state: record?.status.state, looks: queued?.looks ?? 0 }
}

const untilState = (state: string) =>
  vi.waitFor(async () => expect((await look()).state).toBe(state), { timeout: 30_000, interval: 200 })

const untilLooked = (times: number) =>
  vi.waitFor(async () => expect((await look()).looks).toBeGreaterThanOrEqual(times), { timeout: 30_000, interval: 200 })

const executePaid = async (service: LiveService): Promise<void> => {
  const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
  const { deposit } = await executeAs(service, 'DEPOSIT', { quoteToken })
  await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })
}

it('settlement: a swap without status requests ends, across a restart and with two instances [settlement-survives-restart]', {
  timeout: 90_000,
}, async () => {
  const first = await start()
  await executePaid(first)
  await untilState('processing')
  await first.close()
  running = []
  await control.advance(HOUR_MS)
  await start()
  await start()
  await untilState('success')
})

it('settlement: a swap ends after its venue was down', { timeout: 90_000 }, async () => {
  const service = await start()
  await executePaid(service)
  await control.fault('near-intents', 'http-500')
  await control.advance(HOUR_MS)
  await untilLooked(2)
  expect((await look()).state).not.toBe('success')
  await control.clearFaults()
  await untilState('success')
})

it('settlement: a stop ends a pass that waits for a venue, and releases the lease [settlement-survives-restart]', {
  timeout: 90_000,
}, async () => {
  const service = await start()
  await executePaid(service)
  await untilState('processing')
  await control.fault('near-intents', 'hang')
  const startedAt = performance.now()
  await service.close()
  running = []
  // Its venue would have had eight seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  expect(await records.leases.take('settlement', 'another', 60_000)).toBe(true)
})
