import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createOutages } from '../../../engine/health/outages.ts'
import { createStoreHealth } from '../../../engine/health/storeHealth.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('store health: a probe that hangs delays a caller for one second, is a problem after three, and is not repeated', async () => {
  const probe = vi.fn(() => new Promise<void>(() => undefined))
  const health = createStoreHealth({ store: { probe }, observe: () => undefined, now: () => performance.now() })
  const first = health.look()
  await vi.advanceTimersByTimeAsync(1_001)
  expect(await first).toBeNull()
  await vi.advanceTimersByTimeAsync(2_001)
  const later = health.look()
  await vi.advanceTimersByTimeAsync(1_001)
  expect([await later, health.trouble]).toEqual(['it does not answer', 'it does not answer'])
  expect(probe).toHaveBeenCalledTimes(1)
})

it('outages: a chain is down while every one of its endpoints failed last', () => {
  const outages = createOutages()
  const rows = [
    [1, 1, false, []],
    [1, 2, false, [1]],
    [10, 1, false, [1]],
    [1, 1, true, []],
  ] as const
  for (const [chainId, endpoint, healthy, down] of rows) {
    outages.observe({ event: 'chain.health', chainId, endpoint, endpoints: 2, healthy, reason: null })
    expect(outages.chainsDown).toEqual(down)
  }
})
