import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { createBreaker, type Verdict } from '../../../engine/net/breaker.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createAlias } from '../../../engine/shared/alias.ts'
import { openShared, type Shared } from '../../../engine/shared/openShared.ts'
import { openRedisLink } from '../../../engine/shared/redisLink.ts'
import { createRedisStandings } from '../../../engine/shared/redisStandings.ts'
import { createSharedBreakerState } from '../../../engine/shared/sharedBreakerState.ts'
import { createRateCounter, type RateCounter } from '../../../handlers/http/rateCounter.ts'
import { closing } from '../../support/closing.ts'
import { lacks } from '../../support/needs.ts'
import { type RedisServer, startRedis } from '../../support/redisServer.ts'

const KEY = new Secret('ab'.repeat(32))
const own = closing()
let redis: RedisServer
beforeEach(async () => {
  redis = own(await startRedis())
})

type Instance = Shared & { readonly counter: RateCounter; readonly told: (string | null)[] }

const open = async (url = redis.url, keyPrefix = 'swap:', key = KEY): Promise<Instance> => {
  const told: (string | null)[] = []
  const observe = (event: EngineEvent) => {
    if (event.event === 'redis.health') told.push(event.reason)
  }
  const shared = own(await openShared({ url: new Secret(url), keyPrefix, key, observe, pauseMs: 50 }))
  return { ...shared, counter: createRateCounter(shared.counts), told }
}

const three = async (): Promise<readonly [Instance, Instance, Instance]> => [await open(), await open(), await open()]

const countAll = async (instances: readonly Instance[], times: number, key = '192.0.2.1'): Promise<readonly number[]> => {
  const counts: number[] = []
  for (let i = 0; i < times; i += 1)
    counts.push((await (instances[i % instances.length] as Instance).counter.count(key)).requests)
  return counts
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i)

/** How many of so many requests at once, sent to all in turn, are within the limit. */
const withinAtOnce = async (instances: readonly Instance[], times: number, limit: number): Promise<number> => {
  const counts = upTo(times, 0).map((i) => (instances[i % instances.length] as Instance).counter.count('192.0.2.1'))
  return (await Promise.all(counts)).filter(({ requests }) => requests <= limit).length
}

