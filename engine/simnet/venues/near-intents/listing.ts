import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { BITCOIN, CHAINS, SOLANA } from '../../../core/chain.ts'
import type { Market } from '../../kit/market.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import others from './otherRows.json' with { type: 'json' }

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
const HOT_CHAINS: ReadonlySet<number> = new Set([10, 143])
/** Chains that moved on from there to the Omni Bridge, by its names: docs.near-intents.org, changelog of 9 November 2026. */
const OMNI_CHAINS: { readonly [chainId: number]: string } = { 56: 'bnb', 137: 'pol', 43114: 'avax' }
const BITCOIN_ID = '1cs_v1:btc:native:coin'
const OLD_BITCOIN_ID = 'nep141:btc.omft.near'

const hotId = ({ chainId, address, isNative }: SimToken): string =>
  `nep245:v2_1.omni.hot.tg:${chainId}_${isNative ? '11111111111111111111' : base58.encode(hexToBytes(address.slice(2).toLowerCase()))}`

/** The last twenty bytes of the mint's hash stand for it, as an address made from a public key would. */
const solanaId = ({ address, isNative }: SimToken): string =>
  isNative ? 'nep141:sol.omft.near' : `nep141:sol-${bytesToHex(keccak_256(base58.decode(address))).slice(-40)}.omft.near`

const assetIdOf = (token: SimToken): string => {
  if (token.chainId === BITCOIN) return BITCOIN_ID
  if (token.chainId === SOLANA) return solanaId(token)
  if (HOT_CHAINS.has(token.chainId)) return hotId(token)
  const omni = OMNI_CHAINS[token.chainId]
  const address = token.isNative ? '' : `-${token.address.toLowerCase()}`
  return omni === undefined ? `nep141:${BLOCKCHAINS[token.chainId]}${address}.omft.near` : `nep141:${omni}${address}.omdep.near`
}

/** The venue lists native coins, not their ERC-20 forms. */
const isWrappedNative = ({ chainId, address }: SimToken): boolean =>
  CHAINS.some((chain) => chain.chainId === chainId && chain.wrappedNative === address)

const contractOf = ({ chainId, address, isNative }: SimToken): string | undefined => {
  if (isNative) return chainId === BITCOIN ? 'coin' : undefined
  return chainId === SOLANA ? address : address.toLowerCase()
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
  const byId = new Map(listed.map((token) => [assetIdOf(token), { token, assetId: assetIdOf(token) }]))

  const rows: Listing['rows'] = (now, decimalsShift) => {
    const row = (token: SimToken, assetId: string, contractAddress: string | undefined) => ({
      assetId,
      decimals: Math.max(0, token.decimals + decimalsShift),
      blockchain: BLOCKCHAINS[token.chainId],
      symbol: token.symbol,
      price: Number(market.usdMicros(token)) / 1_000_000,
      ...(contractAddress === undefined ? {} : { contractAddress }),
    })
    // Deprecated ids are still listed, and come first. Those of HOT buy nothing any more.
    const old = [
      row(tokens.native(BITCOIN), OLD_BITCOIN_ID, undefined),
      ...listed.flatMap((token) => (token.chainId in OMNI_CHAINS ? [row(token, hotId(token), contractOf(token))] : [])),
    ]
    const served = listed.map((token) => row(token, assetIdOf(token), contractOf(token)))
    const priceUpdatedAt = new Date(now).toISOString()
    return [...old, ...others.rows, ...served].map((listedRow) => ({ ...listedRow, priceUpdatedAt }))
  }
  return { rows, find: (assetId) => byId.get(assetId === OLD_BITCOIN_ID ? BITCOIN_ID : assetId) ?? null }
}
