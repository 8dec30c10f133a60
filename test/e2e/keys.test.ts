import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS, SIGNUP } from '../support/keysStage.ts'
import { only, startService, type TestService } from '../support/service.ts'

/** The whole service over one data folder, started as often as need be. */
let dataDir: string
let service: TestService

const start = () => startService({ ...only('across'), DATA_DIR: dataDir, RATE_LIMIT_KEYS_PER_ADDRESS: '100' })

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-keys-'))
  service = await start()
})

afterAll(async () => {
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

const callWith = (apiKey: string) => (method: string, body?: object) =>
  service.send(method, KEYS, { headers: { 'x-api-key': apiKey }, ...(body === undefined ? {} : { body }) })

test('a key, its settings and its webhook secret survive a restart, and the data folder has neither in plain text [key-survives-restart]', async () => {
  const { apiKey } = await service.call('createKey', { body: SIGNUP })
  const call = callWith(apiKey)
  const changed = await call('PATCH', { feeBps: 25, webhookUrl: 'https://wallet.example/hook' })
  const { webhookSecret } = (changed.body as { data: { webhookSecret: string } }).data
  expect(changed.headers.get('ratelimit-policy')).toBe('"keys-per-address";q=100;w=60')
  const before = (await call('GET')).body as { data: object }
  await service.close()
  for (const file of await readdir(dataDir)) {
    const text = await readFile(join(dataDir, file), 'latin1')
    expect([file, text.includes(apiKey), text.includes(webhookSecret)]).toEqual([file, false, false])
  }
  service = await start()
  const after = (await call('GET')).body as { data: object }
  expect(after.data).toEqual(before.data)
  expect(after.data).toMatchObject({ feeBps: 25, webhookUrl: 'https://wallet.example/hook' })
  const again = await call('PATCH', { webhookUrl: 'https://wallet.example/other' })
  expect((again.body as { data: object }).data).toEqual({ webhookUrl: 'https://wallet.example/other' })
})
