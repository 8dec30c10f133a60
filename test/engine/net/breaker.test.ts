import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Breaker, createBreaker, type Verdict } from '../../../engine/net/breaker.ts'
import { createMemoryBreakerState } from '../../../engine/net/breakerState.ts'
import { createLoopWatch } from '../../../engine/net/loopWatch.ts'

const OPEN_MS = 60_000
const CLIENTS = ['a', 'b', 'c', 'd', 'e', 'f'] as const

const open = (failuresMax = 5) => {
  const [clock, told] = [{ at: 0 }, [] as (string | null)[]]
  const [onChange, now] = [(trouble: string | null) => void told.push(trouble), () => clock.at]
  const state = createMemoryBreakerState()
  const breaker = createBreaker({ name: 'far', state, failuresMax, cutsMax: 8, openMs: OPEN_MS, onChange, now })
  return { breaker, clock, told, view: () => [breaker.trouble, breaker.isResting] }
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
    const isCalled = () => call(breaker, 'a', 'answer')
    call(breaker, 'a', 'failure')
    for (const verdict of ['nothing', 'cut', 'failure'] as const) {
      expect(isCalled()).toBe(false)
      clock.at += OPEN_MS
      const trial = breaker.begin('quote', 'a', 'mayTry')
      expect(isCalled()).toBe(false)
      trial?.end(verdict)
    }
    clock.at += OPEN_MS
    expect([isCalled(), isCalled()]).toEqual([true, true])
  })

  it('is not kept open for all by three clients that fail in turns', () => {
    const { breaker, clock } = open()
    for (const client of CLIENTS) call(breaker, client, 'failure')
    times(30, (_, turn) => {
      clock.at += OPEN_MS
      call(breaker, `attacker ${turn % 3}`, turn % 2 === 0 ? 'nothing' : 'failure')
    })
    expect(call(breaker, 'alice', 'answer')).toBe(true)
  })

  it.each(['failure', 'cut'] as const)(
    'opens for all once half of the clients last met a %s, at least four of five [health-five-clients]',
    (bad) => {
      const { breaker, clock, told, view } = open()
      const meet = (verdict: Verdict, ...clients: readonly string[]) => clients.map((client) => call(breaker, client, verdict))
      times(200, () => meet(bad, 'mallory'))
      meet('answer', 'b', 'c', 'd')
      breaker.count('execute', 'e', 'failure')
      expect(view()).toEqual([null, false])
      meet('answer', 'e')
      meet(bad, 'f', 'g')
      expect(view()).toEqual([null, false])
      meet(bad, 'h')
      expect([...view(), told.at(-1)]).toEqual(['failing', true, 'failing'])
      clock.at += OPEN_MS
      meet('answer', 'b')
      meet(bad, 'i')
      expect(view()).toEqual(['failing', false])
      meet('answer', 'j', 'k', 'l', 'm')
      expect([breaker.trouble, told.at(-1)]).toEqual([null, null])
    },
  )

  it.each([
    ['stays closed for all when three of five clients fail each time', 3, null],
    ['opens for all when four of five clients fail each time', 4, 'failing'],
  ] as const)('%s', (_title, failing, trouble) => {
    const { breaker, view } = open()
    times(20, (_, i) => call(breaker, `client ${i % 5}`, i % 5 < failing ? 'failure' : 'answer'))
    expect(view()).toEqual([trouble, trouble !== null])
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
      const { breaker, clock, view } = open(9)
      times(200, () => breaker.count(row, 'mallory', 'failure'))
      for (const client of CLIENTS.slice(0, 4)) breaker.count(row, client, 'failure')
      expect(view()).toEqual(['failing', false])
      breaker.count('quote', 'a', 'answer')
      clock.at += 15 * 60_000 - 1
      expect(breaker.trouble).toBe('failing')
      clock.at += 1
      expect(breaker.trouble).toBeNull()
    },
  )

  it('counts failures that a request meets at several far sides once twenty clients met nothing else', () => {
    const { breaker, view } = open()
    const share = (client: number) => breaker.count('quote', `client ${client}`, 'failure', true)
    times(19, (_, client) => share(client))
    breaker.count('quote', 'a', 'answer')
    times(19, (_, client) => share(client))
    times(200, () => share(0))
    expect(view()).toEqual([null, false])
    share(19)
    expect(view()).toEqual(['failing', true])
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
