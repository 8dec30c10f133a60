import type { Artifacts } from '../contracts/artifacts.ts'
import type { SimToken } from '../kit/tokens.ts'
import type { GenesisAccount } from './anvilNode.ts'
import { tokenAccounts } from './evmTokens.ts'

/** What a venue has on a chain. */
export type ContractsOf = (chainId: number, artifacts: Artifacts) => Promise<readonly GenesisAccount[]>

export type GenesisParts = {
  readonly tokens: readonly SimToken[]
  readonly contracts: readonly ContractsOf[]
  readonly artifacts: Artifacts
}

/** Everything that is on a chain before its first transaction. Throws where two contracts claim one address. */
export const genesisOf = async (
  chainId: number,
  { tokens, contracts, artifacts }: GenesisParts,
): Promise<readonly GenesisAccount[]> => {
  const own = tokens.filter((token) => token.chainId === chainId)
  const accounts = (await Promise.all([tokenAccounts(own, artifacts), ...contracts.map((of) => of(chainId, artifacts))])).flat()
  const taken = new Set<string>()
  for (const { address } of accounts) {
    if (taken.has(address.toLowerCase())) throw new Error(`two contracts at ${address} of chain ${chainId}`)
    taken.add(address.toLowerCase())
  }
  return accounts
}
