import type { EvmChainId } from '../../core/chain.ts'
import { type Clock, isWithin } from '../../core/clock.ts'
import { ChainError } from '../chains.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import { headAgeMaxBlocks, headAgeMaxMs } from '../endpoints/publicEndpoints.ts'
import type { EvmBlock, EvmProgress } from './evmProgress.ts'
import { type LogQuery, readLogs, trim } from './logQuery.ts'
import type { SearchCalls, Searcher } from './searchCalls.ts'
import { type Asking, createAsking, isStarved, type SearchEndpoint, type SearchNode } from './searchNode.ts'
import {
  blocksIn,
  createRecord,
  type FoundLog,
  forgetAbove,
  gapsIn,
  keepRead,
  type Range,
  type SearchRecord,
  startAt,
  uncover,
} from './searchRecord.ts'
import { findStart } from './searchStart.ts'
import { createWindows, lagBlocks } from './searchWindows.ts'

/** The first call of each endpoint goes alone, as it shows whether the endpoint takes the range; then so many at once. */
const TOGETHER = 4
/** No chain here was ever reorganized beyond an hour. */
const REORG_MS = 3_600_000
/** What all searches of one budget keep: some 20 MB. */
const [SEARCHES_MAX, LOGS_MAX] = [2_000, 100_000]
/** So soon after the newest blocks were read an unfinished search goes on with the older ones alone. */
const HEAD_MS = 45_000
/** Ms before the next search for a start that no endpoint showed. */
const BLIND_MS = 300_000

/** `logs`: oldest first. `reached`: all blocks of the search up to it are read; null where its start is not known yet. */
export type LogsFound = {
  readonly logs: readonly FoundLog[]
  readonly reached: number | null
  readonly isWhole: boolean
  /** A later call goes on from here. */
  readonly isUnfinished: boolean
}

/** One call of a search. */
type Pass = {
  readonly query: LogQuery
  readonly record: SearchRecord
  readonly progress: EvmProgress
  readonly asking: Asking
  readonly now: number
  readonly windows: ReturnType<typeof createWindows>
  readonly signal: AbortSignal
}

/** Has read again what may have changed since the last call. */
const checkAnchor = async ({ record, progress: { head, finalized }, asking, now }: Pass): Promise<void> => {
  const { anchor } = record
  if (anchor?.hash === head.hash) return
  if (anchor !== null) {
    const again = anchor.height - lagBlocks(record)
    const isLower = head.height < anchor.height
    // Of an endpoint that lags a little, or the last head was too high.
    if (isLower && head.height >= again) return uncover(record, again)
    // Blocks that were final then cannot have changed since, whatever is final now.
    const final = Math.min(anchor.finalized ?? anchor.height - (blocksIn(record, REORG_MS) ?? anchor.height + 1), head.height)
    const isSame = async () => (await asking.readBlock(anchor.height))?.hash === anchor.hash
    const isThere =
      (final >= again && !isLower) ||
      (await isSame().catch((error: unknown) => {
        if (isLower) uncover(record, head.height)
        throw error
      }))
    if (isLower && isThere) return
    if (!isThere) forgetAbove(record, final)
    uncover(record, again)
  }
  record.anchor = { ...head, finalized, readAt: now }
}

/** Null where the newest blocks are to be read too. */
const olderBlocksOf = ({ from, anchor, covered }: SearchRecord, now: number): EvmBlock | null =>
  anchor !== null &&
  from !== null &&
  isWithin(HEAD_MS, anchor.readAt, now) &&
  gapsIn({ from, to: anchor.height }, covered).length > 0
    ? anchor
    : null

const toStart = async ({ record, query, progress: { head }, asking, now }: Pass): Promise<void> => {
  const read = async (height: number) => {
    const block = await asking.readBlock(height)
    record.nearStart = block ?? record.nearStart
    return block
  }
  const { height, isCertain, blockMs } = await findStart(read, head, query.since, record.nearStart)
  record.from = Math.min(record.from ?? height, height)
  record.blindAt = isCertain ? null : now
  record.isFromStart = isCertain
  record.blockMs = blockMs
}

/** Reads ranges until the blocks, the budget or the time are at an end. Answers how many were read. */
const readRanges = async (pass: Pass): Promise<number> => {
  const { query, record, asking, windows, signal } = pass
  const reading = new Map<Range, Promise<void>>()
  const accepting = new Set<SearchEndpoint>()
  let reads = 0

  const read = async (endpoint: SearchEndpoint, range: Range, from: number): Promise<void> => {
    try {
      keepRead(record, range, await readLogs(endpoint.node, query, range, signal))
      windows.accepted(endpoint.url, range)
      accepting.add(endpoint)
      reads += 1
    } catch (error) {
      if (isRefusal(error)) windows.refused(endpoint.url, range, from, error)
      else {
        if (!isStarved(error) && !signal.aborted) windows.broken(endpoint.url, range)
        asking.failed(endpoint, error)
      }
    } finally {
      reading.delete(range)
    }
  }

  /** Returns false when the endpoint failed, or no range is left for it. What others are reading may be left when they fail. */
  const readNext = async (endpoint: SearchEndpoint): Promise<boolean> => {
    const shown = asking.open().includes(endpoint) ? await asking.shown(endpoint, windows.edge()) : null
    if (shown === null) return false
    trim(record, query)
    const isFull = query.order === 'oldest' && record.logs.length >= query.most
    const { from } = record
    if (from === null || signal.aborted || isFull) return false
    const range = windows.next(endpoint.url, from, [...reading.keys()], shown)
    if (range !== null) reading.set(range, read(endpoint, range, from))
    else if (reading.size === 0) return false
    await (range === null ? Promise.race(reading.values()) : reading.get(range))
    return true
  }

  const readAll = async (endpoint: SearchEndpoint): Promise<void> => {
    while (!accepting.has(endpoint) && (await readNext(endpoint)));
    const work = async (): Promise<void> => {
      while (await readNext(endpoint));
    }
    await Promise.all(Array.from({ length: TOGETHER }, work))
  }
  await Promise.all(asking.open().map(readAll))
  trim(record, query)
  return reads
}