describe.skipIf(lacks('redis-server'))('instances with one Redis', () => {
  it('count the requests of a client together, exactly [redis-limits-shared]', async () => {
    const instances = await three()
    expect(await countAll(instances, 9)).toEqual(upTo(9))
    const at = await Promise.all(Array.from({ length: 300 }, (_, i) => (instances[i % 3] as Instance).counter.count('many')))
    expect(at.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(upTo(300))
    for (const { msLeft } of at) expect(msLeft).toBeGreaterThan(0)
  })

  it('return a request together, and remember that when Redis dies', async () => {
    const instances = await three()
    for (let i = 0; i < 30; i += 1) {
      const [one, other] = [instances[i % 3], instances[(i + 1) % 3]] as [Instance, Instance]
      expect((await one.counter.count('192.0.2.1')).requests).toBe(1)
      expect(await Promise.all([other.counter.giveBack('192.0.2.1'), one.counter.giveBack('192.0.2.1')])).toContain(0)
      expect((await other.counter.look('192.0.2.1')).requests).toBe(0)
    }
    await redis.crash()
    for (const { counter } of instances) expect((await counter.count('192.0.2.1')).requests).toBeLessThanOrEqual(6)
  })

  it('write no caller in plain text to Redis, and no key without an expiry [redis-limits-shared]', async () => {
    const one = await open()
    await countAll([one], 1, '203.0.113.77')
    // Nobody finds an address by its hash without the key of the instances.
    const other = await open(redis.url, 'swap:', new Secret('cd'.repeat(32)))
    expect(await countAll([other], 1, '203.0.113.77')).toEqual([1])
    await one.counter.giveBack('203.0.113.77')
    await one.counts.enter('payer 0xFeedBeef', 'member', 10)
    const keys = (await redis.ask('--raw', 'KEYS', '*')).split('\n')
    expect(keys.length).toBeGreaterThanOrEqual(3)
    for (const key of keys) {
      expect(key).toMatch(/^swap:(probe|breakers|(count|returned|inside):[\w-]{22})$/)
      expect(Number(await redis.ask('PTTL', key))).toBeGreaterThan(0)
    }
  })

  it('share nothing with instances of another prefix or another database', async () => {
    const [one, two, three] = [await open(), await open(redis.url, 'test:'), await open(`${redis.url}/3`)]
    for (const instance of [one, two, three]) expect(await countAll([instance], 2)).toEqual([1, 2])
  })

  it('admit ten concurrent paid calls of one payer together', async () => {
    const instances = await three()
    const enter = (i: number) => (instances[i % 3] as Instance).counts.enter('payer x', `call ${i}`, 10)
    const entered = await Promise.all(upTo(30, 0).map(enter))
    expect(entered.filter((isIn) => isIn)).toHaveLength(10)
    await instances[0].counts.leave('payer x', `call ${entered.indexOf(true)}`)
    expect([await enter(100), await enter(101)]).toEqual([true, false])
    // A call that ended without a charge uses up a place as well.
    await instances[1].counts.leave('payer x', 'call 100')
    await instances[2].counter.count('payer x')
    expect(await enter(102)).toBe(false)
  })
})

describe.skipIf(lacks('redis-server'))('a failing Redis [redis-limits-shared]', () => {
  const expectFound = async ({ told, counter }: Instance) => {
    await expect.poll(() => told.at(-1), { timeout: 15_000 }).toBeNull()
    expect((await counter.count('fresh')).requests).toBeGreaterThan(0)
  }

  it('dies: each instance continues with the known counts, also after Redis restarts empty', async () => {
    const instances = await three()
    await countAll(instances, 30)
    await redis.crash()
    for (const { counter } of instances) {
      expect((await counter.count('192.0.2.1')).requests).toBeGreaterThanOrEqual(29)
      expect((await counter.look('192.0.2.1')).requests).toBeGreaterThanOrEqual(29)
    }
    await redis.restart()
    for (const instance of instances) await expectFound(instance)
    for (const { counter } of instances) expect((await counter.count('192.0.2.1')).requests).toBeGreaterThan(28)
    expect(await countAll(instances, 6, 'new')).toEqual(upTo(6))
  })

  it.each([
    ['hangs', () => redis.pause(), 285, 315],
    ['dies', () => redis.crash(), 285, 315],
    ['is emptied', () => redis.ask('FLUSHALL'), 300, 302],
  ])('%s while a client reaches its limit: the client gets hardly any request beyond it', async (_what, fail, min, max) => {
    const instances = await three()
    const before = (await countAll(instances, 150)).length
    await fail()
    const after = await withinAtOnce(instances, 450, 300)
    redis.resume()
    expect(before + after).toBeGreaterThanOrEqual(min)
    expect(before + after).toBeLessThanOrEqual(max)
  })

  it('hangs: a few requests wait for its deadline and no others, and the instance reconnects', async () => {
    const one = await open()
    await countAll([one], 20)
    redis.pause()
    const startedAt = performance.now()
    expect(await countAll([one], 60)).toEqual(upTo(60, 21))
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    await expect.poll(() => one.told).toEqual([null, 'tooSlow'])
    redis.resume()
    await expectFound(one)
  })

  it.each([
    ['is out of memory', 'OOM', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['is read-only', 'READONLY', 'REPLICAOF 127.0.0.1 9', 'REPLICAOF NO ONE'],
  ])('%s: the instance counts alone until that is over', async (_what, reason, trouble, end) => {
    const one = await open()
    await countAll([one], 5)
    await redis.ask(...trouble.split(' '))
    expect(await countAll([one], 3)).toEqual([6, 7, 8])
    await expect.poll(() => one.told).toEqual([null, reason])
    await redis.ask(...end.split(' '))
    await expectFound(one)
  })

  it('refuses a missing or wrong password: the instance counts alone, and reports the code without the URL', async () => {
    await redis.ask('CONFIG', 'SET', 'requirepass', 'hush')
    const [without, wrong] = [await open(), await open(redis.url.replace('//', '//:guess@'))]
    expect([without.told, wrong.told]).toEqual([['NOAUTH'], ['WRONGPASS']])
    expect(await countAll([without], 3)).toEqual([1, 2, 3])
  })

  it.each([
    ['no number', ['nonsense']],
    ['a count that never ends', ['7']],
    ['more than a client can send', ['9007199254740991', 'PX', '60000']],
  ])('holds %s in a key of the service: the instance continues with its own count', async (_what, value) => {
    const one = await open()
    await countAll([one], 2)
    const [key = ''] = (await redis.ask('--raw', 'KEYS', 'swap:count:*')).split('\n')
    await redis.ask('SET', key, ...value)
    for (const count of [one.counter.count, one.counter.look]) expect((await count('192.0.2.1')).requests).toBe(3)
    await expectFound(one)
  })

  it.each([
    ['no reply', ''],
    ['OK to every command', '+OK\r\n'],
  ])('is a server that sends %s: the instance counts alone without delay', async (_what, reply) => {
    const liar = createServer((socket) => {
      own({ close: () => socket.destroy() })
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(reply))
    })
    own(liar.listen(0, '127.0.0.1'))
    await once(liar, 'listening')
    const { port } = liar.address() as AddressInfo
    const one = await open(`redis://127.0.0.1:${port}`)
    const startedAt = performance.now()
    expect(await countAll([one], 20)).toEqual(upTo(20))
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(one.told.at(-1)).not.toBeNull()
  })

  it('is unreachable at the start: the instance counts alone, and connects once Redis is there', async () => {
    await redis.crash()
    const one = await open()
    expect(one.told).toEqual(['ECONNREFUSED'])
    expect(await countAll([one], 2)).toEqual([1, 2])
    await redis.restart()
    await expectFound(one)
  })
})

const OPEN_MS = 15_000

type BreakerInstance = Awaited<ReturnType<typeof openBreaker>>

const openBreaker = async (startsAt: number) => {
  const options = { url: new Secret(redis.url), keyPrefix: 'swap:', observe: () => undefined, pauseMs: 50 }
  const link = own(await openRedisLink(options))
  const [clock, told] = [{ at: startsAt }, [] as (string | null)[]]
  const now = () => clock.at
  const state = createSharedBreakerState(createRedisStandings(link), createAlias(KEY), now)
  const onChange = (trouble: string | null) => void told.push(trouble)
  const breaker = createBreaker({ name: 'far', state, failuresMax: 5, cutsMax: 8, openMs: OPEN_MS, onChange, now })
  return { breaker, state, clock, told }
}

/** Each process counts its time from its own start. */
const two = async (): Promise<[BreakerInstance, BreakerInstance]> => [await openBreaker(1_000), await openBreaker(9_000_000)]

const call = ({ breaker }: BreakerInstance, client: string, verdict: Verdict, row = 'quote'): boolean => {
  const attempt = breaker.begin(row, client, 'mayTry')
  attempt?.end(verdict)
  if (attempt) breaker.count(row, client, verdict)
  return attempt !== null
}

/** Exchanges until each instance knows what the others do. */
const level = async (...instances: readonly BreakerInstance[]) => {
  for (let round = 0; round < 3; round += 1) for (const { state } of instances) await state.exchange()
}

const CLIENTS = ['a', 'b', 'c', 'd', 'e']

/** Whether the breakers let a call of a new client pass. */
const letPass = (...instances: readonly BreakerInstance[]) => instances.map((one) => call(one, 'new', 'nothing'))

/** Failures of five clients, some at each instance. */
const failForAll = async (one: BreakerInstance, other: BreakerInstance) => {
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
    expect(letPass(one, other)).toEqual([false, false])
    expect([one.told, other.told]).toEqual([['failing'], ['failing']])
    other.clock.at += OPEN_MS
    expect(call(other, 'new', 'answer')).toBe(true)
    await level(other, one)
    expect(letPass(one, other)).toEqual([true, true])
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
    expect(letPass(one, other)).toEqual([true, true])
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
    const late = await openBreaker(5)
    await late.state.exchange()
    expect(letPass(late)).toEqual([false])
    expect(await redis.ask('HGET', 'swap:breakers', 'far record')).not.toBe('nonsense')
    expect(await redis.ask('HGET', 'swap:breakers', 'other share')).toBe('nonsense')
  })

  it('stay open when Redis is emptied or dies; then each instance closes its own', async () => {
    const [one, other] = await two()
    for (const client of CLIENTS) call(one, client, 'failure')
    await level(one, other)
    await redis.ask('FLUSHALL')
    await level(other, one)
    expect(letPass(one, other)).toEqual([false, false])
    expect(await redis.ask('EXISTS', 'swap:breakers')).toBe('1')
    await redis.crash()
    await level(one, other)
    expect(letPass(one, other)).toEqual([false, false])
    one.clock.at += OPEN_MS
    expect(call(one, 'new', 'answer')).toBe(true)
    expect(letPass(other)).toEqual([false])
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
    expect(letPass(one)).toEqual([true])
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
