import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { connectService, type ServiceClient } from '../../scripts/client/service.ts'
import { NATIVE_SOL, USDC } from '../../scripts/client/tokens.ts'
import { ACCOUNT, allBut, SOLANA_WALLET } from '../support/swaps.ts'
import { ready, type ServiceProcess, spawnService } from './serviceProcess.ts'

/** All venues together, of which one lies by more than anybody would believe: it never wins, and the log says who it was. */

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const IDS = VENUE_DEFINITIONS.map(({ id }) => id)
const FACTOR = 2n

/** Each venue answers one of these at the least. */
const SWAPS = {
  'USDC to USDT on Ethereum': {
    ...{ inputChainId: 1, inputToken: USDC.ethereum, inputAmount: '1000000000', userAddress: ACCOUNT.address },
    ...{ outputChainId: 1, outputToken: USDT },
  },
  'USDC from Base to Arbitrum': {
    ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '1000000000', userAddress: ACCOUNT.address },
    ...{ outputChainId: 42161, outputToken: USDC.arbitrum },
  },
  'USDC to SOL on Solana': {
    ...{ inputChainId: -2, inputToken: USDC.solana, inputAmount: '1000000000', userAddress: SOLANA_WALLET },
    ...{ outputChainId: -2, outputToken: NATIVE_SOL },
  },
} as const
type Swap = (typeof SWAPS)[keyof typeof SWAPS]

let dataDir: string
let running: ServiceProcess
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-service-'))
  const perMinute = Object.fromEntries(
    VENUE_DEFINITIONS.map(({ id }) => [`VENUE_${id.replaceAll('-', '_').toUpperCase()}_REQUESTS_PER_MINUTE`, '1000000']),
  )
  // As a process of its own: only that has a log.
  running = spawnService({
    ...{ PORT: '0', SIMNET_CONTROL_PORT: '0', SIMNET_SEED: '1', DATA_DIR: dataDir, VENUES_ENABLED: IDS.join(',') },
    ...{ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000', ...perMinute },
    // Nobody is left out for being slow.
    ...{ QUOTE_DEADLINE_MS: '10000', QUOTE_SOFT_DEADLINE_MS: '10000' },
  })
})
afterAll(async () => {
  running.child.kill('SIGTERM')
  await running.ended
  await rm(dataDir, { recursive: true, force: true })
})

const connect = async () => {
  const { url, controlUrl } = await ready(running)
  return { service: connectService(url), control: controlNetwork(controlUrl ?? '') }
}

type Told = { readonly venue: string; readonly amount: bigint; readonly requestId: string }
const ask = async (service: ServiceClient, swap: Swap, excludeVenues: readonly string[] = []): Promise<Told | null> => {
  const { status, body } = await service.send('POST', '/api/v1/quote', { body: { ...swap, excludeVenues } })
  const { data, meta } = body as {
    data?: { venue: { id: string }; output: { amount: string } }
    meta: { requestId: string }
  }
  if (status !== 200 || !data) return null
  return { venue: data.venue.id, amount: BigInt(data.output.amount), requestId: meta.requestId }
}

type Run = { readonly venue: string; readonly [field: string]: unknown }
type Line = { readonly event: string; readonly requestId?: string; readonly runs?: readonly Run[] }
const lines = (): readonly Line[] =>
  running
    .stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as Line] : []))

/** How the log says that a venue did in a race. */
const loggedOf = async (requestId: string, venue: string): Promise<Run | undefined> => {
  const find = () =>
    lines()
      .find((line) => line.event === 'quote.served' && line.requestId === requestId)
      ?.runs?.find((run) => run.venue === venue)
  await expect.poll(find, { interval: 50, timeout: 5_000 }).toBeDefined()
  return find()
}

const middleOf = (amounts: readonly bigint[]): bigint =>
  amounts.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(amounts.length / 2)] ?? 0n

const DROPPED = { outcome: 'dropped', kind: 'outlier' }
/** What the deposit itself contradicts is refused before it is compared. */
const unproved = (what: string) => ({ outcome: 'rejected', reason: expect.stringContaining(what) })
const TOLD_OF: { readonly [venueAndSwap: string]: object } = {
  'across: USDC from Base to Arbitrum': unproved('an output nobody fills'),
  'lifi: USDC from Base to Arbitrum': unproved('another output amount'),
}

const liars = new Set<string>()

describe.each(Object.entries(SWAPS))('%s', (name, swap) => {
  it('is won by none of its venues that lies a hundredfold, and the log says which did', async () => {
    const { service, control } = await connect()
    const alone: (Told | null)[] = []
    for (const id of IDS) alone.push(await ask(service, swap, allBut(id)))
    const honest = alone.filter((offer) => offer !== null)
    expect(honest.length).toBeGreaterThan(2)
    const middle = middleOf(honest.map(({ amount }) => amount))
    for (const { venue } of honest) {
      liars.add(venue)
      await control.fault(venue, 'price-x100')
      const told = await ask(service, swap)
      await control.clearFaults()
      expect(told?.venue).not.toBe(venue)
      expect(told?.amount).toBeLessThanOrEqual(FACTOR * middle)
      expect([venue, await loggedOf(told?.requestId ?? '', venue)]).toMatchObject([
        venue,
        TOLD_OF[`${venue}: ${name}`] ?? DROPPED,
      ])
    }
  })
})

it('every venue lied once', () => {
  expect([...liars].toSorted()).toEqual(IDS.toSorted())
})
