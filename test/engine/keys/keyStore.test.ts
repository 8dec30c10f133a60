import { expect, it } from 'vitest'
import { isApiKey, newApiKey } from '../../../engine/keys/apiKey.ts'
import { addPartner } from '../../../engine/keys/issueKey.ts'
import { createKeyStore, KEY_KEPT_MS } from '../../../engine/keys/keyStore.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { closing } from '../../support/storeStage.ts'
import { createTestClock, createTestEngine, refusalOf } from '../../support/testEngine.ts'

type Terms = Parameters<typeof addPartner>[1]
const selfServe = (feeBps: number | null = null): Terms => ({ kind: 'selfServe', feeBps, requestsPerMinute: null })
const enterprise = (requestsPerMinute: number | null): Terms => ({ kind: 'enterprise', feeBps: null, requestsPerMinute })

const start = () => {
  const clock = createTestClock()
  const store = closing(createMemoryStore(clock))
  const issue = (terms = selfServe()) => store.transaction((parts) => addPartner(parts, terms, null))
  return { clock, store, keys: createKeyStore(store, clock), issue }
}

it.each([
  ['a self-serve key with its fee, 120 calls a minute', selfServe(20), { feeBps: 20, requestsPerMinute: 120 }, 'swk_'],
  ['an enterprise key, 600 calls a minute by default', enterprise(null), { feeBps: null, requestsPerMinute: 600 }, 'swe_'],
  ['an enterprise key with a limit of its own', enterprise(3_000), { feeBps: null, requestsPerMinute: 3_000 }, 'swe_'],
])('key store: finds the holder of %s [key-cache-ten-seconds]', async (_what, terms, expected, prefix) => {
  const { keys, issue } = start()
  const { apiKey, partner } = await issue(terms)
  expect(apiKey.startsWith(prefix)).toBe(true)
  expect(await keys.find(apiKey)).toEqual({ tier: terms.kind, partnerId: partner.id, ...expected })
})

it('key store: rejects text that is no key, also a key with one other character, without a look-up', async () => {
  const { keys, store, issue } = start()
  const { apiKey } = await issue()
  store.fails = () => true
  const altered = Array.from(apiKey, (letter, at) => `${apiKey.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${apiKey.slice(at + 1)}`)
  const noKeys = ['', 'a', 'swk_', 'swk_short', `swk_${'A'.repeat(38)}`, '__proto__', `sw?_${'A'.repeat(38)}`, 'ключ', '\u0000']
  for (const text of [...noKeys, ...altered]) expect([text, isApiKey(text), await keys.find(text)]).toEqual([text, false, null])
})

it('key store: a revocation and a changed fee at another instance count within ten seconds [key-cache-ten-seconds]', async () => {
  const { clock, store, keys, issue } = start()
  const { apiKey, partner } = await issue(selfServe(5))
  const revoked = await issue()
  for (const key of [apiKey, revoked.apiKey]) await keys.find(key)
  await store.partners.setFee(partner.id, 9)
  const [{ hash } = { hash: '' }] = await store.apiKeys.ofPartner(revoked.partner.id)
  await store.apiKeys.revoke(hash)
  expect([(await keys.find(apiKey))?.feeBps, await keys.find(revoked.apiKey)]).toMatchObject([5, { tier: 'selfServe' }])
  clock.at += KEY_KEPT_MS
  expect([(await keys.find(apiKey))?.feeBps, await keys.find(revoked.apiKey)]).toEqual([9, null])
})

it('key store: remembers at most 10,000 made-up keys, which displace no known key', async () => {
  const { store, clock, issue } = start()
  const { apiKey, partner } = await issue()
  let reads = 0
  const holder = async () => (++reads === 1 ? partner : null)
  const keys = createKeyStore({ ...store, apiKeys: { ...store.apiKeys, holder } }, clock)
  const first = newApiKey('selfServe')
  for (const key of [apiKey, first]) await keys.find(key)
  for (let i = 0; i < 10_000; i += 1) await keys.find(newApiKey('selfServe'))
  for (const key of [apiKey, first]) await keys.find(key)
  expect(reads).toBe(10_003)
})

it('key store: a failed look-up rejects both known and unknown keys with an error, once the last answer is ten seconds old', async () => {
  const { clock, keys, issue, store } = start()
  const { apiKey } = await issue()
  await keys.find(apiKey)
  store.fails = (call) => call === 'apiKeys.holder'
  clock.at += KEY_KEPT_MS - 1
  expect((await keys.find(apiKey))?.tier).toBe('selfServe')
  clock.at += 1
  for (const key of [apiKey, newApiKey('selfServe')]) await expect(keys.find(key)).rejects.toBeInstanceOf(StoreError)
  store.fails = () => false
  expect([(await keys.find(apiKey))?.tier, KEY_KEPT_MS]).toEqual(['selfServe', 10_000])
})

it('key store: a failed look-up is a retryable INTERNAL for a caller with a key; callers without one are served [key-cache-ten-seconds]', async () => {
  const { engine, store } = closing(await createTestEngine({ venues: [] }))
  store.fails = (call) => call === 'apiKeys.holder'
  const { details } = await refusalOf(engine.identify(newApiKey('selfServe')), 'INTERNAL')
  expect(details).toEqual({ retryable: true })
  expect((await engine.identify(null)).tier).toBe('anonymous')
})
