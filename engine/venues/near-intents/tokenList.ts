import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, nativeAsset, nativeToken } from '../../core/asset.ts'
import { BITCOIN, type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { createKeptList, type KeptList } from '../kit/keptList.ts'
import type { ChainNames } from '../kit/settings.ts'
import type { BitcoinReach, PriceFeed } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { assetNamed, COIN_ID, isNameOf, tokenAt } from './assetId.ts'
import { BRIDGES, OTHER_CODE } from './published.ts'
import { listedRow, type TokenRow, tokenRow } from './wire.ts'

export type ListedToken = {
  readonly asset: Asset
  readonly assetId: string
  /** From the unsigned row: used only where a quote lacks them. */
  readonly decimals: number
  /** US dollars for one whole unit, by the venue. */
  readonly usd: number | null
}

export type TokenIndex = {
  byAsset(asset: Asset): ListedToken | null
  /** Rows outside the index that may be of this asset. */
  oddRowsOf(asset: Asset): readonly unknown[]
  on(chainId: ChainId): readonly Address[]
  /** The asset of an id: read from the id itself, which for tokens of Solana needs a row with the mint. */
  assetOf(assetId: string): Asset | null
  /** Rows on our chains, and how many of them match their id. */
  readonly rows: { readonly onOurChains: number; readonly kept: number }
}

const keyOf = ({ chainId, address }: Asset): string => `${chainId}:${address}`

/** Placeholders for a coin, which has no address. */
const PLACEHOLDERS: readonly string[] = ['coin', ZERO_EVM_ADDRESS]

/** The asset of a row by its chain and address alone. */
const assetTold = ({ contractAddress }: TokenRow, chainId: ChainId): Asset | null => {
  if (!contractAddress || PLACEHOLDERS.includes(contractAddress)) return nativeAsset(chainId)
  return tokenAt(chainId, ecosystemOf(chainId) === 'evm' ? contractAddress.toLowerCase() : contractAddress)
}

/** A row that contradicts its own id is dropped whole: its price may be another token's too. */
const isNamed = (row: TokenRow, asset: Asset, codes: ChainNames): boolean => {
  const told = assetTold(row, asset.chainId)
  return codes.get(row.blockchain) === asset.chainId && (told === null || isNative(told) || isSameAsset(told, asset))
}

const listedIn = (row: TokenRow, codes: ChainNames): readonly ListedToken[] => {
  const { assetId, decimals, price, contractAddress } = row
  const asset = assetNamed(assetId, contractAddress ?? '', codes)
  return asset && isNamed(row, asset, codes) ? [{ asset, assetId, decimals, usd: typeof price === 'number' ? price : null }] : []
}

/** The token of a row; empty for a row outside the index. */
export const usableTokens = (row: unknown, codes: ChainNames): readonly ListedToken[] => {
  const read = tokenRow.readOrNull(row)
  return read === null ? [] : listedIn(read, codes)
}

/**
 * Whether a row outside the index may be of an asset. Its id names the asset, it has the asset's address somewhere, or it is on
 * the asset's chain without an address. A coin then needs its symbol or id.
 */
const mayBeOf = (asset: Asset, row: unknown, codes: ChainNames): boolean => {
  const { assetId, blockchain, contractAddress, symbol } = (row ?? {}) as { readonly [field: string]: unknown }
  const [id, code] = [String(assetId), String(blockchain)]
  const isOnItsChain = codes.get(code) === asset.chainId
  if (isNameOf(id, asset, codes)) return true
  if (!isOnItsChain && (codes.has(code) || OTHER_CODE.test(code))) return false
  const isCoin = symbol === nativeToken(asset.chainId).symbol || COIN_ID.test(id)
  if (isNative(asset)) return isOnItsChain && isCoin && (!contractAddress || PLACEHOLDERS.includes(String(contractAddress)))
  const text = Object.values(row ?? {})
    .join(' ')
    .toLowerCase()
  return text.includes(asset.address.toLowerCase()) || (isOnItsChain && !isCoin && !/[0-9a-z]{20}/.test(text))
}

const bridgeOf = ({ assetId }: ListedToken): number => BRIDGES.findIndex((part) => assetId.includes(part))

/** Rows of unknown chains, and rows that contradict their id, are dropped: they cannot be requested here. */
export const indexTokens = (all: readonly unknown[], codes: ChainNames): TokenIndex => {
  const listing = all.flatMap((row) => listedRow.readOrNull(row) ?? [])
  if (listing.length === 0) throw new VenueError('badResponse', 'no row of the token list names its chain')
  const onOurChains = listing.filter(({ blockchain }) => codes.has(blockchain))
  const parsed = all.map((row) => ({ row, tokens: usableTokens(row, codes) }))
  const tokens = parsed.flatMap((one) => one.tokens)
  const byAsset = new Map<string, ListedToken>()
  const byId = new Map<string, ListedToken>()
  for (const token of tokens) {
    const known = byAsset.get(keyOf(token.asset))
    if (!known || bridgeOf(known) < bridgeOf(token)) byAsset.set(keyOf(token.asset), token)
    byId.set(token.assetId, token)
  }
  return {
    byAsset: (asset) => byAsset.get(keyOf(asset)) ?? null,
    oddRowsOf: (asset) => parsed.flatMap((one) => (one.tokens.length === 0 && mayBeOf(asset, one.row, codes) ? [one.row] : [])),
    on: (chainId) => [...byAsset.values()].flatMap(({ asset }) => (asset.chainId === chainId ? [asset.address] : [])),
    assetOf: (assetId) => assetNamed(assetId, byId.get(assetId)?.asset.address ?? '', codes),
    rows: { onOurChains: onOurChains.length, kept: tokens.length },
  }
}

/** One list for all chains, which seldom changes. */
const FRESH_MS = 5 * 60_000

/** `readAt`: the time of the request, epoch ms. */
export type TokenList = KeptList<TokenIndex & { readonly readAt: number }>

/** Keeps the venue's token list, and reports rows that contradict their id to the operator. */
export const createTokenList = (
  load: (signal: AbortSignal) => Promise<readonly unknown[]>,
  { clock, notice, codes }: { readonly clock: Clock; readonly notice: (what: string) => void; readonly codes: ChainNames },
): TokenList =>
  createKeptList({
    clock,
    freshMs: FRESH_MS,
    load: async (signal) => {
      const readAt = clock.now()
      const index = indexTokens(await load(signal), codes)
      const { kept, onOurChains } = index.rows
      if (kept < onOurChains)
        notice(`${kept} of ${onOurChains} rows of the token list are what their id says; the others are left out`)
      return { ...index, readAt }
    },
  })

/** A JSON number as a plain decimal string; null for an invalid price. */
const toDecimal = (price: number | null): string | null => {
  // Outside these bounds a number is written with an exponent, or as zero.
  if (price === null || !(price >= 1e-18) || price >= 1e21) return null
  const text = String(price)
  return text.includes('e') ? price.toFixed(20).replace(/(?<!0)0+$/, '') : text
}

/** Every listed asset can be swapped for every other. */
export const createBitcoinReach = (tokens: TokenList): BitcoinReach => ({
  tokens: async (chainId, signal) => {
    const index = await tokens.read(signal)
    return index.byAsset(nativeAsset(BITCOIN)) === null ? [] : index.on(chainId)
  },
})

/** The prices in the venue's token list. */
export const createPriceFeed = (tokens: TokenList): PriceFeed => ({
  usd: async (asset, signal) => {
    const index = await tokens.read(signal)
    const usd = toDecimal(index.byAsset(asset)?.usd ?? null)
    return usd === null ? null : { usd, readAt: index.readAt }
  },
})
