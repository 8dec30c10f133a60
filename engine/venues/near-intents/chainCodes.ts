import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'

/** The venue's code of each chain we both know: https://docs.near-intents.org/resources/chain-support */
export const CHAIN_CODES: { readonly [chainId in ChainId]?: string } = {
  1: 'eth',
  10: 'op',
  56: 'bsc',
  137: 'pol',
  143: 'monad',
  8453: 'base',
  42161: 'arb',
  43114: 'avax',
  [SOLANA]: 'sol',
  [BITCOIN]: 'btc',
}
