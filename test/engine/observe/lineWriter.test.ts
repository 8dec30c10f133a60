import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createLineWriter, type WriteBlock } from '../../../engine/observe/lineWriter.ts'

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

it('log lines: are written in blocks, and a single line after the flush time', async () => {
  const { state, writer } = start()
  writer.write('one\n')
  await pass(FLUSH_MS - 1)
  expect(state).toMatchObject({ text: '', tries: 0 })
  await pass(1)
  expect(state).toMatchObject({ text: 'one\n', tries: 1 })
  writer.write('two\n')
  writer.write('three\n')
  await pass(0)
  expect(state).toMatchObject({ text: 'one\ntwo\nthree\n', tries: 2 })
})

it('log lines: while writes fail, are held in order and retried each flush time; those past the bound are dropped and counted [ops-log-lines-counted]', async () => {
  const { state, writeLines } = start()
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
})

it.each([
  ['waits until all lines are written, and accepts no later line', 15, null, 'line 10\nline 11\nline 12\nline 13\nline 14\n'],
  ['ends at once if writes fail', 11, full, ''],
])('log lines: closing %s', async (_what, to, error, text) => {
  const { state, writer, writeLines } = start()
  state.error = error
  writeLines(10, to)
  expect(await writer.close()).toBe(true)
  writer.write('late\n')
  await pass(FLUSH_MS)
  expect(state.text).toBe(text)
})

it.each([
  ['continues within the limit', true],
  ['does not', false],
])('log lines: closing waits a second for a stalled reader that %s', async (_what, isOver) => {
  const { state, writer, readOn, writeLines } = start()
  state.hangs = true
  writeLines(10, 11)
  let closed: boolean | null = null
  void writer.close().then((over) => {
    closed = over
  })
  await pass(CLOSE_MS - 1)
  expect(closed).toBeNull()
  if (isOver) readOn()
  await pass(1)
  expect(closed).toBe(isOver)
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
