import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { openShared, type Shared } from '../../../engine/shared/openShared.ts'
import { createRateCounter, type RateCounter } from '../../../handlers/http/rateCounter.ts'
import { type RedisServer, startRedis } from '../../../scripts/kills/redisServer.ts'
import { lacks } from '../../support/needs.ts'

/** What instances share by a real Redis, and what becomes of it when that is in trouble. */

const KEY = new Secret('ab'.repeat(32))
const closers: (() => unknown)[] = []
let redis: RedisServer

beforeEach(async () => {
  redis = await startRedis()
  closers.push(() => redis.close())
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Instance = Shared & { readonly counter: RateCounter; readonly told: (string | null)[] }

const open = async (url = redis.url, keyPrefix = 'swap:'): Promise<Instance> => {
  const told: (string | null)[] = []
  const observe = (event: EngineEvent) => {
    if (event.event === 'redis.health') told.push(event.reason)
  }
  const shared = await openShared({ url: new Secret(url), keyPrefix, key: KEY, observe, pauseMs: 50 })
  closers.push(shared.close)
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

describe.skipIf(lacks('redis-server'))('instances that share a Redis', () => {
  it('go on from what they know where it was emptied, however many ask just then', async () => {
    const instances = await three()
    await countAll(instances, 150)
    await redis.ask('FLUSHALL')
    const at = await Promise.all(Array.from({ length: 450 }, (_, i) => (instances[i % 3] as Instance).counter.count('192.0.2.1')))
    const within = at.filter(({ requests }) => requests <= 300).length
    // Each has last heard of one of the last three.
    expect(within).toBeGreaterThanOrEqual(150)
    expect(within).toBeLessThanOrEqual(152)
  })

  it('count together, to the last request [redis-limits-shared]', async () => {
    const instances = await three()
    expect(await countAll(instances, 9)).toEqual(upTo(9))
    const at = await Promise.all(Array.from({ length: 300 }, (_, i) => (instances[i % 3] as Instance).counter.count('many')))
    expect(at.map(({ requests }) => requests).toSorted((a, b) => a - b)).toEqual(upTo(300))
    for (const { msLeft } of at) expect(msLeft).toBeGreaterThan(0)
  })

  it('give back together what one of them counted', async () => {
    const instances = await three()
    for (let i = 0; i < 30; i += 1) {
      const [one, other] = [instances[i % 3], instances[(i + 1) % 3]] as [Instance, Instance]
      expect((await one.counter.count('192.0.2.1')).requests).toBe(1)
      expect(await Promise.all([other.counter.giveBack('192.0.2.1'), one.counter.giveBack('192.0.2.1')])).toContain(0)
      expect((await other.counter.look('192.0.2.1')).requests).toBe(0)
    }
    await redis.crash()
    // An instance alone still counts what the others gave back since it last asked.
    for (const { counter } of instances) expect((await counter.count('192.0.2.1')).requests).toBeLessThanOrEqual(6)
  })

  it('leave there nothing that tells whose it is, and nothing that stays [redis-limits-shared]', async () => {
    const one = await open()
    await countAll([one], 1, '203.0.113.77')
    await one.counter.giveBack('203.0.113.77')
    await one.counts.enter('payer 0xFeedBeef', 'member', 10)
    const keys = (await redis.ask('--raw', 'KEYS', '*')).split('\n')
    expect(keys.length).toBeGreaterThanOrEqual(3)
    for (const key of keys) {
      expect(key).toMatch(/^swap:(probe|breakers|(count|returned|inside):[\w-]{22})$/)
      expect(Number(await redis.ask('PTTL', key))).toBeGreaterThan(0)
    }
  })

  it('share nothing with those of another prefix or another database', async () => {
    const [one, two, three] = [await open(), await open(redis.url, 'test:'), await open(`${redis.url}/3`)]
    for (const instance of [one, two, three]) expect(await countAll([instance], 2)).toEqual([1, 2])
  })

  it('let in as many of one payer as there is room for, whichever they ask', async () => {
    const instances = await three()
    const enter = (i: number) => (instances[i % 3] as Instance).counts.enter('payer x', `call ${i}`, 10)
    const entered = await Promise.all(upTo(30, 0).map(enter))
    expect(entered.filter((isIn) => isIn)).toHaveLength(10)
    const first = entered.indexOf(true)
    await instances[0].counts.leave('payer x', `call ${first}`)
    expect(await enter(100)).toBe(true)
    expect(await enter(101)).toBe(false)
    // What ended without a charge takes room as well.
    await instances[1].counts.leave('payer x', 'call 100')
    await instances[2].counter.count('payer x')
    expect(await enter(102)).toBe(false)
  })
})

describe.skipIf(lacks('redis-server'))('a Redis in trouble [redis-limits-shared]', () => {
  /** As many again as were counted by all: each goes on from what all knew. */
  const expectGoingOn = async (instances: readonly Instance[], known: number) => {
    const startedAt = performance.now()
    for (const { counter } of instances) {
      expect((await counter.count('192.0.2.1')).requests).toBeGreaterThanOrEqual(known - instances.length + 2)
      expect((await counter.look('192.0.2.1')).requests).toBeGreaterThanOrEqual(known - instances.length + 2)
    }
    return performance.now() - startedAt
  }

  const expectFound = async ({ told, counter }: Instance) => {
    await expect.poll(() => told.at(-1), { timeout: 15_000 }).toBeNull()
    expect((await counter.count('fresh')).requests).toBeGreaterThan(0)
  }

  it('that dies takes no limit with it, and is found again by itself', async () => {
    const instances = await three()
    await countAll(instances, 30)
    await redis.crash()
    await expectGoingOn(instances, 30)
    await redis.restart()
    for (const instance of instances) await expectFound(instance)
    // What it has forgotten the instances have not.
    for (const { counter } of instances) expect((await counter.count('192.0.2.1')).requests).toBeGreaterThan(28)
    expect(await countAll(instances, 6, 'new')).toEqual(upTo(6))
  })

  /** How many of so many at once, asked of all in turn, are within the limit. */
  const askAtOnce = async (instances: readonly Instance[], times: number, limit: number): Promise<number> => {
    const asked = upTo(times, 0).map((i) => (instances[i % instances.length] as Instance).counter.count('192.0.2.1'))
    return (await Promise.all(asked)).filter(({ requests }) => requests <= limit).length
  }

  it('that is kept from answering for a moment lets nobody beyond his limit', async () => {
    const instances = await three()
    redis.pause()
    setTimeout(() => redis.resume(), 120)
    expect(await askAtOnce(instances, 600, 300)).toBe(300)
    for (const { told } of instances) expect(told).toEqual([null])
  })

  it.each(['hangs', 'dies'])('that %s while a limit is reached lets hardly anybody beyond it', async (what) => {
    const instances = await three()
    const before = (await countAll(instances, 150)).length
    if (what === 'hangs') redis.pause()
    else await redis.crash()
    const after = await askAtOnce(instances, 450, 300)
    redis.resume()
    expect(before + after).toBeGreaterThan(285)
    expect(before + after).toBeLessThan(315)
  })

  it('that hangs costs a few requests its deadline and no others, and is found again', async () => {
    const one = await open()
    await countAll([one], 20)
    redis.pause()
    const startedAt = performance.now()
    const counts = await countAll([one], 60)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(counts).toEqual(upTo(60, 21))
    await expect.poll(() => one.told).toEqual([null, 'tooSlow'])
    redis.resume()
    await expectFound(one)
  })

  it.each([
    ['is full', 'OOM', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'],
    ['takes no writes', 'READONLY', 'REPLICAOF 127.0.0.1 9', 'REPLICAOF NO ONE'],
  ])('that %s is none, until that is over', async (_what, reason, trouble, end) => {
    const one = await open()
    await countAll([one], 5)
    await redis.ask(...trouble.split(' '))
    expect(await countAll([one], 3)).toEqual([6, 7, 8])
    await expect.poll(() => one.told).toEqual([null, reason])
    await redis.ask(...end.split(' '))
    await expectFound(one)
  })

  it('that was emptied knows less than who asks, and gains nobody anything', async () => {
    const one = await open()
    await countAll([one], 12)
    await redis.ask('FLUSHALL')
    await redis.ask('SCRIPT', 'FLUSH')
    expect(await countAll([one], 3)).toEqual([13, 14, 15])
    expect(one.told).toEqual([null])
  })

  it('that wants a password, or another one, is none, and its URL is told nowhere', async () => {
    await redis.ask('CONFIG', 'SET', 'requirepass', 'hush')
    const [without, wrong, right] = [
      await open(),
      await open(redis.url.replace('//', '//:guess@')),
      await open(redis.url.replace('//', '//:hush@')),
    ]
    expect([without.told, wrong.told, right.told]).toEqual([['NOAUTH'], ['WRONGPASS'], [null]])
    expect(await countAll([without], 3)).toEqual([1, 2, 3])
  })

  it.each([
    ['no number', ['nonsense']],
    ['less than nothing', ['-5']],
    ['a count that never ends', ['7']],
    ['more than can be', ['9007199254740991', 'PX', '60000']],
  ])('in whose key somebody else has written %s is none, as often as that is met', async (_what, value) => {
    const one = await open()
    await countAll([one], 2)
    const [key = ''] = (await redis.ask('--raw', 'KEYS', 'swap:count:*')).split('\n')
    await redis.ask('SET', key, ...value)
    expect((await one.counter.count('192.0.2.1')).requests).toBe(3)
    expect((await one.counter.look('192.0.2.1')).requests).toBe(3)
    await expectFound(one)
  })

  it.each([
    ['says nothing', () => ''],
    ['says what is no reply', () => 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['says yes to everything', () => '+OK\r\n'],
    ['answers with other types', () => '*2\r\n$1\r\nx\r\n*0\r\n'],
  ])('that %s is none, and delays nothing once that is known', async (_what, reply) => {
    const sockets = new Set<Socket>()
    const liar = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('data', () => socket.write(reply()))
    }).listen(0, '127.0.0.1')
    await once(liar, 'listening')
    closers.push(() => {
      liar.close()
      for (const socket of sockets) socket.destroy()
    })
    const one = await open(`redis://127.0.0.1:${(liar.address() as AddressInfo).port}`)
    const startedAt = performance.now()
    expect(await countAll([one], 20)).toEqual(upTo(20))
    expect(performance.now() - startedAt).toBeLessThan(500)
    expect(one.told.at(-1)).not.toBeNull()
  })

  it('that is not there at the start is found when it comes', async () => {
    await redis.crash()
    const one = await open()
    expect(one.told).toEqual(['ECONNREFUSED'])
    expect(await countAll([one], 2)).toEqual([1, 2])
    await redis.restart()
    await expectFound(one)
  })
})
