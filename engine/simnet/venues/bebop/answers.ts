import { formatUsd } from '../../kit/dollars.ts'
import type { Desk, Pair } from './desk.ts'
import type { QuoteRequest } from './request.ts'

const DEMO = "You are using Bebop's public API. For better prices and higher limits, get in touch."

export type Priced = { readonly amount: bigint; readonly minimum: bigint }

type Answered = { readonly pair: Pair; readonly priced: Priced; readonly expiry: number; readonly quoteId: string }

/** What both APIs answer of any quote; the request as it came, the amounts to the unit. */
export const quoteBody = (
  { world: { market }, network: { chainId } }: Desk,
  request: QuoteRequest,
  { pair: { sell, buy }, priced, expiry, quoteId }: Answered,
) => {
  const token = ({ address, decimals, symbol, ...rest }: Pair['sell'], amounts: { readonly [name: string]: bigint }) => {
    const priceUsd = Number(formatUsd(market.usdMicros({ address, decimals, symbol, ...rest })))
    const digits = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount.toString()]))
    return { [address]: { ...digits, decimals, symbol, priceUsd } }
  }
  const { slippageBps, isAuthenticated, taker, receiver, approval } = request
  return {
    ...{ requestId: `simulated-${quoteId}`, type: '121', quoteId, chainId, approvalType: approval, nativeToken: 'ETH' },
    ...{ taker, receiver, expiry, slippage: Number(slippageBps ?? 0n) / 100 },
    buyTokens: token(buy, { amount: priced.amount, minimumAmount: priced.minimum }),
    sellTokens: token(sell, { amount: request.amount }),
    priceImpact: -0.01,
    warnings: [],
    ...(isAuthenticated ? {} : { info: DEMO }),
  }
}

/** What is guaranteed of an amount. */
export const minimumOf = (amount: bigint, { slippageBps }: QuoteRequest): bigint =>
  amount - (amount * (slippageBps ?? 0n) + 9_999n) / 10_000n
