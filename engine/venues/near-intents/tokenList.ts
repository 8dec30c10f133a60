import { parseAddress } from '../../core/address.ts'
import { type Asset, nativeAsset } from '../../core/asset.ts'
import { BITCOIN, type ChainId, chainOf, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { VenueError } from '../venueError.ts'
import { CHAIN_CODES } from './chainCodes.ts'
import type { TokenRow } from './tokenRows.ts'

const CHAINS_BY_CODE = new Map(Object.entries(CHAIN_CODES).map(([chainId, code]) => [code, Number(chainId) as ChainId]))

/**
 * Asset ids the venue writes over: what is asked for with the first is echoed, signed and settled as the second.
 * https://partners.near-intents.org/omni-migration
 */
const REPLACED_IDS: { readonly [assetId: string]: string } = { 'nep141:btc.omft.near': '1cs_v1:btc:native:coin' }

/** True when `echoed` is the id that was sent, or what the venue is known to write in its place. */
export const isEchoOf = (sent: string, echoed: string): boolean => echoed === sent || echoed === REPLACED_IDS[sent]

export type ListedToken = {
  readonly asset: Asset
  readonly assetId: string
  readonly decimals: number
  /** US dollars for one whole unit, as the venue says. */
  readonly usd: number | null
}

export type TokenIndex = {
  byAsset(asset: Asset): ListedToken | null
  /** Also finds the ids that have been replaced and those they were replaced by. */
  byId(assetId: string): ListedToken | null
}

const keyOf = ({ chainId, address }: Asset): string => `${chainId}:${address}`

const assetOf = ({ blockchain, contractAddress, symbol }: TokenRow): Asset | null => {
  const chainId = CHAINS_BY_CODE.get(blockchain)
  if (chainId === undefined) return null
  const native = nativeAsset(chainId)
  if (chainId === BITCOIN && contractAddress === 'coin') return native
  if (!contractAddress) return symbol === chainOf(chainId).nativeCurrency.symbol ? native : null
  const address = parseAddress(
    ecosystemOf(chainId),
    contractAddress.startsWith('0x') ? contractAddress.toLowerCase() : contractAddress,
  )
  // The native markers name no contract: a row for wrapped SOL must not be taken for SOL itself.
  return address && address !== native.address ? { chainId, address } : null
}

const listed = (row: TokenRow): readonly ListedToken[] => {
  const asset = assetOf(row)
  return asset ? [{ asset, assetId: row.assetId, decimals: row.decimals, usd: row.price ?? null }] : []
}

/** Rows of chains, native coins or addresses we have no name for are left out: they cannot be asked for here. */
export const indexTokens = (rows: readonly TokenRow[]): TokenIndex => {
  const tokens = rows.flatMap(listed)
  const byAsset = new Map<string, ListedToken>()
  const byId = new Map<string, ListedToken>()
  for (const token of tokens) {
    const known = byAsset.get(keyOf(token.asset))
    if (!known || token.assetId === REPLACED_IDS[known.assetId]) byAsset.set(keyOf(token.asset), token)
    byId.set(token.assetId, token)
  }
  for (const [old, current] of Object.entries(REPLACED_IDS)) {
    const token = byId.get(current) ?? byId.get(old)
    if (token) byId.set(old, token).set(current, token)
  }
  return { byAsset: (asset) => byAsset.get(keyOf(asset)) ?? null, byId: (assetId) => byId.get(assetId) ?? null }
}

/** The list is one document for all; nothing in it changes from minute to minute. */
const FRESH_MS = 5 * 60_000
/** After a refresh that failed. */
const RETRY_MS = 15_000
/** The load is shared, so no single caller's signal may cut it: it has its own limit instead. */
const LOAD_MS = 5_000

const untilAborted = async <T>(work: Promise<T>, signal: AbortSignal | null): Promise<T> => {
  if (!signal) return work
  const { promise: cut, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(new VenueError('timeout', 'cut while the token list was loading'))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, cut])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

export interface TokenList {
  /** The list, loaded when there is none yet. Throws VenueError. A null signal waits as long as the load may take. */
  read(signal: AbortSignal | null): Promise<TokenIndex>
}

/** Keeps the venue's token list: one load at a time for all callers; an old list serves while it is refreshed, or cannot be. */
export const createTokenList = (load: (signal: AbortSignal) => Promise<readonly TokenRow[]>, clock: Clock): TokenList => {
  let current: { readonly index: TokenIndex; readonly refreshAt: number } | null = null
  let loading: Promise<TokenIndex> | null = null

  const loadOnce = async (): Promise<TokenIndex> => {
    const index = indexTokens(await load(AbortSignal.timeout(LOAD_MS)))
    current = { index, refreshAt: clock.now() + FRESH_MS }
    return index
  }
  const join = (): Promise<TokenIndex> => {
    loading ??= loadOnce().finally(() => {
      loading = null
    })
    return loading
  }

  const read = async (signal: AbortSignal | null): Promise<TokenIndex> => {
    if (!current) return untilAborted(join(), signal)
    const { index, refreshAt } = current
    if (clock.now() >= refreshAt) {
      current = { index, refreshAt: clock.now() + RETRY_MS }
      // A list that cannot be renewed is still a list: it is tried again later, and no caller fails for it now.
      join().catch(() => undefined)
    }
    return index
  }
  return { read }
}
