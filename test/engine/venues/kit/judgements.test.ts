import { describe, expect, test } from 'vitest'
import { meaningOf, minimumAbove, refused } from '../../../../engine/venues/kit/refusals.ts'
import { grossUp, tighterSlippageBps } from '../../../../engine/venues/kit/reprice.ts'
import { isOneOf, NOT_FOUND, swapStatus } from '../../../../engine/venues/kit/track.ts'

describe('the tolerance that still guarantees what was quoted', () => {
  test.each([
    ['none: the bound still holds', 1_000n, 990n, 990n, null],
    ['none: the price is below the quoted minimum', 989n, 980n, 990n, null],
    ['none: it would be less than the venue takes', 1_000n, 980n, 1_000n, null],
    ['the tighter one', 1_000n, 980n, 990n, 100],
    ['rounded down, so that no less is guaranteed', 1_003n, 980n, 990n, 129],
  ] as const)('%s', (_name, expected, minimum, quoted, bps) => {
    expect(tighterSlippageBps({ expected, minimum }, quoted, { leastBps: 1 })).toBe(bps)
  })

  test('a venue that takes zero is asked for it', () => {
    expect(tighterSlippageBps({ expected: 1_000n, minimum: 980n }, 1_000n, { leastBps: 0 })).toBe(0)
  })
})

test.each([
  [9_980n, 20, 20, 20n],
  [9_960n, 20, 40, 20n],
  [999n, 30, 30, 3n],
  [999n, 0, 0, 0n],
] as const)('%s units after fees: %i of %i bps were worth %s', (net, bps, totalBps, worth) => {
  expect(grossUp(net, bps, totalBps)).toBe(worth)
})

describe('a code of a venue', () => {
  const MEANINGS = { LOW: 'amountTooSmall', WHO: ['badRequest', 'recipient'] } as const

  test('means what its table says, with the party or the bound that was told', () => {
    expect(refused(MEANINGS.WHO, 'WHO: nobody')).toMatchObject({ kind: 'badRequest', party: 'recipient', message: 'WHO: nobody' })
    expect(refused(MEANINGS.LOW, 'LOW', { minimum: 7n })).toMatchObject({ kind: 'amountTooSmall', minimum: 7n, party: null })
  })

  test.each(['toString', 'constructor', '__proto__', 'NEW'])('%s means nothing', (code) => {
    expect(meaningOf(MEANINGS, code)).toBeUndefined()
  })

  test('a least amount that is no more than was asked for is not told', () => {
    expect(minimumAbove(5n, 6n)).toEqual({ minimum: 6n })
    expect(minimumAbove(5n, 5n)).toEqual({})
    expect(minimumAbove(null, 6n)).toEqual({})
    expect(minimumAbove(5n, null)).toEqual({})
  })
})

test('a status that is not documented is none of the documented ones', () => {
  const isKnown = isOneOf(['filled', 'open'])
  expect([isKnown('filled'), isKnown('Filled'), isKnown('constructor')]).toEqual([true, false, false])
  expect(swapStatus('success', 'filled', { txHash: '0x1' })).toEqual({
    ...NOT_FOUND,
    state: 'success',
    venueStatus: 'filled',
    txHash: '0x1',
  })
})
