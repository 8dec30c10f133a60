import { randomUUID } from 'node:crypto'
import type { FacilitatorClient } from '@x402/core/server'
import { BITCOIN, CHAIN_IDS, CHAINS, SOLANA } from '../core/chain.ts'
import type { PageSet } from '../pages/pages.ts'
import { bitcoinPayments, createBitcoinChain } from './bitcoin/bitcoinChain.ts'
import { createArtifacts, userCacheDir } from './contracts/createArtifacts.ts'
import { startControlServer } from './control/controlServer.ts'
import type { Controls } from './control/controls.ts'
import { createDeliveries } from './deliveries.ts'
import { createEvmChains, evmForVenues } from './evm/evmChains.ts'
import { createSimFacilitator } from './facilitator/simFacilitator.ts'
import { createFaults, FAULTS, type Faults } from './kit/faults.ts'
import { createMarket, type Market } from './kit/market.ts'
import { type ServedVenue, serveVenue } from './kit/serveVenue.ts'
import { createSimClock, createSimRandom } from './kit/simRandom.ts'
import { createSchedule } from './kit/simSchedule.ts'
import type { SimVenue } from './kit/simVenue.ts'
import { createTokens, type SimTokens } from './kit/tokens.ts'
import type { SimClock } from './kit/world.ts'
import { requirePackages } from './requirePackages.ts'
import { SIM_VENUES, type SimVenueDefinition } from './simVenues.ts'
import { createSolanaChain } from './solana/solanaChain.ts'
import { createWatch, watchClock } from './watch/watch.ts'
import type { Notice, WatchedEvent } from './watch/watched.ts'

export type SimnetOptions = {
  /** 0 takes a free one. */
  readonly controlPort: number
  /**
   * The same seed and the same calls give the same network. Null: one of its own, so that over records of earlier networks
   * no deposit address comes again.
   */
  readonly seed: string | null
  readonly clock?: SimClock
  /** Where the venues' contracts are kept between starts; null or left out: below the user's home. */
  readonly cacheDir?: string | null
  /** The venues to run, by id or as they are defined; all of SIM_VENUES when left out. */
  readonly venues?: readonly (string | SimVenueDefinition)[]
}

/** A running offline network: chains and simulated venues on loopback. Nothing in it is worth anything. */
export interface Simnet {
  readonly controlUrl: string
  /** The network's time. Whoever talks to it must use the same. */
  readonly clock: SimClock
  /** Where each venue listens, and the settings its adapter needs to talk to this one. */
  readonly venues: { readonly [id: string]: { readonly baseUrl: string; readonly settings: { readonly [name: string]: string } } }
  /** JSON-RPC of every chain; Esplora for Bitcoin. Nodes start when first called. */
  readonly rpcUrls: { readonly [chainId: string]: string }
  /** Verifies and settles payments by the x402 protocol on these chains: in this process, and for others at `url`. */
  readonly facilitator: FacilitatorClient & { readonly url: string }
  readonly faults: Faults
  readonly market: Market
  readonly tokens: SimTokens
  /** Takes note of what the service that runs on it tells, for its page. Never throws. */
  watch(event: WatchedEvent): void
  /** Takes note of where that service is. */
  servedAt(url: string): void
  close(): Promise<void>
}

type Running = { readonly sim: SimVenue; readonly served: ServedVenue }

const placesOf = (running: readonly Running[]): Simnet['venues'] =>
  Object.fromEntries(running.map(({ sim, served }) => [sim.id, { baseUrl: served.baseUrl, settings: sim.settings }]))

const rpcUrlsAt = (origin: string): Simnet['rpcUrls'] =>
  Object.fromEntries(CHAIN_IDS.map((chainId) => [String(chainId), `${origin}/rpc/${chainId}`]))

const definitionOf = (venue: string | SimVenueDefinition): SimVenueDefinition => {
  const found = typeof venue === 'string' ? SIM_VENUES.find(({ id }) => id === venue) : venue
  if (!found) throw new RangeError(`the offline network has no venue ${String(venue)}`)
  return found
}

/** Those asked for, and those they go by. */
const definitionsOf = (chosen: readonly (string | SimVenueDefinition)[]): readonly SimVenueDefinition[] => {
  const asked = chosen.map(definitionOf)
  const alongside = asked.flatMap(({ alongside: ids = [] }) => ids).filter((id) => asked.every((one) => one.id !== id))
  return [...asked, ...new Set(alongside)].map(definitionOf)
}

/** What a client of the chains must know: where they are, and what can be paid and swapped on them. */
const describeChains = (origin: string, tokens: SimTokens) => {
  const tokensOf = (id: number) =>
    tokens.all
      .filter(({ chainId }) => chainId === id)
      .map(({ symbol, address, decimals }) => [symbol, { address, decimals }] as const)
  return Object.fromEntries(
    CHAINS.map(({ chainId, name }) => [
      String(chainId),
      { name, rpcUrl: rpcUrlsAt(origin)[String(chainId)], tokens: Object.fromEntries(tokensOf(chainId)) },
    ]),
  )
}

