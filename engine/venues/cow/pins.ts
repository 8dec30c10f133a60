import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { type ChainId, isEvmChainId } from '../../core/chain.ts'
import { readView } from '../kit/chainReads.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import { AUTHENTICATOR, COW_CHAIN_IDS, ETH_FLOW, networkOf, SETTLEMENT, VAULT_RELAYER } from './published.ts'

/** GPv2Settlement.sol of cowprotocol/contracts, CoWSwapEthFlow.sol of cowprotocol/ethflowcontract. */
const viewsOn = (chainId: ChainId, authenticators: readonly string[]) =>
  [
    ['vaultRelayer', SETTLEMENT, [VAULT_RELAYER]],
    ['authenticator', SETTLEMENT, [AUTHENTICATOR, ...authenticators]],
    ['cowSwapSettlement', ETH_FLOW, [SETTLEMENT]],
    ['wrappedNativeToken', ETH_FLOW, [networkOf(chainId)?.wrappedNative ?? '']],
  ] as const

/** What the pinned contracts of each chain say of each other. */
export const createPins = (chains: Pick<Chains, 'call'>, authenticators: readonly string[]): readonly PinSource[] =>
  COW_CHAIN_IDS.filter(isEvmChainId).map((chainId) => ({
    name: `settlement and EthFlow on chain ${chainId}`,
    chainId,
    claims: async (signal) => {
      const claims: PinClaim[] = []
      for (const [name, address, pinned] of viewsOn(chainId, authenticators)) {
        const abi = parseAbi([`function ${name}() view returns (address)`])
        const published = await readView(chains, { chainId, address }, { abi }, signal)
        claims.push({ what: `${name}() on chain ${chainId}`, pinned, published })
      }
      return claims
    },
  }))
