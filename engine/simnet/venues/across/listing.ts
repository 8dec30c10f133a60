import { type ChainId, chainOf } from '../../../core/chain.ts'
import { formatUsd } from '../../kit/dollars.ts'
import { queryFields, readFields } from '../../kit/fields.ts'
import type { Market } from '../../kit/market.ts'
import { Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { bridgeClassOf, bridgedTokenOn, contractOf, findToken, isSvm, NETWORKS, type Network, ZERO_ADDRESS } from './networks.ts'
import { bridgeFees, limitsOf } from './pricing.ts'
import { INTEGER, misfit, ONE, RECIPIENT_NEEDED, readNetwork, readNetworks, wireToken } from './swapQuery.ts'

const chainBody = ({ chainId, wireId, name }: Network) => ({
  chainId: wireId,
  name,
  publicRpcUrl: `https://rpc.${wireId}.example`,
  explorerUrl: chainOf(chainId as ChainId).explorerUrl,
  logoUrl: `https://logos.example/chains/${wireId}.png`,
})

/** GET /swap/chains. */
export const chainsBody = () => NETWORKS.map(chainBody)

const CHAIN_ID = { required: { chainId: INTEGER }, optional: {} }

/** By `chainId`, which may be repeated or left out. */
const chosenBy = (query: URLSearchParams): readonly Network[] => {
  const chosen = query.getAll('chainId').map((chainId) => readFields({ chainId }, CHAIN_ID, misfit).chainId)
  return chosen.length > 0 ? chosen.map((wireId) => readNetwork(wireId, 'chainId')) : NETWORKS
}

const logoUrl = ({ symbol }: SimToken): string => `https://logos.example/tokens/${symbol}.png`

const priceUsd = (market: Market, token: SimToken): string | null => {
  const micros = market.usdMicros(token)
  return micros === 0n ? null : formatUsd(micros)
}

/** GET /swap/tokens. */
export const tokensBody = (query: URLSearchParams, tokens: SimTokens, market: Market) =>
  chosenBy(query).flatMap((network) =>
    tokens.all
      .filter(({ chainId }) => chainId === network.chainId)
      .map((token) => ({ ...wireToken(network, token), logoUrl: logoUrl(token), priceUsd: priceUsd(market, token) })),
  )

/** Tokens of a chain that the bridge itself carries, native coins among them. */
const bridgedOn = (network: Network, tokens: SimTokens): readonly SimToken[] =>
  tokens.all.filter((token) => token.chainId === network.chainId && bridgeClassOf(token) !== null)

/** GET /chains: api/chains.ts of across-protocol/frontend. */
export const bridgeChainsBody = (query: URLSearchParams, tokens: SimTokens) =>
  chosenBy(query).map((network) => {
    const listed = query.get('omitTokens') === 'true' ? [] : bridgedOn(network, tokens)
    const bodies = listed.map((token) => {
      const { symbol, name, decimals } = token
      return { address: contractOf(network, token), symbol, name, decimals, logoUrl: logoUrl(token) }
    })
    const { spokePool } = network
    return { ...chainBody(network), spokePool, spokePoolBlock: 1, inputTokens: bodies, outputTokens: bodies }
  })

const routeBody = (tokens: SimTokens, origin: Network, input: SimToken, destination: Network) => {
  const bridgeClass = bridgeClassOf(input)
  const output = bridgeClass && bridgedTokenOn(tokens, destination, bridgeClass)
  if (!output || destination === origin) return []
  const route = {
    originChainId: origin.wireId,
    originToken: contractOf(origin, input),
    destinationChainId: destination.wireId,
    destinationToken: output.address,
    originTokenSymbol: input.symbol,
    destinationTokenSymbol: input.isNative ? input.symbol : output.symbol,
    isNative: input.isNative,
  }
  return [route]
}

/** GET /available-routes, filtered by what routes say: api/available-routes.ts of across-protocol/frontend. */
export const availableRoutesBody = (query: URLSearchParams, tokens: SimTokens) =>
  NETWORKS.flatMap((origin) => bridgedOn(origin, tokens).map((input) => ({ origin, input })))
    .flatMap(({ origin, input }) => NETWORKS.flatMap((destination) => routeBody(tokens, origin, input, destination)))
    .filter((route) =>
      Object.entries(route).every(([name, value]) => {
        const wanted = name === 'isNative' ? null : query.get(name)
        return wanted === null || wanted.toLowerCase() === String(value).toLowerCase()
      }),
    )

const readPair = (query: URLSearchParams, tokens: SimTokens) => {
  const { originChainId, destinationChainId, inputToken, outputToken } = queryFields(query)
  const ids = { required: { originChainId: INTEGER, destinationChainId: INTEGER }, optional: {} }
  const { origin, destination } = readNetworks(readFields({ originChainId, destinationChainId }, ids, misfit))
  const input = findToken(tokens, origin, String(inputToken))
  const output = findToken(tokens, destination, String(outputToken))
  if (!input || !output || bridgeClassOf(input) === null || bridgeClassOf(input) !== bridgeClassOf(output))
    throw new Refusal('ROUTE_NOT_ENABLED', 'Route is not enabled')
  refuseIf(isSvm(destination) && !query.has('recipient'), 'INVALID_PARAM', RECIPIENT_NEEDED, { param: 'recipient' })
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
  const { amount } = readFields({ amount: query.get('amount') }, { required: { amount: INTEGER }, optional: {} }, misfit)
  const fees = bridgeFees(market, input, amount, destination)
  const part = (total: bigint) => ({ pct: ((total * ONE) / amount).toString(), total: total.toString() })
  const [capital, gas, relay] = [part(fees.relayerCapital), part(fees.destinationGas), part(fees.total)]
  const tokenBody = (network: Network, token: SimToken) => ({ ...wireToken(network, token), address: contractOf(network, token) })
  return {
    estimatedFillTimeSec: 3,
    // The older names beside the newer ones.
    capitalFeePct: capital.pct,
    capitalFeeTotal: capital.total,
    relayGasFeePct: gas.pct,
    relayGasFeeTotal: gas.total,
    relayFeePct: relay.pct,
    relayFeeTotal: relay.total,
    lpFeePct: '0',
    totalRelayFee: relay,
    relayerCapitalFee: capital,
    relayerGasFee: gas,
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
    inputToken: tokenBody(origin, input),
    outputToken: tokenBody(destination, output),
  }
}
