import { BITCOIN, type ChainId } from '../../../core/chain.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

/** One chain as the network has it. Fees in eight decimals of its coin: by answers of April and June 2026, others alike. */
export type Network = {
  readonly chainId: ChainId
  readonly code: string
  readonly vault: string
  readonly router: string | null
  readonly outboundFee: bigint
  readonly gas: readonly [rate: string, units: string]
  /** Symbols of tokens that have a pool, beside the coin. */
  readonly tokens: readonly string[]
}

const VAULT = '0x4feea1caeea66b3351ddba68bd80c37c9ed6c3c8'
const ROUTER_6 = '0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4'

export const NETWORKS: readonly Network[] = [
  {
    ...{ chainId: 1, code: 'ETH', vault: VAULT, router: '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146', outboundFee: 15_820n },
    ...{ gas: ['15', 'gwei'], tokens: ['USDC', 'USDT', 'WBTC', 'DAI'] },
  },
  {
    ...{ chainId: 56, code: 'BSC', vault: VAULT, router: '0xb30eC53F98ff5947EDe720D32aC2da7e52A5f56b', outboundFee: 19_500n },
    ...{ gas: ['2', 'gwei'], tokens: ['USDC', 'USDT'] },
  },
  {
    ...{ chainId: 8453, code: 'BASE', vault: VAULT, router: ROUTER_6, outboundFee: 6_327n },
    ...{ gas: ['150', 'mwei'], tokens: ['USDC', 'cbBTC'] },
  },
  {
    ...{ chainId: 43114, code: 'AVAX', vault: VAULT, router: ROUTER_6, outboundFee: 480_000n },
    ...{ gas: ['25', 'nAVAX'], tokens: ['USDC'] },
  },
  {
    ...{ chainId: BITCOIN, code: 'BTC', vault: 'bc1qct4mxayrdy96d4py20l4u02mu06r667f42p9fp', router: null },
    ...{ outboundFee: 2_400n, gas: ['4', 'satsperbyte'], tokens: [] },
  },
]

export const networkOf = (chainId: number): Network | null => NETWORKS.find((network) => network.chainId === chainId) ?? null

/** A pool: its asset, and how the network writes that. */
export type Pool = { readonly name: string; readonly network: Network; readonly token: SimToken }

export const poolsOf = (tokens: SimTokens): readonly Pool[] =>
  NETWORKS.flatMap((network) =>
    tokens.all
      .filter(({ chainId, symbol, isNative }) => chainId === network.chainId && (isNative || network.tokens.includes(symbol)))
      .map((token) => {
        const { symbol, isNative, address } = token
        const name = isNative ? symbol : `${symbol.toUpperCase()}-${address.toUpperCase()}`
        return { name: `${network.code}.${name}`, network, token }
      }),
  )

/** `MapShortCode` of THORNode. */
const LETTERS: { readonly [letter: string]: string } = { b: 'BTC.BTC', e: 'ETH.ETH', s: 'BSC.BNB', a: 'AVAX.AVAX', f: 'BASE.ETH' }

/** By its name, a letter, its ticker alone, or the end of its contract; null where none or several fit. */
export const findPool = (pools: readonly Pool[], text: string): Pool | null => {
  const name = (LETTERS[text.toLowerCase()] ?? text).toUpperCase()
  const [ticker, contract = ''] = name.split('-')
  const fitting = pools.filter((pool) => {
    const [own, address = ''] = pool.name.split('-')
    return own === ticker && address.endsWith(contract)
  })
  const [only, ...others] = fitting
  return fitting.find((pool) => pool.name === name) ?? (others.length === 0 ? only : null) ?? null
}
