import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { type Address, addressOf } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import { readView } from './chainReads.ts'

/** broadcast/deployed-addresses.json of across-protocol/contracts */
const HUB_POOL = { chainId: 1, address: addressOf('evm', '0xc186fA914353c44b2E33eBE05f21846F1048bEda') } as const
const CROSS_CHAIN_CONTRACTS = parseAbi([
  'function crossChainContracts(uint256 chainId) view returns (address adapter, address spokePool)',
])

/** The pools of these chains that receive refunds from Across's HubPool. */
export const hubPoolPins = (
  chains: Pick<Chains, 'call'>,
  chainIds: readonly ChainId[],
  poolsOn: (chainId: ChainId) => readonly Address[],
): PinSource => ({
  name: 'HubPool on Ethereum, crossChainContracts',
  chainId: 1,
  claims: async (signal) => {
    const claims: PinClaim[] = []
    for (const chainId of chainIds) {
      const view = { abi: CROSS_CHAIN_CONTRACTS, args: [BigInt(chainId)] }
      const [, ...published] = await readView(chains, HUB_POOL, view, signal)
      claims.push({ what: `SpokePool on chain ${chainId}`, pinned: poolsOn(chainId), published })
    }
    return claims
  },
})
