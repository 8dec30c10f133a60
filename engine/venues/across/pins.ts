import { parseAbi } from 'abitype'
import type { Chains } from '../../chains/chains.ts'
import { addressOf } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import { readView } from '../kit/chainReads.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import { ACROSS_CHAINS, type Pinned } from './published.ts'

/** broadcast/deployed-addresses.json of across-protocol/contracts */
const HUB_POOL = { chainId: 1, address: addressOf('evm', '0xc186fA914353c44b2E33eBE05f21846F1048bEda') } as const
const CROSS_CHAIN_CONTRACTS = parseAbi([
  'function crossChainContracts(uint256 chainId) view returns (address adapter, address spokePool)',
])

/** The pools that the HubPool sends refunds to. Of Solana's it has twenty bytes; peripheries and handlers are in no list. */
export const createPins = (chains: Pick<Chains, 'call'>, { on }: Pinned): readonly PinSource[] => [
  {
    name: 'HubPool on Ethereum, crossChainContracts',
    chainId: 1,
    claims: async (signal) => {
      const claims: PinClaim[] = []
      for (const chainId of Object.keys(ACROSS_CHAINS)) {
        const view = { abi: CROSS_CHAIN_CONTRACTS, args: [BigInt(chainId)] }
        const [, ...published] = await readView(chains, HUB_POOL, view, signal)
        claims.push({
          what: `SpokePool on chain ${chainId}`,
          pinned: on(Number(chainId) as ChainId)?.spokePools ?? [],
          published,
        })
      }
      return claims
    },
  },
]
