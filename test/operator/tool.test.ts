import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { lacks } from '../support/needs.ts'
import { createDatabase, dropDatabase } from '../support/postgres/database.ts'
import { operator, operatorJson } from './operatorProcess.ts'

const FULL = '/dev/full'

let dataDir: string
let env: Environment

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-operator-'))
  env = { DATA_DIR: dataDir, SIMNET_CONTROL_PORT: '9' }
  await (await openStore(parseConfig(env), systemClock)).close()
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

describe('the operator’s tool', { timeout: 60_000 }, () => {
  it.each([
    ['an argument that is none', ['keys', 'limit', 'ptn_1', 'many']],
    ['an option that is missing', ['keys', 'issue']],
    ['an argument that is missing', ['keys', 'show']],
    ['no such command', ['sesame']],
    ['no such option', ['keys', 'list', '--sesame']],
    ['options that do not go together', ['keys', 'revoke', 'ptn_1', '--key', 'abcdef', '--all']],
  ])('with --json tells %s as one JSON document, and ends with 2', async (_, args) => {
    const { code, stdout, stderr } = await operator(env, ...args, '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toEqual({ error: { kind: 'usage', message: expect.stringMatching(/^(?!error)./) } })
  })

  it.skipIf(lacks('linux'))('ends with 1 where what it did cannot be told, as on a full disk', async () => {
    const tool = fileURLToPath(new URL('../../scripts/operator.ts', import.meta.url))
    for (const args of [
      ['keys', 'issue', '--per-minute', '5'],
      ['keys', 'list', '--json'],
    ]) {
      const child = spawn(process.execPath, [tool, ...args], {
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
        stdio: ['ignore', openSync(FULL, 'w'), 'pipe'],
      })
      let stderr = ''
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr += text
      })
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
      expect(stderr).toContain('ENOSPC')
    }
  })

  it('overwrites no file that nobody agreed to', async () => {
    const file = join(dataDir, 'precious.key')
    await writeFile(file, 'precious')
    expect(await operator(env, 'payouts', 'export', '--to', file)).toMatchObject({ code: 2, stdout: '' })
    expect(await readFile(file, 'utf8')).toBe('precious')
    await operatorJson(env, 'payouts', 'export', '--to', file, '--yes')
    expect(await readFile(file, 'utf8')).toMatch(/^partner,/)
  })

  it('makes no token key where the service has none or another, and doctor says so', async () => {
    const file = join(dataDir, 'quote-token.key')
    for (const args of [['list'], ['add'], ['rotate']])
      expect(await operator(env, 'token-keys', ...args)).toMatchObject({ code: 1, stdout: '' })
    await writeFile(file, '', { mode: 0o600 })
    const { code, stdout } = await operator(env, 'doctor')
    expect([code, await readFile(file, 'utf8')]).toEqual([1, ''])
    expect(stdout).toMatch(/FAIL +token keys +.*There is no quote-token.key/)
  })
  it('takes the network from the records, whatever NETWORK is, and doctor names the difference [operator-no-records-made]', async () => {
    const folder = join(dataDir, 'of-mainnet')
    await (await openStore(parseConfig({ NETWORK: 'mainnet', DATA_DIR: folder }), systemClock)).close()
    // On simnet this setting would be refused.
    const ofMainnet = { ...env, DATA_DIR: folder, RPC_URLS_1: 'http://127.0.0.1:9' }
    expect(await operator(ofMainnet, 'keys', 'list', '--json')).toMatchObject({ code: 0 })
    const { stdout } = await operator({ ...env, NETWORK: 'mainnet' }, 'doctor')
    expect(stdout).toMatch(/warn +network +The records are of simnet, and NETWORK is mainnet: the service does not start so/)
    expect(stdout).toMatch(/warn +offline network/)
  })

  it('makes no records in a database where no service keeps any, and doctor says so [operator-no-records-made]', async () => {
    const url = await createDatabase()
    try {
      const elsewhere = { ...env, DATABASE_URL: url, QUOTE_TOKEN_KEYS: 'ab'.repeat(32), WEBHOOK_SECRET_KEYS: 'cd'.repeat(32) }
      const { code, stdout } = await operator(elsewhere, 'doctor')
      expect([code, /FAIL +records +There are none in the database/.test(stdout)]).toEqual([1, true])
      const issued = await operator(elsewhere, 'keys', 'issue', '--per-minute', '5')
      expect(issued).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('There are no records in the database'),
      })
      await (await openStore(parseConfig(elsewhere), systemClock)).close()
      expect((await operator(elsewhere, 'doctor')).stdout).toMatch(/ok +schema +The schema is the one of this version/)
    } finally {
      await dropDatabase(url)
    }
  })
})
