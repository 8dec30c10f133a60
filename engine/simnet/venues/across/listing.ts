import { type ChainId, chainOf } from '../../../core/chain.ts'
import { formatUsd } from '../../kit/dollars.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import {
  bridgeClassOf,
  bridgedTokenOn,
  contractOf,
  findToken,
  isSvm,
  NETWORKS,
  type Network,
  networkByWireId,
  ZERO_ADDRESS,
} from './networks.ts'
import { bridgeFees, limitsOf } from './pricing.ts'
import { invalidParam } from './refusal.ts'
import { ONE } from './swapQuery.ts'

/** GET /swap/chains. */
export const chainsBody = () =>
  NETWORKS.map(({ chainId, wireId, name }) => ({
    chainId: wireId,
    name,
    publicRpcUrl: `https://rpc.${wireId}.example`,
    explorerUrl: chainOf(chainId as ChainId).explorerUrl,
    logoUrl: `https://logos.example/chains/${wireId}.png`,
  }))

const listedToken = (network: Network, token: SimToken, market: Market) => ({
  chainId: network.wireId,
  address: token.isNative && !isSvm(network) ? ZERO_ADDRESS : token.address,
  name: token.name,
  symbol: token.symbol,
  decimals: token.decimals,
  logoUrl: `https://logos.example/tokens/${token.symbol}.png`,
  priceUsd: market.usdMicros(token) === 0n ? null : formatUsd(market.usdMicros(token)),
})

const networkOf = (text: string | null, param: string): Network => {
  const network = /^[1-9][0-9]{0,19}$/.test(text ?? '') ? networkByWireId(BigInt(text ?? '0')) : null
  if (!network) throw invalidParam(param, `Unsupported chain id: ${text}`)
  return network
}

/** GET /swap/tokens?chainId=, which may be repeated or left out. */
export const tokensBody = (query: URLSearchParams, tokens: SimTokens, market: Market) => {
  const chosen = query.getAll('chainId').map((text) => networkOf(text, 'chainId'))
  const networks = chosen.length > 0 ? chosen : NETWORKS
  return networks.flatMap((network) =>
    tokens.all.filter(({ chainId }) => chainId === network.chainId).map((token) => listedToken(network, token, market)),
  )
}

/** Tokens of a chain that the bridge itself carries, native coins among them. */
const bridgedOn = (network: Network, tokens: SimTokens): readonly SimToken[] =>
  tokens.all.filter((token) => token.chainId === network.chainId && bridgeClassOf(token) !== null)

const chainToken = (network: Network, token: SimToken) => ({
  address: contractOf(network, token),
  symbol: token.symbol,
  name: token.name,
  decimals: token.decimals,
  logoUrl: `https://logos.example/tokens/${token.symbol}.png`,
})

/** GET /chains: api/chains.ts of across-protocol/frontend. */
export const bridgeChainsBody = (query: URLSearchParams, tokens: SimTokens) => {
  const chosen = query.getAll('chainId').map((text) => networkOf(text, 'chainId'))
  const omitsTokens = query.get('omitTokens') === 'true'
  return (chosen.length > 0 ? chosen : NETWORKS).map((network) => {
    const listed = omitsTokens ? [] : bridgedOn(network, tokens).map((token) => chainToken(network, token))
    return {
      chainId: network.wireId,
      name: network.name,
      publicRpcUrl: `https://rpc.${network.wireId}.example`,
      explorerUrl: chainOf(network.chainId as ChainId).explorerUrl,
      logoUrl: `https://logos.example/chains/${network.wireId}.png`,
      spokePool: network.spokePool,
      spokePoolBlock: 1,
      inputTokens: listed,
      outputTokens: listed,
    }
  })
}

const ROUTE_FILTERS = [
  'originChainId',
  'originToken',
  'destinationChainId',
  'destinationToken',
  'originTokenSymbol',
  'destinationTokenSymbol',
] as const

