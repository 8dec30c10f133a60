import { afterEach, describe, expect, test } from 'vitest'
import { createLifecycle } from '../../engine/execution/lifecycle.ts'
import { statusOf } from '../support/fakeVenue.ts'
import { type HookTargetOptions, postLocally, startHookTarget } from '../support/hookTarget.ts'
import { type KeysStage, startKeys } from '../support/keysStage.ts'
import { aNewSwap } from '../support/storedSwap.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async () => {
  const stage = await startKeys({ postToTarget: postLocally() })
  closers.push(stage.close)
  const read = async (apiKey: string, query = '') =>
    stage.edge.call(`/api/v1/keys/events${query}`, { headers: { 'x-api-key': apiKey } })
  const eventsOf = async (apiKey: string, query = '') =>
    (await read(apiKey, query)).json.data['events'] as { [name: string]: unknown }[]
  return { stage, read, eventsOf }
}

const startTarget = async (options?: HookTargetOptions) => {
  const target = await startHookTarget(options)
  closers.push(target.close)
  return target
}

const partnerIdOf = async (stage: KeysStage, apiKey: string) => String((await stage.account(apiKey))['partnerId'])

/** A swap that the key executed, and the end that it comes to. */
const executed = async ({ engine: { store } }: KeysStage, partnerId: string, change: Parameters<typeof aNewSwap>[0] = {}) => {
  const { id } = await store.swaps.add(await aNewSwap({ executedBy: partnerId, partnerId, requestId: 'exec-1', ...change }))
  const end = (state: Parameters<typeof statusOf>[0]) => createLifecycle(store).transition(id, statusOf(state), 'ref-1')
  return { id, end }
}

const NOT_DELIVERED = { state: 'none', attemptedAt: null, httpStatus: null, failure: null }

