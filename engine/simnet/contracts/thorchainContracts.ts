import { keccakHex } from '../../chains/evm/evmCodec.ts'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { wordOf } from '../kit/abiWords.ts'
import { createTokens } from '../kit/tokens.ts'
import { networkOf, poolsOf } from '../venues/thorchain/networks.ts'
import { VAULT_STOCK } from '../venues/thorchain/thorchain.ts'
import type { Artifacts } from './artifacts.ts'

/** Where `vaultAllowance[vault][token]` is kept. */
const slotOf = (vault: string, token: string): string => {
  const outer = keccakHex(`0x${wordOf(vault)}${wordOf(0n)}`)
  return keccakHex(`0x${wordOf(token)}${outer.slice(2)}`)
}

/** THORChain's router at its published address of one chain, with what its vault may pay out. */
export const thorchainContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = networkOf(chainId)
  if (!network?.router) return []
  const stocked = poolsOf(createTokens()).filter(({ token }) => token.chainId === chainId && !token.isNative)
  const storage = Object.fromEntries(
    stocked.map(({ token }) => [slotOf(network.vault, token.address), `0x${wordOf(VAULT_STOCK)}`]),
  )
  return [await accountOf(network.router, 'SimThorRouter', {}, storage)]
}
