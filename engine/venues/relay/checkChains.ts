import { parseAddress } from '../../core/address.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Route } from '../../core/route.ts'
import { demand } from '../kit/demand.ts'
import { createFreshLists } from '../kit/keptList.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { DecodePorts } from './decode.ts'
import { depositoriesOn, notSold } from './map.ts'
import { toWireChain } from './protocol.ts'
import { type ListedChain, listedChain } from './wire.ts'

type Pinned = Pick<DecodePorts, 'names' | 'depositories'>

/**
 * Why the venue does not swap from or to a chain now; null when it does. Throws `rejected` for unpublished values. Only the rows
 * of the requested chains are read: the other rows have no effect on them.
 */
const refusalOf = (
  entries: readonly unknown[],
  chainId: ChainId,
  { isDestination, depositories, names }: Pinned & { readonly isDestination: boolean },
): VenueError | null => {
  const wireId = toWireChain(chainId)
  const entry = entries.find((each) => (each as { readonly id?: unknown } | null)?.id === wireId)
  const chain: ListedChain = entry === undefined ? { id: wireId, disabled: true } : listedChain.read(entry)
  if (chain.disabled === true || (isDestination && chain.depositEnabled === false))
    return new VenueError('unsupportedPair', `relay does not serve chain ${chainId} now`)
  const { v2, ...others } = chain.protocol ?? { v2: null }
  const name = v2 === null ? null : v2?.chainId
  const isOther = name === null && Object.values(others).some((other) => other !== null)
  if (name === undefined || isOther) throw rejected('settlement', `relay lists chain ${chainId} with another protocol`, chain)
  const { depository = null } = v2 ?? {}
  const known = depositoriesOn(chainId, depositories)
  // Wallets pay no depository at the destination, and in bitcoin a separate address for each order.
  const isPaid = !isDestination && chainId !== BITCOIN
  const isTold = depository !== null && (isPaid || name === null)
  // Published values do not change without notice: payments stop until the operator has checked the change.
  demand(`relay lists chain ${chainId} with`, {
    'another name': [name === null || names.get(name) === chainId, `${name} (VENUE_RELAY_CHAIN_NAMES adds names)`],
    'another depository': !isTold || known.some((own) => own === parseAddress(ecosystemOf(chainId), depository)),
  })
  if (name === null) return notSold(`an order on chain ${chainId}, which has no settlement protocol,`)
  // Not a failure of the venue: its other chains stay available.
  return chain.blockProductionLagging === true ? new VenueError('noLiquidity', `chain ${chainId} is behind, says relay`) : null
}

/** Chains go up and down within minutes. */
const KEPT = { entriesMax: 1, lifetimeMs: 60_000 }

/** Checks both chains of a route by the venue's own list, cached for a minute. Throws VenueError. */
export const createChainCheck = (load: (signal: AbortSignal) => Promise<readonly unknown[]>, clock: Clock, pinned: Pinned) => {
  const listed = createFreshLists<readonly unknown[]>(KEPT, clock)
  return async ({ input, output }: Route, signal: AbortSignal): Promise<void> => {
    const entries = await listed('chains', load, signal)
    const refusals = [
      refusalOf(entries, input.chainId, { isDestination: false, ...pinned }),
      refusalOf(entries, output.chainId, { isDestination: true, ...pinned }),
    ]
    const [refusal] = refusals.filter((each) => each !== null)
    if (refusal) throw refusal
  }
}
