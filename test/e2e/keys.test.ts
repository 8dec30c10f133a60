import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { KEYS, SIGNUP } from '../support/keysStage.ts'
import { only, startService } from '../support/service.ts'
import { aFolder } from '../support/storeStage.ts'

it('a key, its settings and its webhook secret survive a restart, and the data folder has neither in plain text [key-survives-restart]', async () => {
  const dataDir = aFolder()
  const start = () => startService({ ...only('across'), DATA_DIR: dataDir, RATE_LIMIT_KEYS_PER_ADDRESS: '100' })
  let service = await start()
  const { apiKey } = await service.call('createKey', { body: SIGNUP })
  const call = (method: string, body: object | null = null) =>
    service.send(method, KEYS, { headers: { 'x-api-key': apiKey }, ...(body && { body }) })
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
  await service.close()
})
