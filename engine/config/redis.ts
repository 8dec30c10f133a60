import { Secret } from '../core/secret.ts'
import type { Reader } from './reader.ts'

/** State that instances share; see engine/shared. */
export type RedisConfig = {
  /** Credentials included; null: each instance counts on its own. */
  readonly url: Secret | null
  /** Prefix of every key there. */
  readonly keyPrefix: string
}

const PROTOCOLS: readonly (string | undefined)[] = ['redis:', 'rediss:']
const DATABASE = /^\/?[0-9]{0,5}$/
const KEY_PREFIX = /^[A-Za-z0-9:._-]{1,40}$/

const isRedisUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && PROTOCOLS.includes(url.protocol) && url.hostname !== '' && DATABASE.test(url.pathname)
}

export const readRedis = (reader: Reader): RedisConfig => {
  const text = reader.secret('REDIS_URL')
  if (text !== null && !isRedisUrl(text))
    reader.problems.push('REDIS_URL must be redis://user:password@host:port/number, or rediss:// for TLS')
  const keyPrefix = reader.text('REDIS_KEY_PREFIX', 'swap:')
  if (!KEY_PREFIX.test(keyPrefix)) reader.problems.push('REDIS_KEY_PREFIX must be up to 40 letters, digits and any of : . _ -')
  return { url: text === null ? null : new Secret(text), keyPrefix }
}
