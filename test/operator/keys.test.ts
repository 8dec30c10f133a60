import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashOf, isApiKey } from '../../engine/keys/apiKey.ts'
import { isOverPostgres } from '../support/postgres/ownDatabase.ts'
import { type Ended, operator, operatorJson, operatorStage } from './operatorProcess.ts'

type Issued = { readonly partnerId: string; readonly keyId: string; readonly apiKey: string }
type Shown = {
  readonly partner: { readonly feeBps: number | null; readonly requestsPerMinute: number | null }
  readonly keys: readonly { readonly keyId: string; readonly hint: string; readonly revokedAt: number | null }[]
}

const { dataDir, env } = await operatorStage('across')

const issue = (...args: readonly string[]): Promise<Issued> =>
  operatorJson<Issued>(env, 'keys', 'issue', '--per-minute', '600', ...args)

describe('operator keys', { timeout: 60_000 }, () => {
  it('issue prints the key once, and neither the data folder nor a later command contains it [operator-keys]', async () => {
    const { partnerId, keyId, apiKey } = await issue('--name', 'Example Ltd', '--contact', 'ops@example.test', '--fee-bps', '10')
    expect(isApiKey(apiKey) && apiKey.startsWith('swe_')).toBe(true)
    expect(hashOf(apiKey).startsWith(keyId)).toBe(true)
    const shown = await operator(env, 'keys', 'show', partnerId)
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(shown.stdout).toMatch(/^fee +10 bps$/m)
    expect(shown.stdout).toMatch(/^per minute +600$/m)
    const listed = await operator(env, 'keys', 'list')
    expect(listed.stdout).toContain(partnerId)
    for (const { stdout } of [shown, listed]) expect(stdout.includes(apiKey) || /ops@|Example Ltd/.test(stdout)).toBe(false)
    for (const file of isOverPostgres() ? [] : ['swaps.sqlite', 'swaps.sqlite-wal'])
      expect((await readFile(join(dataDir, file), 'latin1')).includes(apiKey.slice(4))).toBe(false)
    const contacts = await operatorJson<{ contacts: object }>(env, 'keys', 'show', partnerId, '--contacts')
    expect(contacts.contacts).toEqual({ name: 'Example Ltd', contact: 'ops@example.test' })
  })

  it('rotate adds a key beside the old one, and revoke disables the named one [operator-keys]', async () => {
    const { partnerId, keyId: first } = await issue()
    const { keyId: second, stillOpen } = await operatorJson<Issued & { stillOpen: string[] }>(env, 'keys', 'rotate', partnerId)
    expect(stillOpen).toEqual([first])
    expect((await operator(env, 'keys', 'revoke', partnerId, '--yes')).code).toBe(2)
    expect(await operatorJson(env, 'keys', 'revoke', partnerId, '--key', first, '--yes')).toEqual({ partnerId, revoked: [first] })
    const { keys } = await operatorJson<Shown>(env, 'keys', 'show', partnerId)
    expect(keys.map(({ keyId, revokedAt }) => [keyId, revokedAt !== null])).toEqual([
      [first, true],
      [second, false],
    ])
  })

  it('limit and fee change the partner, and reject an invalid number with a usage error', async () => {
    const { partnerId } = await issue()
    await operatorJson(env, 'keys', 'limit', partnerId, '1200')
    await operatorJson(env, 'keys', 'fee', partnerId, '25')
    const { partner } = await operatorJson<Shown>(env, 'keys', 'show', partnerId)
    expect(partner).toMatchObject({ requestsPerMinute: 1_200, feeBps: 25 })
    for (const wrong of ['101', '1.5', '-1', '0x10'])
      expect((await operator(env, 'keys', 'fee', partnerId, '--', wrong)).code).toBe(2)
    await operatorJson(env, 'keys', 'fee', partnerId, 'none')
    expect((await operatorJson<Shown>(env, 'keys', 'show', partnerId)).partner.feeBps).toBeNull()
  })

  it('asks for --yes before an irreversible change without a terminal', async () => {
    const { partnerId, keyId } = await issue('--name', 'Somebody')
    const refusals: readonly Ended[] = [
      await operator(env, 'keys', 'revoke', partnerId),
      await operator(env, 'keys', 'contacts', 'erase', partnerId),
    ]
    for (const { code, stdout, stderr } of refusals) expect([code, stdout, stderr.includes('--yes')]).toEqual([2, '', true])
    const { keys, contacts } = await operatorJson<Shown & { contacts: object }>(env, 'keys', 'show', partnerId, '--contacts')
    expect([keys, contacts]).toMatchObject([[{ keyId, revokedAt: null }], { name: 'Somebody' }])
    await operatorJson(env, 'keys', 'contacts', 'erase', partnerId, '--yes')
    expect((await operator(env, 'keys', 'contacts', 'erase', partnerId, '--yes')).code).toBe(3)
  })

  it('escapes control characters in contact details', async () => {
    const { partnerId } = await issue('--name', 'a\u001b[2Jb\u202ec')
    const { stdout } = await operator(env, 'keys', 'contacts', 'list')
    const line = stdout.split('\n').find((one) => one.startsWith(partnerId)) ?? ''
    expect(line).toContain('b\\u{202e}c')
    expect(line.includes('\u001b')).toBe(false)
  })
})

describe('operator keys: the exit code [operator-keys]', { timeout: 60_000 }, () => {
  it('is 3 for an unknown partner, 1 without records, 0 for help', async () => {
    const unknown = await operator(env, 'keys', 'show', 'ptn_nobody', '--json')
    expect(unknown).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(unknown.stderr)).toEqual({ error: { kind: 'notFound', message: 'There is no partner ptn_nobody.' } })
    const elsewhere = join(dataDir, 'elsewhere')
    const lost = await operator({ ...env, DATABASE_URL: '', DATA_DIR: elsewhere }, 'keys', 'list')
    expect(lost.code).toBe(1)
    expect(lost.stderr).toContain('There are no records in DATA_DIR')
    const help = await operator({}, '--help')
    expect([help.code, help.stdout.includes('Exit codes')]).toEqual([0, true])
  })
})
