import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStoreHealth } from '../../../engine/health/storeHealth.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const bench = (probe: () => Promise<void>) => {
  const events: EngineEvent[] = []
  let probes = 0
  const counted = () => {
    probes += 1
    return probe()
  }
  const health = createStoreHealth({
    store: { probe: counted },
    observe: (event) => events.push(event),
    now: () => performance.now(),
  })
  return { health, events, probes: () => probes }
}

describe('a look at the store', () => {
  it('is one for all who ask, and one in 3 seconds while it is well', async () => {
    const { health, probes } = bench(async () => undefined)
    await Promise.all([health.look(), health.look(), health.look()])
    await vi.advanceTimersByTimeAsync(2_999)
    expect([await health.look(), probes()]).toEqual([null, 1])
    await vi.advanceTimersByTimeAsync(1)
    expect([await health.look(), probes()]).toEqual([null, 2])
  })

  it('is due at once where a call has failed, and every second until it is well', async () => {
    let isWell = true
    const { health, events, probes } = bench(async () => {
      if (!isWell) throw new Error('no space')
    })
    await health.look()
    isWell = false
    health.suspect()
    expect([await health.look(), probes()]).toEqual(['no space', 2])
    isWell = true
    expect(await health.look()).toBe('no space')
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await health.look(), probes()]).toEqual([null, 3])
    expect(events).toEqual([
      { event: 'store.health', healthy: false, reason: 'no space' },
      { event: 'store.health', healthy: true, reason: null },
    ])
  })

  it('keeps nobody for longer than a second where the store hangs, and says so after three, without a second one beside it', async () => {
    const { health, probes } = bench(() => new Promise(() => undefined))
    const first = health.look()
    await vi.advanceTimersByTimeAsync(1_001)
    expect(await first).toBeNull()
    await vi.advanceTimersByTimeAsync(2_001)
    const later = health.look()
    await vi.advanceTimersByTimeAsync(1_001)
    expect([await later, health.trouble, probes()]).toEqual(['it does not answer', 'it does not answer', 1])
  })
})
