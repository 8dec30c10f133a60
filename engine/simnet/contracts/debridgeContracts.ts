import type { GenesisAccount } from '../evm/anvilNode.ts'
import { CONTRACTS, networkOf } from '../venues/debridge/networks.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** Before the number of the chain in its word lies the flat fee. */
const FEE_BITS = 88n

/** deBridge's contracts at their published addresses of one chain, and what swaps before orders are made. */
export const debridgeContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = networkOf(chainId)
  if (network === null) return []
  // Zero stands for the chain's own.
  const subscription = network.wireId === chainId ? 0n : BigInt(network.wireId)
  return Promise.all([
    accountOf(CONTRACTS.source, 'SimDlnSource', {}, slot(0n, network.fixFee | (subscription << FEE_BITS))),
    accountOf(CONTRACTS.destination, 'SimDlnDestination', {}, slot(0n, subscription)),
    accountOf(CONTRACTS.forwarder, 'SimDlnForwarder'),
    accountOf(CONTRACTS.router, 'SimSwapRouter'),
  ])
}