const foundIn = (pass: Pass): LogsFound => {
  const { record, progress, asking, windows } = pass
  const { from, logs } = record
  if (from === null) return { logs: [], reached: null, isWhole: false, isUnfinished: true }
  const [gap] = gapsIn({ from, to: progress.head.height }, record.covered)
  if (gap === undefined) {
    const reached = Math.max(progress.head.height, from - 1)
    return { logs, reached, isWhole: record.isFromStart && !progress.isAhead, isUnfinished: false }
  }
  const isUnfinished = asking.endpoints.some(({ url }) => windows.leftFor(url, from).length > 0)
  return { logs, reached: gap.from - 1, isWhole: false, isUnfinished }
}

const runPass = async (pass: Pass): Promise<LogsFound> => {
  const { query, record, asking } = pass
  const { after = null } = query
  if (after !== null) startAt(record, Math.max(record.from ?? 0, after + 1))
  let reads = 0
  try {
    await checkAnchor(pass)
    if (record.from === null || (record.blindAt !== null && !isWithin(BLIND_MS, record.blindAt, pass.now))) await toStart(pass)
    reads = await readRanges(pass)
  } catch (error) {
    // The trouble is recorded where it occurred.
    if (!(error instanceof ChainError)) throw error
  }
  const trouble = reads === 0 ? asking.trouble() : null
  if (trouble !== null) throw trouble
  return foundIn(pass)
}

type Call = {
  readonly node: SearchNode
  readonly query: LogQuery
  readonly progress: EvmProgress
  readonly signal: AbortSignal
  readonly by: Searcher
}

export type LogSearch = (node: SearchNode, query: LogQuery, progress: EvmProgress, signal: AbortSignal) => Promise<LogsFound>

/**
 * Searches the logs of EVM chains in windows of blocks, a part with each call. The logs read are kept, and the next call of the
 * same search continues there, the newest blocks first. A reorganization, or a call that was cut off, leaves no gap. Throws
 * ChainError where nothing can be read; a lack of search calls is not such a reason.
 */
export const createLogSearch = ({ clock, calls }: { readonly clock: Clock; readonly calls: SearchCalls }): LogSearch => {
  const records = { partner: new Map<string, SearchRecord>(), anonymous: new Map<string, SearchRecord>() }

  /** Anonymous searches never evict searches of partners. */
  const recordOf = ({ search, budget }: Searcher, chainId: EvmChainId): SearchRecord => {
    const [own, other] = [records[budget], records[budget === 'partner' ? 'anonymous' : 'partner']]
    const record =
      records.partner.get(search) ??
      records.anonymous.get(search) ??
      createRecord(headAgeMaxMs(chainId), headAgeMaxBlocks(chainId))
    if (budget === 'partner') other.delete(search)
    else if (other.has(search)) return record
    own.delete(search)
    own.set(search, record)
    let kept = [...own.values()].reduce((sum, { logs }) => sum + logs.length, 0)
    for (const [oldest, { logs }] of own) {
      if (own.size <= SEARCHES_MAX && kept <= LOGS_MAX) break
      own.delete(oldest)
      kept -= logs.length
    }
    return record
  }

  const run = async (record: SearchRecord, call: Call): Promise<LogsFound> => {
    const { node, query, progress: newest, signal, by } = call
    const now = clock.now()
    const older = olderBlocksOf(record, now)
    const progress = older === null ? newest : { ...newest, head: older }
    const asking = createAsking(await node.endpoints(by), progress, signal)
    const windows = createWindows({
      order: query.order,
      record,
      head: progress.head,
      calls,
      now,
      isAnonymous: by.budget === 'anonymous',
    })
    const found = await runPass({ query, record, progress, asking, now, windows, signal })
    if (older !== null && olderBlocksOf(record, now) === null) return run(record, call)
    if (found.isWhole || record.covered.length > 0 || asking.isShort()) {
      if (!found.isUnfinished) calls.leave(by)
      return found
    }
    throw new ChainError('unreachable', node.chainId, `chain ${node.chainId}: no endpoint searches logs`)
  }

  return async (node, query, progress, signal) => {
    const { address, topics, since, budget } = query
    const by = { search: JSON.stringify([node.chainId, address, topics, since, node.witness]), budget }
    const record = recordOf(by, node.chainId)
    // One call at a time, so that none reads what another one finds out of date.
    const turn = record.turn.then(() => run(record, { node, query, progress, signal, by }))
    record.turn = turn.catch(() => undefined)
    return turn
  }
}