describe('GET /api/v1/keys/events', () => {
  test('401 without a key, before anything else is looked at', async () => {
    const { stage } = await start()
    for (const query of ['', '?limit=999']) {
      const { status, json } = await stage.edge.call(`/api/v1/keys/events${query}`)
      expect([status, json.error.code]).toEqual([401, 'UNAUTHORIZED'])
    }
  })

  test('200 tells the end of a swap, and what became of its webhook [webhook-terminal-only]', async () => {
    const { stage, eventsOf } = await start()
    const target = await startTarget()
    const apiKey = await stage.signUp()
    await stage.call('PATCH', { webhookUrl: target.url }, apiKey)
    const { end } = await executed(stage, await partnerIdOf(stage, apiKey))
    const { at } = stage.engine.clock
    await end('failed')
    const event = {
      id: '2',
      event: 'swap.failed',
      requestId: 'exec-1',
      createdAt: at,
      swap: { venue: expect.any(String), deliveredOut: null, slippageBps: null },
    }
    expect((await eventsOf(apiKey)).at(-1)).toEqual({ ...event, delivery: { ...NOT_DELIVERED, state: 'due' } })
    await stage.engine.engine.settlement.runOnce()
    expect((await eventsOf(apiKey)).at(-1)).toEqual({
      ...event,
      delivery: { state: 'answered', attemptedAt: at, httpStatus: 204, failure: null },
    })
    expect(target.received).toHaveLength(1)
  })

  test('200 tells changes of settings, which no webhook tells', async () => {
    const { stage, eventsOf } = await start()
    const target = await startTarget()
    const apiKey = await stage.signUp()
    const { at } = stage.engine.clock
    const payoutAddresses = { evm: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' }
    await stage.call('PATCH', { feeBps: 25, payoutAddresses, webhookUrl: target.url }, apiKey)
    await stage.engine.engine.settlement.runOnce()
    const shared = { requestId: expect.any(String), createdAt: at, delivery: NOT_DELIVERED }
    expect(await eventsOf(apiKey)).toEqual([
      { id: '1', event: 'fee.changed', fee: { feeBps: 25, before: null }, ...shared },
      {
        id: '2',
        event: 'payout-address.changed',
        payoutAddress: { ecosystem: 'evm', address: payoutAddresses.evm, before: null, countsFrom: at },
        ...shared,
      },
      { id: '3', event: 'webhook.changed', webhook: { webhookUrl: target.url, before: null }, ...shared },
    ])
    expect(target.connections).toBe(0)
  })

  test('200 shows the events of the calling key alone, and those of an enterprise key too [key-feed-own-only]', async () => {
    const { stage, eventsOf } = await start()
    const [one, other] = [await stage.signUp(), await stage.issue('enterprise')]
    await stage.call('PATCH', { feeBps: 1 }, one)
    await (await executed(stage, await partnerIdOf(stage, other))).end('failed')
    expect((await eventsOf(one)).map(({ id, event }) => [id, event])).toEqual([['1', 'fee.changed']])
    expect(await eventsOf(other)).toMatchObject([{ id: '1', event: 'swap.failed', delivery: NOT_DELIVERED }])
  })

  test('200 pages without a gap [key-feed-own-only]', async () => {
    const { stage, read } = await start()
    const apiKey = await stage.signUp()
    for (let feeBps = 1; feeBps <= 7; feeBps += 1) await stage.call('PATCH', { feeBps }, apiKey)
    const pages: unknown[] = []
    let query = '?limit=3'
    for (let page = 0; page < 4; page += 1) {
      const { events, next, hasMore } = (await read(apiKey, query)).json.data as {
        events: { id: string }[]
        next: string
        hasMore: boolean
      }
      pages.push([events.map(({ id }) => id).join(), hasMore])
      query = `?limit=3&after=${next}`
    }
    expect(pages).toEqual([
      ['1,2,3', true],
      ['4,5,6', true],
      ['7', false],
      ['', false],
    ])
  })

  test.each(['?limit=0', '?limit=201', '?limit=1.5', '?after=-1', '?after=x', '?after=', '?cursor=1'])(
    '400 for %s',
    async (query) => {
      const { stage, read } = await start()
      const { status, json } = await read(await stage.signUp(), query)
      expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
    },
  )

  test('500 while the records are out of reach, and never an empty feed', async () => {
    const { stage, read } = await start()
    const apiKey = await stage.signUp()
    stage.engine.store.fails = (call) => call === 'partnerEvents.ofPartner'
    expect((await read(apiKey)).json.error).toMatchObject({ code: 'INTERNAL', details: { retryable: true } })
  })
})

describe('what a webhook tells, and what it does not: [webhook-terminal-only]', () => {
  const bodies = (target: Awaited<ReturnType<typeof startTarget>>) =>
    target.received.map(({ body }) => JSON.parse(body.toString()).event)

  const withWebhook = async () => {
    const { stage, eventsOf } = await start()
    const target = await startTarget()
    const apiKey = await stage.signUp()
    await stage.call('PATCH', { webhookUrl: target.url }, apiKey)
    const partnerId = await partnerIdOf(stage, apiKey)
    const toldOf = async () => (await eventsOf(apiKey)).filter(({ swap }) => swap).map(({ event }) => event)
    return { stage, target, partnerId, toldOf, pass: () => stage.engine.engine.settlement.runOnce() }
  }

  test('expired is no event: the swap goes on', async () => {
    const { stage, target, partnerId, toldOf, pass } = await withWebhook()
    const { end } = await executed(stage, partnerId)
    for (const state of ['processing', 'expired'] as const) await end(state)
    await pass()
    expect([await toldOf(), target.connections]).toEqual([[], 0])
  })

  test('sandbox swaps fire none, and are not in the feed', async () => {
    const { stage, target, partnerId, toldOf, pass } = await withWebhook()
    await (await executed(stage, partnerId, { isSandbox: true })).end('failed')
    await pass()
    expect([await toldOf(), target.connections]).toEqual([[], 0])
  })

  test('a refund after failed is in the feed, and fires no second one', async () => {
    const { stage, target, partnerId, toldOf, pass } = await withWebhook()
    const { end } = await executed(stage, partnerId)
    await end('failed')
    await pass()
    await end('refunded')
    await pass()
    expect([await toldOf(), bodies(target)]).toEqual([['swap.failed', 'swap.refunded'], ['swap.failed']])
  })

  test('the key that executed is told, and not the one of the quote', async () => {
    const { stage, target, toldOf, partnerId, pass } = await withWebhook()
    const other = await partnerIdOf(stage, await stage.signUp())
    await (await executed(stage, partnerId, { executedBy: other })).end('failed')
    await pass()
    expect([await toldOf(), target.connections]).toEqual([[], 0])
  })
})
