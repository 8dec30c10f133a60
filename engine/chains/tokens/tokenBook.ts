import { type Asset, isNative, type KeptToken, type ListedToken, nativeToken, type Token } from '../../core/asset.ts'
import type { Clock } from '../../core/clock.ts'
import { createReadCache } from '../../net/readCache.ts'
import type { Observe } from '../../observe/observe.ts'
import { ChainError, type Chains } from '../chains.ts'
import { judgeToken, type TokenSources } from './judgeToken.ts'
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
/** How long metadata is good without a read of the chain: `single` where one endpoint reported it and nothing confirms it. */
const FRESH_MS = { confirmed: 7 * 24 * 60 * MINUTE_MS, single: 24 * 60 * MINUTE_MS } as const

type Known = KeptToken & { readonly kind: keyof typeof FRESH_MS }
type Answer = { readonly forMs: number } & ({ readonly token: Token } | { readonly error: ChainError })

const keyOf = ({ chainId, address }: ListedToken | Asset): string => `${chainId}:${chainId > 0 ? address.toLowerCase() : address}`

const tokenOf = (asset: Asset, { symbol, name, decimals }: ListedToken): Token | null =>
  symbol === undefined ? null : { ...asset, symbol, name: name ?? symbol, decimals, isNative: false }

const textOf = (token: Pick<ListedToken, 'symbol' | 'name' | 'decimals'> | null): string =>
  token === null ? 'no token' : `${token.symbol} (${token.name}), ${token.decimals} decimals`

const wordsOf = ({ readings, kept, listed }: TokenSources): string =>
  [
    ...readings.map((reading) => `an endpoint: ${textOf(reading)}`),
    ...(kept ? [`the records: ${textOf(kept)}`] : []),
    ...(listed ? [`the tables: ${listed.decimals} decimals`] : []),
  ].join('; ')

/** Metadata that is known without a read, at most so many tokens, the least recently used going first. */
const createKnown = ({ records }: Pick<TokenKnowledge, 'records'>) => {
  const known = new Map<string, Known>()
  const writes = new Set<Promise<unknown>>()
  const write = (work: Promise<void>): void => {
    // The store reports its own trouble.
    const done = work.catch(() => undefined).finally(() => writes.delete(done))
    writes.add(done)
  }
  const put = (key: string, entry: Known): void => {
    known.delete(key)
    known.set(key, entry)
    const [oldest] = known.size > TOKENS_MAX ? known : []
    if (oldest === undefined) return
    known.delete(oldest[0])
    if (oldest[1].kind === 'confirmed') write(records.drop(oldest[1].token))
  }
  const load = async (): Promise<void> => {
    for (const kept of await records.all(TOKENS_MAX)) put(keyOf(kept.token), { ...kept, kind: 'confirmed' })
  }
  return {
    loaded: load().catch(() => undefined),
    get: (key: string): Known | null => known.get(key) ?? null,
    put: (key: string, entry: Known): void => {
      put(key, entry)
      if (entry.kind === 'confirmed') write(records.keep(entry))
    },
    close: async () => void (await Promise.all(writes)),
  }
}

type BookOptions = TokenKnowledge & { readonly read: ReadTokenSources; readonly clock: Clock }

/**
 * What tokens are called and how many decimals they have. Two sources must agree before metadata is kept: two endpoints, or one
 * endpoint and a published table or the records. Reads the chain again after a week. While the chain cannot be read, the records
 * and the tables answer. Where the sources differ the token is `disputed`; that, and that there is no token, is good for a minute.
 */
export const createTokenBook = ({ records, listed, observe, read, clock }: BookOptions) => {
  const known = createKnown({ records })
  const tables = new Map(listed.toReversed().map((row) => [keyOf(row), row]))
  const answers = createReadCache<Answer>({ entriesMax: TOKENS_MAX, lifetimeMs: ({ forMs }) => forMs }, clock)

  const failure = (what: 'notAToken' | 'disputed', { chainId, address }: Asset): Answer => {
    const why = what === 'notAToken' ? 'no token at' : 'its sources differ:'
    return { error: new ChainError(what, chainId, `chain ${chainId}: ${why} ${address}`), forMs: MINUTE_MS }
  }

  const judge = (asset: Asset, key: string, sources: TokenSources): Answer => {
    const verdict = judgeToken(sources)
    const { chainId, address } = asset
    if (verdict.isContradicted)
      observe({
        event: 'token.contradicted',
        chainId,
        token: address,
        isDisputed: verdict.kind === 'disputed',
        sources: wordsOf(sources),
      })
    if (!('token' in verdict)) return failure(verdict.kind === 'missing' ? 'notAToken' : 'disputed', asset)
    const { kind, token } = verdict
    known.put(key, { token, readAt: clock.now(), kind })
    return { token, forMs: FRESH_MS[kind] }
  }

  const find = async (asset: Asset, key: string): Promise<Answer> => {
    await known.loaded
    const entry = known.get(key)
    const ageMs = clock.now() - (entry?.readAt ?? 0)
    if (entry && ageMs >= 0 && ageMs < FRESH_MS[entry.kind]) return { token: entry.token, forMs: FRESH_MS[entry.kind] - ageMs }
    const row = tables.get(key) ?? null
    try {
      const kept = entry?.kind === 'confirmed' ? entry.token : null
      return judge(asset, key, { readings: await read(asset), kept, listed: row })
    } catch (error) {
      const token = entry?.token ?? (row && tokenOf(asset, row))
      if (token !== null) return { token, forMs: MINUTE_MS }
      throw error
    }
  }

  const token: Chains['token'] = async (asset, signal) => {
    if (isNative(asset)) return nativeToken(asset.chainId)
    const { chainId } = asset
    const onAbort = () => new ChainError('timeout', chainId, `chain ${chainId}: cut by the caller`)
    const key = keyOf(asset)
    const answer = await answers.get(key, () => find(asset, key), { signal, onAbort })
    if ('error' in answer) throw answer.error
    return answer.token
  }

  const isKnownMissing = (asset: Asset): boolean => {
    const answer = answers.peek(keyOf(asset))
    return answer !== null && 'error' in answer && answer.error.failure === 'notAToken'
  }

  return { token, isKnownMissing, close: known.close }
}
