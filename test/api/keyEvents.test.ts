import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toAmount } from '../../engine/core/amount.ts'
import { createLifecycle } from '../../engine/execution/lifecycle.ts'
import { closing } from '../support/closing.ts'
import { statusOf } from '../support/fakeVenue.ts'
import { type HookTargetOptions, postLocally, startHookTarget } from '../support/hookTarget.ts'
import { startKeys } from '../support/keysStage.ts'
import { aNewSwap } from '../support/storedSwap.ts'
import type { TestEngineOptions } from '../support/testEngine.ts'

const own = closing()

const start = async (options: Partial<TestEngineOptions> = {}) => {
  const stage = own(await startKeys({ postToTarget: postLocally(), ...options }))
  const { engine, store, clock } = stage.engine
  const read = async (apiKey: string, query = '') =>
    stage.edge.call(`/api/v1/keys/events${query}`, { headers: { 'x-api-key': apiKey } })
  const eventsOf = async (apiKey: string) => (await read(apiKey)).json.data['events'] as { [name: string]: unknown }[]
  const idOf = async (apiKey: string) => String((await stage.account(apiKey))['partnerId'])
  /** A partner with a webhook at this URL. */
  const register = async (webhookUrl: string) => {
    const apiKey = await stage.signUp()
    const { json } = await stage.call('PATCH', { webhookUrl }, apiKey)
    return { apiKey, secret: String(json.data['webhookSecret']), partnerId: await idOf(apiKey) }
  }
  return {
    ...{ stage, store, clock, read, eventsOf, idOf, register },
    /** A partner with a webhook at a target that listens. */
    listen: async (target?: HookTargetOptions) => {
      const listening = own(await startHookTarget(target))
      return { target: listening, ...(await register(listening.url)) }
    },
    deliver: () => engine.settlement.runOnce(),
    /** A swap that a key executed; `end` ends it. */
    executed: async (partnerId: string, change: Parameters<typeof aNewSwap>[0] = {}) => {
      const swap = await aNewSwap({ executedBy: partnerId, partnerId, requestId: 'exec-1', ...change })
      const { id } = await store.swaps.add(swap)
      const end = (...status: Parameters<typeof statusOf>) => createLifecycle(store).transition(id, statusOf(...status), 'ref-1')
      return { end, quoted: swap.swap.offer.outputAmount }
    },
    testWebhook: (apiKey: string) =>
      stage.edge.call('/api/v1/keys/webhook-test', {
        method: 'POST',
        headers: { 'x-request-id': 'ask-1', 'x-api-key': apiKey },
      }),
  }
}

const NOT_DELIVERED = { state: 'none', attemptedAt: null, httpStatus: null, failure: null }

