import { expect, test } from 'vitest'
import { grossUp, tighterSlippageBps } from '../../../../engine/venues/kit/reprice.ts'

test.each([
  ['null while the minimum holds', 1_000n, 990n, 990n, 1, null],
  ['null for a price below the quoted minimum', 989n, 980n, 990n, 1, null],
  ['null for less than the venue accepts', 1_000n, 980n, 1_000n, 1, null],
  ['0 where the venue accepts 0', 1_000n, 980n, 1_000n, 0, 0],
  ['the distance to the quoted minimum, rounded down', 1_003n, 980n, 990n, 1, 129],
] as const)('the slippage that still guarantees a quote is %s', (_what, expected, minimum, quoted, leastBps, bps) => {
  expect(tighterSlippageBps({ expected, minimum }, quoted, { leastBps })).toBe(bps)
})

test.each([
  [9_980n, 20, 20, 20n],
  [9_960n, 20, 40, 20n],
  [999n, 30, 30, 3n],
])('of %s units after fees, %i of %i bps were worth %s', (net, bps, totalBps, worth) => {
  expect(grossUp(net, bps, totalBps)).toBe(worth)
})
