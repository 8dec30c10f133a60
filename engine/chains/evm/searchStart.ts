import type { BlockMark } from '../standing.ts'

/** The first guess at where a search begins, and how far back it goes where the endpoint shows no block of that time. */
const [FIRST_BACK, BLIND_BACK] = [2_000, 40_000]

export type SearchStart = {
  readonly height: number
  /** False where blocks before it may be of the time asked for. */
  readonly isCertain: boolean
  /** Measured; null where nothing was. */
  readonly blockMs: number | null
}

/**
 * Finds a block a little older than `since`, by how fast the chain makes blocks. `read` returns null for a block that no endpoint shows.
 * `near`: one that an earlier attempt read.
 */
export const findStart = async (
  read: (height: number) => Promise<BlockMark | null>,
  head: BlockMark,
  since: number,
  near: BlockMark | null = null,
): Promise<SearchStart> => {
  let [low, height]: [number | null, number] = [null, near?.height ?? Math.max(0, head.height - FIRST_BACK)]
  let blockMs: number | null = null
  for (let margin = 1.02; ; margin = 2 * margin - 1) {
    const block = height === near?.height ? near : await read(height)
    if (block === null) return { height: low ?? Math.max(0, head.height - BLIND_BACK), isCertain: low !== null, blockMs }
    const isBefore = block.at < since || height === 0
    if (height < head.height) blockMs = Math.max(1, (head.at - block.at) / (head.height - height))
    const guess = Math.max(0, head.height - Math.ceil(((head.at - since) / (blockMs ?? 1)) * margin) - 1)
    const isNear = guess - height < (head.height - height) / 10
    if (low !== null || (isBefore && isNear)) return { height: isBefore ? height : (low ?? height), isCertain: true, blockMs }
    low = isBefore ? height : null
    height = isBefore ? guess : Math.max(0, Math.min(guess, height - 1))
  }
}
