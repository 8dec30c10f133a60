import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { DEV_ACCOUNT } from '../../scripts/client/evm.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'

export const ACCOUNT = DEV_ACCOUNT
export const OTHER_EVM = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
export const SOLANA_WALLET = 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'
export const BITCOIN_WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
/** `excludeVenues` of a request that is about one certain venue. */
export const allBut = (venue: string): string[] => {
  const ids = VENUE_DEFINITIONS.map(({ id }) => id)
  if (!ids.includes(venue)) throw new Error(`no such venue: ${venue}`)
  return ids.filter((id) => id !== venue)
}

/** 250 USDC from Base to Arbitrum. */
export const USDC_SWAP = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: USDC.base,
  outputToken: USDC.arbitrum,
  inputAmount: '250000000',
  userAddress: ACCOUNT.address,
} satisfies QuoteRequest

/** By Across: a TRANSACTION. */
export const TRANSACTION_SWAP = { ...USDC_SWAP, excludeVenues: allBut('across') } satisfies QuoteRequest

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
