import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Config, type Environment, parseConfig } from '../../../engine/config/config.ts'
import { problemsOf } from '../../support/configProblems.ts'
import { lacks } from '../../support/needs.ts'

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

const mainnet = { NETWORK: 'mainnet' }
const payable = {
  ...mainnet,
  X402_PAY_TO_EVM: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  X402_FACILITATOR_URL: 'https://pay.example',
}
const database = 'postgres://user:word@db.example/swaps'

type Case = [setting: string, text: string, around: Environment, read: (config: Config) => unknown]

it.each<Case>([
  ['QUOTE_TOKEN_KEYS', `${KEY},${OTHER}`, {}, ({ quote }) => quote.tokenKeys.map((key) => key.reveal()).join()],
  ['WEBHOOK_SECRET_KEYS', KEY, {}, ({ partners }) => partners.webhooks.secretKeys.map((key) => key.reveal()).join()],
  ['DATABASE_URL', database, { DATABASE_SINGLE_INSTANCE: 'true' }, (config) => config.database.url?.reveal()],
  ['REDIS_URL', 'redis://:word@redis.example:6379', { QUOTE_TOKEN_KEYS: KEY }, ({ redis }) => redis.url?.reveal()],
  ['X402_FACILITATOR_TOKEN', 'sesame', payable, ({ x402 }) => x402.facilitator?.token?.reveal()],
  ['RPC_URLS_1', 'https://a.example/v2/sesame,https://b.example', mainnet, ({ rpcUrls }) => rpcUrls[1]?.join()],
  ['VENUE_NEAR_INTENTS_API_KEY', 'sesame', {}, ({ venues }) => venues['near-intents']?.apiKey?.reveal()],
])('secret file: %s is read without the newline at its end [config-secret-files]', (setting, text, around, read) => {
  expect(read(parseConfig({ ...around, [`${setting}_FILE`]: fileWith(`${text}\n`) }))).toBe(text)
})

it('secret file: a shared key in a file counts as set and is checked like the setting', () => {
  const env = { DATABASE_URL: database, WEBHOOK_SECRET_KEYS: KEY }
  expect(problemsOf({ ...env, QUOTE_TOKEN_KEYS_FILE: fileWith(KEY) })).toEqual([])
  expect(problemsOf({ ...env, QUOTE_TOKEN_KEYS_FILE: fileWith('short') })).toEqual([
    'QUOTE_TOKEN_KEYS must be one or two keys of 64 hex digits, separated by a comma',
  ])
})

it('secret file: the start stops if the setting is set as well, or if the setting is no secret', () => {
  const both = 'QUOTE_TOKEN_KEYS and QUOTE_TOKEN_KEYS_FILE are both set: leave one of them out'
  expect(problemsOf({ QUOTE_TOKEN_KEYS: KEY, QUOTE_TOKEN_KEYS_FILE: fileWith(OTHER) })).toEqual([both])
  const unknown = 'QUOTE_DEADLINE_MS_FILE is not a setting of this service'
  expect(problemsOf({ QUOTE_DEADLINE_MS_FILE: fileWith('4000') })).toEqual([unknown])
})

it.skipIf(lacks('mkfifo'))(
  'secret file: an unusable file stops the start; the problem names the setting, never the path [config-secret-files]',
  () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const [path, problem] of [
      [join(folder, 'nowhere'), 'names no file'],
      [pipe, 'names something that is no file'],
      [fileWith(' , \n'), 'names an empty file'],
      [fileWith('a'.repeat(70_000)), 'names a file of more than 64 KiB'],
      [fileWith(KEY, 0o620), 'names a file that others may write: chmod 600 it'],
      [fileWith(KEY, 0o602), 'names a file that others may write: chmod 600 it'],
      [`${fileWith(KEY)}/below`, 'names a file that cannot be read (ENOTDIR)'],
    ] as const)
      expect(problemsOf({ QUOTE_TOKEN_KEYS_FILE: path })).toEqual([`QUOTE_TOKEN_KEYS_FILE ${problem}`])
  },
)

it('secret file: a file that every user may read is accepted with a warning', () => {
  const warning = 'QUOTE_TOKEN_KEYS_FILE names a file that every user of this machine may read: chmod 600 it'
  for (const mode of [0o444, 0o400, 0o440, 0o600])
    expect(parseConfig({ QUOTE_TOKEN_KEYS_FILE: fileWith(KEY, mode) }).warnings).toEqual(mode === 0o444 ? [warning] : [])
})
