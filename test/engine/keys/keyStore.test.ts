import { afterEach, expect, it } from 'vitest'
import { isApiKey, newApiKey } from '../../../engine/keys/apiKey.ts'
import { addPartner } from '../../../engine/keys/issueKey.ts'
import { createKeyStore, KEY_KEPT_MS } from '../../../engine/keys/keyStore.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { createMemoryStore, type MemoryStore } from '../../support/memoryStore.ts'
import { createTestClock, createTestEngine, refusalOf } from '../../support/testEngine.ts'

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Terms = Parameters<typeof addPartner>[1]
const selfServe = (feeBps: number | null = null): Terms => ({ kind: 'selfServe', feeBps, requestsPerMinute: null })
const enterprise = (requestsPerMinute: number | null): Terms => ({ kind: 'enterprise', feeBps: null, requestsPerMinute })

const start = () => {
  const clock = createTestClock()
  const store = createMemoryStore(clock)
  closers.push(() => store.close())
  const state = { lookups: 0, isFailing: false }
  store.fails = (call) => {
    if (call === 'apiKeys.holder') state.lookups += 1
    return call === 'apiKeys.holder' && state.isFailing
  }
  const issue = (terms = selfServe()) => store.transaction((parts) => addPartner(parts, terms, null))
  return { clock, store, state, keys: createKeyStore(store, clock), issue }
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
  const { keys, state, issue } = start()
  const { apiKey } = await issue()
  const altered = Array.from(apiKey, (letter, at) => `${apiKey.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${apiKey.slice(at + 1)}`)
  const noKeys = ['', 'a', 'swk_', 'swk_short', `swk_${'A'.repeat(38)}`, '__proto__', `sw?_${'A'.repeat(38)}`, 'ключ', '\u0000']
  for (const text of [...noKeys, ...altered]) expect([text, isApiKey(text), await keys.find(text)]).toEqual([text, false, null])
  expect(state.lookups).toBe(0)
})

it('key store: a look-up of a known or unknown key counts for ten seconds, for all concurrent callers', async () => {
  const { clock, keys, issue, state } = start()
  const known = (await issue()).apiKey
  const unknown = newApiKey('selfServe')
  await Promise.all(Array.from({ length: 50 }, () => keys.find(known)))
  for (const key of [unknown, known, unknown]) await keys.find(key)
  expect(state.lookups).toBe(2)
  clock.at += KEY_KEPT_MS - 1
  for (const key of [known, unknown]) await keys.find(key)
  expect(state.lookups).toBe(2)
  clock.at += 1
  for (const key of [known, unknown]) await keys.find(key)
  expect([state.lookups, KEY_KEPT_MS]).toEqual([4, 10_000])
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

it('key store: a change at this instance counts at once, also over a look-up that began before it', async () => {
  const { clock, store, issue } = start()
  const { apiKey, partner } = await issue(selfServe(5))
  const firstAnswer = Promise.withResolvers<void>()
  let lookups = 0
  const holder: MemoryStore['apiKeys']['holder'] = async (hash) => {
    lookups += 1
    const isFirst = lookups === 1
    const found = await store.apiKeys.holder(hash)
    if (isFirst) await firstAnswer.promise
    return found
  }
  const keys = createKeyStore({ apiKeys: { ...store.apiKeys, holder } }, clock)
  const before = keys.find(apiKey)
  // The first look-up has read the old fee, and has not returned it yet.
  await store.probe()
  await store.partners.setFee(partner.id, 9)
  keys.forget(partner.id)
  expect((await keys.find(apiKey))?.feeBps).toBe(9)
  firstAnswer.resolve()
  expect([(await before)?.feeBps, (await keys.find(apiKey))?.feeBps]).toEqual([5, 9])
})

it('key store: 12,000 made-up keys displace no known key', async () => {
  const { clock, issue } = start()
  const known = await issue()
  let reads = 0
  const holder = async () => {
    reads += 1
    return reads === 1 ? known.partner : null
  }
  const keys = createKeyStore({ apiKeys: { ...({} as MemoryStore['apiKeys']), holder } }, clock)
  await keys.find(known.apiKey)
  for (let i = 0; i < 12_000; i += 1) await keys.find(newApiKey('selfServe'))
  expect((await keys.find(known.apiKey))?.partnerId).toBe(known.partner.id)
  expect(reads).toBe(12_001)
})

it('key store: a failed look-up rejects both known and unknown keys with an error [key-cache-ten-seconds]', async () => {
  const { clock, keys, issue, state } = start()
  const { apiKey } = await issue()
  await keys.find(apiKey)
  state.isFailing = true
  expect((await keys.find(apiKey))?.tier).toBe('selfServe')
  clock.at += KEY_KEPT_MS
  for (const key of [apiKey, newApiKey('selfServe')]) await expect(keys.find(key)).rejects.toBeInstanceOf(StoreError)
  expect(await keys.find('swk_mistyped')).toBeNull()
  state.isFailing = false
  expect((await keys.find(apiKey))?.tier).toBe('selfServe')
})

it('key store: a failed look-up is a retryable INTERNAL for a caller with a key; callers without one are served [key-cache-ten-seconds]', async () => {
  const { engine, store, close } = await createTestEngine({ venues: [] })
  closers.push(close)
  store.fails = (call) => call === 'apiKeys.holder'
  const { details } = await refusalOf(engine.identify(newApiKey('selfServe')), 'INTERNAL')
  expect(details).toEqual({ retryable: true })
  expect((await engine.identify(null)).tier).toBe('anonymous')
})
