import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { registerWebhook } from '../../../engine/webhooks/registerWebhook.ts'
import { EVENTS_RETENTION_MS } from '../../../engine/webhooks/webhookSender.ts'
import { readWebhookUrl } from '../../../engine/webhooks/webhookUrl.ts'
import { anEvent, hookStage, type StageOptions, WEBHOOK_KEY } from '../../support/hookStage.ts'
import { type HookTargetOptions, type Received, startHookTarget } from '../../support/hookTarget.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

const startTarget = async (options?: HookTargetOptions) => {
  const target = await startHookTarget(options)
  onTestFinished(target.close)
  return target
}

/** A target, and the partner `p1` with `due` due events for it. */
const start = async (due: number, { answer, ...options }: StageOptions & Pick<HookTargetOptions, 'answer'> = {}) => {
  const target = await startTarget(answer && { answer })
  const stage = hookStage(options)
  const secret = await stage.addPartner('p1', target.url)
  const add = (partnerId: string, ...change: readonly Parameters<typeof anEvent>[1][]) =>
    stage.store.partnerEvents.add(anEvent(partnerId, ...change))
  for (let i = 0; i < due; i += 1) await add('p1')
  return { ...stage, target, secret, add }
}

const signatureOf = ({ body }: Received, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

test('a webhook has exactly the documented fields, signed over its raw bytes [webhook-body-signed]', async () => {
  const { target, secret, store, clock, add, deliver, feedOf, events } = await start(0)
  const { id: swapId, quoteId, ref, requestId } = await store.swaps.add(await aNewSwap())
  await add('p1', { swapId })
  clock.at += 1_000
  expect(await deliver()).toBe(1)
  const [received] = target.received as [Received]
  expect(received.body.toString()).toBe(
    `{"event":"swap.settled","requestId":"r1","partnerId":"p1","venue":"across","deliveredOut":"24990000","slippageBps":4,"ts":${clock.at}}`,
  )
  expect(received.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'swap-service/test',
    'x-service-signature': signatureOf(received, secret),
  })
  expect(await feedOf('p1')).toMatchObject([{ delivery: 'answered', attemptedAt: clock.at, answered: 204, failure: null }])
  // The log names the swap, and neither the secret nor the target.
  const logged = { event: 'webhook.sent', partnerId: 'p1', eventId: 1, httpStatus: 204, failure: null }
  expect(events).toEqual([{ ...logged, requestId, quoteId, swapId, ref }])
})

test.each([200, 307, 500])('a webhook is sent once although its target responds %i [webhook-once]', async (status) => {
  const { target, deliver, feedOf } = await start(1, {
    answer: (response) => response.writeHead(status, { 'retry-after': '0' }).end(),
  })
  expect([await deliver(), await deliver()]).toEqual([1, 0])
  expect(target.connections).toBe(1)
  expect(await feedOf('p1')).toMatchObject([{ delivery: 'answered', answered: status }])
})

test('a webhook is sent at most once when its process is killed: it counts as started before the connection [webhook-once]', async () => {
  let kept: unknown = null
  const { store, target, deliver, feedOf } = await start(1, {
    resolve: async () => {
      kept = (await feedOf('p1'))[0]?.delivery
      // The process ends here.
      return new Promise<never>(() => undefined)
    },
    timeoutMs: 60_000,
  })
  void deliver()
  await expect.poll(() => kept).toBe('started')
  expect(await hookStage({ store }).deliver()).toBe(0)
  expect(await feedOf('p1')).toMatchObject([{ delivery: 'started', answered: null, failure: null }])
  expect(target.connections).toBe(0)
})

test('a webhook is sent once when two instances deliver at the same time', async () => {
  const { store, target, deliver } = await start(20)
  const tried = await Promise.all([deliver(), hookStage({ store }).deliver()])
  expect(tried[0] + tried[1] + (await deliver())).toBe(20)
  expect(target.received).toHaveLength(20)
})

test.each([
  ['partnerEvents.start', 'in a later pass', 0],
  ['webhooks.find', 'in a later pass', 0],
  ['partnerEvents.finish', 'before', 1],
])('a webhook is sent once when the store fails at %s: %s', async (failing, _when, before) => {
  const store = createMemoryStore(createTestClock())
  const { target, deliver } = await start(1, { store })
  store.fails = (call) => call === failing
  await deliver()
  expect(target.connections).toBe(before)
  store.fails = () => false
  expect([await deliver(), target.connections]).toEqual([1 - before, 1])
})

test('deliveries of an event that becomes due while eleven targets hang do not wait for them [webhook-once]', async () => {
  const isOver = Promise.withResolvers<void>()
  const slow = await startTarget({ answer: (response) => void isOver.promise.then(() => response.end()) })
  const { target: quick, add, addPartner, deliver } = await start(0, { timeoutMs: 60_000, lanes: 12 })
  const hanging = Array.from({ length: 11 }, (_, i) => `hangs${i}`)
  for (const id of hanging) await addPartner(id, slow.url)
  for (const id of [...hanging, ...hanging, 'p1']) await add(id)
  const pass = deliver()
  await Promise.all([slow.arrived(11), quick.arrived(1)])
  await add('p1')
  await quick.arrived(2)
  expect([slow.received.length, slow.connections]).toEqual([11, 11])
  isOver.resolve()
  expect(await pass).toBe(24)
})

