import { createReadCache } from '../../chains/readCache.ts'
import { parseAddress } from '../../core/address.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { VenueError } from '../venueError.ts'
import { fromWireChain, pinned, SOLVER } from './contracts.ts'
import type { ChainNames } from './order.ts'
import type { ListedChain } from './wire.ts'

/** What the venue says of one chain now. */
export type ChainState = {
  readonly isDisabled: boolean
  readonly canBeDestination: boolean
  readonly isLagging: boolean
  /** The chain's name in orders; null where orders are not settled by the protocol. */
  readonly name: string | null
  /** True when name or depository are not those that were published. */
  readonly isChanged: boolean
}

export type ChainIndex = ChainNames & {
  /** Null when the venue does not list the chain. */
  byId(chainId: ChainId): ChainState | null
  isSolver(address: string): boolean
}

const toState = (chainId: ChainId, { disabled, depositEnabled, blockProductionLagging, protocol }: ListedChain): ChainState => {
  const published = pinned(chainId)
  const name = protocol?.v2?.chainId ?? null
  const depository = protocol?.v2?.depository ?? null
  const ecosystem = ecosystemOf(chainId)
  return {
    isDisabled: disabled === true,
    canBeDestination: depositEnabled !== false,
    isLagging: blockProductionLagging === true,
    name: published.name ?? name,
    isChanged:
      (published.name !== null && name !== null && name !== published.name) ||
      (published.depository !== null && depository !== null && parseAddress(ecosystem, depository) !== published.depository),
  }
}

/** Chains we have no name for are left out. A listed name never takes the place of a published one. */
export const indexChains = (listed: readonly ListedChain[]): ChainIndex => {
  const states = new Map<ChainId, ChainState>()
  const names = new Map<string, ChainId>()
  const solvers = new Set<string>([SOLVER.toLowerCase()])
  for (const chainId of CHAIN_IDS) {
    const { name } = pinned(chainId)
    if (name !== null) names.set(name, chainId)
  }
  for (const chain of listed) {
    for (const address of chain.solverAddresses ?? []) solvers.add(address.toLowerCase())
    const chainId = fromWireChain(chain.id)
    if (chainId === null) continue
    const state = toState(chainId, chain)
    states.set(chainId, state)
    if (state.name !== null && !names.has(state.name)) names.set(state.name, chainId)
  }
  return {
    byId: (chainId) => states.get(chainId) ?? null,
    byName: (name) => names.get(name) ?? null,
    isSolver: (address) => solvers.has(address.toLowerCase()),
  }
}

/** Whether a chain is up changes from minute to minute. */
const LIFETIME_MS = 60_000
/** The load is shared, so no single caller's signal may cut it: it has its own limit instead. */
const LOAD_MS = 5_000

export interface ChainList {
  /** Throws VenueError. */
  read(signal: AbortSignal): Promise<ChainIndex>
}

/** Keeps the venue's list of chains for a minute: one load at a time for all callers. */
export const createChainList = (load: (signal: AbortSignal) => Promise<readonly ListedChain[]>, clock: Clock): ChainList => {
  const cache = createReadCache<ChainIndex>({ entriesMax: 1, lifetimeMs: LIFETIME_MS }, clock)
  const onAbort = () => new VenueError('timeout', 'cut while the list of chains was loading')
  return {
    read: (signal) => cache.get('chains', async () => indexChains(await load(AbortSignal.timeout(LOAD_MS))), { signal, onAbort }),
  }
}
