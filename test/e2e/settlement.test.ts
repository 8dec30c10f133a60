import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { controlNetwork, type NetworkControl } from '../../scripts/client/network.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { type LiveService, startLive } from './liveService.ts'
import { HOUR_MS } from './support.ts'

/** The whole service over real chains and venues' hosts, whose swaps nobody asks for. */
let simnet: Simnet
let control: NetworkControl
let dataDir: string
let running: LiveService[] = []

beforeEach(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['near-intents'] })
  control = controlNetwork(simnet.controlUrl)
  dataDir = await mkdtemp(join(tmpdir(), 'swap-settlement-'))
})
afterEach(async () => {
  for (const service of running.splice(0)) await service.close()
  await simnet.close()
  await rm(dataDir, { recursive: true, force: true })
})

const start = async (): Promise<LiveService> => {
  const service = await startLive(simnet, {
    DATA_DIR: dataDir,
    VENUES_ENABLED: 'near-intents',
    // What the operator earns by is looked after like a partner's.
    FEE_SCHEDULE: 'route',
    VENUE_NEAR_INTENTS_FEE_ACCOUNT: 'swap-service.near',
    SETTLEMENT_INTERVAL_SECONDS: '1',
  })
  running.push(service)
  return service
}

const ask = <T>(query: string): T | undefined => {
  const file = new SQLite(join(dataDir, 'swaps.sqlite'), { readonly: true })
  try {
    return file.prepare<[], T>(query).get()
  } finally {
    file.close()
  }
}

const leases = () => ask<{ readonly held: number }>('SELECT count(*) AS held FROM leases')?.held

type Row = { readonly state: string; readonly looks: number | null }

const rowOf = () =>
  ask<Row>('SELECT swaps.state, settlement.looks FROM swaps LEFT JOIN settlement ON settlement.swap_id = swaps.id')

const untilState = (state: string) => vi.waitFor(() => expect(rowOf()?.state).toBe(state), { timeout: 30_000, interval: 200 })

const executePaid = async (service: LiveService): Promise<void> => {
  const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
  const { deposit } = await executeAs(service, 'DEPOSIT', { quoteToken })
  await control.deposit({ chainId: -1, token: NATIVE, address: deposit.address, amount: deposit.amount })
}

it('a swap that nobody asks for comes to its end, over a restart and two instances', { timeout: 90_000 }, async () => {
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

it('a swap is followed again when its venue answers again', { timeout: 90_000 }, async () => {
  const service = await start()
  await executePaid(service)
  await control.fault('near-intents', 'http-500')
  await control.advance(HOUR_MS)
  await vi.waitFor(() => expect(rowOf()?.looks).toBeGreaterThan(1), { timeout: 30_000, interval: 200 })
  expect(rowOf()?.state).not.toBe('success')
  await control.clearFaults()
  await untilState('success')
})

it('a stop ends a pass that waits for a venue, and gives the lease back', { timeout: 90_000 }, async () => {
  const first = await start()
  await executePaid(first)
  await first.close()
  await control.fault('near-intents', 'hang')
  running = []
  const second = await start()
  await vi.waitFor(() => expect(leases()).toBe(1), { timeout: 30_000, interval: 20 })
  const startedAt = performance.now()
  await second.close()
  running = []
  // Its venue would have had eight seconds.
  expect(performance.now() - startedAt).toBeLessThan(4_000)
  expect(leases()).toBe(0)
})