/** GET /available-routes: api/available-routes.ts of across-protocol/frontend. */
export const availableRoutesBody = (query: URLSearchParams, tokens: SimTokens) => {
  const routes = NETWORKS.flatMap((origin) =>
    bridgedOn(origin, tokens).flatMap((input) =>
      NETWORKS.filter((destination) => destination !== origin).flatMap((destination) => {
        const bridgeClass = bridgeClassOf(input)
        const output = bridgeClass && bridgedTokenOn(tokens, destination, bridgeClass)
        if (!output) return []
        return [
          {
            originChainId: origin.wireId,
            originToken: contractOf(origin, input),
            destinationChainId: destination.wireId,
            destinationToken: output.address,
            originTokenSymbol: input.symbol,
            destinationTokenSymbol: input.isNative ? input.symbol : output.symbol,
            isNative: input.isNative,
          },
        ]
      }),
    ),
  )
  return routes.filter((route) =>
    ROUTE_FILTERS.every((name) => {
      const wanted = query.get(name)
      return wanted === null || wanted.toLowerCase() === String(route[name]).toLowerCase()
    }),
  )
}

type Pair = { readonly origin: Network; readonly destination: Network; readonly input: SimToken; readonly output: SimToken }

const readPair = (query: URLSearchParams, tokens: SimTokens): Pair => {
  const origin = networkOf(query.get('originChainId'), 'originChainId')
  const destination = networkOf(query.get('destinationChainId'), 'destinationChainId')
  if (origin === destination) throw new Refusal('INVALID_PARAM', 'Origin and destination chains cannot be the same')
  const input = findToken(tokens, origin, query.get('inputToken') ?? '')
  const output = findToken(tokens, destination, query.get('outputToken') ?? '')
  if (!input || !output) throw new Refusal('ROUTE_NOT_ENABLED', 'Route is not enabled')
  if (bridgeClassOf(input) === null || bridgeClassOf(input) !== bridgeClassOf(output))
    throw new Refusal('ROUTE_NOT_ENABLED', 'Route is not enabled')
  if (isSvm(destination) && !query.has('recipient'))
    throw invalidParam('recipient', 'Recipient is required for routes involving Solana')
  return { origin, destination, input, output }
}

const asText = (amounts: { readonly [name: string]: bigint }): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount.toString()]))

/** GET /limits. */
export const limitsBody = (query: URLSearchParams, tokens: SimTokens, market: Market) => {
  const { input, destination } = readPair(query, tokens)
  return asText(limitsOf(market, input, destination))
}

/** GET /suggested-fees: the bridge alone. */
export const suggestedFeesBody = (query: URLSearchParams, tokens: SimTokens, market: Market, quoteTimestamp: number) => {
  const { origin, destination, input, output } = readPair(query, tokens)
  const text = query.get('amount') ?? ''
  if (!/^[1-9][0-9]{0,77}$/.test(text))
    throw invalidParam('amount', "Invalid parameter at path 'amount'. Expected type 'positiveIntStr'")
  const amount = BigInt(text)
  const fees = bridgeFees(market, input, amount, destination)
  const part = (total: bigint) => ({ pct: ((total * ONE) / amount).toString(), total: total.toString() })
  const sideOf = (network: Network, token: SimToken) => ({
    address: contractOf(network, token),
    symbol: token.symbol,
    decimals: token.decimals,
    chainId: network.wireId,
  })
  return {
    estimatedFillTimeSec: 3,
    // The older names beside the newer ones.
    capitalFeePct: part(fees.relayerCapital).pct,
    capitalFeeTotal: fees.relayerCapital.toString(),
    relayGasFeePct: part(fees.destinationGas).pct,
    relayGasFeeTotal: fees.destinationGas.toString(),
    relayFeePct: part(fees.total).pct,
    relayFeeTotal: fees.total.toString(),
    lpFeePct: '0',
    totalRelayFee: part(fees.total),
    relayerCapitalFee: part(fees.relayerCapital),
    relayerGasFee: part(fees.destinationGas),
    lpFee: part(fees.lp),
    timestamp: String(quoteTimestamp),
    isAmountTooLow: fees.total * 4n > amount,
    quoteBlock: String(Math.floor(quoteTimestamp / 12)),
    exclusiveRelayer: ZERO_ADDRESS,
    exclusivityDeadline: 0,
    spokePoolAddress: origin.spokePool,
    destinationSpokePoolAddress: destination.spokePool,
    limits: asText(limitsOf(market, input, destination)),
    fillDeadline: String(quoteTimestamp + 7_200),
    outputAmount: (fees.total < amount ? market.convert(input, amount - fees.total, output) : 0n).toString(),
    inputToken: sideOf(origin, input),
    outputToken: sideOf(destination, output),
  }
}
