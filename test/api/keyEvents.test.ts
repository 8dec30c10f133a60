import { describe, expect, test } from 'vitest'
import { toAmount } from '../../engine/core/amount.ts'
import { createLifecycle } from '../../engine/execution/lifecycle.ts'
import { closing } from '../support/closing.ts'
import { statusOf } from '../support/fakeVenue.ts'
import { postLocally, startHookTarget } from '../support/hookTarget.ts'
import { type KeysStage, startKeys } from '../support/keysStage.ts'
import { aNewSwap } from '../support/storedSwap.ts'

const own = closing()

const start = async () => {
  const stage = own(await startKeys({ postToTarget: postLocally() }))
  const read = async (apiKey: string, query = '') =>
    stage.edge.call(`/api/v1/keys/events${query}`, { headers: { 'x-api-key': apiKey } })
  const eventsOf = async (apiKey: string, query = '') =>
    (await read(apiKey, query)).json.data['events'] as { [name: string]: unknown }[]
  return { stage, read, eventsOf }
}

const startTarget = async () => own(await startHookTarget())

const partnerIdOf = async (stage: KeysStage, apiKey: string) => String((await stage.account(apiKey))['partnerId'])

/** A swap that the key executed, and the end that it comes to. */
const executed = async ({ engine: { store } }: KeysStage, partnerId: string, change: Parameters<typeof aNewSwap>[0] = {}) => {
  const swap = await aNewSwap({ executedBy: partnerId, partnerId, requestId: 'exec-1', ...change })
  const { id } = await store.swaps.add(swap)
  const end = (...status: Parameters<typeof statusOf>) => createLifecycle(store).transition(id, statusOf(...status), 'ref-1')
  return { id, end, quoted: swap.swap.offer.outputAmount }
}

const NOT_DELIVERED = { state: 'none', attemptedAt: null, httpStatus: null, failure: null }

describe('GET /api/v1/keys/events', () => {
  test('returns the end of a swap, and the delivery of its webhook [webhook-terminal-only]', async () => {
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

  test('returns changes of settings with their values, which no webhook reports', async () => {
    const { stage, eventsOf } = await start()
    const target = await startTarget()
    const apiKey = await stage.signUp()
    const { at } = stage.engine.clock
    const payoutAddresses = { evm: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' }
    await stage.call('PATCH', { feeBps: 25, payoutAddresses, webhookUrl: target.url }, apiKey)
    await stage.engine.engine.settlement.runOnce()
    const shared = { requestId: expect.any(String), createdAt: at, delivery: NOT_DELIVERED }
    const payoutAddress = { ecosystem: 'evm', address: payoutAddresses.evm, before: null, countsFrom: at }
    expect(await eventsOf(apiKey)).toEqual([
      { id: '1', event: 'fee.changed', fee: { feeBps: 25, before: null }, ...shared },
      { id: '2', event: 'payout-address.changed', payoutAddress, ...shared },
      { id: '3', event: 'webhook.changed', webhook: { webhookUrl: target.url, before: null }, ...shared },
    ])
    expect(target.connections).toBe(0)
  })

  test('returns the events of the calling key alone, also of an enterprise key [key-feed-own-only]', async () => {
    const { stage, eventsOf } = await start()
    const [one, other] = [await stage.signUp(), await stage.issue('enterprise')]
    await stage.call('PATCH', { feeBps: 1 }, one)
    await (await executed(stage, await partnerIdOf(stage, other))).end('failed')
    expect((await eventsOf(one)).map(({ id, event }) => [id, event])).toEqual([['1', 'fee.changed']])
    expect(await eventsOf(other)).toMatchObject([{ id: '1', event: 'swap.failed', delivery: NOT_DELIVERED }])
  })

  test('returns pages without a gap [key-feed-own-only]', async () => {
    const { stage, read } = await start()
    const apiKey = await stage.signUp()
    for (let feeBps = 1; feeBps <= 7; feeBps += 1) await stage.call('PATCH', { feeBps }, apiKey)
    const pages: unknown[] = []
    let query = '?limit=3'
    type Page = { readonly events: readonly { readonly id: string }[]; readonly next: string; readonly hasMore: boolean }
    for (let page = 0; page < 4; page += 1) {
      const { events, next, hasMore } = (await read(apiKey, query)).json.data as Page
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

  test.each(['?limit=0', '?limit=201', '?after=-1', '?after=x'])('with %s receives 400', async (query) => {
    const { stage, read } = await start()
    const { status, json } = await read(await stage.signUp(), query)
    expect([status, json.error.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  test('receives a retryable 500 while the store fails, and never an empty feed', async () => {
    const { stage, read } = await start()
    const apiKey = await stage.signUp()
    stage.engine.store.fails = (call) => call === 'partnerEvents.ofPartner'
    expect((await read(apiKey)).json.error).toMatchObject({ code: 'INTERNAL', details: { retryable: true } })
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
    const { stage, eventsOf } = await start()
    const target = await startTarget()
    const apiKey = await stage.signUp()
    await stage.call('PATCH', { webhookUrl: target.url }, apiKey)
    const other = await partnerIdOf(stage, await stage.signUp())
    const executedBy = change?.executedBy && { executedBy: other }
    const { end } = await executed(stage, await partnerIdOf(stage, apiKey), { ...change, ...executedBy })
    for (const state of states) {
      await end(state)
      await stage.engine.engine.settlement.runOnce()
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
      const { stage, eventsOf } = await start()
      const target = await startTarget()
      const apiKey = await stage.signUp()
      await stage.call('PATCH', { webhookUrl: target.url }, apiKey)
      const { end, quoted } = await executed(stage, await partnerIdOf(stage, apiKey))
      const deliveredAmount = toAmount(quoted - less(quoted))
      await end('success', { deliveredAmount })
      await stage.engine.engine.settlement.runOnce()
      const told = { deliveredOut: deliveredAmount.toString(), slippageBps }
      expect(target.received.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([{ event: 'swap.settled', ...told }])
      expect((await eventsOf(apiKey)).at(-1)).toMatchObject({ event: 'swap.settled', swap: told })
    },
  )
})
