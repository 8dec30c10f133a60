import { parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { bpsOf, toAmount } from '../../core/amount.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf, SOLANA } from '../../core/chain.ts'
import type { Binding, TransactionPayload } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { isSameAddress } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { fractionOf } from '../kit/fractionOf.ts'
import { grossUp } from '../kit/reprice.ts'
import { rejected, VenueError } from '../venueError.ts'
import { type Pinned, toWireChain } from './published.ts'
import { feeCost, type WireQuote, type WireToken } from './wire.ts'

export const VENUE_ID = 'lifi'

/** `integrator`: the registered name; `fee` only with it. */
export type Ask = {
  readonly order: VenueOrder
  readonly binding: Binding
  readonly slippageBps: number
  readonly integrator: string | null
  /** Basis points; 0 requests no fee. */
  readonly feeBps: number
  /** Bridges with provable calls. */
  readonly bridges: readonly string[]
}

/** SOL itself: our mint for native SOL is WSOL there. Source: the overview of Solana on docs.li.fi. */
const WIRE_SOL = '1'.repeat(32)

const toWireToken = (asset: Asset): string => {
  if (!isNative(asset)) return asset.address
  return asset.chainId === SOLANA ? WIRE_SOL : ZERO_EVM_ADDRESS
}

/** LI.FI's own bound on the price impact; its default is a tenth. */
const PRICE_IMPACT_MAX = '0.05'

type Query = { readonly [name: string]: string }

/** Query of GET /v1/quote. */
export const toQuery = ({ order, binding, slippageBps, integrator, feeBps, bridges }: Ask): Query => ({
  fromChain: String(toWireChain(order.input.chainId)),
  toChain: String(toWireChain(order.output.chainId)),
  fromToken: toWireToken(order.input),
  toToken: toWireToken(order.output),
  fromAmount: order.inputAmount.toString(),
  fromAddress: order.sender,
  toAddress: binding.recipient,
  slippage: fractionOf(slippageBps),
  order: order.rankingMode === 'fastest' ? 'FASTEST' : 'CHEAPEST',
  maxPriceImpact: PRICE_IMPACT_MAX,
  allowBridges: bridges.length === 0 ? 'none' : bridges.join(),
  // Otherwise LI.FI's own contract is the recipient on the other chain.
  allowDestinationCall: 'false',
  ...(integrator === null ? {} : { integrator }),
  ...(integrator === null || feeBps === 0 ? {} : { fee: fractionOf(feeBps) }),
})

const isToken = ({ address, chainId }: WireToken, asset: Asset): boolean => {
  const ecosystem = ecosystemOf(asset.chainId)
  const spelled = ecosystem === 'evm' ? address.toLowerCase() : address
  return chainId === toWireChain(asset.chainId) && parseAddress(ecosystem, spelled) === toWireToken(asset)
}

const isAddress = (chainId: ChainId, told: string | null | undefined, address: string): boolean => {
  const ecosystem = ecosystemOf(chainId)
  return told == null || parseAddress(ecosystem, ecosystem === 'evm' ? told.toLowerCase() : told) === address
}

/** The sum of the reported fees in one asset. An unreadable row counts as zero. */
const feesIn = ({ feeCosts }: WireQuote['estimate'], asset: Asset, included: boolean): bigint =>
  (feeCosts ?? []).reduce<bigint>((sum, row) => {
    const fee = feeCost.readOrNull(row)
    return fee?.included === included && isToken(fee.token, asset) ? sum + BigInt(fee.amount) : sum
  }, 0n)

/** An answer after the check against its request. */
export type Terms = {
  readonly expected: bigint
  readonly minimum: bigint
  readonly payload: TransactionPayload
  /** The reported fees on the input. */
  readonly feesTold: bigint
}

/** Checks an answer against the request. Throws VenueError. */
export const toTerms = (
  { action, estimate, transactionRequest }: WireQuote,
  { order, binding }: Ask,
  { diamonds }: Pinned,
): Terms => {
  const { input, output, inputAmount, sender } = order
  const diamond = diamonds[input.chainId]?.find((one) => isSameAddress(transactionRequest.to, one))
  const [expected, minimum] = [BigInt(estimate.toAmount), BigInt(estimate.toAmountMin)]
  const value = BigInt(transactionRequest.value)
  const isOfCoins = isNative(input)
  demand('lifi answered with', {
    'another chain': [transactionRequest.chainId === input.chainId, transactionRequest.chainId],
    'another input token': isToken(action.fromToken, input) && action.fromChainId === toWireChain(input.chainId),
    'another output token': isToken(action.toToken, output) && action.toChainId === toWireChain(output.chainId),
    'another input amount': BigInt(action.fromAmount) === inputAmount && BigInt(estimate.fromAmount) === inputAmount,
    'another sender': [isAddress(input.chainId, action.fromAddress, sender), action.fromAddress],
    'another recipient': [isAddress(output.chainId, action.toAddress, binding.recipient), action.toAddress],
    'another minimum': minimum <= expected,
  })
  if (diamond === undefined) throw rejected('contract', 'lifi: a route by another contract', transactionRequest.to)
  if (!isOfCoins && !isSameAddress(estimate.approvalAddress, diamond))
    throw rejected('spender', 'lifi: an allowance for another contract', estimate.approvalAddress)
  const beside = value - (isOfCoins ? inputAmount : 0n)
  // A fee that is not included is paid on top: `FeeCost` of @lifi/types 18.4.0. Such routes are not sold.
  if (beside !== 0n && beside === feesIn(estimate, nativeAsset(input.chainId), false))
    throw new VenueError('unsupportedPair', 'lifi: a route with a fee beside the input', { reason: 'notSold' })
  if (beside !== 0n) throw rejected('value', 'lifi: coins beside the input', value)
  if (minimum === 0n) throw new VenueError('amountTooSmall', 'the output comes to nothing')
  const transaction = { chainId: input.chainId, to: diamond, data: transactionRequest.data.toLowerCase(), value: toAmount(value) }
  return {
    expected,
    minimum,
    payload: { executionType: 'TRANSACTION', transaction },
    feesTold: feesIn(estimate, input, true),
  }
}

/** The gas of the swap itself; the engine counts an approval separately. */
const gasOf = ({ estimate: { gasCosts } }: WireQuote): bigint | null => {
  const own = (gasCosts ?? []).flatMap((row) => {
    const { type, estimate } = (row ?? {}) as { readonly [name: string]: unknown }
    return (type === 'SEND' || type === 'SUM') && /^\d{1,12}$/.test(String(estimate)) ? [BigInt(String(estimate))] : []
  })
  return own.length === 0 ? null : own.reduce((sum, one) => sum + one, 0n)
}

/** LI.FI states no time: a quote is to be executed at once. Execute requests another one, and enforces the quoted minimum. */
const LIFETIME_MS = 30_000

/**
 * The promise until execute, which asks again. A plain bridge may state its exact output as its minimum, and one more unit of
 * relayer gas would otherwise void the quote.
 */
const promisedOf = ({ expected, minimum }: Terms, slippageBps: number): bigint => {
  const least = expected - bpsOf(expected, slippageBps)
  return minimum < least ? minimum : least
}

export const toOffer = (answer: WireQuote, terms: Terms, { order, feeBps, slippageBps }: Ask, now: number): Offer => {
  const { estimate, action } = answer
  const { executionDuration } = estimate
  return {
    venue: VENUE_ID,
    executionType: 'TRANSACTION',
    outputAmount: toAmount(terms.expected),
    fee: { bps: feeBps, amount: toAmount(grossUp(terms.expected, feeBps, feeBps)) },
    slippage: { isFirm: true, guaranteedMin: toAmount(promisedOf(terms, slippageBps)) },
    gasUnits: gasOf(answer),
    spender: isNative(order.input) ? null : terms.payload.transaction.to,
    nativeFee: toAmount(0n),
    estimatedTimeSeconds: executionDuration == null ? null : Math.ceil(executionDuration),
    expiresAt: now + LIFETIME_MS,
    decimals: { input: action.fromToken.decimals ?? null, output: action.toToken.decimals ?? null },
    carry: { v: 1 },
  }
}