test('deliveries of other partners come before those of targets that hung before, and a pass that these cut short says so [webhook-once]', async () => {
  // Each takes ten seconds, and a pass starts deliveries for a minute.
  const resolve = async (name: string) => {
    if (!name.startsWith('hangs')) return ['127.0.0.1']
    clock.at += 10_000
    return []
  }
  const { target, clock, sender, addPartner, add, deliver, feedOf } = await start(0, { lanes: 1, resolve })
  const hanging = Array.from({ length: 6 }, (_, i) => `hangs${i}`)
  for (const id of hanging) await addPartner(id, `https://${id}.example/`)
  for (const id of [...hanging, ...hanging, ...hanging]) await add(id)
  expect(await sender.deliverDue(new AbortController().signal)).toEqual({ tried: 6, isCut: true })
  for (let i = 0; i < 3; i += 1) await add('p1')
  await deliver()
  expect(target.received).toHaveLength(3)
  const failed = { delivery: 'failed', failure: 'noPublicAddress' }
  expect(await feedOf('hangs0')).toMatchObject([failed, failed, { delivery: 'due' }])
})

test('deliveries of one partner arrive one after another, in the order of its feed [webhook-once]', async () => {
  let [open, most] = [0, 0]
  const { target, add, deliver } = await start(0, {
    answer: (response) => {
      open += 1
      most = Math.max(most, open)
      setImmediate(() => {
        open -= 1
        response.end()
      })
    },
  })
  const ids = Array.from({ length: 10 }, (_, i) => `r${i}`)
  for (const requestId of ids) await add('p1', { document: { requestId } })
  await deliver()
  expect(target.received.map(({ body }) => JSON.parse(body.toString()).requestId)).toEqual(ids)
  expect(most).toBe(1)
})

test.each(['the service stops', 'the clock is wrong'])('deliveries end once %s, after the one in progress', async (what) => {
  const stop = new AbortController()
  const { target, deliver, feedOf } = await start(3, {
    answer: (response) => {
      if (what === 'the service stops') stop.abort()
      response.end()
    },
  })
  await deliver(stop.signal, () => what === 'the service stops' || target.received.length === 0)
  expect((await feedOf('p1')).map(({ delivery }) => delivery)).toEqual(['answered', 'due', 'due'])
})

const NEXT = new Secret('22'.repeat(32))

test('webhook secrets are returned by the first of several registrations alone, stored sealed, and stay for another URL', async () => {
  const { store, secrets } = hookStage()
  await store.partners.add({ id: 'p1', kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const register = async (url: string) => {
    const fresh = await secrets.create('p1')
    return store.transaction((parts) => registerWebhook(parts, 'p1', { url, fresh }))
  }
  const atOnce = await Promise.all([register('https://a.example/'), register('https://b.example/')])
  const secret = atOnce.find((told) => told !== null) ?? ''
  expect([...atOnce, await register('https://c.example/')].filter((told) => told !== null)).toEqual([secret])
  const { url, sealedSecret = '' } = (await store.webhooks.find('p1')) ?? {}
  expect([url, sealedSecret.includes(secret)]).toEqual(['https://c.example/', false])
  expect(await secrets.open('p1', sealedSecret)).toMatchObject({ secret })
})

test('webhook secrets are sealed again by a new key, after which the old key is not needed [webhook-secret-sealed]', async () => {
  const { store, target, secret, addPartner, add } = await start(0)
  await addPartner('p2', target.url)
  expect(JSON.stringify(await store.webhooks.list(null, 9))).not.toContain(secret)
  const between = hookStage({ store, secretKeys: [NEXT, WEBHOOK_KEY] })
  await between.deliver()
  expect(between.events).toEqual([{ event: 'webhooks.resealed', resealed: 2, unreadable: 0 }])
  await add('p1')
  const after = hookStage({ store, secretKeys: [NEXT] })
  await after.deliver()
  const [received] = target.received as [Received]
  expect(received.headers['x-service-signature']).toBe(signatureOf(received, secret))
  expect(after.events.map(({ event }) => event)).toEqual(['webhook.sent'])
})

test.each(['that no key opens', 'that belong to another partner'])(
  'webhook secrets %s fail the delivery, and nothing is sent unsigned [webhook-secret-sealed]',
  async (what) => {
    const { store, target, addPartner } = await start(1)
    if (what === 'that belong to another partner') {
      await addPartner('p2', target.url)
      const [own, others] = [await store.webhooks.find('p1'), await store.webhooks.find('p2')]
      await store.webhooks.reseal('p1', own?.sealedSecret ?? '', others?.sealedSecret ?? '')
    }
    const { deliver, feedOf, events } = hookStage({ store, secretKeys: [what === 'that no key opens' ? NEXT : WEBHOOK_KEY] })
    expect([await deliver(), target.connections]).toEqual([1, 0])
    expect(await feedOf('p1')).toMatchObject([{ delivery: 'failed', failure: 'noSecret', answered: null }])
    expect(events).toContainEqual({ event: 'webhooks.resealed', resealed: 0, unreadable: 1 })
  },
)

test('events are deleted after 90 days [webhook-once]', async () => {
  const { clock, add, sender, feedOf } = await start(0)
  await add('p1', { delivery: 'none' })
  clock.at += EVENTS_RETENTION_MS
  expect(await sender.pruneEvents()).toBe(0)
  clock.at += 1
  expect(await sender.pruneEvents()).toBe(1)
  expect(await feedOf('p1')).toEqual([])
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
