import { type Address, parseAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { Asset } from '../../core/asset.ts'
import { type ChainId, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { VenueError } from '../venueError.ts'
import { assetNamed } from './assetId.ts'
import { CHAIN_CODES } from './chainCodes.ts'
import type { TokenRow } from './tokenRows.ts'

export type ListedToken = {
  readonly asset: Asset
  readonly assetId: string
  /** As the row has them, which nobody signed: used only where a quote does not show them. */
  readonly decimals: number
  /** US dollars for one whole unit, as the venue says. */
  readonly usd: number | null
}

export type TokenIndex = {
  byAsset(asset: Asset): ListedToken | null
  /** What an id names: read from the id itself, which for tokens of Solana needs a row that tells the mint. */
  assetOf(assetId: string): Asset | null
  /** Rows on our chains, and how many of them hold what their id says. */
  readonly rows: { readonly onOurChains: number; readonly kept: number }
}

const keyOf = ({ chainId, address }: Asset): string => `${chainId}:${address}`

const isOnOurChains = ({ blockchain }: TokenRow): boolean => Object.values(CHAIN_CODES).includes(blockchain)

const addressTold = (chainId: ChainId, contractAddress: string): Address | null => {
  const ecosystem = ecosystemOf(chainId)
  return parseAddress(ecosystem, ecosystem === 'evm' ? contractAddress.toLowerCase() : contractAddress)
}

/** A row that says something else than its own id is left out whole: its price may be another token's too. */
const isAsNamed = ({ blockchain, contractAddress }: TokenRow, { chainId, address }: Asset): boolean => {
  const told = addressTold(chainId, contractAddress ?? '')
  return blockchain === CHAIN_CODES[chainId] && (told === null || told === address || told === ZERO_EVM_ADDRESS)
}

const listed = (row: TokenRow): readonly ListedToken[] => {
  const { assetId, decimals, price, contractAddress } = row
  const asset = assetNamed(assetId, contractAddress ?? '')
  return asset && isAsNamed(row, asset) ? [{ asset, assetId, decimals, usd: price ?? null }] : []
}

/**
 * Bridges in the order the venue moved to them. An asset that has come over several has a row for each; the older is
 * deprecated, yet may come first. https://partners.near-intents.org/omni-migration
 */
const BRIDGES = ['nep141:', 'nep245:', '1cs_v1:']
const bridgeOf = ({ assetId }: ListedToken): number => BRIDGES.findIndex((prefix) => assetId.startsWith(prefix))

/** Rows of chains we have no name for, and rows that do not fit their id, are left out: they cannot be asked for here. */
export const indexTokens = (all: readonly TokenRow[]): TokenIndex => {
  const rows = all.filter(isOnOurChains)
  const tokens = rows.flatMap(listed)
  const byAsset = new Map<string, ListedToken>()
  const byId = new Map<string, ListedToken>()
  for (const token of tokens) {
    const known = byAsset.get(keyOf(token.asset))
    if (!known || bridgeOf(known) < bridgeOf(token)) byAsset.set(keyOf(token.asset), token)
    byId.set(token.assetId, token)
  }
  return {
    byAsset: (asset) => byAsset.get(keyOf(asset)) ?? null,
    assetOf: (assetId) => assetNamed(assetId, byId.get(assetId)?.asset.address ?? ''),
    rows: { onOurChains: rows.length, kept: tokens.length },
  }
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
export const createTokenList = (
  load: (signal: AbortSignal) => Promise<readonly TokenRow[]>,
  { clock, notice }: { readonly clock: Clock; readonly notice: (what: string) => void },
): TokenList => {
  let current: { readonly index: TokenIndex; readonly refreshAt: number } | null = null
  let loading: Promise<TokenIndex> | null = null

  const loadOnce = async (): Promise<TokenIndex> => {
    const index = indexTokens(await load(AbortSignal.timeout(LOAD_MS)))
    const { kept, onOurChains } = index.rows
    if (kept < onOurChains)
      notice(`${kept} of ${onOurChains} rows of the token list are what their id says; the others are left out`)
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
