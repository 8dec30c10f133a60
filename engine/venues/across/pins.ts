import type { Chains } from '../../chains/chains.ts'
import { addressOf } from '../../core/address.ts'
import { CHAIN_IDS, SOLANA } from '../../core/chain.ts'
import { readAddresses } from '../kit/chainReads.ts'
import type { PinClaim, PinSource } from '../venue.ts'
import type { AcrossClient } from './client.ts'
import { acrossChain, SVM_SPOKE, toWireChain } from './published.ts'

/** broadcast/deployed-addresses.json of across-protocol/contracts */
const HUB_POOL = { chainId: 1, address: addressOf('evm', '0xc186fA914353c44b2E33eBE05f21846F1048bEda') } as const
const CROSS_CHAIN_CONTRACTS = 'function crossChainContracts(uint256 chainId) view returns (address adapter, address spokePool)'

const POOLS = CHAIN_IDS.flatMap((chainId) => {
  const pool = chainId === SOLANA ? SVM_SPOKE : acrossChain(chainId)?.spokePool
  return pool === undefined ? [] : [{ chainId, pool, what: `SpokePool on chain ${chainId}` }]
})

/** Pools by the API's list, and by the contract on Ethereum that sends them refunds. Peripheries and handlers are in no list. */
export const createPins = ({ bridgeChains }: AcrossClient, chains: Pick<Chains, 'call'>): readonly PinSource[] => [
  {
    name: 'GET /chains',
    claims: async (signal) => {
      const rows = await bridgeChains(signal)
      return POOLS.map(({ chainId, pool, what }) => {
        const own = rows.filter((row) => row.chainId === toWireChain(chainId))
        return { what, pinned: [pool], published: own.map(({ spokePool }) => spokePool) }
      })
    },
  },
  {
    name: 'HubPool on Ethereum, crossChainContracts',
    claims: async (signal) => {
      const claims: PinClaim[] = []
      for (const { chainId, pool, what } of POOLS) {
        // Of a program of Solana the contract has twenty bytes.
        if (chainId === SOLANA) continue
        const view = { signature: CROSS_CHAIN_CONTRACTS, args: [BigInt(chainId)], signal }
        const [, ...published] = await readAddresses(chains, HUB_POOL, view)
        claims.push({ what, pinned: [pool], published })
      }
      return claims
    },
  },
]
