import { type Address, addressOf } from '../../../engine/core/address.ts'
import { type Asset, parseAsset, type Token } from '../../../engine/core/asset.ts'
import type { Caller } from '../../../engine/core/caller.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { toOrder } from '../../../handlers/map/order.ts'

/** The request of every measured quote: USDC on Base to USDC on Arbitrum, everything named. */
export const QUOTE_BODY = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  inputAmount: '25000000',
  userAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  destinationAddress: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  slippageBps: 50,
  rankingMode: 'best_output',
} as const

export const TOKEN_KEY = 'b7'.repeat(32)

export const CHAINS_PATH = '/api/v1/chains'
export const QUOTE_PATH = '/api/v1/quote'

export const VENUES = 14

export const sampleOrder = (): VenueOrder => ({ ...toOrder(QUOTE_BODY, []), slippageBps: QUOTE_BODY.slippageBps })

export const ANYBODY: Caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1 }

const usdc = (chainId: ChainId, address: string): Token => {
  const asset: Asset | null = parseAsset(chainId, address)
  if (!asset) throw new TypeError(`not an asset: ${address}`)
  return { ...asset, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false }
}

/** The two tokens of the sample request, as their chains describe them. */
export const sampleTokens = (): readonly Token[] => [
  usdc(QUOTE_BODY.inputChainId, QUOTE_BODY.inputToken),
  usdc(QUOTE_BODY.outputChainId, QUOTE_BODY.outputToken),
]

/** The contract of the nth venue, one of its own. */
export const contractOf = (index: number): Address =>
  addressOf('evm', `0x${(index + 1).toString(16).padStart(2, '0').repeat(20)}`)
