import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLifecycle } from '../../../engine/health/lifecycle.ts'
import { createOutages } from '../../../engine/health/outages.ts'
import { createStoreHealth } from '../../../engine/health/storeHealth.ts'
import type { AnyEvent, EngineEvent } from '../../../engine/observe/observe.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const create = (answer: () => Promise<void>) => {
  const events: EngineEvent[] = []
  const probe = vi.fn(answer)
  const now = () => performance.now()
  return { health: createStoreHealth({ store: { probe }, observe: (event) => events.push(event), now }), events, probe }
}

it('store health: a failed call causes a probe at once, then one a second until the store is healthy', async () => {
  let isWell = true
  const { health, events, probe } = create(async () => {
    if (!isWell) throw new Error('no space')
  })
  await health.look()
  isWell = false
  health.suspect()
  expect(await health.look()).toBe('no space')
  isWell = true
  expect(await health.look()).toBe('no space')
  expect(probe).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await health.look()).toBeNull()
  expect(probe).toHaveBeenCalledTimes(3)
  expect(events).toEqual([
    { event: 'store.health', healthy: false, reason: 'no space' },
    { event: 'store.health', healthy: true, reason: null },
  ])
})

it('store health: a probe that hangs delays a caller for one second, is a problem after three, and is not repeated', async () => {
  const { health, probe } = create(() => new Promise(() => undefined))
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

it('lifecycle: the log contains the cause while the instance accepts no requests', () => {
  const events: AnyEvent[] = []
  const lifecycle = createLifecycle((event) => events.push(event))
  for (const problems of [[], ['clock', 'venue']] as const) {
    lifecycle.serving(() => problems)
    lifecycle.state()
  }
  expect(events).toMatchObject([{ cause: [] }, { ready: false, cause: ['clock'], problems: ['clock', 'venue'] }])
})
