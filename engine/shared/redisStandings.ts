import { type RedisLink, redisScript } from './redisLink.ts'
import type { SharedStandings, Told } from './sharedStandings.ts'
import { readTold } from './sharedStandings.ts'

/** Shared state expires after this time without an exchange. */
const KEPT_MS = 600_000
/** Breakers rest a quarter of that. */
const REST_MS_MAX = 60_000

/**
 * One hash of a few dozen fields, `mark restsUntil rows`, by the clock of Redis. Writes a field only over the mark last read, and
 * returns the first fields of the arguments: other writers may have others.
 */
const EXCHANGE = redisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local count = tonumber(ARGV[2])
for i = 3 + count, #ARGV, 5 do
  local known = redis.call('HGET', KEYS[1], ARGV[i])
  local mark = known and string.match(known, '^%S+') or ''
  if mark == ARGV[i + 1] then
    local rests = ARGV[i + 3]
    if rests ~= '-' then rests = string.format('%.0f', now + rests) end
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 2] .. ' ' .. rests .. ' ' .. ARGV[i + 4])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return {string.format('%.0f', now), count == 0 and {} or redis.call('HMGET', KEYS[1], unpack(ARGV, 3, 2 + count))}`)

/** Fails silently, such as for a user without that permission. */
const DELETE = redisScript("redis.pcall('HDEL', KEYS[1], unpack(ARGV)) return 1")

const FIELD = /^(\S{1,40}) (-|[0-9]{1,16}) (.{2,10000})$/

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readField = (key: string, value: unknown, now: number): Told | null => {
  if (typeof value !== 'string') return null
  const [, mark, rests, text] = FIELD.exec(value) ?? []
  if (mark === undefined || rests === undefined || text === undefined) return null
  const rows = parse(text)
  if (rows === null) return { key, mark, standing: null }
  const standing = readTold({ rows, restsMs: rests === '-' ? null : Number(rests) - now }, REST_MS_MAX)
  return standing && { key, mark, standing }
}

type Fields = { readonly told: readonly Told[]; readonly unreadable: readonly string[] }

const readAll = (reply: unknown, keys: readonly string[]): Fields | null => {
  if (!Array.isArray(reply) || !Array.isArray(reply[1]) || !/^[0-9]{1,16}$/.test(String(reply[0]))) return null
  const [now, values] = [Number(reply[0]), reply[1] as unknown[]]
  const [all, unreadable]: [Told[], string[]] = [[], []]
  for (const [i, key] of keys.entries()) {
    const value = values[i] ?? null
    if (value === null) continue
    const told = readField(key, value, now)
    if (told === null) unreadable.push(key)
    else all.push(told)
  }
  return { told: all, unreadable }
}

export const createRedisStandings = (link: RedisLink): SharedStandings => ({
  exchange: async (changes, keys) => {
    const written = changes.flatMap(({ key, on, mark, standing }) => {
      const restsMs = standing?.restsMs ?? null
      return [key, on, mark, restsMs === null ? '-' : String(Math.round(restsMs)), JSON.stringify(standing?.rows ?? null)]
    })
    const read = await link.run(EXCHANGE, ['breakers'], [String(KEPT_MS), String(keys.length), ...keys, ...written], (reply) =>
      readAll(reply, keys),
    )
    // The instances restore a field that they know.
    const deleted = read?.unreadable ?? []
    if (deleted.length > 0) await link.run(DELETE, ['breakers'], deleted, Number)
    return read?.told ?? null
  },
})
