import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLifecycle } from '../../../engine/health/lifecycle.ts'
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

it('store health: a failed call causes a probe at once, then one a second until the store is healthy', async () => {
  const probe = vi.fn(async () => undefined)
  const observe = vi.fn()
  const health = createStoreHealth({ store: { probe }, observe, now: () => performance.now() })
  await health.look()
  probe.mockRejectedValueOnce(new Error('no space'))
  health.suspect()
  expect([await health.look(), await health.look()]).toEqual(['no space', 'no space'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect([await health.look(), probe.mock.calls.length]).toEqual([null, 3])
  expect(observe.mock.calls).toMatchObject([[{ healthy: false, reason: 'no space' }], [{ healthy: true }]])
})

it('lifecycle: the log names the problems that make the instance not ready', () => {
  const observe = vi.fn()
  const lifecycle = createLifecycle(observe)
  for (const problems of [[], ['clock', 'venue']] as const) {
    lifecycle.serving(() => problems)
    lifecycle.state()
  }
  expect(observe.mock.calls).toMatchObject([[{ ready: true, cause: [] }], [{ ready: false, cause: ['clock'] }]])
})

it('outages: a chain is down while every one of its endpoints failed last', () => {
  const outages = createOutages()
  const downAfter = (chainId: number, endpoint: number, healthy: boolean) => {
    outages.observe({ event: 'chain.health', chainId, endpoint, endpoints: 2, healthy, reason: null })
    return outages.chainsDown
  }
  expect([downAfter(1, 1, false), downAfter(1, 2, false)]).toEqual([[], [1]])
  expect([downAfter(10, 1, false), downAfter(1, 1, true)]).toEqual([[1], []])
})
