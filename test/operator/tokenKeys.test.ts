import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { executeAs, statusOf } from '../../scripts/client/swap.ts'
import { liveEnvironment } from '../../scripts/liveEnvironment.ts'
import { type LiveService, startLive } from '../e2e/liveService.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { type OwnDatabase, ownDatabase } from '../support/postgres/ownDatabase.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { operator, operatorJson } from './operatorProcess.ts'

type Listed = {
  readonly where: string
  readonly keys: readonly { readonly id: string; readonly role: string; readonly openSwaps: number }[]
}

let simnet: Simnet
let dataDir: string
let database: OwnDatabase
let env: Environment & { readonly DATA_DIR: string }
let running: LiveService | null = null

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1', venues: ['near-intents'] })
  dataDir = await mkdtemp(join(tmpdir(), 'swap-operator-'))
  database = await ownDatabase()
  env = { ...liveEnvironment(simnet), VENUES_ENABLED: 'near-intents', DATA_DIR: dataDir, ...database.env }
})
afterAll(async () => {
  await running?.close()
  await simnet.close()
  await rm(dataDir, { recursive: true, force: true })
  await database.remove()
})

const restart = async (): Promise<LiveService> => {
  await running?.close()
  running = await startLive(simnet, env)
  return running
}

const deposited = async (service: LiveService) => {
  const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
  const { statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken })
  return { quoteToken, ref }
}

const list = (): Promise<Listed> => operatorJson<Listed>(env, 'token-keys', 'list')

describe('operator token-keys', { timeout: 60_000 }, () => {
  it('rotates and retires keys while the service runs, counts the open swaps of each, and prints no key [operator-token-keys]', async () => {
    const old = await deposited(await restart())
    const [first] = (await list()).keys
    expect(first).toMatchObject({ role: 'mints', openSwaps: 1 })
    const rotated = await operator(env, 'token-keys', 'rotate')
    expect(rotated).toMatchObject({ code: 0, stderr: '' })
    // The one that runs knows nothing of it, and nothing of it breaks.
    expect(await statusOf(running ?? (await restart()), old)).toMatchObject({ status: 'pending' })
    const second = await restart()
    const fresh = await deposited(second)
    expect(await statusOf(second, old)).toMatchObject({ status: 'pending' })
    const { keys } = await list()
    expect(keys.map(({ role, openSwaps }) => [role, openSwaps])).toEqual([
      ['mints', 1],
      ['replaced', 1],
    ])
    const id = first?.id ?? ''
    expect((await operator(env, 'token-keys', 'retire', '-QLA7j')).stderr).toContain('There is no token key -QLA7j.')
    const asked = await operator(env, 'token-keys', 'retire', id)
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('1 open swaps need it for /status (1 pending)')])
    expect((await operator(env, 'token-keys', 'retire', keys[0]?.id ?? '', '--yes')).code).toBe(1)
    const secret = (await readFile(join(dataDir, 'quote-token-others.key'), 'utf8')).slice(0, 64)
    const retired = await operator(env, 'token-keys', 'retire', id, '--yes')
    expect(retired.code).toBe(0)
    const third = await restart()
    expectFailure(
      await third.send('GET', '/api/v1/status', { query: { quoteToken: old.quoteToken, ref: old.ref } }),
      400,
      'QUOTE_INVALID',
    )
    expect(await statusOf(third, fresh)).toMatchObject({ status: 'pending' })
    for (const { stdout, stderr } of [rotated, asked, retired]) expect(`${stdout}${stderr}`.includes(secret)).toBe(false)
  })

  it('prints the new value of a key from the environment without any existing key, and changes nothing', async () => {
    await restart()
    const given = 'ab'.repeat(32)
    const { stdout } = await operator({ ...env, QUOTE_TOKEN_KEYS: given }, 'token-keys', 'rotate')
    const [, key] = /QUOTE_TOKEN_KEYS=([0-9a-f]{64}),<the key \S{6}>/.exec(stdout) ?? []
    expect([key === undefined, stdout.includes(given)]).toEqual([false, false])
    const both = await operatorJson<{ set: string }>({ ...env, QUOTE_TOKEN_KEYS: `${given},${key}` }, 'token-keys', 'rotate')
    expect(both.set).toMatch(/^<the key \S{6}>,<the key \S{6}>$/)
    expect((await list()).where).toBe('file')
  })
})
