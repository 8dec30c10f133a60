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
    ['an invalid argument', ['keys', 'limit', 'ptn_1', 'many']],
    ['a missing option', ['keys', 'issue']],
    ['a missing argument', ['keys', 'show']],
    ['an unknown command', ['sesame']],
    ['an unknown option', ['keys', 'list', '--sesame']],
    ['conflicting options', ['keys', 'revoke', 'ptn_1', '--key', 'abcdef', '--all']],
  ])('with --json reports %s as one JSON document, and exits with 2', async (_, args) => {
    const { code, stdout, stderr } = await operator(env, ...args, '--json')
    expect([code, stdout]).toEqual([2, ''])
    expect(JSON.parse(stderr)).toEqual({ error: { kind: 'usage', message: expect.stringMatching(/^(?!error)./) } })
  })

  it.skipIf(lacks('linux'))('exits with 1 when its output cannot be written, as on a full disk', async () => {
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

  it('overwrites a file only with --yes', async () => {
    const file = join(dataDir, 'precious.key')
    await writeFile(file, 'precious')
    expect(await operator(env, 'payouts', 'export', '--to', file)).toMatchObject({ code: 2, stdout: '' })
    expect(await readFile(file, 'utf8')).toBe('precious')
    await operatorJson(env, 'payouts', 'export', '--to', file, '--yes')
    expect(await readFile(file, 'utf8')).toMatch(/^partner,/)
  })

  it('creates no token key file, and doctor reports a missing or empty one', async () => {
    const file = join(dataDir, 'quote-token.key')
    for (const args of [['list'], ['add'], ['rotate']])
      expect(await operator(env, 'token-keys', ...args)).toMatchObject({ code: 1, stdout: '' })
    await writeFile(file, '', { mode: 0o600 })
    const { code, stdout } = await operator(env, 'doctor')
    expect([code, await readFile(file, 'utf8')]).toEqual([1, ''])
    expect(stdout).toMatch(/FAIL +token keys +.*There is no quote-token.key/)
  })
  it('uses the network of the records, and doctor reports a different NETWORK [operator-no-records-made]', async () => {
    const folder = join(dataDir, 'of-mainnet')
    await (await openStore(parseConfig({ NETWORK: 'mainnet', DATA_DIR: folder }), systemClock)).close()
    // On simnet this setting would be refused.
    const ofMainnet = { ...env, DATA_DIR: folder, RPC_URLS_1: 'http://127.0.0.1:9' }
    expect(await operator(ofMainnet, 'keys', 'list', '--json')).toMatchObject({ code: 0 })
    const { stdout } = await operator({ ...env, NETWORK: 'mainnet' }, 'doctor')
    expect(stdout).toMatch(/warn +network +The records are of simnet, and NETWORK is mainnet: the service does not start so/)
    expect(stdout).toMatch(/warn +offline network/)
  })

  it('creates no records in an empty database, and doctor reports that there are none [operator-no-records-made]', async () => {
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
