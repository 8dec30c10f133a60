import { parseAddress } from '../../core/address.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createReadCache } from '../../net/readCache.ts'
import { VenueError } from '../venueError.ts'
import { fromWireChain, pinned } from './published.ts'
import { type ListedChain, listedChain } from './wire.ts'

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

/** By our own id; null when the venue does not list the chain, `unreadable` when it lists it in a way nobody understands. */
export type ChainIndex = (chainId: ChainId) => ChainState | 'unreadable' | null

const toState = (chainId: ChainId, { disabled, depositEnabled, blockProductionLagging, protocol }: ListedChain): ChainState => {
  const published = pinned(chainId)
  const { chainId: name = null, depository = null } = protocol?.v2 ?? {}
  return {
    isDisabled: disabled === true,
    canBeDestination: depositEnabled !== false,
    isLagging: blockProductionLagging === true,
    isSettled: name !== null,
    isRenamed: name !== null && name !== published.name,
    isMoved:
      chainId !== BITCOIN && depository !== null && parseAddress(ecosystemOf(chainId), depository) !== published.depository,
  }
}

/** Chains that are none of ours are not looked at: whatever is said of them says nothing of the others. */
export const indexChains = (listed: readonly unknown[]): ChainIndex => {
  const states = new Map<ChainId, ChainState | 'unreadable'>()
  for (const raw of listed) {
    const { id } = (raw ?? {}) as { readonly id?: unknown }
    const chainId = typeof id === 'number' ? fromWireChain(id) : null
    if (chainId === null) continue
    const chain = listedChain.readOrNull(raw)
    states.set(chainId, chain ? toState(chainId, chain) : 'unreadable')
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
export const createChainList = (load: (signal: AbortSignal) => Promise<readonly unknown[]>, clock: Clock): ChainList => {
  const cache = createReadCache<ChainIndex>({ entriesMax: 1, lifetimeMs: LIFETIME_MS }, clock)
  const onAbort = () => new VenueError('timeout', 'cut while the list of chains was loading')
  return {
    read: (signal) => cache.get('chains', async () => indexChains(await load(AbortSignal.timeout(LOAD_MS))), { signal, onAbort }),
  }
}
