import { afterEach, describe, expect, it } from 'vitest'
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

const start = () => {
  const clock = createTestClock()
  const store = createMemoryStore(clock)
  closers.push(() => store.close())
  const asked: string[] = []
  store.fails = (call) => {
    asked.push(call)
    return false
  }
  const issue = async (feeBps: number | null = null) =>
    store.transaction((parts) => addPartner(parts, { kind: 'selfServe', feeBps, requestsPerMinute: null }, null))
  const lookups = () => asked.filter((call) => call === 'apiKeys.holder').length
  return { clock, store, keys: createKeyStore(store, clock), issue, lookups }
}

/** Holds back the first answer of the store about keys, until it is let go. */
const holdBack = (store: MemoryStore) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let isAsked = false
  const holder: MemoryStore['apiKeys']['holder'] = async (hash) => {
    const isFirst = !isAsked
    isAsked = true
    const told = await store.apiKeys.holder(hash)
    if (isFirst) await promise
    return told
  }
  return { apiKeys: { ...store.apiKeys, holder }, letGo: resolve }
}

describe('a key', () => {
  it('finds its holder, with what the kind is held to where the operator said nothing [key-cache-ten-seconds]', async () => {
    const { store, keys, issue } = start()
    const { apiKey, partner } = await issue(20)
    expect(await keys.find(apiKey)).toEqual({ tier: 'selfServe', partnerId: partner.id, feeBps: 20, requestsPerMinute: 120 })
    const terms = { kind: 'enterprise', feeBps: null, requestsPerMinute: 3_000 } as const
    const big = await store.transaction((parts) => addPartner(parts, terms, null))
    expect(big.apiKey).toMatch(/^swe_/)
    expect(await keys.find(big.apiKey)).toMatchObject({ tier: 'enterprise', feeBps: null, requestsPerMinute: 3_000 })
    const usual = await store.transaction((parts) => addPartner(parts, { ...terms, requestsPerMinute: null }, null))
    expect(await keys.find(usual.apiKey)).toMatchObject({ tier: 'enterprise', requestsPerMinute: 600 })
  })

  it.each(['', 'a', 'swk_', 'swk_short', `swk_${'A'.repeat(38)}`, '__proto__', `sw?_${'A'.repeat(38)}`, 'ключ', '\u0000'])(
    'that cannot be one of ours is refused without asking the store: %j',
    async (text) => {
      const { keys, lookups } = start()
      expect(await keys.find(text)).toBeNull()
      expect(lookups()).toBe(0)
    },
  )

  it('with one character changed is refused without asking the store', async () => {
    const { keys, issue, lookups } = start()
    const { apiKey } = await issue()
    for (let at = 0; at < apiKey.length; at += 1) {
      const changed = `${apiKey.slice(0, at)}${apiKey[at] === 'A' ? 'B' : 'A'}${apiKey.slice(at + 1)}`
      expect([changed, isApiKey(changed), await keys.find(changed)]).toEqual([changed, false, null])
    }
    expect(lookups()).toBe(0)
  })
})

describe('what was found', () => {
  it('is used for ten seconds and no longer, of unknown keys too', async () => {
    const { clock, keys, issue, lookups } = start()
    const known = (await issue()).apiKey
    const unknown = newApiKey('selfServe')
    for (const key of [known, unknown, known, unknown]) await keys.find(key)
    expect(lookups()).toBe(2)
    clock.at += KEY_KEPT_MS - 1
    for (const key of [known, unknown]) await keys.find(key)
    expect(lookups()).toBe(2)
    clock.at += 1
    for (const key of [known, unknown]) await keys.find(key)
    expect([lookups(), KEY_KEPT_MS]).toEqual([4, 10_000])
  })

  it('ends with a revocation and follows a changed fee on another instance within that time [key-cache-ten-seconds]', async () => {
    const { clock, store, keys, issue } = start()
    const { apiKey, partner } = await issue(5)
    const revoked = (await issue()).apiKey
    for (const key of [apiKey, revoked]) await keys.find(key)
    await store.partners.setFee(partner.id, 9)
    const [other] = (await store.partners.list({ afterId: null, limit: 100 }, null)).filter(({ id }) => id !== partner.id)
    const [{ hash } = { hash: '' }] = await store.apiKeys.ofPartner(other?.id ?? '')
    await store.apiKeys.revoke(hash)
    expect([(await keys.find(apiKey))?.feeBps, await keys.find(revoked)]).toMatchObject([5, { tier: 'selfServe' }])
    clock.at += KEY_KEPT_MS
    expect([(await keys.find(apiKey))?.feeBps, await keys.find(revoked)]).toEqual([9, null])
  })

  it('is forgotten at once here, also what was being read when it changed', async () => {
    const { clock, store, issue } = start()
    const { apiKey, partner } = await issue(5)
    const held = holdBack(store)
    const keys = createKeyStore(held, clock)
    const before = keys.find(apiKey)
    // The old fee is read by now, and not told yet.
    await store.probe()
    await store.partners.setFee(partner.id, 9)
    keys.forget(partner.id)
    expect((await keys.find(apiKey))?.feeBps).toBe(9)
    held.letGo()
    expect([(await before)?.feeBps, (await keys.find(apiKey))?.feeBps]).toEqual([5, 9])
  })

  it('is read once for all who ask at once', async () => {
    const { keys, issue, lookups } = start()
    const { apiKey } = await issue()
    await Promise.all(Array.from({ length: 50 }, () => keys.find(apiKey)))
    expect(lookups()).toBe(1)
  })

  it('is not displaced by keys that somebody makes up', async () => {
    const { clock, issue } = start()
    let reads = 0
    const known = await issue()
    const keys = createKeyStore(
      {
        apiKeys: {
          ...({} as MemoryStore['apiKeys']),
          holder: async () => {
            reads += 1
            return reads === 1 ? known.partner : null
          },
        },
      },
      clock,
    )
    await keys.find(known.apiKey)
    for (let i = 0; i < 12_000; i += 1) await keys.find(newApiKey('selfServe'))
    expect(reads).toBe(12_001)
    expect((await keys.find(known.apiKey))?.partnerId).toBe(known.partner.id)
    expect(reads).toBe(12_001)
  })
})

describe('a store in trouble [key-cache-ten-seconds]', () => {
  it('makes no known key unknown, and no unknown one known: neither is told', async () => {
    const { clock, store, keys, issue } = start()
    const { apiKey } = await issue()
    await keys.find(apiKey)
    store.fails = (call) => call === 'apiKeys.holder'
    expect((await keys.find(apiKey))?.tier).toBe('selfServe')
    clock.at += KEY_KEPT_MS
    for (const key of [apiKey, newApiKey('selfServe')]) await expect(keys.find(key)).rejects.toBeInstanceOf(StoreError)
    expect(await keys.find('swk_mistyped')).toBeNull()
    store.fails = () => false
    expect((await keys.find(apiKey))?.tier).toBe('selfServe')
  })

  it('is INTERNAL for whoever calls, to be repeated', async () => {
    const engine = await createTestEngine({ venues: [] })
    closers.push(() => engine.close())
    engine.store.fails = (call) => call === 'apiKeys.holder'
    const refusal = await refusalOf(engine.engine.identify(newApiKey('selfServe')), 'INTERNAL')
    expect(refusal.details).toEqual({ retryable: true })
    expect((await engine.engine.identify(null)).tier).toBe('anonymous')
  })
})
