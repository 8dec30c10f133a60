import { type Asset, isNative, type KeptToken, type ListedToken, nativeToken, type Token } from '../../core/asset.ts'
import type { Clock } from '../../core/clock.ts'
import { createReadCache } from '../../net/readCache.ts'
import type { Observe } from '../../observe/observe.ts'
import { ChainError, type Chains } from '../chains.ts'
import { cleanName, cleanSymbol, DECIMALS_MAX } from '../tokenText.ts'
import { judgeToken, listedToken, type TokenSources } from './judgeToken.ts'
import type { ReadTokenSources } from './tokenSources.ts'

/** Where confirmed metadata outlives the process. */
export interface TokenRecords {
  /** The latest, oldest first. */
  all(max: number): Promise<readonly KeptToken[]>
  keep(kept: KeptToken): Promise<void>
  drop(asset: Asset): Promise<void>
}

export type TokenKnowledge = {
  readonly records: TokenRecords
  /** Rows of published tables; the first of several rows for one token counts. */
  readonly listed: readonly ListedToken[]
  readonly observe: Observe
}

const TOKENS_MAX = 10_000
const MINUTE_MS = 60_000
/** How long metadata is good without a read of the chain, by the verdict on it. */
const FRESH_MS = { confirmed: 7 * 24 * 60 * MINUTE_MS, single: 24 * 60 * MINUTE_MS, provisional: MINUTE_MS } as const

type Answer = { readonly forMs: number } & ({ readonly token: Token } | { readonly error: ChainError })

const keyOf = ({ chainId, address }: ListedToken | Asset): string => `${chainId}:${chainId > 0 ? address.toLowerCase() : address}`

/** Whether a reading could have become this record, and the tables have the same decimals. */
const isPlausible = ({ symbol, name, decimals }: Token, row: ListedToken | null): boolean => {
  const isText = symbol !== '' && symbol === cleanSymbol(symbol) && name !== '' && name === cleanName(name)
  const isCount = Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS_MAX
  return isText && isCount && (row === null || row.decimals === decimals)
}

const textOf = (token: Token | null): string =>
  token === null ? 'no token' : `${token.symbol} (${token.name}), ${token.decimals} decimals`

const wordsOf = ({ readings, kept, listed }: Omit<TokenSources, 'asked'>): string =>
  [
    ...readings.map((reading) => `an endpoint: ${textOf(reading)}`),
    ...(kept ? [`the records: ${textOf(kept)}`] : []),
    ...(listed ? [`the tables: ${listed.symbol ?? 'no symbol'}, ${listed.decimals} decimals`] : []),
  ].join('; ')

/** A bounded number of confirmed tokens; the least recently used goes first. Drops records that `isBelieved` refuses. */
const createKnown = (records: TokenRecords, isBelieved: (kept: Token) => boolean) => {
  const known = new Map<string, KeptToken>()
  const writes = new Set<Promise<unknown>>()
  const write = (work: Promise<void>): void => {
    // The store reports its own trouble.
    const done = work.catch(() => undefined).finally(() => writes.delete(done))
    writes.add(done)
  }
  const put = (key: string, kept: KeptToken): void => {
    known.delete(key)
    known.set(key, kept)
    const [oldest] = known.size > TOKENS_MAX ? known : []
    if (oldest === undefined) return
    known.delete(oldest[0])
    write(records.drop(oldest[1].token))
  }
  const load = async (): Promise<void> => {
    for (const kept of await records.all(TOKENS_MAX)) {
      if (isBelieved(kept.token)) put(keyOf(kept.token), kept)
      else write(records.drop(kept.token))
    }
  }
  return {
    loaded: load().catch(() => undefined),
    /** Makes it the most recently used. */
    use: (key: string): KeptToken | null => {
      const kept = known.get(key)
      if (kept) put(key, kept)
      return kept ?? null
    },
    put: (key: string, kept: KeptToken): void => {
      put(key, kept)
      write(records.keep(kept))
    },
    close: async () => void (await Promise.all(writes)),
  }
}

