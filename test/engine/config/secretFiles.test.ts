import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { lacks } from '../../support/needs.ts'

/** Secrets that stand in files, by `<setting>_FILE`. */

const [KEY, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-files-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made = 0
const fileWith = (content: string, mode = 0o600): string => {
  made += 1
  const path = join(folder, `do-not-print-me-${made}`)
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

type Case = {
  readonly setting: string
  readonly text: string
  readonly around?: Environment
  readonly read: (config: Config) => unknown
}

const keyCases = VENUE_DEFINITIONS.map(
  ({ id }): Case => ({
    setting: `VENUE_${id.toUpperCase().replaceAll('-', '_')}_API_KEY`,
    text: 'sesame',
    read: ({ venues }) => venues[id]?.apiKey?.reveal(),
  }),
)
const payable = {
  NETWORK: 'mainnet',
  X402_PAY_TO_EVM: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  X402_FACILITATOR_URL: 'https://pay.example',
}
const CASES: readonly Case[] = [
  {
    setting: 'QUOTE_TOKEN_KEYS',
    text: `${KEY},${OTHER}`,
    read: ({ quote }) => quote.tokenKeys.map((key) => key.reveal()).join(),
  },
  {
    setting: 'WEBHOOK_SECRET_KEYS',
    text: KEY,
    read: ({ partners }) => partners.webhooks.secretKeys.map((key) => key.reveal()).join(),
  },
  {
    setting: 'DATABASE_URL',
    text: 'postgres://user:word@db.example/swaps',
    around: { DATABASE_SINGLE_INSTANCE: 'true' },
    read: ({ database }) => database.url?.reveal(),
  },
  {
    setting: 'REDIS_URL',
    text: 'redis://:word@redis.example:6379',
    around: { QUOTE_TOKEN_KEYS: KEY },
    read: ({ redis }) => redis.url?.reveal(),
  },
  { setting: 'X402_FACILITATOR_TOKEN', text: 'sesame', around: payable, read: ({ x402 }) => x402.facilitator?.token?.reveal() },
  {
    setting: 'RPC_URLS_1',
    text: 'https://a.example/v2/sesame,https://b.example',
    around: { NETWORK: 'mainnet' },
    read: ({ rpcUrls }) => rpcUrls[1]?.join(),
  },
  ...keyCases,
]

describe('a secret that stands in a file', () => {
  it.each(CASES)(
    '$setting is read without the newline at its end [config-secret-files]',
    ({ setting, text, around = {}, read }) => {
      expect(read(parseConfig({ ...around, [`${setting}_FILE`]: fileWith(`${text}\n`) }))).toBe(text)
    },
  )

  it('counts as set where a shared key must be, and its mistakes are those of the setting', () => {
    const shared = { DATABASE_URL: 'postgres://user:word@db.example/swaps', WEBHOOK_SECRET_KEYS: KEY }
    expect(problemsOf({ ...shared, QUOTE_TOKEN_KEYS_FILE: fileWith(KEY) })).toEqual([])
    expect(problemsOf({ ...shared, QUOTE_TOKEN_KEYS_FILE: fileWith('short') })).toEqual([
      'QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma',
    ])
  })

  it('and in the variable too is refused, naming both', () => {
    expect(problemsOf({ QUOTE_TOKEN_KEYS: KEY, QUOTE_TOKEN_KEYS_FILE: fileWith(OTHER) })).toEqual([
      'QUOTE_TOKEN_KEYS and QUOTE_TOKEN_KEYS_FILE are both set: leave one of them out',
    ])
  })

  it.skipIf(lacks('mkfifo'))(
    'that cannot be taken stops the start, naming the setting and never the path: nothing is made in its place [config-secret-files]',
    () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      const refusals = [
        [join(folder, 'nowhere'), 'names no file'],
        [folder, 'names something that is no file'],
        [pipe, 'names something that is no file'],
        [fileWith('\n'), 'names an empty file'],
        [fileWith(' , \n'), 'names an empty file'],
        [fileWith('a'.repeat(70_000)), 'names a file of more than 64 KiB'],
        [fileWith(KEY, 0o620), 'names a file that others may write: chmod 600 it'],
        [fileWith(KEY, 0o602), 'names a file that others may write: chmod 600 it'],
        [`${fileWith(KEY)}/below`, 'names a file that cannot be read (ENOTDIR)'],
      ] as const
      for (const [path, problem] of refusals)
        expect(problemsOf({ QUOTE_TOKEN_KEYS_FILE: path })).toEqual([`QUOTE_TOKEN_KEYS_FILE ${problem}`])
    },
  )

  it('and may be read by everybody is taken, and told of', () => {
    const warningsOf = (mode: number) => parseConfig({ QUOTE_TOKEN_KEYS_FILE: fileWith(KEY, mode) }).warnings
    expect(warningsOf(0o444)).toEqual([
      'QUOTE_TOKEN_KEYS_FILE names a file that every user of this machine may read: chmod 600 it',
    ])
    expect([warningsOf(0o400), warningsOf(0o440), warningsOf(0o600)]).toEqual([[], [], []])
  })

  it('is for secrets alone', () => {
    expect(problemsOf({ QUOTE_DEADLINE_MS_FILE: fileWith('4000') })).toEqual([
      'QUOTE_DEADLINE_MS_FILE is not a setting of this service',
    ])
  })
})
