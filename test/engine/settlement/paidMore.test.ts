import { afterEach, describe, expect, it } from 'vitest'
import type { TransactionId } from '../../../engine/core/transactionId.ts'
import { done, type Executed, LEAST, PAID_IN } from '../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../support/toyEvents.ts'
import { closeBenches, HOUR, INTERVAL, MINUTE, PARTNER, type SettlementBench, startSettlementBench } from './settlementBench.ts'

afterEach(closeBenches)

const makeFinal = async (on: SettlementBench, chainId: 1 | 42161, hash: TransactionId): Promise<void> => {
  const seen = await on.chain.transaction({ chainId, hash }, on.context.signal)
  if (seen === null) throw new Error('not there')
  on.chain.put({ ...seen, standing: 'final' })
}

/** A swap to a deposit address that is delivered for good. */
const settled = async (on: SettlementBench): Promise<Executed> => {
  const swap = await on.execute()
  on.pay(swap, PAID_IN, { standing: 'final' })
  on.says('success', done(on.deliver(swap, LEAST, { standing: 'final' })))
  await on.pass()
  await on.pass()
  expect((await on.kept(swap)).status.state).toBe('success')
  return swap
}

const searches = ({ chain }: SettlementBench) => chain.reads.filter(({ method }) => method === 'search').length

describe('a deposit address whose swap is over', () => {
  it('is looked at again further and further apart, for a day [settlement-extra-payments]', async () => {
    const on = await startSettlementBench()
    const swap = await settled(on)
    const before = searches(on)
    const looks: number[] = []
    for (let hours = 0; hours < 30 && (await on.queued(swap)) !== null; hours += 0.25) {
      const seen = searches(on)
      await on.pass(15 * MINUTE)
      if (searches(on) > seen) looks.push(hours)
    }
    expect(await on.queued(swap)).toBeNull()
    expect(searches(on) - before).toBeLessThanOrEqual(7)
    expect(looks.at(-1)).toBeGreaterThan(12)
  })

  it('has a second deposit found, which nobody asks for: it is extra, and no second end', async () => {
    const on = await startSettlementBench()
    const swap = await settled(on)
    await on.pass(2 * HOUR)
    on.pay(swap, PAID_IN + 1n, { height: 3_000 })
    await on.pass(7 * HOUR)
    expect((await on.payments(swap)).map(({ kind, amount }) => [kind, amount])).toContainEqual(['extra', PAID_IN + 1n])
    expect((await on.kept(swap)).status.state).toBe('success')
    expect(await on.told()).toEqual(['swap.settled'])
  })
})

describe('a second payment of a transaction that has an order of its own', () => {
  const start = async () => {
    const on = await startSettlementBench(
      'TRANSACTION',
      { events: TOY_EVENTS },
      { caller: { tier: 'selfServe', partnerId: PARTNER, feeBps: 100 } },
    )
    const swap = await on.execute()
    const pay = (id: string) => on.pay(swap, PAID_IN, { standing: 'final', logs: [log(4, 'paid', id, PAID_IN)] })
    const fill = (order: string, standing: 'confirmed' | 'final') =>
      on.deliver(swap, LEAST, { standing, logs: [log(0, 'filled', order, LEAST)] })
    on.says('processing')
    const [first, second] = [pay('order-7'), pay('order-9')]
    for (const hash of [first, second]) expect(await on.stateOf(swap, hash)).toBe('processing')
    return { on, swap, fill }
  }
  const fees = async ({ store }: SettlementBench, { id }: Executed) => (await store.ledger.ofSwap(id)).map(({ key }) => key)

  it('is followed after the swap itself has ended, and earns its fee by its own delivery, once', async () => {
    const { on, swap, fill } = await start()
    on.says('success', done(fill('order-7', 'final')))
    await on.pass()
    expect(await fees(on, swap)).toEqual([`swap:${swap.id}`])
    expect(await on.queued(swap)).not.toBeNull()
    const late = fill('order-9', 'confirmed')
    on.says('success', done(late))
    await on.pass()
    expect(await fees(on, swap)).toHaveLength(1)
    await makeFinal(on, 42161, late)
    for (let i = 0; i < 3; i += 1) await on.pass()
    expect(await fees(on, swap)).toEqual([`swap:${swap.id}`, `swap:${swap.id}:order:order-9`])
    expect(await on.queued(swap)).toBeNull()
    expect(await on.told()).toEqual(['swap.settled'])
  })

  it('is followed for a day, and then let go [settlement-extra-payments]', async () => {
    const { on, swap, fill } = await start()
    on.says('success', done(fill('order-7', 'final')))
    await on.pass()
    on.says('processing')
    await on.pass(23 * HOUR)
    expect(await on.queued(swap)).not.toBeNull()
    await on.pass(HOUR + INTERVAL)
    await on.pass(2 * HOUR)
    expect(await on.queued(swap)).toBeNull()
  })
})
