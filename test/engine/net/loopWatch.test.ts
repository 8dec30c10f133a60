import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const open = () => {
  const clock = { at: 0 }
  const watch = createLoopWatch(() => clock.at)
  /** Time passes, and the timers run that came due: so much later than they should. */
  const pass = (ms: number, lateMs = 0) => {
    clock.at += ms + lateMs
    vi.advanceTimersByTime(ms)
  }
  return { watch, pass }
}

it('says that the loop was in time while it was', () => {
  const { watch, pass } = open()
  const looking = watch.start()
  for (let i = 0; i < 40; i += 1) pass(50, 1)
  expect(looking.wasLate()).toBe(false)
})

it('says that it was late to all who looked on then, and to nobody else', () => {
  const { watch, pass } = open()
  const before = watch.start()
  pass(50)
  before.end()
  const during = watch.start()
  pass(50, 200)
  const after = watch.start()
  pass(50)
  expect([before, during, after].map((looking) => looking.wasLate())).toEqual([false, true, false])
})

it('sees what blocks the loop at this very moment', () => {
  const { watch, pass } = open()
  const looking = watch.start()
  pass(0, 500)
  expect(looking.wasLate()).toBe(true)
})

it('runs no timer while nobody looks on', () => {
  const { watch } = open()
  const looking = [watch.start(), watch.start()]
  expect(vi.getTimerCount()).toBe(1)
  for (const one of looking) one.end()
  expect(vi.getTimerCount()).toBe(0)
})
