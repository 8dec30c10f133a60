import { createReadCache } from '../../chains/readCache.ts'
import { parseAddress } from '../../core/address.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { VenueError } from '../venueError.ts'
import { fromWireChain, pinned } from './contracts.ts'
import type { ListedChain } from './wire.ts'

/** What the venue says of one chain now. */
export type ChainState = {
  readonly isDisabled: boolean
  readonly canBeDestination: boolean
  readonly isLagging: boolean
  /** False where orders are not settled by the protocol. */
  readonly isSettled: boolean
  /** True when its name in orders is not the one that was published. */
  readonly isRenamed: boolean
  /** True when what wallets pay there is not what was published. In bitcoin they pay an address of its own each. */
  readonly isMoved: boolean
}

/** By our own id; null when the venue does not list the chain. */
export type ChainIndex = (chainId: ChainId) => ChainState | null

const toState = (chainId: ChainId, { disabled, depositEnabled, blockProductionLagging, protocol }: ListedChain): ChainState => {
  const published = pinned(chainId)
  const name = protocol?.v2?.chainId ?? null
  const depository = protocol?.v2?.depository ?? null
  return {
    isDisabled: disabled === true,
    canBeDestination: depositEnabled !== false,
    isLagging: blockProductionLagging === true,
    isSettled: name !== null,
    isRenamed: name !== null && name !== published.name,
    isMoved:
      chainId !== BITCOIN &&
      published.depository !== null &&
      depository !== null &&
      parseAddress(ecosystemOf(chainId), depository) !== published.depository,
  }
}

/** Chains that are none of ours are left out. */
export const indexChains = (listed: readonly ListedChain[]): ChainIndex => {
  const states = new Map<ChainId, ChainState>()
  for (const chain of listed) {
    const chainId = fromWireChain(chain.id)
    if (chainId !== null) states.set(chainId, toState(chainId, chain))
  }
  return (chainId) => states.get(chainId) ?? null
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
