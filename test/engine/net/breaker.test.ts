import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Breaker, createBreaker, type Verdict } from '../../../engine/net/breaker.ts'
import { createMemoryBreakerState } from '../../../engine/net/breakerState.ts'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'

const OPEN_MS = 60_000
const CLIENTS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

const open = (failuresMax = 5) => {
  const clock = { at: 0 }
  const told: (string | null)[] = []
  const breaker = createBreaker({
    name: 'far',
    state: createMemoryBreakerState(),
    failuresMax,
    cutsMax: 8,
    openMs: OPEN_MS,
    onChange: (trouble) => told.push(trouble),
    now: () => clock.at,
  })
  return { breaker, clock, told }
}

/** One call from begin to end. False: it was not made. */
const call = (breaker: Breaker, client: string, verdict: Verdict, row = 'quote'): boolean => {
  const attempt = breaker.begin(row, client, 'mayTry')
  attempt?.end(verdict)
  if (attempt) breaker.count(row, client, verdict)
  return attempt !== null
}

const times = <T>(count: number, work: (_: unknown, i: number) => T) => Array.from({ length: count }, work)

describe('a breaker', () => {
  it('counts the networks of one IPv6 /48 as one client: it stays closed for others whatever they meet', () => {
    const { breaker } = open()
    times(40, (_, i) => call(breaker, `2001:db8:7:${i}::/64`, 'failure'))
    expect([breaker.trouble, call(breaker, '2001:db8:8:0::/64', 'nothing')]).toEqual([null, true])
    for (const site of CLIENTS.slice(0, 4)) call(breaker, `2001:db8:${site}:0::/64`, 'failure')
    expect([breaker.trouble, call(breaker, '2001:db8:8:0::/64', 'nothing')]).toEqual(['failing', false])
  })

  it.each(['quote', 'execute'])('counts clients who fail together once: one burst of %s calls is no trouble, two are', (row) => {
    const { breaker, clock } = open()
    const burst = () => {
      const attempts = times(25, (_, i) => [`client ${i}`, breaker.begin(row, `client ${i}`, 'must')] as const)
      for (const [i, [client, attempt]] of attempts.entries()) {
        clock.at += 10
        attempt?.end('failure')
        breaker.count(row, client, 'failure', i > 5, attempt?.startedAt)
      }
    }
    burst()
    expect([breaker.trouble, breaker.failing, call(breaker, 'new', 'nothing')]).toEqual([null, [], true])
    burst()
    expect([breaker.trouble, breaker.failing, breaker.isResting]).toEqual(['failing', [row], row === 'quote'])
  })

  it.each(['failure', 'cut'] as const)('counts calls in a row that end by %s: an answer starts the count anew', (verdict) => {
    const { breaker } = open(8)
    for (const _ of [1, 2]) {
      times(7, () => call(breaker, 'a', verdict))
      expect(call(breaker, 'a', 'answer')).toBe(true)
    }
  })

  it('opens at once for a refused key, and for all when a second client has met that [health-five-clients]', () => {
    const { breaker } = open()
    call(breaker, 'a', 'keyRefused')
    expect([breaker.trouble, call(breaker, 'a', 'answer'), call(breaker, 'b', 'keyRefused')]).toEqual(['keyRefused', false, true])
    expect(call(breaker, 'c', 'answer')).toBe(false)
  })

  it('lets one try after the rest; only an answer closes it', () => {
    const { breaker, clock } = open(1)
    call(breaker, 'a', 'failure')
    for (const verdict of ['nothing', 'cut', 'failure'] as const) {
      expect(call(breaker, 'a', 'answer')).toBe(false)
      clock.at += OPEN_MS
      const trial = breaker.begin('quote', 'a', 'mayTry')
      expect(call(breaker, 'a', 'answer')).toBe(false)
      trial?.end(verdict)
    }
    clock.at += OPEN_MS
    expect(call(breaker, 'a', 'answer')).toBe(true)
    expect(call(breaker, 'a', 'answer')).toBe(true)
  })

  it('is not kept open for all by three clients that fail in turns', () => {
    const names = ['mallory', 'moriarty', 'milady']
    const { breaker, clock } = open(5)
    for (const client of CLIENTS.slice(0, 5)) call(breaker, client, 'failure')
    for (let turn = 0; turn < 30; turn += 1) {
      clock.at += OPEN_MS
      call(breaker, names[turn % 3] ?? '', turn % 2 === 0 ? 'nothing' : 'failure')
    }
    expect(call(breaker, 'alice', 'answer')).toBe(true)
  })

  it.each(['failure', 'cut'] as const)(
    'opens for all once half of the clients last met a %s, at least four of five [health-five-clients]',
    (bad) => {
      const { breaker, clock, told } = open()
      const mixed = (client: string, isFailed: boolean) => call(breaker, client, isFailed ? bad : 'answer')
      times(200, () => mixed('mallory', true))
      for (const client of ['b', 'c', 'd']) mixed(client, false)
      breaker.count('execute', 'e', 'failure')
      expect([breaker.trouble, breaker.isResting]).toEqual([null, false])
      mixed('e', false)
      for (const client of ['f', 'g']) mixed(client, true)
      expect([breaker.trouble, breaker.isResting]).toEqual([null, false])
      mixed('h', true)
      expect([breaker.trouble, breaker.isResting, told.at(-1)]).toEqual(['failing', true, 'failing'])
      clock.at += OPEN_MS
      mixed('b', false)
      mixed('i', true)
      expect([breaker.trouble, breaker.isResting]).toEqual(['failing', false])
      for (const client of ['j', 'k', 'l', 'm']) mixed(client, false)
      expect([breaker.trouble, told.at(-1)]).toEqual([null, null])
    },
  )

  it.each([
    ['stays closed for all when three of five clients fail each time', 3, null],
    ['opens for all when four of five clients fail each time', 4, 'failing'],
  ] as const)('%s', (_title, failing, trouble) => {
    const { breaker } = open()
    for (let round = 0; round < 4; round += 1)
      for (let client = 0; client < 5; client += 1) call(breaker, `client ${client}`, client < failing ? 'failure' : 'answer')
    expect([breaker.trouble, breaker.isResting]).toEqual([trouble, trouble !== null])
  })

  it('is in trouble as long as it is open for all', () => {
    const { breaker, clock } = open()
    for (const client of CLIENTS) call(breaker, client, 'failure')
    clock.at += 15 * 60_000
    call(breaker, 'c', 'failure')
    expect([breaker.isResting, breaker.trouble, breaker.failing]).toEqual([true, 'failing', ['quote']])
  })

  it.each(['execute', 'submit', 'track'])(
    'is in trouble by five clients whose %s failed in a row, for a quarter of an hour [health-five-clients]',
    (row) => {
      const { breaker, clock } = open(9)
      times(200, () => breaker.count(row, 'mallory', 'failure'))
      for (const client of CLIENTS.slice(0, 4)) breaker.count(row, client, 'failure')
      expect([breaker.trouble, breaker.isResting]).toEqual(['failing', false])
      breaker.count('quote', 'a', 'answer')
      clock.at += 15 * 60_000 - 1
      expect(breaker.trouble).toBe('failing')
      clock.at += 1
      expect(breaker.trouble).toBeNull()
    },
  )

  it('counts failures that a request meets at several far sides once twenty clients met nothing else', () => {
    const { breaker } = open()
    const shared = (from: number, to: number) => {
      for (let client = from; client < to; client += 1) breaker.count('quote', `client ${client}`, 'failure', true)
    }
    shared(0, 19)
    breaker.count('quote', 'a', 'answer')
    shared(0, 19)
    times(200, () => shared(0, 1))
    expect([breaker.trouble, breaker.isResting]).toEqual([null, false])
    shared(19, 20)
    expect([breaker.trouble, breaker.isResting]).toEqual(['failing', true])
  })

  it('never leaves a client out for what any other client met, whatever and however often', () => {
    const verdicts = fc.constantFrom<Verdict>('answer', 'failure', 'keyRefused', 'cut', 'nothing')
    const rows = fc.constantFrom('quote', 'execute', 'submit', 'track', 'proof')
    fc.assert(
      fc.property(fc.array(fc.tuple(rows, verdicts, fc.integer({ min: 0, max: OPEN_MS })), { maxLength: 60 }), (calls) => {
        const { breaker, clock } = open()
        for (const [row, verdict, pause] of calls) {
          call(breaker, 'a', verdict, row)
          clock.at += pause
        }
        expect(call(breaker, 'b', 'answer')).toBe(true)
      }),
    )
  })

  it('forgets after five minutes what share of calls failed', () => {
    const { breaker, clock } = open()
    for (const client of CLIENTS) breaker.count('quote', client, 'failure')
    clock.at += OPEN_MS
    call(breaker, 'g', 'answer')
    expect(breaker.trouble).toBe('failing')
    clock.at += 5 * 60_000
    expect(breaker.trouble).toBeNull()
  })
})

it('the memory of breakers is bounded: what was not touched for longest goes first', () => {
  const state = createMemoryBreakerState(2)
  for (const key of ['a', 'b', 'a', 'c']) state.set(key, { rows: {}, countedAt: 0, restsUntil: null })
  expect(['a', 'b', 'c'].map((key) => state.get(key) !== null)).toEqual([true, false, true])
})

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
