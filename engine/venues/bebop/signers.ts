import { ChainError, type Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { addressAt, fromChain } from '../kit/chainReads.ts'
import { createKeptList, type KeptList } from '../kit/keptList.ts'

/** `routerSigner()`, which `setRouterSigner` of its owner changes: contracts/BebopRouter.sol of bebop-dex/bebop-rfqa */
export const ROUTER_SIGNER = '0x3411dbdc'

type Router = { readonly chainId: EvmChainId; readonly address: Address }

export type RouterSigners = {
  /** Whether `signer` signs orders of a router. Throws VenueError where neither the chain nor a pin shows the signer. */
  signs(router: Router, signer: Address | null): Promise<boolean>
}

const FRESH_MS = 60 * 60_000
/** An unknown signer causes an earlier read of the router: once in this time, for so many signers of a chain at most. */
const RECHECK_MS = 60_000
const RECHECKS_MAX = 8

/**
 * Signers by the router's own storage. `fallback`: the signer on unreadable chains; null where it is unknown. Orders of a
 * replaced signer pass until the next read, for an hour at most. The router itself rejects them.
 */
export const createRouterSigners = (
  { chains, clock }: { readonly chains: Pick<Chains, 'call'>; readonly clock: Clock },
  fallback: (chainId: EvmChainId) => Address | null,
): RouterSigners => {
  type Kept = { readonly list: KeptList<Address>; readonly rechecks: Map<Address, number> }
  const byRouter = new Map<string, Kept>()
  const keptOf = (router: Router): Kept => {
    const { chainId, address } = router
    const key = `${chainId}:${address}`
    const load = async (signal: AbortSignal) => {
      const found = await addressAt(chains, router, ROUTER_SIGNER, signal)
      // The router always has a signer: the node lacks the contract, or answers incorrectly.
      if (found === null) throw new ChainError('unreachable', chainId, 'the router names no signer')
      return found
    }
    const list = () => createKeptList({ load, clock, freshMs: FRESH_MS, isAwaitedOnce: true })
    const kept = byRouter.get(key) ?? { list: list(), rechecks: new Map() }
    byRouter.set(key, kept)
    return kept
  }
  /** Counts each signer separately: a forged order, with any signer, does not use up the read for a new signer. */
  const mayRecheck = ({ rechecks }: Kept, signer: Address): boolean => {
    const now = clock.now()
    for (const [each, at] of rechecks) if (now >= at + RECHECK_MS) rechecks.delete(each)
    if (rechecks.has(signer) || rechecks.size >= RECHECKS_MAX) return false
    rechecks.set(signer, now)
    return true
  }
  return {
    signs: async (router, signer) => {
      const { chainId } = router
      const kept = keptOf(router)
      const known = await fromChain(
        kept.list.read(null).catch((error: unknown) => {
          const pinned = fallback(chainId)
          if (pinned === null) throw error instanceof ChainError ? error : new ChainError('timeout', chainId, 'not read in time')
          return pinned
        }),
      )
      if (signer === null || signer === known) return signer !== null
      if (!mayRecheck(kept, signer)) return false
      return signer === (await kept.list.renew(AbortSignal.timeout(5_000)).catch(() => known))
    },
  }
}
