import { expect, test } from 'vitest'
import { meaningOf, minimumAbove, refused } from '../../../../engine/venues/kit/refusals.ts'
import { grossUp, tighterSlippageBps } from '../../../../engine/venues/kit/reprice.ts'
import { isOneOf, NOT_FOUND, swapStatus } from '../../../../engine/venues/kit/track.ts'

test.each([
  ['null while the minimum holds', 1_000n, 990n, 990n, 1, null],
  ['null for a price below the quoted minimum', 989n, 980n, 990n, 1, null],
  ['null for less than the venue accepts', 1_000n, 980n, 1_000n, 1, null],
  ['0 where the venue accepts 0', 1_000n, 980n, 1_000n, 0, 0],
  ['the distance to the quoted minimum', 1_000n, 980n, 990n, 1, 100],
  ['rounded down', 1_003n, 980n, 990n, 1, 129],
] as const)('the slippage that still guarantees a quote is %s', (_what, expected, minimum, quoted, leastBps, bps) => {
  expect(tighterSlippageBps({ expected, minimum }, quoted, { leastBps })).toBe(bps)
})

test.each([
  [9_980n, 20, 20, 20n],
  [9_960n, 20, 40, 20n],
  [999n, 30, 30, 3n],
  [999n, 0, 0, 0n],
] as const)('of %s units after fees, %i of %i bps were worth %s', (net, bps, totalBps, worth) => {
  expect(grossUp(net, bps, totalBps)).toBe(worth)
})

const MEANINGS = { LOW: 'amountTooSmall', WHO: ['badRequest', 'recipient'] } as const

test('a refusal has the kind of its code, with the party or the bound', () => {
  expect(refused(MEANINGS.WHO, 'WHO: nobody')).toMatchObject({ kind: 'badRequest', party: 'recipient', message: 'WHO: nobody' })
  expect(refused(MEANINGS.LOW, 'LOW', { minimum: 7n })).toMatchObject({ kind: 'amountTooSmall', minimum: 7n, party: null })
})

test.each(['toString', 'constructor', '__proto__', 'NEW'])('the code %s has no meaning', (code) => {
  expect(meaningOf(MEANINGS, code)).toBeUndefined()
})

test.each([
  [5n, 6n, { minimum: 6n }],
  [5n, 5n, {}],
  [null, 6n, {}],
  [5n, null, {}],
])('for an amount of %s, a minimum of %s is reported only above it', (asked, minimum, reported) => {
  expect(minimumAbove(asked, minimum)).toEqual(reported)
})

test('only a documented status is known, and a status has null for what is unknown', () => {
  expect(['filled', 'Filled', 'constructor'].map(isOneOf(['filled', 'open']))).toEqual([true, false, false])
  const status = { ...NOT_FOUND, state: 'success', venueStatus: 'filled', txHash: '0x1' }
  expect(swapStatus('success', 'filled', { txHash: '0x1' })).toEqual(status)
})
