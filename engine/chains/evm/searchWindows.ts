import { isWithin } from '../../core/clock.ts'
import { isTooMuch } from '../endpoints/endpoints.ts'
import type { EvmBlock } from './evmProgress.ts'
import { narrower, type SearchCalls } from './searchCalls.ts'
import { blocksIn, gapsIn, nextRange, type Order, type Range, type SearchRecord } from './searchRecord.ts'

/** An endpoint that refused one block is asked for it again after this time. */
const FLOOR_MS = 300_000
/** After how many calls a search that had to narrow its range doubles it: more with each refusal. */
const WIDER_AFTER = { first: 8, factor: 4, most: 128 } as const
/** An endpoint that breaks over fewer blocks is down. */
const BROKEN_LEAST = 50

/** How many of the newest blocks an endpoint may lack although another one has them: those are read again. */
export const lagBlocks = (record: SearchRecord): number => Math.max(record.lagBlocks, blocksIn(record, record.lagMs) ?? 0)

type Parts = {
  readonly order: Order
  readonly record: SearchRecord
  readonly head: EvmBlock
  readonly calls: SearchCalls
  readonly now: number
  /** An anonymous search narrows the range of no other one. */
  readonly isAnonymous: boolean
}

/** Which blocks each endpoint is asked for in one call of a search, by what it took and refused. */
export const createWindows = ({ order, record, head, calls, now, isAnonymous }: Parts) => {
  const { behind } = record
  for (const [url, state] of behind) if (state !== 1) behind.delete(url)
  const edge = (): number => head.height - lagBlocks(record)

  /** The blocks from there to the head that it may still return. */
  const leftFor = (url: string, from: number, to = head.height): readonly Range[] => {
    const floor = record.floors.get(url)
    const isKnown = floor !== undefined && isWithin(FLOOR_MS, floor.at, now)
    return gapsIn({ from: isKnown ? Math.max(from, floor.height + 1) : from, to }, record.covered)
  }

  /** After a range that was too long. `first`: how many blocks are tried next, and `next` then. */
  const narrow = (url: string, { from, to }: Range, next: number, first = next): void => {
    const own = record.windows.get(url)
    // Of calls that were under way together the first counts.
    if (own && own.blocks <= to - from) return
    const until = Math.min((own?.until ?? WIDER_AFTER.first / WIDER_AFTER.factor) * WIDER_AFTER.factor, WIDER_AFTER.most)
    record.windows.set(url, { blocks: first, next, taken: 0, until })
  }

  return {
    leftFor,
    edge,
    /** The next blocks to read; null: none, or they are being read. `shown`: the last block that the endpoint has shown. */
    next: (url: string, from: number, reading: Iterable<Range>, shown: number): Range | null => {
      if (behind.get(url) === 1 && leftFor(url, from, edge()).length === 0) behind.set(url, 2)
      const isBehind = behind.get(url) === 1 || behind.get(url) === 3
      const blocks = Math.min(record.windows.get(url)?.blocks ?? Number.POSITIVE_INFINITY, calls.windowOf(url))
      return nextRange(leftFor(url, from, Math.min(shown, isBehind ? edge() : head.height)), reading, { blocks, order })
    },
    accepted: (url: string, { from, to }: Range): void => {
      calls.accepted(url, to - from + 1)
      if (behind.get(url) === 1) behind.set(url, 2)
      const own = record.windows.get(url)
      if (!own) return
      const isWider = own.taken >= own.until
      const next = isWider ? own.next * 2 : own.next
      record.windows.set(url, { ...own, blocks: next, next, taken: isWider ? 0 : own.taken + 1 })
    },
    /** `first`: the first block of the search. */
    refused: (url: string, range: Range, first: number, error: unknown): void => {
      const { to } = range
      const blocks = to - range.from + 1
      const mayBeBehind = to > edge() && (behind.has(url) || leftFor(url, first, edge()).length > 0)
      if (mayBeBehind) {
        if (behind.get(url) === 2) narrow(url, range, narrower(blocks))
        behind.set(url, behind.has(url) ? 3 : 1)
      } else if (blocks > 1 && isTooMuch(error)) narrow(url, range, narrower(blocks))
      else if (blocks === 1) {
        // The endpoint has dropped these blocks, or it keeps no logs at all.
        record.floors.set(url, { height: order === 'oldest' ? head.height : to, at: now })
        record.windows.delete(url)
      } else if (isAnonymous || !calls.refused(url, blocks)) narrow(url, range, narrower(blocks), 1)
    },
    /** It shows blocks, and breaks over the logs of so many. */
    broken: (url: string, range: Range): void => {
      const blocks = range.to - range.from + 1
      if (blocks > BROKEN_LEAST) narrow(url, range, Math.ceil(blocks / 2))
    },
  }
}