describe('GET /api/v1/keys/events', () => {
  test('returns the end of a swap, and the delivery of its webhook [webhook-terminal-only]', async () => {
    const { clock, eventsOf, listen, executed, deliver } = await start()
    const { target, apiKey, partnerId } = await listen()
    await (await executed(partnerId)).end('failed')
    const event = {
      id: '2',
      event: 'swap.failed',
      requestId: 'exec-1',
      createdAt: clock.at,
      swap: { venue: expect.any(String), deliveredOut: null, slippageBps: null },
    }
    expect((await eventsOf(apiKey)).at(-1)).toEqual({ ...event, delivery: { ...NOT_DELIVERED, state: 'due' } })
    await deliver()
    const delivery = { state: 'answered', attemptedAt: clock.at, httpStatus: 204, failure: null }
    expect((await eventsOf(apiKey)).at(-1)).toEqual({ ...event, delivery })
    expect(target.received).toHaveLength(1)
  })

  test('returns each change of a setting with the value before, no repeated value, and no webhook reports it', async () => {
    const { stage, clock, eventsOf, listen, deliver } = await start()
    const { target, apiKey } = await listen()
    const payoutAddresses = { evm: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' }
    const change = (body: object, requestId: string) =>
      stage.call('PATCH', body, apiKey, { headers: { 'x-request-id': requestId } })
    for (let i = 0; i < 2; i += 1) await change({ feeBps: 25, payoutAddresses, webhookUrl: target.url }, 'change')
    await change({ feeBps: 0 }, 'later')
    await deliver()
    const made = { requestId: 'change', createdAt: clock.at, delivery: NOT_DELIVERED }
    const payoutAddress = { ecosystem: 'evm', address: payoutAddresses.evm, before: null, countsFrom: clock.at }
    expect(await eventsOf(apiKey)).toEqual([
      {
        ...made,
        id: '1',
        event: 'webhook.changed',
        webhook: { webhookUrl: target.url, before: null },
        requestId: expect.any(String),
      },
      { ...made, id: '2', event: 'fee.changed', fee: { feeBps: 25, before: null } },
      { ...made, id: '3', event: 'payout-address.changed', payoutAddress },
      { ...made, id: '4', event: 'fee.changed', fee: { feeBps: 0, before: 25 }, requestId: 'later' },
    ])
    expect(target.connections).toBe(0)
  })

  test('returns the events of the calling key alone, also of an enterprise key [key-feed-own-only]', async () => {
    const { stage, eventsOf, idOf, executed } = await start()
    const [one, other] = [await stage.signUp(), await stage.issue('enterprise')]
    await stage.call('PATCH', { feeBps: 1 }, one)
    await (await executed(await idOf(other))).end('failed')
    expect((await eventsOf(one)).map(({ id, event }) => [id, event])).toEqual([['1', 'fee.changed']])
    expect(await eventsOf(other)).toMatchObject([{ id: '1', event: 'swap.failed', delivery: NOT_DELIVERED }])
  })

  test('returns pages without a gap [key-feed-own-only]', async () => {
    const { stage, read } = await start()
    const apiKey = await stage.signUp()
    for (let feeBps = 1; feeBps <= 7; feeBps += 1) await stage.call('PATCH', { feeBps }, apiKey)
    let after = ''
    for (const [ids, isMore] of [
      ['1,2,3', true],
      ['4,5,6', true],
      ['7', false],
      ['', false],
    ] as const) {
      const { events, next, hasMore } = (await read(apiKey, `?limit=3${after}`)).json.data
      expect([(events as { id: string }[]).map(({ id }) => id).join(), hasMore]).toEqual([ids, isMore])
      after = `&after=${next}`
    }
  })

  test.each(['?limit=0', '?limit=201', '?after=-1', '?after=x'])('with %s receives 400', async (query) => {
    const { stage, read } = await start()
    const { status, json } = await read(await stage.signUp(), query)
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('the webhook of a swap [webhook-terminal-only]', () => {
  type End = Parameters<typeof statusOf>[0]
  test.each<[string, readonly End[], Parameters<typeof aNewSwap>[0], readonly string[], readonly string[]]>([
    ['expired sends none: the swap goes on', ['processing', 'expired'], {}, [], []],
    ['the sandbox sends none, and shows no event', ['failed'], { isSandbox: true }, [], []],
    ['a refund after failed is an event without one', ['failed', 'refunded'], {}, ['failed', 'refunded'], ['failed']],
    ['the key of the quote receives none of an execution by another', ['failed'], { executedBy: 'ptn_other' }, [], []],
  ])('%s', async (_what, states, change, fed, sent) => {
    const { stage, eventsOf, idOf, listen, executed, deliver } = await start()
    const { target, apiKey, partnerId } = await listen()
    const other = await idOf(await stage.signUp())
    const { end } = await executed(partnerId, { ...change, ...(change?.executedBy && { executedBy: other }) })
    for (const state of states) {
      await end(state)
      await deliver()
    }
    const shown = (await eventsOf(apiKey)).filter(({ swap }) => swap).map(({ event }) => event)
    const received = target.received.map(({ body }) => JSON.parse(body.toString()).event)
    expect([shown, received]).toEqual([fed, sent].map((events) => events.map((event) => `swap.${event}`)))
  })

  test.each([
    ['the quoted amount', () => 0n, 0],
    ['more', () => -7n, 0],
    ['one unit less', () => 1n, 1],
    ['a hundredth less', (quoted: bigint) => quoted / 100n, 100],
  ])(
    'of a success has the delivered amount, and its shortfall in basis points, rounded up: %s',
    async (_what, less, slippageBps) => {
      const { eventsOf, listen, executed, deliver } = await start()
      const { target, apiKey, partnerId } = await listen()
      const { end, quoted } = await executed(partnerId)
      const deliveredAmount = toAmount(quoted - less(quoted))
      await end('success', { deliveredAmount })
      await deliver()
      const told = { deliveredOut: deliveredAmount.toString(), slippageBps }
      expect(target.received.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([{ event: 'swap.settled', ...told }])
      expect((await eventsOf(apiKey)).at(-1)).toMatchObject({ event: 'swap.settled', swap: told })
    },
  )
})

describe('POST /api/v1/keys/webhook-test [webhook-test]', () => {
  test('sends a webhook.test at once, signed with the registered secret, and returns what was sent', async () => {
    const { clock, listen, testWebhook } = await start()
    const answer: HookTargetOptions['answer'] = (response) => response.writeHead(202).end('words of the target')
    const { target, apiKey, secret, partnerId } = await listen({ answer })
    const { status, text, json } = await testWebhook(apiKey)
    expect(status).toBe(200)
    const { at } = clock
    expect(json.data['delivery']).toEqual({ state: 'answered', attemptedAt: at, httpStatus: 202, failure: null })
    const [{ body, headers }] = target.received as [(typeof target.received)[0]]
    const about = { event: 'webhook.test', requestId: 'ask-1', partnerId, venue: 'test' }
    const sent = { ...about, deliveredOut: null, slippageBps: null, ts: at }
    expect([JSON.parse(body.toString()), json.data['sent']]).toEqual([sent, sent])
    expect(headers['x-service-signature']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
    for (const hidden of ['words of the target', secret]) expect(text).not.toContain(hidden)
  })

  test('returns the reason of a failure without the address', async () => {
    const postToTarget = postLocally({ resolve: async () => ['10.1.2.3'], mayConnect: () => false })
    const { register, testWebhook } = await start({ postToTarget })
    const { status, text, json } = await testWebhook((await register('https://inside.example/')).apiKey)
    expect(status).toBe(200)
    expect(json.data['delivery']).toMatchObject({ state: 'failed', httpStatus: null, failure: 'noPublicAddress' })
    expect(text).not.toContain('10.1.2.3')
  })

  test('adds no event to the feed, and the job sends it no second time', async () => {
    const { listen, eventsOf, deliver, testWebhook } = await start()
    const { target, apiKey } = await listen()
    await testWebhook(apiKey)
    await deliver()
    expect((await eventsOf(apiKey)).map(({ event }) => event)).toEqual(['webhook.changed'])
    expect(target.received).toHaveLength(1)
  })

  test('receives 429 for the sixth of a key in a minute, and 200 for another key', async () => {
    const { listen, register, testWebhook } = await start()
    const { target, apiKey } = await listen()
    const other = await register(target.url)
    for (let i = 0; i < 5; i += 1) expect((await testWebhook(apiKey)).status).toBe(200)
    const { status, json, headers } = await testWebhook(apiKey)
    expect([status, json.error.code, headers['ratelimit-policy']]).toEqual([429, 'RATE_LIMITED', '"webhook-test";q=5;w=60'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await testWebhook(other.apiKey)).status).toBe(200)
    expect(target.received).toHaveLength(6)
  })
})
