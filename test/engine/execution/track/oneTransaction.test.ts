import { describe, expect, it } from 'vitest'
import type { Hex } from '../../../../engine/core/execution.ts'
import type { VenueWord } from '../../../../engine/core/swapStatus.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { TOKENS } from '../../../support/fakeChains.ts'
import { movement } from '../../../support/fakeEvidence.ts'
import { statusOf, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import {
  callOf,
  done,
  type Executed,
  LEAST,
  type MoneyBench,
  OTHER,
  PAID_IN,
  startMoneyBench,
} from '../../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

/** Payments beside each other: of several executions of one quote in one transaction, and of one execution several times. */

const open = closedAfterEach(startMoneyBench)
const start: typeof open = async (...given) => {
  const bench = await open(...given)
  bench.chain.withCode.add(WALLETS.evm)
  return bench
}

/** The same quote executed for another recipient. */
const executeAgain = async (bench: MoneyBench, { quoteToken }: Executed, destinationAddress: string): Promise<Executed> => {
  await bench.engine.execute({ quoteToken, destinationAddress, refundAddress: null }, bench.context)
  const record = (await bench.store.kept()).at(-1)
  if (record === undefined) throw new Error('nothing was stored')
  return { quoteToken, ref: '', id: record.id, record }
}

const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** A contract wallet's transaction that makes so many calls. */
const batch = (bench: MoneyBench, ...swaps: readonly Executed[]) => {
  const calls = swaps.map(callOf).map(({ to, data }) => `${bare(to)}${bare(data)}`)
  const data: Hex = `0x6a761202${calls.join('ff'.repeat(32))}`
  const movements = swaps.map((_swap, index) =>
    movement(TOKENS.usdcEthereum, TOY_CONTRACT, PAID_IN, { from: WALLETS.evm, place: `log:${index}` }),
  )
  return bench.pay(swaps[0] as Executed, PAID_IN, { call: { from: OTHER, to: OTHER, data, value: 0n }, movements })
}

const kindsOf = async (bench: MoneyBench, swap: Executed) => (await bench.payments(swap)).map(({ kind }) => kind)

describe('one transaction that pays two executions of one quote', () => {
  const both = async () => {
    const bench = await start('TRANSACTION')
    const first = await bench.execute()
    const second = await executeAgain(bench, first, OTHER)
    return { bench, first, second, hash: batch(bench, first, second) }
  }

  it('is the payment of both, each its own, and both go by it', async () => {
    const { bench, first, second, hash } = await both()
    bench.says('processing')
    const told = await bench.status(first, hash)
    expect(told).toMatchObject({ state: 'processing' })
    expect(told.payments.map(({ kind, txHash }) => [kind, txHash])).toEqual([
      ['input', hash],
      ['input', hash],
    ])
    for (const swap of [first, second]) {
      expect(await kindsOf(bench, swap)).toEqual(['input'])
      expect(await bench.kept(swap)).toMatchObject({ ref: hash, status: { state: 'processing' } })
    }
  })

  it('is told as the one that is furthest behind, and as a success when both are [status-batch-furthest-behind]', async () => {
    for (const behind of [0, 1] as const) {
      const { bench, first, second, hash } = await both()
      const [late, early] = behind === 0 ? [first, second] : [second, first]
      bench.saysOf(early, statusOf('success', done(bench.deliver(early))))
      bench.saysOf(late, statusOf('processing'))
      expect(await bench.stateOf(first, hash)).toBe('processing')
      expect((await bench.kept(early)).status.state).toBe('success')
      bench.saysOf(late, statusOf('success', done(bench.deliver(late))))
      const told = await bench.status(first, hash)
      expect(told.state).toBe('success')
      expect(told.payments.map(({ kind }) => kind).toSorted()).toEqual(['input', 'input', 'output', 'output'])
    }
  })

  it('is told as given back where one of both was', async () => {
    const { bench, first, second, hash } = await both()
    bench.saysOf(first, statusOf('success', done(bench.deliver(first))))
    const txHash = bench.giveBack(second)
    bench.saysOf(second, statusOf('refunded', { txHash }))
    expect(await bench.status(first, hash)).toMatchObject({ state: 'refunded', txHash })
  })

  it('is that of the other too, though its code could not be read when it was first asked about', async () => {
    const { bench, first, second, hash } = await both()
    let codes = 0
    bench.chain.isUnreadable = ({ method }) => {
      if (method === 'hasCode') codes += 1
      return method === 'hasCode' && codes > 1
    }
    await bench.status(first, hash)
    bench.chain.isUnreadable = () => false
    await bench.status(first, hash)
    for (const swap of [first, second]) expect(await kindsOf(bench, swap)).toEqual(['input'])
  })
})

describe('the same payload twice in one transaction', () => {
  it('is the input and an extra payment, which can be seen, and no other swap’s', async () => {
    const bench = await start('TRANSACTION')
    const [swap, other] = [await bench.execute(), await bench.execute({ recipient: OTHER })] as const
    const hash = batch(bench, swap, swap, other)
    bench.says('processing')
    const told = await bench.status(swap, hash)
    expect(told.payments.map(({ kind, txHash }) => [kind, txHash])).toEqual([
      ['input', hash],
      ['extra', hash],
    ])
    expect(await bench.stateOf(other, hash)).toBe('processing')
    expect(await kindsOf(bench, other)).toEqual(['input'])
  })

  it('is so by the events of the venue’s contracts, under orders of their own', async () => {
    const bench = await start('TRANSACTION', { events: TOY_EVENTS })
    const swap = await bench.execute()
    const logs = [log(4, 'paid', 'order-7', PAID_IN), log(9, 'paid', 'order-8', PAID_IN)]
    const hash = bench.pay(swap, PAID_IN, { logs })
    bench.says('processing')
    expect((await bench.status(swap, hash)).payments.map(({ kind, orderId }) => [kind, orderId])).toEqual([
      ['input', 'order-7'],
      ['extra', 'order-8'],
    ])
    bench.says('success', { txHash: bench.deliver(swap, 0n, { logs: [log(1, 'filled', 'order-8', LEAST)] }) })
    expect(await bench.stateOf(swap, hash)).toBe('processing')
  })
})

describe('an extra payment, asked about by its own transaction, [status-batch-furthest-behind]', () => {
  /** A swap that was paid twice. The venue is asked by transaction, and says nothing of any yet. */
  const paidTwice = async (events: SwapEvents = TOY_EVENTS, orderIds: readonly [string, string] = ['order-7', 'order-9']) => {
    const bench = await start('TRANSACTION', { events })
    const swap = await bench.execute()
    const words = new Map<string, VenueWord>()
    bench.venue.script.track = async ({ ref }) => words.get(ref) ?? statusOf('processing')
    const pay = (id: string) => bench.pay(swap, PAID_IN, { logs: [log(4, 'paid', id, PAID_IN)] })
    const [first, second] = [pay(orderIds[0]), pay(orderIds[1])]
    for (const hash of [first, second]) expect(await bench.stateOf(swap, hash)).toBe('processing')
    const fill = (order: string) => bench.deliver(swap, LEAST, { logs: [log(0, 'filled', order, LEAST)] })
    return { bench, swap, words, first, second, fill }
  }

  it('is a success by the delivery of its own order, whichever is told first, and no end of the swap', async () => {
    const { bench, swap, words, first, second, fill } = await paidTwice()
    const [ofFirst, ofSecond] = [fill('order-7'), fill('order-9')]
    words.set(second, statusOf('success', done(ofSecond)))
    for (let i = 0; i < 2; i += 1) {
      const told = { state: 'success', txHash: ofSecond, deliveredAmount: LEAST }
      expect(await bench.status(swap, second)).toMatchObject(told)
      expect(await bench.stateOf(swap, first)).toBe('processing')
    }
    expect(await bench.kept(swap)).toMatchObject({ ref: first, endedAt: null, status: { state: 'processing' } })
    words.set(first, statusOf('success', done(ofFirst)))
    expect(await bench.status(swap, first)).toMatchObject({ state: 'success', txHash: ofFirst })
    expect((await bench.payments(swap)).map(({ kind, txHash }) => [kind, txHash])).toEqual([
      ['input', first],
      ['extra', second],
      ['output', ofSecond],
      ['output', ofFirst],
    ])
  })

  it('is given back by the event of its own order, and less is owed', async () => {
    const { bench, swap, words, first, second } = await paidTwice()
    const back = (order: string, amount: bigint) => bench.giveBack(swap, 0n, { logs: [log(1, 'returned', order, amount)] })
    for (const txHash of [back('order-7', PAID_IN), back('order-9', PAID_IN - 1n), bench.giveBack(swap)]) {
      words.set(second, statusOf('refunded', { txHash }))
      expect(await bench.stateOf(swap, second)).toBe('processing')
    }
    const txHash = back('order-9', PAID_IN)
    words.set(second, statusOf('refunded', { txHash }))
    expect(await bench.status(swap, second)).toMatchObject({ state: 'refunded', txHash })
    words.set(first, statusOf('refunded', { txHash }))
    expect(await bench.stateOf(swap, first)).toBe('expired')
  })

  it('is processing whatever pays the swap itself, or the recipient without a name', async () => {
    const { bench, swap, words, second, fill } = await paidTwice()
    for (const txHash of [fill('order-7'), bench.deliver(swap)]) {
      words.set(second, statusOf('success', done(txHash)))
      expect(await bench.stateOf(swap, second)).toBe('processing')
    }
    expect(await kindsOf(bench, swap)).toEqual(['input', 'extra'])
  })

  it('is processing where the contracts of the route name no order, or both payments are of one', async () => {
    const unnamed = { ...TOY_EVENTS, outputs: async () => null, refunds: async () => null }
    for (const { bench, swap, words, second, fill } of [
      await paidTwice(unnamed),
      await paidTwice(TOY_EVENTS, ['order-7', 'order-7']),
    ]) {
      words.set(second, statusOf('success', done(fill('order-7'))))
      expect(await bench.stateOf(swap, second)).toBe('processing')
    }
  })

  it('takes nothing from the swap’s end where the chain takes its delivery back', async () => {
    const { bench, swap, words, first, second, fill } = await paidTwice()
    const [ofFirst, ofSecond] = [fill('order-7'), fill('order-9')]
    words.set(first, statusOf('success', done(ofFirst)))
    words.set(second, statusOf('success', done(ofSecond)))
    for (const hash of [second, first]) expect(await bench.stateOf(swap, hash)).toBe('success')
    bench.chain.remove(ofSecond)
    expect(await bench.stateOf(swap, first)).toBe('success')
    expect(await bench.stateOf(swap, second)).toBe('processing')
    expect(await bench.stateOf(swap, first)).toBe('success')
  })
})
