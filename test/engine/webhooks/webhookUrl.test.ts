import { expect, test } from 'vitest'
import { parseWebhookUrl } from '../../../engine/webhooks/webhookUrl.ts'

test.each([
  ['https://hooks.example', 'https://hooks.example/'],
  ['HTTPS://Hooks.Example:443/Swaps?a=B', 'https://hooks.example/Swaps?a=B'],
  ['https://hooks.example.:8443/#part', 'https://hooks.example:8443/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://2130706433/', 'https://127.0.0.1/'],
])('%s is taken as %s', (text, url) => expect(parseWebhookUrl(text)).toBe(url))

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
  'hooks.example',
  '',
  `https://hooks.example/${'x'.repeat(2_048)}`,
  // In its one spelling, which is what is told of it later, it is longer.
  `https://hooks.example/${'ü'.repeat(400)}`,
])('%s is no target', (text) => expect(parseWebhookUrl(text)).toBeNull())
