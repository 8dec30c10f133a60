import { formatUsd } from '../../kit/dollars.ts'
import type { Desk, Pair } from './desk.ts'
import type { QuoteRequest } from './request.ts'

const DEMO = "You are using Bebop's public API. For better prices and higher limits, get in touch."

export type Priced = { readonly amount: bigint; readonly minimum: bigint }

/** What both APIs answer of any quote; the request as it came, the amounts to the unit. */
export const quoteBody = (
  { world: { market }, network: { chainId } }: Desk,
  request: QuoteRequest,
  {
    pair,
    priced,
    expiry,
    quoteId,
  }: { readonly pair: Pair; readonly priced: Priced; readonly expiry: number; readonly quoteId: string },
) => {
  const { sell, buy } = pair
  const priceOf = (token: Pair['sell']) => Number(formatUsd(market.usdMicros(token)))
  const { slippageBps, isAuthenticated } = request
  return {
    requestId: `simulated-${quoteId}`,
    type: '121',
    quoteId,
    chainId,
    approvalType: request.approval,
    nativeToken: 'ETH',
    taker: request.taker,
    receiver: request.receiver,
    expiry,
    slippage: Number(slippageBps ?? 0n) / 100,
    buyTokens: {
      [buy.address]: {
        amount: priced.amount.toString(),
        minimumAmount: priced.minimum.toString(),
        decimals: buy.decimals,
        symbol: buy.symbol,
        priceUsd: priceOf(buy),
      },
    },
    sellTokens: {
      [sell.address]: {
        amount: request.amount.toString(),
        decimals: sell.decimals,
        symbol: sell.symbol,
        priceUsd: priceOf(sell),
      },
    },
    priceImpact: -0.01,
    warnings: [],
    ...(isAuthenticated ? {} : { info: DEMO }),
  }
}

/** What is guaranteed of an amount. */
export const minimumOf = (amount: bigint, { slippageBps }: QuoteRequest): bigint =>
  amount - (amount * (slippageBps ?? 0n) + 9_999n) / 10_000n
