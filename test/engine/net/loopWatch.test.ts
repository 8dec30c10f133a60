import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const open = () => {
  let now = 0
  /** Time passes, and the timers that are due run so much late. */
  const pass = (ms: number, lateMs = 0) => {
    now += ms + lateMs
    vi.advanceTimersByTime(ms)
  }
  return { watch: createLoopWatch(() => now), pass }
}

it('loop watch: 1 ms late is in time, and a loop that is blocked right now is late', () => {
  const { watch, pass } = open()
  const watcher = watch.start()
  for (let i = 0; i < 40; i += 1) pass(50, 1)
  expect(watcher.wasLate()).toBe(false)
  pass(0, 500)
  expect(watcher.wasLate()).toBe(true)
})

it('loop watch: reports a late loop to those who watched then, and to no others', () => {
  const { watch, pass } = open()
  const before = watch.start()
  pass(50)
  before.end()
  const during = watch.start()
  pass(50, 200)
  const after = watch.start()
  pass(50)
  expect([before, during, after].map((watcher) => watcher.wasLate())).toEqual([false, true, false])
})

it('loop watch: has one timer while somebody watches, and none otherwise', () => {
  const { watch } = open()
  const watchers = [watch.start(), watch.start()]
  expect(vi.getTimerCount()).toBe(1)
  for (const watcher of watchers) watcher.end()
  expect(vi.getTimerCount()).toBe(0)
})
