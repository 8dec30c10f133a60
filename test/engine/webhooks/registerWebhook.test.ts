import { expect, test } from 'vitest'
import { registerWebhook } from '../../../engine/webhooks/registerWebhook.ts'
import { readWebhookUrl } from '../../../engine/webhooks/webhookUrl.ts'
import { hookStage } from '../../support/hookStage.ts'

const start = async () => {
  const { store, secrets } = hookStage()
  await store.partners.add({ id: 'p1', kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const register = async (url: string) => {
    const fresh = await secrets.create('p1')
    return { fresh, told: await store.transaction((parts) => registerWebhook(parts, 'p1', { url, fresh })) }
  }
  return { store, secrets, register }
}

test('only the first registration returns the secret, which is stored sealed and stays for another URL', async () => {
  const { store, register } = await start()
  const { fresh, told } = await register('https://a.example/')
  expect(told).toBe(fresh.secret)
  expect(fresh.sealed).not.toContain(fresh.secret)
  expect(await store.webhooks.find('p1')).toEqual({ partnerId: 'p1', url: 'https://a.example/', sealedSecret: fresh.sealed })
  expect((await register('https://b.example/')).told).toBeNull()
  expect(await store.webhooks.find('p1')).toEqual({ partnerId: 'p1', url: 'https://b.example/', sealedSecret: fresh.sealed })
})

test('of two concurrent first registrations one returns its secret, which is the stored one', async () => {
  const { store, secrets, register } = await start()
  const both = await Promise.all([register('https://a.example/'), register('https://b.example/')])
  const told = both.flatMap((one) => one.told ?? [])
  expect(told).toHaveLength(1)
  const kept = await store.webhooks.find('p1')
  expect(await secrets.open('p1', kept?.sealedSecret ?? '')).toMatchObject({ secret: told[0] })
})

test.each([
  ['https://hooks.example', 'https://hooks.example/'],
  ['https://hooks.example.:8443/#part', 'https://hooks.example:8443/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
])('the target %s is registered as %s', (text, url) => expect(readWebhookUrl(text, false)).toEqual({ url }))

test.each([
  'http://hooks.example/',
  'https://user@hooks.example/',
  'https://user:word@hooks.example/',
  'https://',
  'https://1.2.3.4.5../',
  '',
  `https://hooks.example/${'x'.repeat(2_048)}`,
  // Its canonical spelling is too long.
  `https://hooks.example/${'ü'.repeat(400)}`,
])('the target %s is refused [webhook-url-checked]', (text) => {
  for (const allowPrivate of [false, true])
    expect(readWebhookUrl(text, allowPrivate)).toEqual({ problem: 'must be an https URL without user name and password' })
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['0x7f.1。。', '127.0.0.1'],
  ['169.254.169.254', '169.254.169.254'],
  ['[::ffff:10.0.0.1]', '[::ffff:a00:1]'],
])('a target at the private address %s is accepted in development only [webhook-url-checked]', (host, spelled) => {
  const text = `https://${host}:8443/hook`
  expect(readWebhookUrl(text, false)).toEqual({ problem: 'must not lead to a private address' })
  expect(readWebhookUrl(text, true)).toEqual({ url: `https://${spelled}:8443/hook` })
})
