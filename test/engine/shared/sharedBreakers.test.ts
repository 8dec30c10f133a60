import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { type Breaker, createBreaker, type Verdict } from '../../../engine/net/breaker.ts'
import { createAlias } from '../../../engine/shared/alias.ts'
import { openRedisLink } from '../../../engine/shared/redisLink.ts'
import { createRedisStandings } from '../../../engine/shared/redisStandings.ts'
import { createSharedBreakerState, type SharedBreakerState } from '../../../engine/shared/sharedBreakerState.ts'
import { closing } from '../../support/closing.ts'
import { lacks } from '../../support/needs.ts'
import { type RedisServer, startRedis } from '../../support/redisServer.ts'

const ALIAS = createAlias(new Secret('ab'.repeat(32)))
const OPEN_MS = 15_000
const own = closing()
let redis: RedisServer
beforeEach(async () => {
  redis = own(await startRedis())
})

type Instance = {
  readonly breaker: Breaker
  readonly state: SharedBreakerState
  readonly clock: { at: number }
  readonly told: (string | null)[]
}

const open = async (startsAt: number): Promise<Instance> => {
  const options = { url: new Secret(redis.url), keyPrefix: 'swap:', observe: () => undefined, pauseMs: 50 }
  const link = own(await openRedisLink(options))
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

/** Exchanges until each instance knows what the others do. */
const level = async (...instances: readonly Instance[]) => {
  for (let round = 0; round < 3; round += 1) for (const { state } of instances) await state.exchange()
}

const CLIENTS = ['a', 'b', 'c', 'd', 'e']

/** Whether the breakers let a call of a new client pass. */
const pass = (...instances: readonly Instance[]) => instances.map((one) => call(one, 'new', 'nothing'))

/** Failures of five clients, some at each instance. */
const failForAll = async (one: Instance, other: Instance) => {
  for (const client of ['a', 'b', 'c']) call(one, client, 'failure')
  for (const client of ['d', 'e']) call(other, client, 'failure')
  await level(one, other)
  call(one, 'f', 'failure')
  await level(one, other)
}

describe.skipIf(lacks('redis-server'))('breakers of instances with one Redis', () => {
  it('open together by the failures of all instances, close together by one answer, and report health by most clients [redis-breakers-shared]', async () => {
    const [one, other] = await two()
    await failForAll(one, other)
    expect(pass(one, other)).toEqual([false, false])
    expect([one.told, other.told]).toEqual([['failing'], ['failing']])
    other.clock.at += OPEN_MS
    expect(call(other, 'new', 'answer')).toBe(true)
    await level(other, one)
    expect(pass(one, other)).toEqual([true, true])
    for (const client of CLIENTS) call(other, client, 'answer')
    await level(other, one)
    expect([one.told, other.told]).toEqual(Array(2).fill(['failing', null]))
  })

  it('count a client once, at however many instances it fails, and keep it out of that instance alone', async () => {
    const [one, other] = await two()
    for (let i = 0; i < 20; i += 1) {
      call(i % 2 ? one : other, 'a', 'failure')
      await level(one, other)
    }
    for (let i = 0; i < 6; i += 1) call(one, 'b', 'failure')
    await level(one, other)
    expect(pass(one, other)).toEqual([true, true])
    expect([call(one, 'b', 'nothing'), call(other, 'b', 'nothing')]).toEqual([false, true])
  })

  it.each(['quote', 'execute'])(
    'report %s calls that fail for half of all clients, until they succeed, with no client in Redis',
    async (row) => {
      const [one, other] = await two()
      for (const last of [1, 2, 3]) {
        call(other, `192.0.2.${last}`, last === 2 ? 'answer' : 'failure', row)
        call(one, `198.51.100.${last}`, 'failure', row)
        // The second instance never writes first.
        for (const { state } of [one, other]) await state.exchange()
      }
      await one.state.exchange()
      expect([one.told, other.told, one.breaker.failing]).toEqual([['failing'], ['failing'], [row]])
      for (const { clock } of [one, other]) clock.at += OPEN_MS
      for (let last = 0; last < 200; last += 1) call(other, `203.0.113.${last}`, 'answer', row)
      await level(one, other)
      expect([one.told.at(-1), other.told.at(-1)]).toEqual([null, null])
      const kept = await redis.ask('HGETALL', 'swap:breakers')
      expect([kept.length < 1_500, /192\.0\.2|198\.51\.1|203\.0\.1/.test(kept)]).toEqual([true, false])
    },
  )

  it('keep the results of all instances although the clock of one is two minutes ahead', async () => {
    const [one, other] = await two()
    for (const client of CLIENTS) call(one, client, 'answer')
    await level(one, other)
    vi.setSystemTime(Date.now() + 120_000)
    call(other, 'f', 'answer')
    await level(other)
    vi.useRealTimers()
    expect((await redis.ask('HGET', 'swap:breakers', 'far share')).match(/[0-9]{13} /g)).toHaveLength(6)
  })

  it('count one burst of failures at one instance once', async () => {
    const [one, other] = await two()
    for (const client of [...CLIENTS, 'f']) {
      one.clock.at += 10
      one.breaker.count('execute', client, 'failure', false, 1_000)
      await level(one, other)
    }
    expect([one.told, other.told]).toEqual([[], []])
  })

  it('are open at an instance that starts later; an unreadable field of its own is replaced', async () => {
    const [one] = await two()
    await redis.ask('HSET', 'swap:breakers', 'far record', 'nonsense', 'other share', 'nonsense')
    for (const client of CLIENTS) call(one, client, 'failure')
    await level(one)
    const late = await open(5)
    await late.state.exchange()
    expect(pass(late)).toEqual([false])
    expect(await redis.ask('HGET', 'swap:breakers', 'far record')).not.toBe('nonsense')
    expect(await redis.ask('HGET', 'swap:breakers', 'other share')).toBe('nonsense')
  })

  it('stay open when Redis is emptied or dies; then each instance closes its own', async () => {
    const [one, other] = await two()
    for (const client of CLIENTS) call(one, client, 'failure')
    await level(one, other)
    await redis.ask('FLUSHALL')
    await level(other, one)
    expect(pass(one, other)).toEqual([false, false])
    expect(await redis.ask('EXISTS', 'swap:breakers')).toBe('1')
    await redis.crash()
    await level(one, other)
    expect(pass(one, other)).toEqual([false, false])
    one.clock.at += OPEN_MS
    expect(call(one, 'new', 'answer')).toBe(true)
    expect(pass(other)).toEqual([false])
  })

  it.each([
    ['an endless rest', 'm 9999999999999999 {"quote":["a"]}'],
    ['results of the future', `m - ${JSON.stringify({ quote: CLIENTS.map((client) => `9999999999999 ${client} F`) })}`],
  ])('are open for a minute at most by %s that another writer stored', async (_what, written) => {
    const [one] = await two()
    for (const field of ['far all', 'far record', 'far share']) await redis.ask('HSET', 'swap:breakers', field, written)
    await level(one)
    one.clock.at += 60_001
    expect(call(one, 'new', 'answer')).toBe(true)
    expect(pass(one)).toEqual([true])
  })

  it.each([
    ['1,001 fields of unknown venues', Array.from({ length: 1_001 }, (_, i) => [`old${i} all`, 'm - {}']).flat(), []],
    ['an unreadable field, without the right to delete it', ['far record', 'junk'], ['-hdel']],
    ['a row of an unknown name', ['far share', `m - ${JSON.stringify({ x: CLIENTS.map((c) => `${Date.now()} ${c} F`) })}`], []],
  ])('open together beside %s', async (_what, fields, rights) => {
    for (const right of rights) await redis.ask('ACL', 'SETUSER', 'default', right)
    const [one, other] = await two()
    for (let i = 0; i < fields.length; i += 200) await redis.ask('HSET', 'swap:breakers', ...fields.slice(i, i + 200))
    await level(one, other)
    await failForAll(one, other)
    expect([one.breaker.isResting, other.breaker.isResting, one.breaker.failing]).toEqual([true, true, ['quote']])
  })
})
