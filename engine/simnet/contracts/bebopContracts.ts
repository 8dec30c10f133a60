import type { GenesisAccount } from '../evm/anvilNode.ts'
import { createTokens } from '../kit/tokens.ts'
import { CONTRACTS, NETWORKS, ROUTER_SIGNER } from '../venues/bebop/desk.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** Bebop's contracts at their published addresses of one chain. */
export const bebopContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  if (!NETWORKS.some((network) => network.chainId === chainId)) return []
  const tokens = createTokens()
  const wrapped = tokens.all.find((token) => token.chainId === chainId && token.symbol === `W${tokens.native(chainId).symbol}`)
  const signer = { ...slot(1n, ROUTER_SIGNER.address), ...slot(2n, wrapped?.address ?? '0x0') }
  return Promise.all([
    accountOf(CONTRACTS.jam, 'SimJamSettlement'),
    accountOf(CONTRACTS.manager, 'SimJamBalanceManager'),
    accountOf(CONTRACTS.settlement, 'SimBebopSettlement'),
    accountOf(CONTRACTS.router, 'SimBebopRouter', {}, signer),
  ])
}
