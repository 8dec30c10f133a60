import { BITCOIN } from '../../core/chain.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import type { ConfirmationRule } from '../confirmations.ts'
import type { EndpointTry } from '../endpoints/endpointHealth.ts'
import { EndpointError, foundByTwo } from '../endpoints/endpoints.ts'
import { clocksApartMs, enoughLast, type Found, type OneChain, type SearchQuery } from '../oneChain.ts'
import type { Movement, SeenTransaction } from '../seen.ts'
import { confirmedHeight, standingOf } from '../standing.ts'
import { type Esplora, type GetOfOne, notAsDocumented } from './esplora.ts'
import { type MinedTransaction, readMined, wholeOf } from './seenBitcoinTransaction.ts'

export type BitcoinEvidenceParts = {
  readonly esplora: Esplora
  readonly rule: ConfirmationRule
  /** Of the newest block. */
  tipHeight(signal: AbortSignal): Promise<number>
}

/** Six were the custom while blocks were cheap to make: two competing blocks in a row have not been seen for a decade. */
const FINAL_BLOCKS = 3
/** A page of Esplora has 25 transactions. */
const PAGES_MAX = 10

const TIP = '/blocks/tip/height'
const NEWEST = 'the newest block'

const absent = (what: string): ChainError => new ChainError('unreachable', BITCOIN, `Bitcoin: ${what} is not there`)

/** A value that every endpoint must have; where this one lacks it, another may have it. */
const required = async <T>(what: string, read: Promise<T | null>): Promise<T> => {
  const found = await read
  if (found === null) throw new EndpointError('unreachable', `${what} is not there`)
  return found
}

/** Blocks come ten minutes apart on average, so that heights of endpoints are compared as times. */
const BLOCK_MS = 600_000

/** The median of eleven blocks is the time of the sixth. */
const MEDIAN_BLOCKS = 6

/** By the median of eleven blocks, which only goes forward: https://github.com/bitcoin/bips/blob/master/bip-0113.mediawiki */
const readTime = async (get: GetOfOne, height: number): Promise<number | null> => {
  const toHash = (body: unknown): string => {
    if (typeof body !== 'string') throw notAsDocumented()
    return body
  }
  const hash = await get(`/block-height/${height}`, toHash)
  const toTime = (body: unknown): number => wholeOf((body as { readonly mediantime?: unknown } | null)?.mediantime) * 1_000
  return hash === null ? null : get(`/block/${hash}`, toTime)
}

/** The time of an endpoint that lags is read, too: by the heights alone it would lag for ever, or no longer. */
export const readTipHeight = (esplora: Esplora, signal: AbortSignal): Promise<number> =>
  esplora.askOne(
    async (get, _url, sawHead) => {
      const height = await required(NEWEST, get(TIP, wholeOf))
      const time = sawHead(height * BLOCK_MS) ? await readTime(get, height) : null
      if (time !== null) sawHead(height * BLOCK_MS, time + MEDIAN_BLOCKS * BLOCK_MS)
      return height
    },
    signal,
    { isHead: true },
  )

const readTransaction = async (
  { esplora, rule, tipHeight }: BitcoinEvidenceParts,
  hash: TransactionId,
  signal: AbortSignal,
): Promise<SeenTransaction | null> => {
  const read = (body: unknown): MinedTransaction | null => {
    const mined = readMined(body)
    if (mined !== null && mined.hash !== hash) throw notAsDocumented()
    return mined
  }
  const mined = await foundByTwo((except) =>
    esplora.askOne(async (get, url) => (await get(`/tx/${hash}`, read)) ?? url, signal, { except }),
  )
  if (mined === null) return null
  const tip = await tipHeight(signal)
  const progress = { head: { height: tip, at: mined.at }, finalized: tip - FINAL_BLOCKS + 1 }
  return {
    ...mined,
    chainId: BITCOIN,
    isSuccess: true,
    standing: standingOf(rule, mined, progress),
    call: null,
    logs: [],
    instructions: [],
  }
}

