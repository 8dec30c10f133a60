import type { Chains } from '../../engine/chains/chains.ts'
import { Secret } from '../../engine/core/secret.ts'
import { ANSWER_BYTES, boundAnswers, type HttpClient } from '../../engine/net/httpClient.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { createBitcoinChain } from '../../engine/simnet/bitcoin/bitcoinChain.ts'
import { createFaults, type Faults } from '../../engine/simnet/kit/faults.ts'
import { createMarket, type Market } from '../../engine/simnet/kit/market.ts'
import { serveVenue } from '../../engine/simnet/kit/serveVenue.ts'
import { createSimClock, createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { createSchedule, type DrivenSchedule } from '../../engine/simnet/kit/simSchedule.ts'
import type { SimRequest, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import type { SimClock, SimEvm, SimSolana, World } from '../../engine/simnet/kit/world.ts'
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
  /** Moves the clock and lets the venue do what falls due; the venue answers nothing before it has. */
  readonly schedule: DrivenSchedule
  /** What the venue's scheduled work threw; whatever is left here fails the closing of the bench. */
  readonly problems: unknown[]
  /** What the adapter told the operator, in order, repeats included: not telling them is the engine's. */
  readonly notices: readonly string[]
  /** What the adapter sent, in order. */
  readonly sent: readonly SimRequest[]
  readonly baseUrl: string
  /** The same adapter again, having asked nothing yet. `asks` is told the path of each request as it is made. */
  afresh(options?: { readonly baseUrl?: string; readonly asks?: (path: string) => void }): Venue
  close(): Promise<void>
}

const noChain = () => Promise.reject(new Error('this bench has no chain'))
const noSolana: SimSolana = {
  treasury: () => '11111111111111111111111111111111',
  transfer: noChain,
  balance: noChain,
  holding: noChain,
  blockhash: noChain,
  install: () => undefined,
  placeTable: () => undefined,
  onTransaction: () => undefined,
}
const noEvm: SimEvm = {
  rpc: noChain,
  transfer: noChain,
  send: noChain,
  call: noChain,
  balance: noChain,
  receipt: noChain,
  fund: noChain,
}

export type BenchOptions = {
  readonly chains: Chains
  readonly settings?: { readonly [name: string]: string }
  /** Left out, the one that the simulated venue gives; null, none. */
  readonly apiKey?: string | null
  /** What the venue may do on the chains; everything else fails. */
  readonly evm?: Partial<SimEvm>
  readonly solana?: Partial<SimSolana>
}

/** One real adapter against its own simulated venue over real HTTP, with a clock that only moves when told to. */
export const createVenueBench = async (
  definition: VenueDefinition,
  createSim: (world: World) => SimVenue,
  { chains, settings = {}, apiKey, evm = {}, solana = {} }: BenchOptions,
): Promise<VenueBench> => {
  const clock = createSimClock(() => START_OF_TIME)
  const tokens = createTokens()
  const market = createMarket()
  const faults = createFaults()
  const problems: unknown[] = []
  const notices: string[] = []
  const schedule = createSchedule({ clock, note: (error) => problems.push(error) })
  const world: World = {
    clock,
    random: createSimRandom('test'),
    tokens,
    market,
    faults,
    evm: { ...noEvm, ...evm },
    solana: { ...noSolana, ...solana },
    bitcoin: createBitcoinChain({ clock, seed: 'test' }),
    schedule,
  }
  const sim = createSim(world)
  const handle: SimVenue['handle'] = async (request) => {
    await schedule.settle()
    return sim.handle(request)
  }
  const served = await serveVenue({ ...sim, handle }, faults)
  const http = boundAnswers(createHttpClient(), ANSWER_BYTES)
  const key = apiKey === undefined ? (sim.settings['API_KEY'] ?? null) : apiKey
  const afresh: VenueBench['afresh'] = ({ baseUrl = served.baseUrl, asks } = {}) => {
    const send: HttpClient['send'] = (request) => {
      asks?.(new URL(request.url).pathname)
      return http.send(request)
    }
    return definition.create(
      {
        baseUrl,
        apiKey: key === null ? null : new Secret(key),
        settings: { ...sim.settings, ...settings },
      },
      { http: { ...http, send }, chains, clock, wellVenues: () => [], notice: (what) => notices.push(what) },
    )
  }
  const close = async () => {
    schedule.close()
    await http.close()
    await served.close()
    if (problems.length > 0) throw problems[0]
  }
  return {
    venue: afresh(),
    afresh,
    sim,
    clock,
    market,
    faults,
    world,
    schedule,
    problems,
    notices,
    sent: served.received,
    baseUrl: served.baseUrl,
    close,
  }
}
