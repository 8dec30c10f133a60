import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { EVENTS_RETENTION_MS } from '../../../engine/webhooks/webhookSender.ts'
import { anEvent, hookStage, WEBHOOK_KEY } from '../../support/hookStage.ts'
import { type HookTargetOptions, startHookTarget } from '../../support/hookTarget.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const startTarget = async (options?: HookTargetOptions) => {
  const target = await startHookTarget(options)
  closers.push(target.close)
  return target
}

const requestIds = (received: readonly { readonly body: Buffer }[]): readonly unknown[] =>
  received.map(({ body }) => JSON.parse(body.toString()).requestId)

test('an event is delivered with exactly its fields, signed over the very bytes [webhook-body-signed]', async () => {
  const target = await startTarget()
  const { store, clock, addPartner, deliver, feedOf } = hookStage()
  const secret = await addPartner('p1', target.url)
  await store.partnerEvents.add(anEvent('p1'))
  clock.at += 1_000
  expect(await deliver()).toBe(1)
  const [{ body, headers }] = target.received as [(typeof target.received)[0]]
  expect(body.toString()).toBe(
    `{"event":"swap.settled","requestId":"r1","partnerId":"p1","venue":"across","deliveredOut":"24990000","slippageBps":4,"ts":${clock.at}}`,
  )
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'swap-service/test' })
  expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  expect(await feedOf('p1')).toMatchObject([{ delivery: 'answered', attemptedAt: clock.at, answered: 204, failure: null }])
})

describe('once, and never twice: [webhook-once]', () => {
  test.each([200, 307, 429, 500, 503])('whatever is answered (%i)', async (status) => {
    const target = await startTarget({ answer: (response) => response.writeHead(status, { 'retry-after': '0' }).end() })
    const { store, addPartner, deliver, feedOf } = hookStage()
    await addPartner('p1', target.url)
    await store.partnerEvents.add(anEvent('p1'))
    expect([await deliver(), await deliver()]).toEqual([1, 0])
    expect(target.connections).toBe(1)
    expect(await feedOf('p1')).toMatchObject([{ delivery: 'answered', answered: status }])
  })

  test('where nothing is', async () => {
    const { store, addPartner, deliver, feedOf } = hookStage({ resolve: async () => [] })
    await addPartner('p1', 'https://hooks.example/')
    await store.partnerEvents.add(anEvent('p1'))
    expect([await deliver(), await deliver()]).toEqual([1, 0])
    expect(await feedOf('p1')).toMatchObject([{ delivery: 'failed', answered: null, failure: 'noPublicAddress' }])
  })

  test('it is taken as tried before a connection is opened: who is killed meanwhile sends nothing again', async () => {
    const target = await startTarget()
    let kept: unknown = null
    const stage = hookStage({
      resolve: async () => {
        kept = (await stage.feedOf('p1'))[0]?.delivery
        // The process ends here.
        return new Promise<never>(() => undefined)
      },
      timeoutMs: 60_000,
    })
    await stage.addPartner('p1', target.url)
    await stage.store.partnerEvents.add(anEvent('p1'))
    void stage.deliver()
    await expect.poll(() => kept).toBe('started')
    const anew = hookStage({ store: stage.store })
    expect(await anew.deliver()).toBe(0)
    expect(await anew.feedOf('p1')).toMatchObject([{ delivery: 'started', answered: null, failure: null }])
    expect(target.connections).toBe(0)
  })

  test('by two at once', async () => {
    const target = await startTarget()
    const one = hookStage()
    await one.addPartner('p1', target.url)
    const two = hookStage({ store: one.store })
    for (let i = 0; i < 20; i += 1) await one.store.partnerEvents.add(anEvent('p1'))
    const tried = await Promise.all([one.deliver(), two.deliver()])
    expect(tried[0] + tried[1] + (await one.deliver())).toBe(20)
    expect(target.received).toHaveLength(20)
  })

  test('when the end cannot be written', async () => {
    const target = await startTarget()
    const clock = createTestClock()
    const store = createMemoryStore(clock)
    const { addPartner, deliver, feedOf, events } = hookStage({ store })
    await addPartner('p1', target.url)
    await store.partnerEvents.add(anEvent('p1'))
    store.fails = (call) => call === 'partnerEvents.finish'
    await deliver()
    store.fails = () => false
    expect(await deliver()).toBe(0)
    expect(target.received).toHaveLength(1)
    expect(await feedOf('p1')).toMatchObject([{ delivery: 'started' }])
    expect(events).toContainEqual({ event: 'webhook.stuck', partnerId: 'p1', reason: expect.any(String) })
  })

  test('and not at all when the start cannot be written: it is due as it was', async () => {
    const target = await startTarget()
    const store = createMemoryStore(createTestClock())
    const { addPartner, deliver } = hookStage({ store })
    await addPartner('p1', target.url)
    await store.partnerEvents.add(anEvent('p1'))
    store.fails = (call) => call === 'partnerEvents.start' || call === 'webhooks.find'
    expect(await deliver()).toBe(0)
    expect(target.connections).toBe(0)
    store.fails = () => false
    expect(await deliver()).toBe(1)
  })
})

