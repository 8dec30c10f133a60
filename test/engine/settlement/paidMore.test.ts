import { describe, expect, it } from 'vitest'
import { done, type Executed, LEAST, PAID_IN } from '../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'
import { makeFinal } from '../ledger/feeBench.ts'
import { HOUR, INTERVAL, MINUTE, PARTNER, type SettlementBench, startSettlementBench } from './settlementBench.ts'

const searches = ({ chain }: SettlementBench) => chain.reads.filter(({ method }) => method === 'search').length

describe('the deposit address of a settled swap', () => {
  const settled = async () => {
    const on = await startSettlementBench()
    const swap = await on.execute()
    on.pay(swap, PAID_IN, { standing: 'final' })
    on.says('success', done(on.deliver(swap, LEAST, { standing: 'final' })))
    for (let i = 0; i < 2; i += 1) await on.pass()
    expect(await on.stored(swap)).toBe('success')
    return { on, swap }
  }

  it('is read for a day, with growing pauses [settlement-extra-payments]', async () => {
    const { on, swap } = await settled()
    const before = searches(on)
    let last = 0
    for (let hours = 0; hours < 30 && (await on.queued(swap)) !== null; hours += 0.25) {
      const seen = searches(on)
      await on.pass(15 * MINUTE)
      if (searches(on) > seen) last = hours
    }
    expect(await on.queued(swap)).toBeNull()
    expect(searches(on) - before).toBeLessThanOrEqual(7)
    expect(last).toBeGreaterThan(12)
  })

  it('gets a second deposit recorded as extra, without a second end', async () => {
    const { on, swap } = await settled()
    await on.pass(2 * HOUR)
    on.pay(swap, PAID_IN + 1n, { height: 3_000 })
    await on.pass(7 * HOUR)
    expect((await on.payments(swap)).map(({ kind, amount }) => [kind, amount])).toContainEqual(['extra', PAID_IN + 1n])
    expect([await on.stored(swap), await on.told()]).toEqual(['success', ['swap.settled']])
  })
})

describe('a second payment with its own order', () => {
  const start = async () => {
    const caller = { tier: 'selfServe', partnerId: PARTNER, feeBps: 100 } as const
    const on = await startSettlementBench('TRANSACTION', { events: TOY_EVENTS }, { caller })
    const swap = await on.execute()
    const pay = (id: string) => on.pay(swap, PAID_IN, { standing: 'final', logs: [log(4, 'paid', id, PAID_IN)] })
    const fill = (order: string, standing: 'confirmed' | 'final') =>
      on.deliver(swap, LEAST, { standing, logs: [log(0, 'filled', order, LEAST)] })
    on.says('processing')
    for (const hash of [pay('order-7'), pay('order-9')]) expect(await on.stateOf(swap, hash)).toBe('processing')
    on.says('success', done(fill('order-7', 'final')))
    await on.pass()
    return { on, swap, fill }
  }
  const fees = async ({ store }: SettlementBench, { id }: Executed) => (await store.ledger.ofSwap(id)).map(({ key }) => key)

  it('is followed after the end of the swap, and earns its fee once, by its own final delivery', async () => {
    const { on, swap, fill } = await start()
    const own = `swap:${swap.id}`
    expect([await fees(on, swap), await on.queued(swap)]).toEqual([[own], expect.anything()])
    const late = fill('order-9', 'confirmed')
    on.says('success', done(late))
    await on.pass()
    expect(await fees(on, swap)).toEqual([own])
    await makeFinal(on, late)
    for (let i = 0; i < 3; i += 1) await on.pass()
    expect([await fees(on, swap), await on.queued(swap)]).toEqual([[own, `${own}:order:order-9`], null])
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('is followed for a day [settlement-extra-payments]', async () => {
    const { on, swap } = await start()
    on.says('processing')
    await on.pass(23 * HOUR)
    expect(await on.queued(swap)).not.toBeNull()
    for (const ms of [HOUR + INTERVAL, 2 * HOUR]) await on.pass(ms)
    expect(await on.queued(swap)).toBeNull()
  })
})
