import { afterAll, expect } from 'vitest'

/** The fewest alterations the suite of each venue tries. A table that shrinks must fail, not pass having done less. */
export const MUTATIONS_MIN: { readonly [venue: string]: number } = {
  across: 6_600,
  bebop: 5_400,
  chainflip: 1_580,
  cow: 550,
  debridge: 1626,
  kyberswap: 3_401,
  jupiter: 1_800,
  lifi: 10_300,
  mayan: 5_800,
  'near-intents': 850,
  relay: 2_040,
  thorchain: 820,
  uniswapx: 3_000,
  zerox: 5_400,
}

export type MutationCount = { readonly altered: number; readonly refused: number }

/** What is wrong with a count; empty when nothing is. */
export const faultsOf = ({ altered, refused }: MutationCount, least: number | undefined): readonly string[] => {
  const faults: string[] = []
  if (least === undefined) faults.push('no minimum is set')
  else if (altered < least) faults.push(`${altered} altered, at least ${least} are to be`)
  if (refused !== altered) faults.push(`${altered - refused} accepted`)
  return faults
}

const counts = new Map<string, { altered: number; refused: number }>()

/**
 * Counts the altered payloads of one venue, and fails its suite at its end when fewer were tried than the minimum or any was
 * accepted. The function it gives takes what the proof objected to. It fails at once when that is nothing, unless a list collects the
 * accepted names.
 */
export const countMutations = (venue: string) => {
  const count = counts.get(venue) ?? { altered: 0, refused: 0 }
  if (!counts.has(venue))
    afterAll(() => {
      const { altered, refused } = count
      process.stdout.write(`mutations ${venue}: ${altered} altered, ${refused} refused\n`)
      expect(faultsOf(count, MUTATIONS_MIN[venue])).toEqual([])
    })
  counts.set(venue, count)
  return (name: string, objections: readonly string[], accepted?: string[]): readonly string[] => {
    count.altered += 1
    if (objections.length > 0) count.refused += 1
    else accepted?.push(name)
    if (!accepted) expect(objections, name).not.toEqual([])
    return objections
  }
}

/** Copies, each with one bit of one byte turned over; together they touch every byte. */
export const flips = (bytes: Uint8Array): readonly Uint8Array[] =>
  Array.from(bytes, (byte, at) => Uint8Array.from(bytes).fill(byte ^ 1, at, at + 1))