describe('what holds back whom: [webhook-once]', () => {
  test('an event that becomes due while eleven targets hang reaches its target before any of them answers', async () => {
    const isOver = Promise.withResolvers<void>()
    const slow = await startTarget({ answer: (response) => void isOver.promise.then(() => response.end()) })
    const quick = await startTarget()
    const { store, addPartner, deliver } = hookStage({ timeoutMs: 60_000, lanes: 12 })
    const hanging = Array.from({ length: 11 }, (_, i) => `hangs${i}`)
    for (const id of hanging) await addPartner(id, slow.url)
    await addPartner('quick', quick.url)
    for (const id of [...hanging, ...hanging, 'quick']) await store.partnerEvents.add(anEvent(id))
    const pass = deliver()
    await Promise.all([slow.arrived(11), quick.arrived(1)])
    await store.partnerEvents.add(anEvent('quick'))
    await quick.arrived(2)
    expect([slow.received.length, slow.connections]).toEqual([11, 11])
    isOver.resolve()
    expect(await pass).toBe(24)
  })

  test('targets that hang, with however much that is due for them, hold back nobody else from pass to pass', async () => {
    const quick = await startTarget()
    const stage = hookStage({
      lanes: 1,
      resolve: async (name) => {
        // Each takes all the time that it is given, and a pass is over after six of them.
        if (name.startsWith('hangs')) stage.clock.at += 10_000
        return name.startsWith('hangs') ? [] : ['127.0.0.1']
      },
    })
    const hanging = Array.from({ length: 6 }, (_, i) => `hangs${i}`)
    for (const id of hanging) await stage.addPartner(id, `https://${id}.example/`)
    await stage.addPartner('quick', quick.url)
    for (const id of [...hanging, ...hanging, ...hanging]) await stage.store.partnerEvents.add(anEvent(id))
    expect(await stage.deliver()).toBe(6)
    for (let i = 0; i < 3; i += 1) await stage.store.partnerEvents.add(anEvent('quick'))
    await stage.deliver()
    expect(quick.received).toHaveLength(3)
    expect((await stage.feedOf('hangs0')).map(({ delivery }) => delivery)).toEqual(['failed', 'failed', 'due'])
  })

  test('a pass that had no time for all says so', async () => {
    const stage = hookStage({
      lanes: 1,
      resolve: async () => {
        stage.clock.at += 60_000
        return []
      },
    })
    await stage.addPartner('p1', 'https://hooks.example/')
    for (let i = 0; i < 2; i += 1) await stage.store.partnerEvents.add(anEvent('p1'))
    const { signal } = new AbortController()
    expect(await stage.sender.deliverDue(signal)).toEqual({ tried: 1, isCut: true })
    expect(await stage.sender.deliverDue(signal)).toEqual({ tried: 1, isCut: true })
    expect(await stage.sender.deliverDue(signal)).toEqual({ tried: 0, isCut: false })
  })

  test('a partner is told in the order of its feed, one after another', async () => {
    let open = 0
    let most = 0
    const target = await startTarget({
      answer: (response) => {
        open += 1
        most = Math.max(most, open)
        setImmediate(() => {
          open -= 1
          response.end()
        })
      },
    })
    const { store, addPartner, deliver } = hookStage()
    await addPartner('p1', target.url)
    const ids = Array.from({ length: 10 }, (_, i) => `r${i}`)
    for (const requestId of ids) await store.partnerEvents.add(anEvent('p1', { document: { requestId } }))
    await deliver()
    expect(requestIds(target.received)).toEqual(ids)
    expect(most).toBe(1)
  })

  test('nothing is begun once it is told to stop, and what was begun ends', async () => {
    const stop = new AbortController()
    const target = await startTarget({
      answer: (response) => {
        stop.abort()
        response.end()
      },
    })
    const { store, addPartner, deliver, feedOf } = hookStage()
    await addPartner('p1', target.url)
    for (let i = 0; i < 3; i += 1) await store.partnerEvents.add(anEvent('p1'))
    expect(await deliver(stop.signal)).toBe(1)
    expect((await feedOf('p1')).map(({ delivery }) => delivery)).toEqual(['answered', 'due', 'due'])
  })
})