type BookOptions = TokenKnowledge & { readonly read: ReadTokenSources; readonly clock: Clock }

const WHY = { notAToken: 'no token at', disputed: 'its sources differ:', unreachable: 'one endpoint failed, one has no' } as const

const failure = (what: keyof typeof WHY, { chainId, address }: Asset): ChainError =>
  new ChainError(what, chainId, `chain ${chainId}: ${WHY[what]} ${address}`)

/** Finds a token among the known ones, and reads the chain where that is due. */
const createFind = ({ records, listed, observe, read, clock }: BookOptions) => {
  const contradict = ({ chainId, address }: Asset, isDisputed: boolean, sources: string): void =>
    observe({ event: 'token.contradicted', chainId, token: address, isDisputed, sources })
  const tables = new Map(listed.toReversed().map((row) => [keyOf(row), row]))
  const known = createKnown(records, (kept) => {
    const row = tables.get(keyOf(kept)) ?? null
    const isBelieved = isPlausible(kept, row)
    if (!isBelieved) contradict(kept, false, `dropped ${wordsOf({ readings: [], kept, listed: row })}`)
    return isBelieved
  })

  const judge = (asset: Asset, key: string, sources: TokenSources): Answer => {
    const verdict = judgeToken(sources)
    if (verdict.isContradicted) contradict(asset, verdict.kind === 'disputed', wordsOf(sources))
    if ('token' in verdict) {
      if (verdict.kind === 'confirmed') known.put(key, { token: verdict.token, readAt: clock.now() })
      return { token: verdict.token, forMs: FRESH_MS[verdict.kind] }
    }
    const error = failure(verdict.kind === 'missing' ? 'notAToken' : verdict.kind, asset)
    if (verdict.kind === 'unreachable') throw error
    return { error, forMs: MINUTE_MS }
  }

  const find = async (asset: Asset, key: string): Promise<Answer> => {
    await known.loaded
    const entry = known.use(key)
    const ageMs = clock.now() - (entry?.readAt ?? 0)
    if (entry && ageMs >= 0 && ageMs < FRESH_MS.confirmed) return { token: entry.token, forMs: FRESH_MS.confirmed - ageMs }
    const row = tables.get(key) ?? null
    try {
      return judge(asset, key, { ...(await read(asset)), kept: entry?.token ?? null, listed: row })
    } catch (error) {
      const token = entry?.token ?? (row && listedToken(asset, row))
      if (token !== null) return { token, forMs: MINUTE_MS }
      throw error
    }
  }

  return { find, known }
}

/**
 * The names and decimals of tokens. Two sources must agree before metadata is kept: two endpoints, or one endpoint and a
 * published table or the records. Reads the chain again after a week. While the chain cannot be read, the records and the tables
 * answer. Where the sources differ the token is `disputed`. That verdict, and a missing token, hold for a minute.
 */
export const createTokenBook = (options: BookOptions) => {
  const { find, known } = createFind(options)
  const answers = createReadCache<Answer>({ entriesMax: TOKENS_MAX, lifetimeMs: ({ forMs }) => forMs }, options.clock)

  const token: Chains['token'] = async (asset, signal) => {
    if (isNative(asset)) return nativeToken(asset.chainId)
    const { chainId } = asset
    const onAbort = () => new ChainError('timeout', chainId, `chain ${chainId}: cut by the caller`)
    const key = keyOf(asset)
    const answer = await answers.get(key, () => find(asset, key), { signal, onAbort })
    if ('error' in answer) throw answer.error
    known.use(key)
    return answer.token
  }

  const isKnownMissing = (asset: Asset): boolean => {
    const answer = answers.peek(keyOf(asset))
    return answer !== null && 'error' in answer && answer.error.failure === 'notAToken'
  }

  return { token, isKnownMissing, close: known.close }
}
