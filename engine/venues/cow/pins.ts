import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { type ChainId, isEvmChainId } from '../../core/chain.ts'
import { readView } from '../kit/chainReads.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import type { CowFamily } from './families.ts'
import { AUTHENTICATOR, COW_CHAIN_IDS, networkOf } from './published.ts'

/** GPv2Settlement.sol of cowprotocol/contracts, CoWSwapEthFlow.sol of cowprotocol/ethflowcontract. */
const viewsOn = (chainId: ChainId, { settlement, relayer, ethFlow }: CowFamily, authenticators: readonly string[]) =>
  [
    ['vaultRelayer', settlement, [relayer]],
    ['authenticator', settlement, [AUTHENTICATOR, ...authenticators]],
    ['cowSwapSettlement', ethFlow, [settlement]],
    ['wrappedNativeToken', ethFlow, [networkOf(chainId)?.wrappedNative ?? '']],
  ] as const

/** What the contracts of new orders say of each other on each chain. */
export const createPins = (
  chains: Pick<Chains, 'call'>,
  family: CowFamily,
  authenticators: readonly string[],
): readonly PinSource[] =>
  COW_CHAIN_IDS.filter(isEvmChainId).map((chainId) => ({
    name: `settlement and EthFlow on chain ${chainId}`,
    chainId,
    claims: async (signal) => {
      const claims: PinClaim[] = []
      for (const [name, address, pinned] of viewsOn(chainId, family, authenticators)) {
        const abi = parseAbi([`function ${name}() view returns (address)`])
        const published = await readView(chains, { chainId, address }, { abi }, signal)
        claims.push({ what: `${name}() on chain ${chainId}`, pinned, published })
      }
      return claims
    },
  }))
