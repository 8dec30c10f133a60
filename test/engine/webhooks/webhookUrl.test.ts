import { expect, test } from 'vitest'
import { readWebhookUrl } from '../../../engine/webhooks/webhookUrl.ts'

test.each([
  ['https://hooks.example', 'https://hooks.example/'],
  ['HTTPS://Hooks.Example:443/Swaps?a=B', 'https://hooks.example/Swaps?a=B'],
  ['https://hooks.example.:8443/#part', 'https://hooks.example:8443/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
])('%s is taken as %s', (text, url) => expect(readWebhookUrl(text, false)).toEqual({ url }))

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
  // In its one spelling, which is what is told of it later, it is longer.
  `https://hooks.example/${'ü'.repeat(400)}`,
])('%s is no target [webhook-url-checked]', (text) => {
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
])('a target at the private address %s is taken in development only [webhook-url-checked]', (host, spelled) => {
  const text = `https://${host}:8443/hook`
  expect(readWebhookUrl(text, false)).toEqual({ problem: 'must not lead to a private address' })
  expect(readWebhookUrl(text, true)).toEqual({ url: `https://${spelled}:8443/hook` })
})
