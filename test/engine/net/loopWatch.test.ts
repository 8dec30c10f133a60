import { expect, it, onTestFinished, vi } from 'vitest'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'

it('loop watch: reports a late or blocked event loop to those that watched it then', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let now = 0
  const watch = createLoopWatch(() => now)
  /** Time passes, and the timers that are due run so much late. */
  const pass = (ms: number, lateMs = 0) => {
    now += ms + lateMs
    vi.advanceTimersByTime(ms)
  }
  const before = watch.start()
  for (let i = 0; i < 40; i += 1) pass(50, 1)
  before.end()
  const during = watch.start()
  pass(50, 200)
  const after = watch.start()
  pass(50)
  expect([before, during, after].map((watcher) => watcher.wasLate())).toEqual([false, true, false])
  pass(0, 500)
  expect(after.wasLate()).toBe(true)
  for (const watcher of [during, after]) watcher.end()
  expect(vi.getTimerCount()).toBe(0)
})
