import { parseAddress } from '../../core/address.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Route } from '../../core/route.ts'
import { demand } from '../kit/demand.ts'
import { createFreshLists } from '../kit/keptList.ts'
import { rejected, VenueError } from '../venueError.ts'
import { notSold } from './map.ts'
import { PINNED, toWireChain } from './published.ts'
import { type ListedChain, listedChain } from './wire.ts'

/**
 * Throws VenueError where the venue does not swap from or to a chain now, or says what was never published. Chains that
 * are not asked for are not looked at: whatever is said of them says nothing of the others.
 */
const checkChain = (entries: readonly unknown[], chainId: ChainId, isDestination: boolean): void => {
  const wireId = toWireChain(chainId)
  const entry = entries.find((each) => (each as { readonly id?: unknown } | null)?.id === wireId)
  const chain: ListedChain = entry === undefined ? { id: wireId, disabled: true } : listedChain.read(entry)
  if (chain.disabled === true || (isDestination && chain.depositEnabled === false))
    throw new VenueError('unsupportedPair', `relay does not serve chain ${chainId} now`)
  const settled = chain.protocol === null ? null : chain.protocol?.v2
  const name = settled === null ? null : settled?.chainId
  if (name === null) throw notSold(`an order on chain ${chainId}, which has no settlement protocol,`)
  if (name === undefined) throw rejected('settlement', `relay lists chain ${chainId} without its settlement protocol`, chain)
  const { depository = null } = settled ?? {}
  const published = PINNED[chainId]
  // Wallets pay no depository at the destination, and in bitcoin an address of its own for each order.
  const isPaid = !isDestination && chainId !== BITCOIN && depository !== null
  // What was published does not change in silence: until somebody has looked, nobody pays there.
  demand(`relay lists chain ${chainId} with`, {
    'another name': name === published.name,
    'another depository': !isPaid || parseAddress(ecosystemOf(chainId), depository) === published.depository,
  })
  // No trouble of the venue's: its other chains are not to be kept from it.
  if (chain.blockProductionLagging === true) throw new VenueError('noLiquidity', `chain ${chainId} is behind, says relay`)
}

/** Whether a chain is up changes from minute to minute. */
const KEPT = { entriesMax: 1, lifetimeMs: 60_000 }

/** Checks both chains of a route by the venue's own list, kept for a minute. Throws VenueError. */
export const createChainCheck = (load: (signal: AbortSignal) => Promise<readonly unknown[]>, clock: Clock) => {
  const listed = createFreshLists<readonly unknown[]>(KEPT, clock)
  return async ({ input, output }: Route, signal: AbortSignal): Promise<void> => {
    const entries = await listed('chains', load, signal)
    checkChain(entries, input.chainId, false)
    checkChain(entries, output.chainId, true)
  }
}
