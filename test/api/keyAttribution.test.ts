import { describe, expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import { createFakeVenue } from '../support/fakeVenue.ts'
import { type KeysStage, startKeys } from '../support/keysStage.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { START_AT } from '../support/testEngine.ts'

const own = closing()
const start = async (env = {}) => own(await startKeys({ venues: [createFakeVenue('toy', { now: () => START_AT })], env }))

const headersOf = (apiKey: string | null, requestId: string) => ({
  'x-request-id': requestId,
  ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
})

const quote = async ({ edge }: KeysStage, apiKey: string | null) => {
  const reply = await edge.call('/api/v1/quote', { method: 'POST', body: USDC_SWAP, headers: headersOf(apiKey, 'quoting') })
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.json.data as { quoteToken: string; fee: { bps: number; amount: string } }
}

const execute = async ({ edge }: KeysStage, quoteToken: string, apiKey: string | null) => {
  const headers = headersOf(apiKey, 'executing')
  const reply = await edge.call('/api/v1/execute', { method: 'POST', body: { quoteToken }, headers })
  if (reply.status !== 200) throw new Error(reply.text)
}

const partnerOf = async (stage: KeysStage, apiKey: string) => String((await stage.account(apiKey))['partnerId'])

describe('the fee of a quote [key-swap-attribution]', () => {
  it('is the one of the key, at once after a change', async () => {
    const stage = await start()
    const key = await stage.signUp({ feeBps: 25 })
    expect((await quote(stage, key)).fee).toMatchObject({ bps: 25, amount: '2500' })
    await stage.call('PATCH', { feeBps: 100 }, key)
    expect((await quote(stage, key)).fee).toMatchObject({ bps: 100, amount: '10000' })
    expect((await quote(stage, null)).fee).toMatchObject({ bps: 0, amount: '0' })
  })

  it('of an enterprise key is the one that the operator set', async () => {
    const stage = await start()
    expect((await quote(stage, await stage.issue('enterprise', { feeBps: 12 }))).fee.bps).toBe(12)
  })

  it('is the schedule of the operator for a key that set none, and 0 for a key that set 0', async () => {
    const stage = await start({ FEE_SCHEDULE: 'route' })
    const [never, zero, own] = [await stage.signUp(), await stage.signUp({ feeBps: 0 }), await stage.signUp({ feeBps: 7 })]
    const bps: number[] = []
    for (const key of [null, never, zero, own]) bps.push((await quote(stage, key)).fee.bps)
    expect(bps).toEqual([15, 15, 0, 7])
    for (const key of [never, own]) await execute(stage, (await quote(stage, key)).quoteToken, key)
    expect(await stage.engine.store.kept()).toMatchObject([{ feeOf: 'operator' }, { feeOf: 'partner' }])
  })
})

describe('a swap', () => {
  it.each([
    ['A quotes and A executes', 'a', 'a', 'a', 'a'],
    ['A quotes and B executes', 'a', 'b', 'a', 'b'],
    ['A quotes and a caller without key executes', 'a', null, 'a', 'a'],
    ['a caller without key quotes and B executes', null, 'b', null, 'b'],
    ['no key is sent', null, null, null, null],
  ] as const)(
    'when %s: the key of the quote earns the fee, the key of the execution, else of the quote, receives the events [key-swap-attribution]',
    async (_what, quoting, executing, feeTo, toldTo) => {
      const stage = await start()
      const keys = { a: await stage.signUp({ feeBps: 20 }), b: await stage.signUp({ feeBps: 50 }) }
      const ids = { a: await partnerOf(stage, keys.a), b: await partnerOf(stage, keys.b) }
      const { quoteToken, fee } = await quote(stage, quoting && keys[quoting])
      expect(fee.bps).toBe(quoting === null ? 0 : 20)
      await execute(stage, quoteToken, executing && keys[executing])
      const [swap] = await stage.engine.store.kept()
      expect(swap?.swap.order.feeBps).toBe(fee.bps)
      expect([swap?.partnerId, swap?.executedBy, swap?.requestId]).toEqual([
        feeTo && ids[feeTo],
        toldTo && ids[toldTo],
        'executing',
      ])
    },
  )
})
