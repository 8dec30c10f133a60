import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { type Breaker, createBreaker, type Verdict } from '../../../engine/net/breaker.ts'
import { createAlias } from '../../../engine/shared/alias.ts'
import { openRedisLink } from '../../../engine/shared/redisLink.ts'
import { createRedisStandings } from '../../../engine/shared/redisStandings.ts'
import { createSharedBreakerState, type SharedBreakerState } from '../../../engine/shared/sharedBreakerState.ts'
import { type RedisServer, startRedis } from '../../../scripts/kills/redisServer.ts'
import { lacks } from '../../support/needs.ts'

/** What breakers of several instances know together, by a real Redis. Each exchange is asked for. */

const ALIAS = createAlias(new Secret('ab'.repeat(32)))
const OPEN_MS = 15_000
const closers: (() => unknown)[] = []
let redis: RedisServer

beforeEach(async () => {
  redis = await startRedis()
  closers.push(() => redis.close())
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Instance = {
  readonly breaker: Breaker
  readonly state: SharedBreakerState
  readonly clock: { at: number }
  readonly told: (string | null)[]
}

const open = async (startsAt: number): Promise<Instance> => {
  const link = await openRedisLink({ url: new Secret(redis.url), keyPrefix: 'swap:', observe: () => undefined, pauseMs: 50 })
  closers.push(link.close)
  const [clock, told] = [{ at: startsAt }, [] as (string | null)[]]
  const now = () => clock.at
  const state = createSharedBreakerState(createRedisStandings(link), ALIAS, now)
  const onChange = (trouble: string | null) => void told.push(trouble)
  const breaker = createBreaker({ name: 'far', state, failuresMax: 5, cutsMax: 8, openMs: OPEN_MS, onChange, now })
  return { breaker, state, clock, told }
}

/** Each process counts its time from its own start. */
const two = async (): Promise<[Instance, Instance]> => [await open(1_000), await open(9_000_000)]

const call = ({ breaker }: Instance, client: string, verdict: Verdict, row = 'quote'): boolean => {
  const attempt = breaker.begin(row, client, 'mayTry')
  attempt?.end(verdict)
  if (attempt) breaker.count(row, client, verdict)
  return attempt !== null
}

/** Until each knows what the others do: what met on the way is told once more. */
const level = async (...instances: readonly Instance[]) => {
  for (let round = 0; round < 3; round += 1) for (const { state } of instances) await state.exchange()
}

const CLIENTS = ['a', 'b', 'c', 'd', 'e']

describe.skipIf(lacks('redis-server'))('breakers of several instances', () => {
  it('open together by what each of them met, and close together by one answer, and are well by those of most clients [redis-breakers-shared]', async () => {
    const [one, two_] = await two()
    for (const client of ['a', 'b', 'c']) call(one, client, 'failure')
    for (const client of ['d', 'e']) call(two_, client, 'failure')
    await level(one, two_)
    call(one, 'f', 'failure')
    await level(one, two_)
    expect([call(one, 'new', 'nothing'), call(two_, 'new', 'nothing')]).toEqual([false, false])
    expect([one.told, two_.told]).toEqual([['failing'], ['failing']])
    two_.clock.at += OPEN_MS
    expect(call(two_, 'new', 'answer')).toBe(true)
    await level(two_, one)
    expect([call(one, 'new', 'nothing'), call(two_, 'new', 'nothing')]).toEqual([true, true])
    for (const client of CLIENTS) call(two_, client, 'answer')
    await level(two_, one)
    expect([one.told, two_.told]).toEqual([
      ['failing', null],
      ['failing', null],
    ])
  })

  it('count a client once, whichever of them it asks', async () => {
    const [one, two_] = await two()
    for (let i = 0; i < 20; i += 1) {
      call(i % 2 ? one : two_, 'a', 'failure')
      await level(one, two_)
    }
    expect([call(one, 'new', 'nothing'), call(two_, 'new', 'nothing')]).toEqual([true, true])
  })

  it.each(['quote', 'execute'])('report %s calls that fail for half of all clients, with no name in Redis', async (row) => {
    const [one, two_] = await two()
    for (const last of [1, 2, 3]) {
      call(two_, `192.0.2.${last}`, last === 2 ? 'answer' : 'failure', row)
      call(one, `198.51.100.${last}`, 'failure', row)
      // The second instance never writes first.
      for (const { state } of [one, two_]) await state.exchange()
    }
    await one.state.exchange()
    expect([one.told, two_.told, one.breaker.failing]).toEqual([['failing'], ['failing'], [row]])
    for (const { clock } of [one, two_]) clock.at += OPEN_MS
    for (let last = 0; last < 200; last += 1) call(two_, `203.0.113.${last}`, 'answer', row)
    await level(one, two_)
    expect([one.told.at(-1), two_.told.at(-1)]).toEqual([null, null])
    const kept = await redis.ask('HGETALL', 'swap:breakers')
    expect([kept.length < 1_500, /192\.0\.2|198\.51\.1|203\.0\.1/.test(kept)]).toEqual([true, false])
  })

  it('keep results of each other, whatever the clock of one of them shows', async () => {
    const [one, two_] = await two()
    for (const client of CLIENTS) call(one, client, 'answer')
    await level(one, two_)
    vi.setSystemTime(Date.now() + 120_000)
    call(two_, 'f', 'answer')
    await level(two_)
    vi.useRealTimers()
    expect((await redis.ask('HGET', 'swap:breakers', 'far share')).match(/[0-9]{13} /g)).toHaveLength(6)
  })

  it('take one burst of failures at one instance for one burst', async () => {
    const [one, two_] = await two()
    for (const client of [...CLIENTS, 'f']) {
      one.clock.at += 10
      one.breaker.count('execute', client, 'failure', false, 1_000)
      await level(one, two_)
    }
    expect([one.told, two_.told]).toEqual([[], []])
  })

  it('keep apart what one client met', async () => {
    const [one, two_] = await two()
    for (let i = 0; i < 6; i += 1) call(one, 'a', 'failure')
    await level(one, two_)
    expect([call(one, 'a', 'nothing'), call(two_, 'a', 'nothing')]).toEqual([false, true])
  })

  it('teach one that starts later, beside an unreadable field, which they delete', async () => {
    const [one] = await two()
    await redis.ask('HSET', 'swap:breakers', 'other share', 'nonsense')
    for (const client of CLIENTS) call(one, client, 'failure')
    await level(one)
    const late = await open(5)
    await late.state.exchange()
    expect([call(late, 'new', 'nothing'), await redis.ask('HEXISTS', 'swap:breakers', 'other share')]).toEqual([false, '0'])
    late.clock.at += OPEN_MS
    expect(call(late, 'new', 'nothing')).toBe(true)
  })

  it('lose nothing when Redis is emptied or goes away', async () => {
    const [one, two_] = await two()
    for (const client of CLIENTS) call(one, client, 'failure')
    await level(one, two_)
    await redis.ask('FLUSHALL')
    await level(two_, one)
    expect([call(one, 'new', 'nothing'), call(two_, 'new', 'nothing')]).toEqual([false, false])
    expect(await redis.ask('EXISTS', 'swap:breakers')).toBe('1')
    await redis.crash()
    await level(one, two_)
    expect([call(one, 'new', 'nothing'), call(two_, 'new', 'nothing')]).toEqual([false, false])
    one.clock.at += OPEN_MS
    expect(call(one, 'new', 'answer')).toBe(true)
    expect(call(two_, 'new', 'nothing')).toBe(false)
  })

  it.each([
    ['a rest without end', 'm 9999999999999999 {"quote":["a"]}'],
    ['rows that are none', 'm - {"quote":7}'],
    ['results of a time to come', `m - ${JSON.stringify({ quote: CLIENTS.map((client) => `9999999999999 ${client} F`) })}`],
  ])('rest no longer than a minute for %s that somebody else wrote', async (_what, written) => {
    const [one] = await two()
    for (const field of ['far all', 'far record', 'far share', 'other of things'])
      await redis.ask('HSET', 'swap:breakers', field, written)
    await level(one)
    one.clock.at += 60_001
    expect(call(one, 'new', 'answer')).toBe(true)
    expect(call(one, 'new', 'nothing')).toBe(true)
  })
})
