import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import type { Address } from '../../core/address.ts'
import { type ChainId, isEvmChainId } from '../../core/chain.ts'
import { readView } from '../kit/chainReads.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import { COW_CHAIN_IDS, type CowFamily, networkOf } from './published.ts'

type Pinned = CowFamily & { readonly authenticators: readonly Address[] }

/** GPv2Settlement.sol of cowprotocol/contracts, CoWSwapEthFlow.sol of cowprotocol/ethflowcontract. */
const viewsOn = (chainId: ChainId, { settlement, relayer, ethFlow, authenticators }: Pinned) =>
  [
    ['vaultRelayer', settlement, [relayer]],
    ['authenticator', settlement, authenticators],
    ['cowSwapSettlement', ethFlow, [settlement]],
    ['wrappedNativeToken', ethFlow, [networkOf(chainId)?.wrappedNative ?? '']],
  ] as const

/** The references between the contracts of new orders on each chain. */
export const createPins = (chains: Pick<Chains, 'call'>, of: Pinned): readonly PinSource[] =>
  COW_CHAIN_IDS.filter(isEvmChainId).map((chainId) => ({
    name: `settlement and EthFlow on chain ${chainId}`,
    chainId,
    claims: async (signal) => {
      const claims: PinClaim[] = []
      for (const [name, address, pinned] of viewsOn(chainId, of)) {
        const abi = parseAbi([`function ${name}() view returns (address)`])
        const published = await readView(chains, { chainId, address }, { abi }, signal)
        claims.push({ what: `${name}() on chain ${chainId}`, pinned, published })
      }
      return claims
    },
  }))