/** The answer to `GET /`. */
const describe = ({
  origin,
  clock,
  tokens,
  running,
  notices,
}: {
  readonly origin: string
  readonly clock: SimClock
  readonly tokens: SimTokens
  readonly running: readonly Running[]
  readonly notices: readonly Notice[]
}) => ({
  network: 'simnet',
  now: clock.now(),
  chains: describeChains(origin, tokens),
  venues: placesOf(running),
  facilitator: `${origin}/facilitator`,
  faults: FAULTS,
  notices,
})

/** The network's page, loaded when a browser first asks for it. */
const pages = async (): Promise<PageSet> => {
  const { offlinePages } = await import('./page/pageSet.ts')
  return offlinePages()
}

/** A venue answers when it has done all it was due to do. */
const startVenues = async (sims: readonly SimVenue[], faults: Faults, settle: () => Promise<void>): Promise<readonly Running[]> =>
  Promise.all(
    sims.map(async (sim) => {
      const handle: SimVenue['handle'] = async (request) => {
        await settle()
        return sim.handle(request)
      }
      return { sim, served: await serveVenue({ ...sim, handle }, faults) }
    }),
  )

/**
 * Starts the offline network. Throws PortInUseError when the control port is taken, having left nothing running, and
 * MissingPackagesError where its packages are not installed.
 */
export const startSimnet = async ({
  controlPort,
  seed: given,
  clock: ownClock = createSimClock(),
  cacheDir = null,
  venues: chosen = SIM_VENUES,
}: SimnetOptions): Promise<Simnet> => {
  const seed = given ?? randomUUID()
  requirePackages()
  const venues = definitionsOf(chosen)
  const artifacts = createArtifacts({ cacheDir: cacheDir ?? userCacheDir() })
  // Meanwhile the rest starts: the first chain that is asked for has them sooner.
  artifacts.prepare()
  const clock = watchClock(ownClock, () => watch.changed('clock'))
  const tokens = createTokens()
  const market = createMarket(() => watch.changed('prices'))
  const faults = createFaults(() => watch.changed('faults'))
  const evm = createEvmChains({ clock, tokens, artifacts, contracts: venues.flatMap(({ contracts }) => contracts ?? []) })
  const schedule = createSchedule({ clock, note: (error) => deliveries.note(null, null, error) })
  const venueEvm = evmForVenues(evm, (chainId, txHash) => deliveries.observe(chainId, txHash))
  const solana = createSolanaChain({ clock, tokens, seed, note: (txHash, error) => deliveries.note(SOLANA, txHash, error) })
  const bitcoin = createBitcoinChain({ clock, seed })
  const facilitator = createSimFacilitator({ evm: venueEvm, solana, tokens })
  // A random stream per venue: what one is asked changes nothing in another.
  const sims = venues.map(({ id, create }) =>
    create({ clock, random: createSimRandom(`${seed}:${id}`), tokens, market, faults, evm: venueEvm, solana, bitcoin, schedule }),
  )
  const deliveries = createDeliveries({ venues: sims, tokens, evm })
  solana.onTransaction((made) => deliveries.arrived(SOLANA, made.txHash, made.solana?.payments ?? [], made))
  bitcoin.onTransaction((made) => deliveries.arrived(BITCOIN, made.txid, bitcoinPayments(made)))
  const running = await startVenues(sims, faults, schedule.settle)
  let origin = ''
  const faultTargets = [...sims.map(({ id }) => id), ...CHAIN_IDS.map((chainId) => `chain:${chainId}`), 'facilitator']
  const parts = { clock, market, tokens, faults, faultTargets, evm, solana, bitcoin }
  const watch = createWatch({ ...parts, notices: deliveries.notices })
  const controls: Controls = {
    ...parts,
    schedule,
    facilitator,
    deliveries,
    watch,
    pages,
    describe: () => describe({ origin, clock, tokens, running, notices: deliveries.notices }),
  }
  const closeVenues = () => Promise.all(running.map(({ served }) => served.close()))
  const server = await startControlServer(controls, controlPort).catch(async (error: unknown) => {
    await Promise.all([closeVenues(), artifacts.close()])
    throw error
  })
  origin = server.origin
  return {
    controlUrl: origin,
    clock,
    venues: placesOf(running),
    rpcUrls: rpcUrlsAt(origin),
    facilitator: { ...facilitator, url: `${origin}/facilitator` },
    faults,
    market,
    tokens,
    watch: watch.watch,
    servedAt: watch.servedAt,
    close: async () => {
      schedule.close()
      watch.close()
      await server.close()
      await Promise.all([closeVenues(), evm.close(), artifacts.close()])
    },
  }
}
