import { expect, test } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { registerWebhook } from '../../../engine/webhooks/registerWebhook.ts'
import { createWebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'

const secrets = createWebhookSecrets([new Secret('11'.repeat(32))])

const aPartner = async () => {
  const store = createMemoryStore(systemClock)
  await store.partners.add({ id: 'p1', kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const register = async (url: string) => {
    const fresh = await secrets.create('p1')
    return { fresh, told: await store.transaction((parts) => registerWebhook(parts, 'p1', { url, fresh })) }
  }
  return { store, register }
}

test('the first registration tells the secret, and the database keeps it sealed', async () => {
  const { store, register } = await aPartner()
  const { fresh, told } = await register('https://a.example/')
  expect(told).toBe(fresh.secret)
  const kept = await store.webhooks.find('p1')
  expect(kept).toEqual({ partnerId: 'p1', url: 'https://a.example/', sealedSecret: fresh.sealed })
  expect(JSON.stringify(kept)).not.toContain(fresh.secret)
})

test('another URL is told no secret, and keeps the first one', async () => {
  const { store, register } = await aPartner()
  const { fresh } = await register('https://a.example/')
  expect((await register('https://b.example/')).told).toBeNull()
  expect(await store.webhooks.find('p1')).toEqual({ partnerId: 'p1', url: 'https://b.example/', sealedSecret: fresh.sealed })
})

test('of two first registrations at once only the one whose secret was kept is told it', async () => {
  const { store, register } = await aPartner()
  const both = await Promise.all([register('https://a.example/'), register('https://b.example/')])
  const told = both.filter((one) => one.told !== null)
  expect(told).toHaveLength(1)
  const kept = await store.webhooks.find('p1')
  expect(await secrets.open('p1', kept?.sealedSecret ?? '')).toMatchObject({ secret: told[0]?.told })
})
