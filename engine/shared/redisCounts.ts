import type { Counted, SharedCounts } from '../core/sharedCounts.ts'
import type { Alias } from './alias.ts'
import { type RedisLink, redisScript } from './redisLink.ts'

const WINDOW_MS = 60_000
/** Longer than any call takes: a member older than this belongs to a dead process. */
const INSIDE_MS = 120_000
/** More requests than any client may send in a minute. */
const REQUESTS_MAX = 1_000_000_000

const COUNT = redisScript(`
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1], 'NX')
local all = redis.call('INCR', KEYS[1])
return {all, tonumber(redis.call('GET', KEYS[2]) or 0), redis.call('PTTL', KEYS[1])}`)

const LOOK = redisScript(`
local all = redis.call('GET', KEYS[1])
if not all then return {0, 0, tonumber(ARGV[1])} end
return {tonumber(all), tonumber(redis.call('GET', KEYS[2]) or 0), redis.call('PTTL', KEYS[1])}`)

/** Returned requests expire with the minute that counted them. */
const GIVE_BACK = redisScript(`
local all = tonumber(redis.call('GET', KEYS[1]) or 0)
if all <= tonumber(redis.call('GET', KEYS[2]) or 0) then return 0 end
local returned = redis.call('INCR', KEYS[2])
redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))
return returned`)

/** The score of a member is its time of removal, by the clock of Redis. */
const ENTER = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local taken = tonumber(redis.call('GET', KEYS[1]) or 0) + redis.call('ZCARD', KEYS[2])
if taken >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return 1`)

const LEAVE = redisScript(`return redis.call('ZREM', KEYS[1], ARGV[1])`)

const isWithin = (value: unknown, min: number, max: number): value is number =>
  Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max

const readCounted = (reply: unknown): Counted | null => {
  if (!Array.isArray(reply)) return null
  const [all, returned, msLeft] = reply as unknown[]
  if (!isWithin(all, 0, REQUESTS_MAX) || !isWithin(returned, 0, all)) return null
  // A window that never ends would lock a client out for ever.
  return isWithin(msLeft, 0, WINDOW_MS) ? { requests: all - returned, all, msLeft } : null
}

const readCount = (reply: unknown): Counted | null => {
  const counted = readCounted(reply)
  return counted !== null && counted.all > 0 ? counted : null
}

const readReturned = (reply: unknown): number | null => (isWithin(reply, 0, REQUESTS_MAX) ? reply : null)

const readFlag = (reply: unknown): boolean | null => (isWithin(reply, 0, 1) ? reply === 1 : null)

/** Counts in Redis, under aliases of clients. Every key expires. */
export const createRedisCounts = (link: RedisLink, alias: Alias): SharedCounts => {
  const counted = (key: string): readonly [string, string] => [`count:${alias(key)}`, `returned:${alias(key)}`]
  const inside = (key: string): string => `inside:${alias(key)}`
  return {
    count: (key, known) => {
      const { requests, msLeft } = known ?? { requests: 0, msLeft: WINDOW_MS }
      return link.run(COUNT, counted(key), [String(Math.max(1, Math.ceil(msLeft))), String(requests)], readCount)
    },
    look: (key) => link.run(LOOK, counted(key), [String(WINDOW_MS)], readCounted),
    giveBack: (key) => link.run(GIVE_BACK, counted(key), [], readReturned),
    enter: (key, member, limit) =>
      link.run(ENTER, [counted(key)[0], inside(key)], [member, String(limit), String(INSIDE_MS)], readFlag),
    leave: async (key, member) => {
      await link.run(LEAVE, [inside(key)], [member], readFlag)
    },
  }
}
