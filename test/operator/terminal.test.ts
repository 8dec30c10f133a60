import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { lacks } from '../support/needs.ts'
import { operator, operatorJson } from './operatorProcess.ts'

const OPERATOR = fileURLToPath(new URL('../../scripts/operator.ts', import.meta.url))

type Typed = { readonly after: RegExp; readonly keys: string }

type Shown = { readonly code: number | null; readonly screen: string }

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Runs the tool on a terminal. */
const operatorOnTerminal = (env: Environment, args: readonly string[], typed: Typed | null = null): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const { PATH, HOME, TMPDIR } = process.env
    const command = [process.execPath, OPERATOR, ...args].map(quoted).join(' ')
    const child = spawn('script', ['-q', '-e', '-f', '-c', command, '/dev/null'], {
      env: { PATH, HOME, TERM: 'xterm', SHELL: '/bin/sh', ...(TMPDIR && { TMPDIR }), ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let screen = ''
    let isTyped = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text
      if (typed === null || isTyped || !typed.after.test(screen)) return
      isTyped = true
      child.stdin.write(typed.keys)
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, screen }))
  })

let dataDir: string
let env: Environment

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-terminal-'))
  await (await openStore({ dataDir, database: { url: null, poolMax: 1 }, network: 'simnet' }, systemClock)).close()
  env = { DATA_DIR: dataDir }
})
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

type Issued = { readonly partnerId: string; readonly keyId: string }
const issue = (): Promise<Issued> => operatorJson<Issued>(env, 'keys', 'issue', '--per-minute', '600')
const isRevoked = async ({ partnerId }: Issued): Promise<boolean> => {
  const { keys } = await operatorJson<{ keys: readonly { revokedAt: number | null }[] }>(env, 'keys', 'show', partnerId)
  return keys.every(({ revokedAt }) => revokedAt !== null)
}
const QUESTION = /Calls with it will answer 401\. \[y\/N\] /
const CLEAR_LINE = '\r\u001b[2K'

describe.skipIf(lacks('script'))('the operator’s tool on a terminal', { timeout: 60_000 }, () => {
  it.each([
    ['y', 'y\r'],
    ['yes, in capitals', ' YES \r'],
  ])('asks before an irreversible change, and proceeds for %s [operator-confirm]', async (_what, keys) => {
    const issued = await issue()
    const { code, screen } = await operatorOnTerminal(env, ['keys', 'revoke', issued.partnerId], { after: QUESTION, keys })
    expect([code, QUESTION.test(screen), await isRevoked(issued)]).toEqual([0, true, true])
  })

  it.each([
    ['n', 'n\r'],
    ['nothing', '\r'],
    ['another word', 'yess\r'],
    ['the end of input', '\u0004'],
    ['an interrupt', '\u0003'],
  ])('changes nothing for %s, reports it, and exits with an error code [operator-confirm]', async (_what, keys) => {
    const issued = await issue()
    const { code, screen } = await operatorOnTerminal(env, ['keys', 'revoke', issued.partnerId], { after: QUESTION, keys })
    expect([code, screen.includes('Nothing was done.'), await isRevoked(issued)]).toEqual([1, true, false])
    expect(screen).not.toContain('Warning')
  })

  it('asks nothing with --yes', async () => {
    const issued = await issue()
    const { code, screen } = await operatorOnTerminal(env, ['keys', 'revoke', issued.partnerId, '--yes'])
    expect([code, screen.includes('[y/N]'), await isRevoked(issued)]).toEqual([0, false, true])
  })

  it('shows progress of long work on a line that it removes, and only on a terminal', async () => {
    const file = (name: string) => ['payouts', 'export', '--what', 'paid', '--to', join(dataDir, name)]
    const { screen } = await operatorOnTerminal(env, file('seen.csv'))
    expect(screen).toContain(`${CLEAR_LINE}rows 0`)
    expect(screen.lastIndexOf(CLEAR_LINE)).toBeGreaterThan(screen.lastIndexOf('rows 0'))
    const { stdout, stderr } = await operator(env, ...file('unseen.csv'))
    expect([stdout.includes('\u001b'), stderr]).toEqual([false, ''])
  })
})
