import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { BITCOIN, CHAINS, type ChainId, SOLANA } from '../../../core/chain.ts'
import { CHAIN_CODES, OMNI_CHAINS } from '../../../venues/near-intents/protocol.ts'
import type { Market } from '../../kit/market.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'

const codeOf = ({ chainId }: SimToken): string | undefined => CHAIN_CODES[chainId as ChainId]

/** Chains that the HOT bridge brings, and those that moved on from it to the Omni Bridge in November 2026. */
const HOT_CHAINS: readonly number[] = [10, 143]
const MOVED_CHAINS: readonly number[] = [56, 137, 43114]
const OLD_BITCOIN_ID = 'nep141:btc.omft.near'

const hotId = ({ chainId, address, isNative }: SimToken): string =>
  `nep245:v2_1.omni.hot.tg:${chainId}_${isNative ? '1'.repeat(20) : base58.encode(hexToBytes(address.slice(2).toLowerCase()))}`

const assetIdOf = (token: SimToken): string => {
  const { chainId, address, isNative } = token
  if (chainId === BITCOIN) return '1cs_v1:btc:native:coin'
  if (HOT_CHAINS.includes(chainId)) return hotId(token)
  // A mint is named by the last twenty bytes of its hash.
  const named = chainId === SOLANA ? bytesToHex(keccak_256(base58.decode(address))).slice(-40) : address.toLowerCase()
  const end = isNative ? '' : `-${named}`
  const omni = MOVED_CHAINS.includes(chainId) ? [...OMNI_CHAINS].find(([, id]) => id === chainId)?.[0] : null
  return omni ? `nep141:${omni}${end}.omdep.near` : `nep141:${codeOf(token)}${end}.omft.near`
}

/** The venue lists native coins without their ERC-20 forms, and no token that keeps part of a transfer. */
const isListed = (token: SimToken): boolean =>
  codeOf(token) !== undefined &&
  !token.takesTransferFee &&
  !CHAINS.some(({ chainId, wrappedNative }) => chainId === token.chainId && wrappedNative === token.address)

export type ListedAsset = { readonly token: SimToken; readonly assetId: string }
export type Listing = {
  /** Body of `GET /v0/tokens`. */
  rows(now: number, decimalsShift: number): readonly object[]
  /** The asset of an id; null for an unknown one. */
  find(assetId: string): ListedAsset | null
}

export const createListing = (tokens: SimTokens, market: Market): Listing => {
  const listed = tokens.all.filter(isListed).map((token) => ({ token, assetId: assetIdOf(token) }))
  // Deprecated ids are still listed, and come first. Those of HOT can be bought no longer.
  const old = [
    { token: tokens.native(BITCOIN), assetId: OLD_BITCOIN_ID },
    ...listed.filter(({ token }) => MOVED_CHAINS.includes(token.chainId)).map(({ token }) => ({ token, assetId: hotId(token) })),
  ]
  const row = ({ token, assetId }: ListedAsset) => ({
    ...{ assetId, decimals: token.decimals, blockchain: codeOf(token), symbol: token.symbol },
    price: Number(market.usdMicros(token)) / 1_000_000,
    ...(token.isNative ? {} : { contractAddress: token.chainId === SOLANA ? token.address : token.address.toLowerCase() }),
  })
  // Most of the real list are tokens of other chains.
  const other = { assetId: 'nep141:zec.omft.near', decimals: 8, blockchain: 'zec', symbol: 'ZEC', price: 511.2 }
  return {
    rows: (now, shift) =>
      [...old.map(row), other, ...listed.map(row)].map((each) => ({
        ...{ ...each, decimals: each.decimals + shift, priceUpdatedAt: new Date(now).toISOString() },
      })),
    find: (id) =>
      listed.find(({ token, assetId }) => assetId === id || (id === OLD_BITCOIN_ID && token.chainId === BITCOIN)) ?? null,
  }
}
