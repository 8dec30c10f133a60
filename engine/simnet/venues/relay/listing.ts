import { chainOf } from '../../../core/chain.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { currencyBody, NETWORKS, type Network, SOLVERS, SVM_DEPOSITORY } from './networks.ts'

const chainBody = (network: Network, tokens: SimTokens) => {
  const { chainId, id, name, vm, depository, nativeCurrency } = network
  const listed = tokens.all.filter((token) => token.chainId === chainId).map((token) => currencyBody(network, token))
  return {
    id,
    name,
    displayName: chainOf(chainId).name,
    vmType: vm,
    disabled: false,
    depositEnabled: true,
    blockProductionLagging: false,
    currency: listed.find(({ address }) => address === nativeCurrency),
    erc20Currencies: listed.filter(({ address }) => address !== nativeCurrency),
    solverAddresses: [SOLVERS[vm]],
    protocol: { v2: { chainId: name, depository, depositoryVault: vm === 'svm' ? SVM_DEPOSITORY.vault : null } },
  }
}

/** GET /chains. */
export const chainsBody = (tokens: SimTokens) => ({ chains: NETWORKS.map((network) => chainBody(network, tokens)) })
