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
  ['HTTPS://Hooks.Example:443/Swaps?a=B', 'https://hooks.example/Swaps?a=B'],
  ['https://hooks.example.:8443/#part', 'https://hooks.example:8443/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
])('the target %s is registered as %s', (text, url) => expect(readWebhookUrl(text, false)).toEqual({ url }))

test.each([
  'http://hooks.example/',
  'ftp://hooks.example/',
  'javascript:alert(1)',
  'https://user@hooks.example/',
  'https://user:word@hooks.example/',
  'https://:word@hooks.example/',
  'https://',
  'https://hooks..example:99999/',
  'https://1.2.3.4.5/',
  'https://1.2.3.4.5../',
  'https://.../',
  'hooks.example',
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
  ['2130706433', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['127.0.0.1...', '127.0.0.1'],
  ['0x7f.1。。', '127.0.0.1'],
  ['192.168.1.1', '192.168.1.1'],
  ['169.254.169.254', '169.254.169.254'],
  ['[::1]', '[::1]'],
  ['[::ffff:10.0.0.1]', '[::ffff:a00:1]'],
  ['[fd00:ec2::254]', '[fd00:ec2::254]'],
])('a target at the private address %s is accepted in development only [webhook-url-checked]', (host, spelled) => {
  const text = `https://${host}:8443/hook`
  expect(readWebhookUrl(text, false)).toEqual({ problem: 'must not lead to a private address' })
  expect(readWebhookUrl(text, true)).toEqual({ url: `https://${spelled}:8443/hook` })
})
