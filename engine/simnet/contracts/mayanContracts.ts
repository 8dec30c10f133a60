import type { GenesisAccount } from '../evm/anvilNode.ts'
import { wordOf } from '../kit/abiWords.ts'
import { FILLS, FORWARDER, networkOf, ROUTER, SWIFT } from '../venues/mayan/networks.ts'
import type { Artifacts } from './artifacts.ts'

/** Mayan's Forwarder and both sides of Swift at their published addresses of one chain, and an exchange of the Forwarder's list. */
export const mayanContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = networkOf(chainId)
  if (network === null) return []
  const number = { [`0x${wordOf('0')}`]: `0x${wordOf(BigInt(network.wormholeId))}` }
  return Promise.all([
    accountOf(FORWARDER, 'SimMayanForwarder'),
    accountOf(SWIFT, 'SimMayanSwift', {}, number),
    accountOf(FILLS, 'SimMayanFills'),
    accountOf(ROUTER, 'SimMayanRouter'),
  ])
}
