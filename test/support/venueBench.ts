import type { Chains } from '../../engine/chains/chains.ts'
import { Secret } from '../../engine/core/secret.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { createFaults, type Faults } from '../../engine/simnet/faults.ts'
import { createMarket, type Market } from '../../engine/simnet/market.ts'
import { serveVenue } from '../../engine/simnet/serveVenue.ts'
import { createSimClock, createSimRandom } from '../../engine/simnet/simRandom.ts'
import type { SimRequest, SimVenue } from '../../engine/simnet/simVenue.ts'
import { createTokens } from '../../engine/simnet/tokens.ts'
import type { SimClock, SimEvm, SimSolana, World } from '../../engine/simnet/world.ts'
import type { Venue, VenueDefinition } from '../../engine/venues/venue.ts'

/** A fixed start of time for tests: 2026-11-20T00:00:00Z. */
export const START_OF_TIME = Date.UTC(2026, 10, 20)

export type VenueBench = {
  readonly venue: Venue
  readonly sim: SimVenue
  readonly clock: SimClock
  readonly market: Market
  readonly faults: Faults
  readonly world: World
  /** What the adapter sent, in order. */
  readonly sent: readonly SimRequest[]
  readonly baseUrl: string
  close(): Promise<void>
}

const noChain = () => Promise.reject(new Error('this bench has no chain'))
const noSolana: SimSolana = {
  treasury: () => '11111111111111111111111111111111',
  transfer: noChain,
  take: noChain,
  balance: noChain,
  blockhash: noChain,
  install: () => undefined,
  onTransaction: () => undefined,
}
const noEvm: SimEvm = { rpc: noChain }

export type BenchOptions = {
  readonly chains: Chains
  readonly settings?: { readonly [name: string]: string }
  readonly apiKey?: string
  readonly evm?: SimEvm
  readonly solana?: SimSolana
}

/** One real adapter against its own simulated venue over real HTTP, with a clock that only moves when told to. */
export const createVenueBench = async (
  definition: VenueDefinition,
  createSim: (world: World) => SimVenue,
  { chains, settings = {}, apiKey, evm = noEvm, solana = noSolana }: BenchOptions,
): Promise<VenueBench> => {
  const clock = createSimClock(() => START_OF_TIME)
  const tokens = createTokens()
  const market = createMarket()
  const faults = createFaults()
  const world: World = { clock, random: createSimRandom('test'), tokens, market, faults, evm, solana }
  const sim = createSim(world)
  const served = await serveVenue(sim, faults)
  const http = createHttpClient()
  const venue = definition.create(
    {
      baseUrl: served.baseUrl,
      apiKey: apiKey === undefined ? null : new Secret(apiKey),
      settings: { ...sim.settings, ...settings },
    },
    { http, chains, clock },
  )
  const close = async () => {
    await http.close()
    await served.close()
  }
  return { venue, sim, clock, market, faults, world, sent: served.received, baseUrl: served.baseUrl, close }
}
