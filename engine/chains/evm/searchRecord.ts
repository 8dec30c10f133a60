import type { TransactionId } from '../../core/transactionId.ts'
import type { BlockMark } from '../standing.ts'
import type { EvmBlock } from './evmProgress.ts'

/** Heights, both included. */
export type Range = { readonly from: number; readonly to: number }

/** `amount`: its data as a number; 0 where that is no single word. */
export type FoundLog = {
  readonly hash: TransactionId
  readonly height: number
  readonly index: number
  readonly amount: bigint
}

export type OwnWindow = { readonly blocks: number; readonly next: number; readonly taken: number; readonly until: number }

/** What one search has read so far, and where the next call goes on. Bounded, and in memory only. */
export type SearchRecord = {
  /** The first block of the search; null until it is found by its time. */
  from: number | null
  /** False where blocks before `from` belong to the search, and are not read. */
  isFromStart: boolean
  /** When no endpoint showed a block as old as the start, epoch ms: the search for the start is repeated. */
  blindAt: number | null
  /** The last block that was read to find the start. */
  nearStart: BlockMark | null
  /** Measured; null where it is not known. */
  blockMs: number | null
  /** How old the newest block of an endpoint may be, and how many blocks behind by the usual pace of the chain. */
  readonly lagMs: number
  readonly lagBlocks: number
  /** Apart from each other, lowest first. */
  covered: readonly Range[]
  /** The head at the time of reading, and the final height then: while the chain has this head, it has the covered blocks. */
  anchor: (EvmBlock & { readonly finalized: number | null; readonly readAt: number }) | null
  logs: readonly FoundLog[]
  /**
   * By endpoint that refused a range which it accepts in other searches. One block is tried next: it shows whether the range held
   * too many logs, or blocks that it does not keep. Then `next` blocks a call, and twice as many after `until` calls, of which
   * `taken` are done. Each refusal raises `until`.
   */
  windows: Map<string, OwnWindow>
  /** By endpoint: at and below this height it refused even one block. */
  floors: Map<string, { readonly height: number; readonly at: number }>
  /**
   * By endpoint. 1 and 3: it refused the newest blocks, which it may not have yet. 2: it accepted older ones since, or none are
   * left. Only 1 outlasts a call.
   */
  behind: Map<string, 1 | 2 | 3>
  /** The last call of the search. */
  turn: Promise<unknown>
}

export const createRecord = (lagMs: number, lagBlocks: number): SearchRecord => ({
  lagMs,
  lagBlocks,
  from: null,
  isFromStart: true,
  blindAt: null,
  nearStart: null,
  blockMs: null,
  covered: [],
  anchor: null,
  logs: [],
  windows: new Map(),
  floors: new Map(),
  behind: new Map(),
  turn: Promise.resolve(),
})

const isRange = ({ from, to }: Range): boolean => from <= to

/** What of a range is in none of these, lowest first. */
export const gapsIn = ({ from, to }: Range, ranges: readonly Range[]): readonly Range[] => {
  const gaps: Range[] = []
  let next = from
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    gaps.push({ from: next, to: Math.min(to, range.from - 1) })
    next = Math.max(next, range.to + 1)
  }
  return [...gaps, { from: next, to }].filter(isRange)
}

/** The newest blocks first, or the oldest. */
export type Order = 'latest' | 'oldest'

/** The next blocks of these to be read, at most so many; null: none, or they are being read. */
export const nextRange = (
  left: readonly Range[],
  reading: Iterable<Range>,
  { blocks, order }: { readonly blocks: number; readonly order: Order },
): Range | null => {
  const gaps = left.flatMap((gap) => gapsIn(gap, [...reading]))
  const gap = order === 'latest' ? gaps.at(-1) : gaps[0]
  if (gap === undefined) return null
  const { from, to } = gap
  return order === 'latest' ? { from: Math.max(from, to - blocks + 1), to } : { from, to: Math.min(to, from + blocks - 1) }
}

const inOrder = (a: FoundLog, b: FoundLog): number => a.height - b.height || a.index - b.index

const byAmount = (a: FoundLog, b: FoundLog): number => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0)

/** Stores the logs of a range, in place of its earlier logs. Each transaction is kept once, with its largest amount. */
export const keepRead = (record: SearchRecord, range: Range, logs: readonly FoundLog[]): void => {
  const isIn = ({ height }: FoundLog): boolean => height >= range.from && height <= range.to
  const rest = record.logs.filter((log) => !isIn(log))
  const all = [...rest, ...logs.filter(isIn)].toSorted(inOrder)
  record.logs = [...new Map(all.toSorted(byAmount).map((log) => [log.hash, log])).values()].toSorted(inOrder)
  const merged: Range[] = []
  for (const { from, to } of [...record.covered, range].toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last === undefined || from > last.to + 1) merged.push({ from, to })
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, to) }
  }
  record.covered = merged
}

/** The blocks above a height are to be read again. */
export const uncover = (record: SearchRecord, above: number): void => {
  record.covered = record.covered.map(({ from, to }) => ({ from, to: Math.min(to, above) })).filter(isRange)
}

/** A reorganization took these blocks out of the chain. */
export const forgetAbove = (record: SearchRecord, height: number): void => {
  uncover(record, height)
  record.logs = record.logs.filter((log) => log.height <= height)
}

/** Ends the search below a height. */
export const startAt = (record: SearchRecord, from: number): void => {
  record.from = from
  record.logs = record.logs.filter(({ height }) => height >= from)
}

/** How many blocks of this chain are made in that time, at least 64. */
export const blocksIn = ({ blockMs }: SearchRecord, ms: number): number | null =>
  blockMs === null ? null : Math.max(64, Math.ceil(ms / blockMs))
