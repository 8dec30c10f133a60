import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { CHAINS } from '../../../core/chain.ts'
import type { Market } from '../../kit/market.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

const BLOCKCHAINS: { readonly [chainId: number]: string } = {
  1: 'eth',
  10: 'op',
  56: 'bsc',
  137: 'pol',
  143: 'monad',
  8453: 'base',
  42161: 'arb',
  43114: 'avax',
  '-2': 'sol',
  '-1': 'btc',
}

/** Chains whose assets came over the HOT bridge and are named by its ids. */
const HOT_CHAINS: ReadonlySet<number> = new Set([10, 56, 137, 143, 43114])
const BITCOIN_ID = '1cs_v1:btc:native:coin'
const OLD_BITCOIN_ID = 'nep141:btc.omft.near'

/** Tokens of chains this service does not know, which the real list is mostly made of. */
const OTHER_ROWS = [
  { assetId: 'nep141:wrap.near', decimals: 24, blockchain: 'near', symbol: 'wNEAR', price: 2.41, contractAddress: 'wrap.near' },
  { assetId: 'nep141:zec.omft.near', decimals: 8, blockchain: 'zec', symbol: 'ZEC', price: 511.2 },
  {
    assetId: '1cs_v1:hypercore:erc20:0x',
    decimals: 8,
    blockchain: 'hypercore',
    symbol: 'HYPE',
    price: 27.3,
    contractAddress: '0x',
  },
]

const hotId = ({ chainId, address, isNative }: SimToken): string =>
  `nep245:v2_1.omni.hot.tg:${chainId}_${isNative ? '11111111111111111111' : base58.encode(hexToBytes(address.slice(2).toLowerCase()))}`

/** The last twenty bytes of the mint's hash stand for it, as an address made from a public key would. */
const solanaId = ({ address, isNative }: SimToken): string =>
  isNative ? 'nep141:sol.omft.near' : `nep141:sol-${bytesToHex(keccak_256(base58.decode(address))).slice(-40)}.omft.near`

const assetIdOf = (token: SimToken): string => {
  const blockchain = BLOCKCHAINS[token.chainId]
  if (blockchain === 'btc') return BITCOIN_ID
  if (blockchain === 'sol') return solanaId(token)
  if (HOT_CHAINS.has(token.chainId)) return hotId(token)
  return `nep141:${blockchain}${token.isNative ? '' : `-${token.address.toLowerCase()}`}.omft.near`
}

/** The venue lists native coins, not their ERC-20 forms. */
const isWrappedNative = ({ chainId, address }: SimToken): boolean =>
  CHAINS.some((chain) => chain.chainId === chainId && chain.wrappedNative === address)

const contractOf = ({ chainId, address, isNative }: SimToken): string | undefined => {
  if (isNative) return chainId === -1 ? 'coin' : undefined
  return chainId > 0 ? address.toLowerCase() : address
}

export type ListedAsset = { readonly token: SimToken; readonly assetId: string }

export interface Listing {
  /** Body of `GET /v0/tokens`. */
  rows(now: number, decimalsShift: number): readonly object[]
  /** The asset behind an id, under the id the venue works with; null when there is none. */
  find(assetId: string): ListedAsset | null
}

export const createListing = (tokens: SimTokens, market: Market): Listing => {
  // Not tokens that keep part of a transfer either: less would arrive than is withdrawn.
  const listed = tokens.all.filter((token) => token.chainId in BLOCKCHAINS && !isWrappedNative(token) && !token.takesTransferFee)
  const byId = new Map<string, ListedAsset>(listed.map((token) => [assetIdOf(token), { token, assetId: assetIdOf(token) }]))
  const find = (assetId: string) => byId.get(assetId === OLD_BITCOIN_ID ? BITCOIN_ID : assetId) ?? null

  const rows: Listing['rows'] = (now, decimalsShift) => {
    const row = (token: SimToken, assetId: string, contractAddress: string | undefined) => ({
      assetId,
      decimals: Math.max(0, token.decimals + decimalsShift),
      blockchain: BLOCKCHAINS[token.chainId],
      symbol: token.symbol,
      price: Number(market.usdMicros(token)) / 1_000_000,
      priceUpdatedAt: new Date(now).toISOString(),
      ...(contractAddress === undefined ? {} : { contractAddress }),
    })
    // The deprecated id of bitcoin is still listed, and comes first.
    const oldBitcoin = row(tokens.native(-1), OLD_BITCOIN_ID, undefined)
    const others = OTHER_ROWS.map((other) => ({ ...other, priceUpdatedAt: new Date(now).toISOString() }))
    return [oldBitcoin, ...others, ...listed.map((token) => row(token, assetIdOf(token), contractOf(token)))]
  }
  return { rows, find }
}