describe('secrets:', () => {
  const NEXT = new Secret('22'.repeat(32))

  test('a key put before the old one opens what that sealed, seals it again, and makes the old one needless [webhook-secret-sealed]', async () => {
    const target = await startTarget()
    const before = hookStage()
    const secret = await before.addPartner('p1', target.url)
    await before.addPartner('p2', target.url)
    const { store } = before
    const between = hookStage({ store, secretKeys: [NEXT, WEBHOOK_KEY] })
    await between.deliver()
    expect(between.events).toEqual([{ event: 'webhooks.resealed', resealed: 2, unreadable: 0 }])
    await store.partnerEvents.add(anEvent('p1'))
    const after = hookStage({ store, secretKeys: [NEXT] })
    await after.deliver()
    const [{ body, headers }] = target.received as [(typeof target.received)[0]]
    expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
    expect(after.events).not.toContainEqual(expect.objectContaining({ event: 'webhooks.resealed' }))
  })

  test('what no key opens is not sent unsigned, and the feed says why [webhook-secret-sealed]', async () => {
    const target = await startTarget()
    const { store, addPartner } = hookStage()
    await addPartner('p1', target.url)
    await store.partnerEvents.add(anEvent('p1'))
    const other = hookStage({ store, secretKeys: [NEXT] })
    expect(await other.deliver()).toBe(1)
    expect(target.connections).toBe(0)
    expect(await other.feedOf('p1')).toMatchObject([{ delivery: 'failed', failure: 'noSecret', answered: null }])
    expect(other.events).toContainEqual({ event: 'webhooks.resealed', resealed: 0, unreadable: 1 })
  })

  test('that of another partner opens nothing', async () => {
    const target = await startTarget()
    const { store, addPartner, deliver, feedOf } = hookStage()
    await addPartner('p1', target.url)
    await addPartner('p2', target.url)
    const [own, others] = [await store.webhooks.find('p1'), await store.webhooks.find('p2')]
    await store.webhooks.reseal('p1', own?.sealedSecret ?? '', others?.sealedSecret ?? '')
    await store.partnerEvents.add(anEvent('p1'))
    await deliver()
    expect(await feedOf('p1')).toMatchObject([{ delivery: 'failed', failure: 'noSecret' }])
    expect(target.connections).toBe(0)
  })
})

test('events are kept for 90 days [webhook-once]', async () => {
  const { store, clock, addPartner, sender, feedOf } = hookStage()
  await addPartner('p1', 'https://hooks.example/')
  await store.partnerEvents.add(anEvent('p1', { delivery: 'none' }))
  clock.at += EVENTS_RETENTION_MS
  expect(await sender.pruneEvents()).toBe(0)
  clock.at += 1
  expect(await sender.pruneEvents()).toBe(1)
  expect(await feedOf('p1')).toEqual([])
})

test('what is logged of a delivery tells which swap it was about, and which request had executed it', async () => {
  const target = await startTarget()
  const { store, addPartner, deliver, events } = hookStage()
  await addPartner('p1', target.url)
  const { id, quoteId, ref, requestId } = await store.swaps.add(await aNewSwap())
  await store.partnerEvents.add(anEvent('p1', { swapId: id }))
  await deliver()
  expect(events).toMatchObject([{ event: 'webhook.sent', httpStatus: 204, requestId, quoteId, swapId: id, ref }])
})

test('neither the secret nor the target stands in any event', async () => {
  const target = await startTarget()
  const { store, addPartner, deliver, events } = hookStage()
  const secret = await addPartner('p1', target.url)
  await store.partnerEvents.add(anEvent('p1'))
  await deliver()
  expect(events).toEqual([{ event: 'webhook.sent', partnerId: 'p1', eventId: 1, httpStatus: 204, failure: null }])
  expect(JSON.stringify(events)).not.toContain(secret)
})
