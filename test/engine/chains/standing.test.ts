import { describe, expect, it } from 'vitest'
import { confirmationRule } from '../../../engine/chains/confirmations.ts'
import { confirmedHeight, standingOf } from '../../../engine/chains/standing.ts'
import type { ChainId } from '../../../engine/core/chain.ts'

const HOUR = 3_600_000
const SEQUENCED = [10, 130, 480, 8453, 59144, 324, 42161, 4663] as const
const PAST_FINALITY = [43114, 143, 999] as const
const at = (height: number, ageMs = 0) => ({ height, at: 1_000_000 + ageMs })

describe('confirmations: when a payment counts [status-confirmations]', () => {
  type Row = [chains: readonly ChainId[], depth: number, past: number | null, expected: string, more?: 'twice' | number]
  /** `past`: how many blocks the finalized block is above the payment; null: unknown. `more`: seen by two endpoints, or its age. */
  it.each<Row>([
    [[1], 2, -9, 'fresh'],
    [[1], 2, -9, 'fresh', 'twice'],
    [[1], 3, -9, 'confirmed'],
    [[1], -4, -9, 'fresh'],
    [[56, 137], 4, -9, 'fresh', 'twice'],
    [[56, 137], 5, -9, 'confirmed'],
    [SEQUENCED, 1, -9, 'fresh'],
    [SEQUENCED, 1, -9, 'confirmed', 'twice'],
    [SEQUENCED, 2, -9, 'confirmed'],
    [PAST_FINALITY, 50, 0, 'fresh', 'twice'],
    [PAST_FINALITY, 2, 1, 'final'],
    [[999, 43114], 1, null, 'fresh'],
    [[999, 43114], 2, null, 'confirmed'],
    [[143], 3, null, 'fresh'],
    [[143], 4, null, 'confirmed'],
    [[-1, -2], 1, -2, 'confirmed'],
    [[-1], 0, -5, 'confirmed'],
    [[1, 8453, 56, -1], 100, -1, 'confirmed', 2 * HOUR],
    [[1, 8453, 56, -1], 100, 0, 'final'],
    [[1, 137, 8453, 143], 63, null, 'confirmed', 2 * HOUR],
    [[1, 137, 8453, 143], 10_000, null, 'confirmed', HOUR - 1],
    [[1, 137, 8453, 143], 64, null, 'final', HOUR],
  ])('on chains %j under %i blocks, finality %j: %s (%j)', (chains, depth, past, expected, more) => {
    const progress = {
      head: at(1_000 + depth - 1, typeof more === 'number' ? more : 0),
      finalized: past === null ? null : 1_000 + past,
    }
    const standing = (chainId: ChainId) => standingOf(confirmationRule(chainId, {}), at(1_000), progress, more === 'twice')
    expect(chains.map(standing)).toEqual(chains.map(() => expected))
  })

  it.each([1, 8453, 143, -1] as const)('on chain %i under the number of blocks that the operator sets', (chainId) => {
    const rule = confirmationRule(chainId, { [chainId]: 7 })
    const under = (depth: number) => ({ head: at(1_000 + depth - 1), finalized: 2_000 })
    expect(standingOf(rule, at(1_000), under(6), true)).toBe('fresh')
    expect(standingOf(rule, at(1_000), under(7))).toBe('final')
    expect(confirmedHeight(rule, under(1))).toBe(994)
  })

  it.each<[ChainId, head: number, finalized: number | null, height: number]>([
    [1, 1_000, 990, 998],
    [8453, 1_000, 990, 999],
    [137, 1_000, 990, 996],
    [143, 1_000, 990, 989],
    [143, 1_000, null, 997],
    [-1, 1_000, 990, 1_000],
    [-2, 1_000, 990, 1_000],
    [1, 1, null, 0],
  ])('on chain %i with head %i and finalized block %j the newest confirmed block is %i', (chainId, head, finalized, height) => {
    expect(confirmedHeight(confirmationRule(chainId, {}), { head: at(head), finalized })).toBe(height)
  })
})
