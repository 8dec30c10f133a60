import { chainOf } from '../../../core/chain.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { currencyBody, isSolverCurrency, NETWORKS, type Network, SOLVERS, SVM_DEPOSITORY } from './networks.ts'

const chainBody = (network: Network, tokens: SimTokens) => {
  const { chainId, id, name, vm, depository, router, approvalProxy, nativeCurrency } = network
  const listed = tokens.all
    .filter((token) => token.chainId === chainId)
    .map((token) => {
      const facts = { id: token.symbol.toLowerCase(), supportsBridging: isSolverCurrency(token), supportsPermit: false }
      return { ...currencyBody(network, token), ...facts }
    })
  return {
    id,
    name,
    displayName: chainOf(chainId).name,
    vmType: vm,
    disabled: false,
    depositEnabled: true,
    blockProductionLagging: false,
    tokenSupport: 'All',
    currency: listed.find(({ address }) => address === nativeCurrency),
    erc20Currencies: listed.filter(({ address }) => address !== nativeCurrency),
    solverCurrencies: listed.filter(({ supportsBridging }) => supportsBridging),
    contracts: vm === 'evm' ? { v3: { erc20Router: router, approvalProxy } } : {},
    solverAddresses: [SOLVERS[vm]],
    protocol: { v2: { chainId: name, depository, depositoryVault: vm === 'svm' ? SVM_DEPOSITORY.vault : null } },
  }
}

/** GET /chains. */
export const chainsBody = (tokens: SimTokens) => ({ chains: NETWORKS.map((network) => chainBody(network, tokens)) })
