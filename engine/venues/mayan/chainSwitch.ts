import type { ChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Route } from '../../core/route.ts'
import { createKeptList } from '../kit/keptList.ts'
import { rejected, VenueError } from '../venueError.ts'
import { pinned } from './protocol.ts'
import { chainSwitchShape } from './wire.ts'

const FRESH_MS = 60_000

/**
 * Chains are switched on and off from day to day. Only the requested chains are checked. `isFinal`: a payment follows, so the
 * list must be fresh. Throws VenueError.
 */
export const createChainSwitch = (load: (signal: AbortSignal) => Promise<readonly unknown[]>, clock: Clock) => {
  const kept = createKeptList({ load, clock, freshMs: FRESH_MS })
  const demandOn = (entries: readonly unknown[], chainId: ChainId, side: 'originActive' | 'destinationActive'): void => {
    const wormholeId = pinned(chainId)?.wormholeId
    const entry = entries.find((each) => (each as { readonly wChainId?: unknown } | null)?.wChainId === wormholeId)
    if (entry === undefined) throw rejected('chain', `mayan does not list chain ${chainId}`)
    if (!chainSwitchShape.read(entry)[side])
      throw new VenueError('noLiquidity', `mayan has switched chain ${chainId} off for now`)
  }
  return async ({ input, output }: Route, isFinal: boolean, signal: AbortSignal): Promise<void> => {
    const entries = await (isFinal ? kept.renew(signal) : kept.read(signal))
    demandOn(entries, input.chainId, 'originActive')
    demandOn(entries, output.chainId, 'destinationActive')
  }
}
