/** The payment asset of one network: a dollar coin, on EVM chains with its EIP-712 domain. */
export type PaymentAsset = {
  /** CAIP-2. */
  readonly network: `${string}:${string}`
  /** Contract or mint. */
  readonly asset: string
  readonly decimals: number
  /** Equal to its `name()` and `version()`; null on Solana. */
  readonly domain: { readonly name: string; readonly version: string } | null
}

const USD_COIN = { decimals: 6, domain: { name: 'USD Coin', version: '2' } } as const

/** https://developers.circle.com/stablecoins/usdc-contract-addresses: chains with Circle's own USDC, which supports EIP-3009. */
export const PAYMENT_ASSETS: readonly PaymentAsset[] = [
  { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', ...USD_COIN },
  { network: 'eip155:1', asset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', ...USD_COIN },
  { network: 'eip155:137', asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', ...USD_COIN },
  {
    network: 'eip155:143',
    asset: '0x754704Bc059F8C67012fEd69BC8A327a5aafb603',
    decimals: 6,
    domain: { name: 'USDC', version: '2' },
  },
  { network: 'eip155:42161', asset: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', ...USD_COIN },
  { network: 'eip155:43114', asset: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', ...USD_COIN },
  {
    network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    decimals: 6,
    domain: null,
  },
]
