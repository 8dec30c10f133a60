import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import { createLineWriter, type WriteBlock } from '../../../engine/observe/lineWriter.ts'
import { createNotices, NOTICE_QUIET_MS, NOTICES_MAX } from '../../../engine/observe/notices.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createTestClock } from '../../support/testEngine.ts'

const FLUSH_MS = 500
const CLOSE_MS = 1_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })

/** A writer to a place that accepts everything until a test changes `state`. */
const start = () => {
  const state = { text: '', tries: 0, error: null as Error | null, bytesMax: Number.POSITIVE_INFINITY, hangs: false }
  let waiting: (() => void) | null = null
  const write: WriteBlock = (block, done) => {
    state.tries += 1
    const accept = () => {
      const bytes = state.error ? 0 : Math.min(block.length, state.bytesMax)
      state.text += block.toString('utf8', 0, bytes)
      done(state.error, bytes)
    }
    if (state.hangs) waiting = accept
    else queueMicrotask(accept)
  }
  const readOn = () => {
    state.hangs = false
    waiting?.()
    waiting = null
  }
  const tellDropped = (lines: number) => `dropped ${lines}\n`
  const writer = createLineWriter({ write, tellDropped, blockBytes: 8, flushMs: FLUSH_MS, heldBytesMax: 40, closeMs: CLOSE_MS })
  const writeLines = (from: number, to: number) => {
    for (let i = from; i < to; i += 1) writer.write(`line ${i}\n`)
  }
  return { state, writer, readOn, writeLines }
}

it('log lines: while writes fail, are held in order and retried each flush time; those past the bound are dropped and counted [ops-log-lines-counted]', async () => {
  const { state, writer, writeLines } = start()
  state.error = full
  writeLines(10, 30)
  await pass(0)
  expect(state.tries).toBe(1)
  await pass(FLUSH_MS)
  expect(state.tries).toBe(2)
  state.error = null
  await pass(FLUSH_MS)
  expect(state.text).toBe('line 10\nline 11\nline 12\nline 13\nline 14\ndropped 15\n')
  writeLines(30, 31)
  await pass(FLUSH_MS)
  expect(state.text).toMatch(/dropped 15\nline 30\n$/)
  state.error = full
  writeLines(31, 32)
  // Without waiting, and for good.
  expect(await writer.close()).toBe(true)
  state.error = null
  writeLines(32, 40)
  expect(state.text).toMatch(/line 30\n$/)
})

it.each([
  [CLOSE_MS - 1, true],
  [CLOSE_MS, false],
])('log lines: closing waits a second for a stalled reader; after %i ms it receives the lines: %s', async (ms, isOver) => {
  const { state, writer, readOn, writeLines } = start()
  state.hangs = true
  writeLines(10, 11)
  const closed = writer.close()
  await pass(ms)
  readOn()
  expect(await closed).toBe(isOver)
})

it('log lines: written and dropped lines add up to all lines, in order, whatever failed or stalled [ops-log-lines-counted]', async () => {
  const lines = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 })
  const step = fc.oneof(
    { weight: 6, arbitrary: lines.map((pads) => ({ kind: 'lines', pads }) as const) },
    fc.constantFrom('fail', 'mend', 'stall', 'read', 'flush').map((kind) => ({ kind }) as const),
    fc.integer({ min: 1, max: 9 }).map((bytesMax) => ({ kind: 'narrow', bytesMax }) as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { state, writer, readOn } = start()
      let written = 0
      for (const one of steps) {
        if (one.kind === 'lines') for (const pad of one.pads) writer.write(`${written++}${'.'.repeat(pad)}\n`)
        if (one.kind === 'fail') state.error = full
        if (one.kind === 'mend') state.error = null
        if (one.kind === 'stall') state.hangs = true
        if (one.kind === 'read') readOn()
        if (one.kind === 'narrow') state.bytesMax = one.bytesMax
        await pass(one.kind === 'flush' ? FLUSH_MS : 0)
      }
      state.error = null
      const closed = writer.close()
      readOn()
      expect(await closed).toBe(true)
      const all = state.text.split('\n').filter((line) => line !== '')
      const kept = all.filter((line) => !line.startsWith('d')).map((line) => Number.parseInt(line, 10))
      const dropped = all.filter((line) => line.startsWith('dropped ')).map((line) => Number(line.slice(8)))
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
      expect(kept.length + dropped.reduce((sum, count) => sum + count, 0)).toBe(written)
    }),
    { numRuns: 300, seed: 14 },
  )
})

it('notices: the same notice is reported once an hour, at most 20 different ones of a venue, each shortened', () => {
  const events: EngineEvent[] = []
  const clock = createTestClock()
  const notice = createNotices('toy', (event) => events.push(event), clock)
  for (const wait of [0, 0, NOTICE_QUIET_MS - 1, 1]) {
    clock.at += wait
    notice('odd')
  }
  expect(events).toEqual(Array(2).fill({ event: 'venue.noticed', venue: 'toy', what: 'odd' }))
  for (let i = 0; i < 1_000; i += 1) notice(`account ${i}`)
  expect(events).toHaveLength(1 + NOTICES_MAX)
  clock.at += NOTICE_QUIET_MS
  notice('x'.repeat(100_000))
  expect(events).toHaveLength(2 + NOTICES_MAX)
  expect(JSON.stringify(events.at(-1)).length).toBeLessThan(400)
})

it('log: has each event unchanged, trouble as warn, news as info, routine as debug', () => {
  const call = { event: 'venue.call', requestId: 'r', venue: 'v', elapsedMs: 1 } as const
  const events: readonly [level: string, event: EngineEvent][] = [
    ['warn', { ...call, call: 'track', outcome: 'timeout', kind: 'timeout', reason: 'x' }],
    ['warn', { event: 'payload.refused', requestId: 'r', quoteId: 'q', venue: 'v', mismatches: ['recipient'] }],
    ['info', { event: 'venue.health', venue: 'v', healthy: true, reason: null }],
    ['debug', { ...call, call: 'quote', outcome: 'failure' }],
    ['debug', { ...call, call: 'track', outcome: 'answer' }],
  ]
  const records: unknown[] = []
  const observe = observeToLog((record) => records.push(record))
  for (const [, event] of events) observe(event)
  expect(records).toEqual(events.map(([level, event]) => ({ level, ...event })))
})
