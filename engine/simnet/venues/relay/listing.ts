import { Refusal } from '../../kit/refusal.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { currencyOf, isSolverCurrency, NETWORKS, type Network, networkById, SOLVERS } from './networks.ts'

const currencies = (network: Network, tokens: SimTokens) =>
  tokens.all
    .filter((token) => token.chainId === network.chainId && currencyOf(network, token) !== '')
    .map((token) => ({ token, address: currencyOf(network, token) }))

/** GET /chains. */
export const chainsBody = (tokens: SimTokens) => ({
  chains: NETWORKS.map((network) => {
    const { id, name, displayName, vm, depository, vault, router, approvalProxy, chainId, nativeCurrency } = network
    const { symbol, decimals } = tokens.native(chainId)
    const listed = currencies(network, tokens)
    const short = ({ token, address }: (typeof listed)[number]) => ({
      id: token.symbol.toLowerCase(),
      symbol: token.symbol,
      name: token.name,
      address,
      decimals: token.decimals,
    })
    return {
      id,
      name,
      displayName,
      vmType: vm,
      disabled: false,
      depositEnabled: true,
      blockProductionLagging: false,
      tokenSupport: 'All',
      currency: { id: symbol.toLowerCase(), symbol, name: symbol, address: nativeCurrency, decimals, supportsBridging: true },
      erc20Currencies: listed
        .filter(({ token }) => !token.isNative)
        .map((entry) => ({ ...short(entry), supportsBridging: isSolverCurrency(entry.token), supportsPermit: false })),
      solverCurrencies: listed.filter(({ token }) => isSolverCurrency(token)).map(short),
      contracts: vm === 'evm' ? { v3: { erc20Router: router, approvalProxy } } : {},
      solverAddresses: [SOLVERS[vm]],
      protocol: { v2: { chainId: name, depository, depositoryVault: vault } },
    }
  }),
})

type Wish = { readonly chainIds?: unknown; readonly term?: unknown; readonly address?: unknown; readonly limit?: unknown }
const WISHES = new Set([
  ...['chainIds', 'term', 'address', 'currencyId', 'tokens', 'verified', 'limit', 'defaultList', 'includeAllChains'],
  ...['useExternalSearch', 'depositAddressOnly'],
])
const LIMIT = 20

/** POST /currencies/v2. */
export const currenciesBody = (raw: unknown, tokens: SimTokens) => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Refusal(null, 'body must be object')
  const stranger = Object.keys(raw).find((field) => !WISHES.has(field))
  if (stranger !== undefined) throw new Refusal(null, `body must NOT have additional properties: ${stranger}`)
  const { chainIds, term, address, limit = LIMIT } = raw as Wish
  if (!Number.isInteger(limit) || Number(limit) < 1) throw new Refusal(null, 'body/limit must be integer')
  const chosen = Array.isArray(chainIds) ? chainIds.flatMap((id) => networkById(Number(id)) ?? []) : NETWORKS
  const wanted = typeof term === 'string' ? term.toLowerCase() : ''
  return chosen
    .flatMap((network) => currencies(network, tokens).map((entry) => ({ network, ...entry })))
    .filter(({ token }) => `${token.symbol} ${token.name}`.toLowerCase().includes(wanted))
    .filter((entry) => typeof address !== 'string' || entry.address.toLowerCase() === address.toLowerCase())
    .slice(0, Number(limit))
    .map(({ network, token, address: spelled }) => ({
      chainId: network.id,
      address: spelled,
      symbol: token.symbol,
      name: token.name,
      decimals: token.decimals,
      vmType: network.vm,
      metadata: { logoURI: '', verified: true, isNative: token.isNative },
    }))
}
