import { privateKeyToAccount } from 'viem/accounts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import type { operations } from '../../generated/api.d.ts'

type QuoteRequest = operations['quote']['requestBody']['content']['application/json']

/** A well-known development key: nobody's money. */
export const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const OTHER_EVM = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const SOLANA_WALLET = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'
export const BITCOIN_WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

export const USDC = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
export const WETH_ETHEREUM = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'

/** `excludeVenues` of a request that is about one certain venue. */
export const allBut = (venue: string): string[] => {
  const ids = VENUE_DEFINITIONS.map(({ id }) => id)
  if (!ids.includes(venue)) throw new Error(`no such venue: ${venue}`)
  return ids.filter((id) => id !== venue)
}

/** 250 USDC from Base to Arbitrum by Across: a TRANSACTION. */
export const TRANSACTION_SWAP = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: USDC.base,
  outputToken: USDC.arbitrum,
  inputAmount: '250000000',
  userAddress: ACCOUNT.address,
  excludeVenues: allBut('across'),
} satisfies QuoteRequest

/** 1000 USDC to WETH on Ethereum by CoW: a SIGNATURE. */
export const SIGNATURE_SWAP = {
  inputChainId: 1,
  outputChainId: 1,
  inputToken: USDC.ethereum,
  outputToken: WETH_ETHEREUM,
  inputAmount: '1000000000',
  userAddress: ACCOUNT.address,
  excludeVenues: allBut('cow'),
} satisfies QuoteRequest

/** 0.05 BTC to USDC on Base by NEAR Intents: a DEPOSIT. */
export const DEPOSIT_SWAP = {
  inputChainId: -1,
  outputChainId: 8453,
  inputToken: NATIVE,
  outputToken: USDC.base,
  inputAmount: '5000000',
  userAddress: BITCOIN_WALLET,
  destinationAddress: ACCOUNT.address,
  excludeVenues: allBut('near-intents'),
} satisfies QuoteRequest
