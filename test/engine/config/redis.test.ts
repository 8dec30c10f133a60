import { describe, expect, it } from 'vitest'
import { ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'

const PASSWORD = 'hunter2-that-nobody-may-see'

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).not.toContain(PASSWORD)
    return (error as ConfigError).problems
  }
  return []
}

const WRONG_URL = 'REDIS_URL must be redis://user:password@host:port/number, or rediss:// for TLS'
const WRONG_PREFIX = 'REDIS_KEY_PREFIX must be up to 40 letters, digits and any of : . _ -'
const IN_KUBERNETES = {
  REDIS_SERVICE_HOST: '10.0.0.11',
  REDIS_SERVICE_PORT: '6379',
  REDIS_SERVICE_PORT_REDIS: '6379',
  REDIS_PORT: 'tcp://10.0.0.11:6379',
  REDIS_PORT_6379_TCP: 'tcp://10.0.0.11:6379',
  REDIS_PORT_6379_TCP_PROTO: 'tcp',
  REDIS_PORT_6379_TCP_PORT: '6379',
  REDIS_PORT_6379_TCP_ADDR: '10.0.0.11',
}

describe('the settings of Redis', () => {
  it('are none by default: each instance counts alone', () => {
    expect(parseConfig({}).redis).toEqual({ url: null, keyPrefix: 'swap:' })
    expect(parseConfig({ REDIS_URL: ' ' }).redis.url).toBeNull()
  })

  it.each([
    'redis://127.0.0.1',
    'redis://127.0.0.1:6379/3',
    `rediss://swap:${PASSWORD}@redis.example:6380/0`,
    `redis://:${PASSWORD}@[::1]:6379`,
  ])('take %s, and do not show it', (url) => {
    const { redis } = parseConfig({ REDIS_URL: url, REDIS_KEY_PREFIX: 'swap-2.a_b:' })
    expect(redis.keyPrefix).toBe('swap-2.a_b:')
    expect(redis.url?.reveal()).toBe(url)
    expect(JSON.stringify(redis)).not.toContain(url)
  })

  it.each([
    ['REDIS_URL', 'no url', WRONG_URL],
    ['REDIS_URL', `http://:${PASSWORD}@127.0.0.1:6379`, WRONG_URL],
    ['REDIS_URL', `redis:///${PASSWORD}`, WRONG_URL],
    ['REDIS_URL', `redis://:${PASSWORD}@127.0.0.1/swaps`, WRONG_URL],
    ['REDIS_URL', `redis://:${PASSWORD}@127.0.0.1:99999`, WRONG_URL],
    ['REDIS_KEY_PREFIX', 'swap service:', WRONG_PREFIX],
    ['REDIS_KEY_PREFIX', '*', WRONG_PREFIX],
    ['REDIS_KEY_PREFIX', 'x'.repeat(41), WRONG_PREFIX],
    ['REDIS_ULR', `redis://:${PASSWORD}@127.0.0.1`, 'REDIS_ULR is not a setting of this service (did you mean REDIS_URL?)'],
    ['REDIS_PORT', '6379', 'REDIS_PORT is not a setting of this service'],
    ['TRUSTED_PROXY', '127.0.0.1', 'TRUSTED_PROXY is not a setting of this service'],
  ])('%s of %s stops the start, by its name and never by its value', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem])
  })

  it('are not what Kubernetes tells of a service that is called redis, beside which a mistyped one is seen', () => {
    expect(problemsOf(IN_KUBERNETES)).toEqual([])
    expect(problemsOf({ ...IN_KUBERNETES, REDIS_KEY_PREFX: 'a' })).toEqual([
      'REDIS_KEY_PREFX is not a setting of this service (did you mean REDIS_KEY_PREFIX?)',
    ])
  })
})
