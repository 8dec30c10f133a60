import { describe, expect, it } from 'vitest'
import { CONFIRMATIONS, confirmationRule } from '../../../engine/chains/confirmations.ts'
import { confirmedHeight, standingOf } from '../../../engine/chains/standing.ts'
import { CHAIN_IDS, type ChainId } from '../../../engine/core/chain.ts'

const AT = 1_000_000
const HOUR_MS = 3_600_000
const at = (height: number) => ({ height, at: AT })
const standing = (chainId: ChainId, on: { depth: number; past: number | null; isSeenTwice?: boolean; ageMs?: number }) => {
  const head = { height: 1_000 + on.depth - 1, at: AT + (on.ageMs ?? 0) }
  const finalized = on.past === null ? null : 1_000 + on.past
  return standingOf(confirmationRule(chainId, {}), at(1_000), { head, finalized }, on.isSeenTwice ?? false)
}

describe('money counts as arrived [status-confirmations]', () => {
  it.each([
    [1, 3],
    [56, 5],
    [137, 5],
  ] as const)('on chain %i under %i blocks, its own among them', (chainId, blocks) => {
    expect(standing(chainId, { depth: blocks - 1, past: -9 })).toBe('fresh')
    expect(standing(chainId, { depth: blocks - 1, past: -9, isSeenTwice: true })).toBe('fresh')
    expect(standing(chainId, { depth: blocks, past: -9 })).toBe('confirmed')
  })

  it.each([10, 130, 480, 8453, 59144, 324, 42161, 4663] as const)(
    'on chain %i under one block that two endpoints show, or under two',
    (chainId) => {
      expect(standing(chainId, { depth: 1, past: -9 })).toBe('fresh')
      expect(standing(chainId, { depth: 1, past: -9, isSeenTwice: true })).toBe('confirmed')
      expect(standing(chainId, { depth: 2, past: -9 })).toBe('confirmed')
    },
  )

  it.each([43114, 143, 999] as const)('on chain %i once the next block is final', (chainId) => {
    expect(standing(chainId, { depth: 50, past: -1 })).toBe('fresh')
    expect(standing(chainId, { depth: 50, past: 0 })).toBe('fresh')
    expect(standing(chainId, { depth: 2, past: 1 })).toBe('final')
    // A node that cannot tell what is final.
    expect(standing(chainId, { depth: 1, past: null })).toBe('fresh')
    expect(standing(chainId, { depth: 4, past: null })).toBe('confirmed')
  })

  it('on Bitcoin in its first block, and on Solana as soon as it is read', () => {
    expect(standing(-1, { depth: 1, past: -2 })).toBe('confirmed')
    expect(standing(-2, { depth: 1, past: -2 })).toBe('confirmed')
  })

  it('under as many blocks as the operator says, however final it is by then', () => {
    for (const chainId of [1, 8453, 143, -1] as const) {
      const rule = confirmationRule(chainId, { [chainId]: 7 })
      const under = (depth: number) => ({ head: { height: 1_000 + depth - 1, at: AT }, finalized: 2_000 })
      expect(standingOf(rule, at(1_000), under(6), true)).toBe('fresh')
      expect(standingOf(rule, at(1_000), under(7))).toBe('final')
      expect(confirmedHeight(rule, under(1))).toBe(994)
    }
  })

  it('in one block even where the head is older than the block', () => {
    expect(standing(-1, { depth: 0, past: -5 })).toBe('confirmed')
    expect(standing(1, { depth: -4, past: -9 })).toBe('fresh')
  })

  it('by a rule with a source for every chain', () => {
    expect(Object.keys(CONFIRMATIONS).map(Number).toSorted()).toEqual([...CHAIN_IDS].toSorted())
    for (const { source } of Object.values(CONFIRMATIONS)) expect(source).toMatch(/^https:\/\//)
  })
})

describe('nothing takes money away', () => {
  it.each([1, 8453, 56, -1] as const)('once chain %i calls its block final', (chainId) => {
    expect(standing(chainId, { depth: 100, past: -1, ageMs: 2 * HOUR_MS })).toBe('confirmed')
    expect(standing(chainId, { depth: 100, past: 0 })).toBe('final')
  })

  it.each([1, 137, 8453, 143] as const)('on chain %i by a node that cannot tell, after 64 blocks and an hour', (chainId) => {
    expect(standing(chainId, { depth: 63, past: null, ageMs: 2 * HOUR_MS })).toBe('confirmed')
    expect(standing(chainId, { depth: 10_000, past: null, ageMs: HOUR_MS - 1 })).toBe('confirmed')
    expect(standing(chainId, { depth: 64, past: null, ageMs: HOUR_MS })).toBe('final')
  })
})

describe('the newest block that counts', () => {
  it.each([
    [1, 998],
    [8453, 999],
    [137, 996],
    [143, 989],
    [-1, 1_000],
  ] as const)('of chain %i', (chainId, height) => {
    expect(confirmedHeight(confirmationRule(chainId, {}), { head: at(1_000), finalized: 990 })).toBe(height)
  })

  it('is told by depth where the node cannot tell what is final', () => {
    expect(confirmedHeight(confirmationRule(143, {}), { head: at(1_000), finalized: null })).toBe(997)
    expect(confirmedHeight(confirmationRule(1, {}), { head: at(1), finalized: null })).toBe(0)
  })
})
