import type { GenesisAccount } from '../evm/anvilNode.ts'
import { contractsOn } from '../venues/debridge/debridge.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** Before the number of the chain in its word lies the flat fee. */
const FEE_BITS = 88n

/** deBridge's contracts at their published addresses of one chain, and what swaps before orders are made. */
export const debridgeContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const contracts = contractsOn(chainId)
  if (contracts === null) return []
  const { source, destination, forwarder, router, fee, wireId } = contracts
  // Zero stands for the chain's own.
  const subscription = wireId === chainId ? 0n : BigInt(wireId)
  return Promise.all([
    accountOf(source, 'SimDlnSource', {}, slot(0n, fee | (subscription << FEE_BITS))),
    accountOf(destination, 'SimDlnDestination', {}, slot(0n, subscription)),
    accountOf(forwarder, 'SimDlnForwarder'),
    accountOf(router, 'SimSwapRouter'),
  ])
}
