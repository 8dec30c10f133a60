import { type Address, addressOf } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, nativeAsset, parseAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId } from '../../core/chain.ts'
import type { Route } from '../../core/route.ts'
import { VenueError } from '../venueError.ts'

export const VENUE_ID = 'thorchain'

/** The node in THORChain's documentation since 2026-05, and the one where shapeshift/web reads pools. Neither needs a key. */
export const PUBLIC_BASE_URL = 'https://gateway.liquify.com/chain/thorchain_api'
export const SECOND_URL = 'https://api.thorchain.shapeshift.com/lcd'

/** The unit of assets and memos in the network: eight decimals, whatever the token has. */
export const WIRE_DECIMALS = 8

/** Names of chains and their coins. Source: `docs/concepts` of THORNode; live pools show which of them trade. */
const CHAINS: { readonly [chainId in ChainId]?: { readonly code: string; readonly coin: string } } = {
  1: { code: 'ETH', coin: 'ETH.ETH' },
  56: { code: 'BSC', coin: 'BSC.BNB' },
  8453: { code: 'BASE', coin: 'BASE.ETH' },
  43114: { code: 'AVAX', coin: 'AVAX.AVAX' },
  [BITCOIN]: { code: 'BTC', coin: 'BTC.BTC' },
}

const CHAIN_IDS = Object.keys(CHAINS).map((chainId) => Number(chainId) as ChainId)

/** One letter for a coin: `common/asset.go` of THORNode. */
const SHORT_CODES: { readonly [code: string]: string } = {
  r: 'THOR.RUNE',
  b: 'BTC.BTC',
  e: 'ETH.ETH',
  s: 'BSC.BNB',
  a: 'AVAX.AVAX',
  f: 'BASE.ETH',
  c: 'BCH.BCH',
  l: 'LTC.LTC',
  d: 'DOGE.DOGE',
  g: 'GAIA.ATOM',
  x: 'XRP.XRP',
  tr: 'TRON.TRX',
  o: 'SOL.SOL',
}

/** The name of an asset with a letter expanded, in capitals as the network compares it. */
export const spelledOut = (text: string): string => {
  const code = text.toLowerCase()
  return Object.hasOwn(SHORT_CODES, code) ? (SHORT_CODES[code] ?? '') : text.toUpperCase()
}

export const codeOf = ({ chainId }: Pick<Asset, 'chainId'>): string => {
  const code = CHAINS[chainId]?.code
  if (code === undefined) throw new VenueError('unsupportedPair', `thorchain is not on chain ${chainId}`)
  return code
}

/** The asset of a complete name; null for a name that omits or shortens the contract. */
export const assetNamed = (text: string): Asset | null => {
  const name = spelledOut(text)
  const chainId = CHAIN_IDS.find((id) => CHAINS[id]?.code === name.slice(0, name.indexOf('.')))
  if (chainId === undefined) return null
  if (name === CHAINS[chainId]?.coin) return nativeAsset(chainId)
  const contract = /^[A-Z]{1,8}\.[A-Z0-9_]{1,32}-0X([0-9A-F]{40})$/.exec(name)?.[1]
  const asset = contract === undefined || chainId === BITCOIN ? null : parseAsset(chainId, `0x${contract.toLowerCase()}`)
  return asset !== null && isNative(asset) ? null : asset
}

/** Whether this is the complete name of this asset. */
export const isNameOf = (text: string, asset: Asset): boolean => {
  const named = assetNamed(text)
  return named !== null && isSameAsset(named, asset)
}

/** It also swaps within a chain, at the price of crossing. */
export const isOnItsChains = ({ input, output }: Route): boolean =>
  !isSameAsset(input, output) && CHAINS[input.chainId] !== undefined && CHAINS[output.chainId] !== undefined

/** Version 6.1, at one address on all its chains since 2025-08-30. */
const ROUTER_6 = addressOf('evm', '0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4')

/**
 * Routers in quotes and integrations from April to September 2026: versions 4.1 and 6.1. The network may replace them within a
 * day after an exploit. The nodes' router must be one of these, or of the operator's own.
 */
export const ROUTERS: { readonly [chainId in ChainId]?: readonly Address[] } = {
  1: [addressOf('evm', '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146'), ROUTER_6],
  56: [addressOf('evm', '0xb30eC53F98ff5947EDe720D32aC2da7e52A5f56b'), ROUTER_6],
  8453: [ROUTER_6],
  43114: [ROUTER_6],
}

/** The last five digits of its amount identify a deposit without a memo. Source: the memoless pages of dev.thorchain.org. */
export const REFERENCES = 100_000n