/** A page of confirmed transactions, latest first. */
const readPage = async (
  esplora: Esplora,
  { recipient }: SearchQuery,
  after: TransactionId | null,
  signal: AbortSignal,
): Promise<readonly MinedTransaction[]> => {
  const path = `/address/${recipient}/txs/chain${after === null ? '' : `/${after}`}`
  const page = await esplora.get(
    path,
    (body) => {
      if (!Array.isArray(body)) throw notAsDocumented()
      return body.flatMap((each) => readMined(each) ?? [])
    },
    signal,
  )
  if (page === null) throw absent('an address')
  return page
}

/** The read of the newest block also checks its endpoint: one that lags is read after the others from then on. */
const search = async ({ esplora, tipHeight }: BitcoinEvidenceParts, query: SearchQuery, signal: AbortSignal): Promise<Found> => {
  await tipHeight(signal).catch((error: unknown) => {
    if (!(error instanceof ChainError)) throw error
  })
  const latestFirst: MinedTransaction[] = []
  let isWhole = false
  for (let pages = 0; pages < PAGES_MAX && !isWhole; pages += 1) {
    const page = await readPage(esplora, query, latestFirst.at(-1)?.hash ?? null, signal)
    const last = page.at(-1)
    // Blocks before this one may be dated after it.
    isWhole = last === undefined || last.at < query.since - clocksApartMs(BITCOIN)
    latestFirst.push(...page)
  }
  const paying = latestFirst.filter(
    ({ at, movements }) => at >= query.since && movements.some(({ to }) => to === query.recipient),
  )
  const pays = ({ to, amount }: Movement) => to === query.recipient && amount >= (query.least ?? 0n)
  const hashes = enoughLast(paying.toReversed(), ({ movements }) => movements.some(pays)).map(({ hash }) => hash)
  return { hashes, isWhole }
}

type Stats = { readonly funded_txo_count?: unknown }

const readIsUntouched = (get: GetOfOne, { recipient }: SearchQuery): Promise<boolean | null> =>
  get(`/address/${recipient}`, (body) => {
    const {
      address,
      chain_stats: chain,
      mempool_stats: mempool,
    } = (body ?? {}) as {
      readonly address?: unknown
      readonly chain_stats?: Stats | null
      readonly mempool_stats?: Stats | null
    }
    if (address !== recipient) throw notAsDocumented()
    return wholeOf(chain?.funded_txo_count) === 0 && wholeOf(mempool?.funded_txo_count) === 0
  })

type Timed = { readonly get: GetOfOne; readonly rule: ConfirmationRule; readonly sawHead: EndpointTry['sawHead'] }

/** `tip`: of the same endpoint, which is judged by the time. */
const readConfirmedTime = async ({ get, rule, sawHead }: Timed, tip: number): Promise<number> => {
  const height = confirmedHeight(rule, { head: { height: tip, at: 0 }, finalized: null })
  const time = await required(`block ${height}`, readTime(get, height))
  sawHead(tip * BLOCK_MS, time + (tip - height + MEDIAN_BLOCKS) * BLOCK_MS)
  return time
}

/** The height is read before the address: the endpoint can only have advanced by then. */
const readUntouchedUntil = async (
  { esplora, rule, tipHeight }: BitcoinEvidenceParts,
  query: SearchQuery,
  signal: AbortSignal,
) => {
  const tip = await tipHeight(signal)
  return esplora.askOne(async (get, _url, sawHead) => {
    const time = await readConfirmedTime({ get, rule, sawHead }, tip)
    return (await required('an address', readIsUntouched(get, query))) ? time : null
  }, signal)
}

/** Evidence of Bitcoin. */
export const createBitcoinEvidence = (parts: BitcoinEvidenceParts): OneChain => {
  const { esplora, rule, tipHeight } = parts
  return {
    transaction: (hash, signal) => readTransaction(parts, hash, signal),
    search: (query, signal) => search(parts, query, signal),
    // No payload for Bitcoin is a transaction: it is paid to addresses.
    sentBy: async () => ({ transactions: [], reached: null, at: null }),
    untouchedUntil: (query, signal) => readUntouchedUntil(parts, query, signal),
    confirmedTime: async (signal) => {
      const tip = await tipHeight(signal)
      return esplora.askOne((get, _url, sawHead) => readConfirmedTime({ get, rule, sawHead }, tip), signal)
    },
  }
}
