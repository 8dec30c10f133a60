import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLineWriter, type LineWriter, type WriteBlock } from '../../../engine/observe/lineWriter.ts'

const FLUSH_MS = 500
const CLOSE_MS = 1_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A place to write to that takes everything, until told otherwise. */
const place = () => {
  const state = { text: '', tries: 0, error: null as Error | null, bytesMax: Number.POSITIVE_INFINITY, hangs: false }
  let waiting: (() => void) | null = null
  const write: WriteBlock = (block, done) => {
    state.tries += 1
    const take = () => {
      const bytes = state.error ? 0 : Math.min(block.length, state.bytesMax)
      state.text += block.toString('utf8', 0, bytes)
      done(state.error, bytes)
    }
    if (state.hangs) waiting = take
    else queueMicrotask(take)
  }
  return {
    state,
    write,
    readOn: () => {
      state.hangs = false
      waiting?.()
      waiting = null
    },
  }
}

const start = (write: WriteBlock): LineWriter =>
  createLineWriter({
    write,
    tellDropped: (lines) => `dropped ${lines}\n`,
    blockBytes: 8,
    flushMs: FLUSH_MS,
    heldBytesMax: 40,
    closeMs: CLOSE_MS,
  })

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' })

describe('lines', () => {
  it('are written in blocks, and a single one after the flush time', async () => {
    const { state, write } = place()
    const writer = start(write)
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

  it('of which only a part was taken are written to their end, once', async () => {
    const { state, write } = place()
    state.bytesMax = 3
    const writer = start(write)
    writer.write('ä long line\n')
    await pass(0)
    expect(state).toMatchObject({ text: expect.stringContaining(' long line\n'), tries: 5 })
    expect(await writer.close()).toBe(true)
  })

  it('that cannot be written are kept in order, tried again each flush time, and those past the bound dropped and counted [ops-log-lines-counted]', async () => {
    const { state, write } = place()
    state.error = full
    const writer = start(write)
    for (let i = 10; i < 30; i += 1) writer.write(`line ${i}\n`)
    await pass(0)
    expect(state.tries).toBe(1)
    await pass(FLUSH_MS)
    expect(state.tries).toBe(2)
    state.error = null
    await pass(FLUSH_MS)
    expect(state.text).toBe('line 10\nline 11\nline 12\nline 13\nline 14\ndropped 15\n')
    writer.write('line 30\n')
    await pass(FLUSH_MS)
    expect(state.text).toMatch(/dropped 15\nline 30\n$/)
  })

  it('are dropped and counted, too, while a reader stalls', async () => {
    const { state, write, readOn } = place()
    state.hangs = true
    const writer = start(write)
    for (let i = 10; i < 20; i += 1) writer.write(`line ${i}\n`)
    await pass(10 * FLUSH_MS)
    expect(state).toMatchObject({ text: '', tries: 1 })
    readOn()
    await pass(FLUSH_MS)
    expect(state.text).toBe('line 10\nline 11\nline 12\nline 13\nline 14\ndropped 5\n')
  })
})

describe('the end', () => {
  it('waits for everything to be written', async () => {
    const { state, write } = place()
    const writer = start(write)
    for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n']) writer.write(line)
    expect(await writer.close()).toBe(true)
    expect(state.text).toBe('one\ntwo\nthree\nfour\nfive\n')
    writer.write('late\n')
    await pass(FLUSH_MS)
    expect(state.text).not.toContain('late')
  })

  it('comes at once with nothing to write', async () => {
    const { state, write } = place()
    expect(await start(write).close()).toBe(true)
    expect(state.tries).toBe(0)
  })

  it('comes at once when nothing can be written', async () => {
    const { state, write } = place()
    state.error = full
    const writer = start(write)
    writer.write('one\n')
    expect(await writer.close()).toBe(true)
    expect(state.tries).toBe(1)
  })

  it.each([
    ['within its time', 'in time', true, CLOSE_MS - 1],
    ['not within its time', 'too late', false, CLOSE_MS],
  ])('waits for a reader who stalls, and who reads on %s', async (_what, when, isOver, waitedMs) => {
    const { state, write, readOn } = place()
    state.hangs = true
    const writer = start(write)
    writer.write('one\n')
    let closed: boolean | null = null
    void writer.close().then((over) => {
      closed = over
    })
    await pass(waitedMs - 1)
    expect(closed).toBeNull()
    await pass(when === 'in time' ? 0 : 1)
    if (when === 'in time') readOn()
    await pass(0)
    expect(closed).toBe(isOver)
  })
})

describe('the count of dropped lines [ops-log-lines-counted]', () => {
  it('is told at the end too, when lines were dropped while the last write was under way', async () => {
    const { state, write, readOn } = place()
    state.hangs = true
    const writer = start(write)
    for (const line of ['one', 'two', 'three']) writer.write(`${line.padEnd(25, '.')}\n`)
    const closed = writer.close()
    readOn()
    expect(await closed).toBe(true)
    expect(state.text).toBe(`${'one'.padEnd(25, '.')}\ndropped 2\n`)
  })

  it('makes, with the lines that were written, all there were: whatever failed, stalled or was taken in part before the end', async () => {
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 12 })
          .map((pads) => ({ kind: 'lines', pads }) as const),
      },
      fc.constantFrom('fail', 'mend', 'stall', 'read', 'flush').map((kind) => ({ kind }) as const),
      fc.integer({ min: 1, max: 9 }).map((bytesMax) => ({ kind: 'narrow', bytesMax }) as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { state, write, readOn } = place()
        const writer = start(write)
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
        const told = state.text.split('\n').filter((line) => line !== '')
        const kept = told.filter((line) => !line.startsWith('d')).map((line) => Number.parseInt(line, 10))
        const dropped = told.filter((line) => line.startsWith('dropped ')).map((line) => Number(line.slice(8)))
        expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b))
        expect(kept.length + dropped.reduce((sum, count) => sum + count, 0)).toBe(written)
      }),
      { numRuns: 300, seed: 14 },
    )
  })
})
