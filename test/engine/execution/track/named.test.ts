import { afterEach, describe, expect, it } from 'vitest'
import type { Movement } from '../../../../engine/chains/seen.ts'
import { type Asset, nativeAsset } from '../../../../engine/core/asset.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { movement } from '../../../support/fakeEvidence.ts'
import { createFakeVenue, declines, type FakeVenueOptions, statusOf } from '../../../support/fakeVenue.ts'
import { type Executed, LEAST, type MoneyBench, OTHER, PAID_IN, sendsOn, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'

/** Money that the contracts of one venue name an order of is no other venue's, whatever that says. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Wish = Parameters<MoneyBench['execute']>[0]

/** A venue of deposits, which may lie, and one whose contracts name its orders. */
const open = async (named: FakeVenueOptions = {}, venuesEnabled = ['toy', 'named']) => {
  const honest = createFakeVenue('named', { kind: 'TRANSACTION', now: () => START_AT, events: TOY_EVENTS, ...named })
  honest.script.quote = declines('noLiquidity')
  const bench = await startMoneyBench('DEPOSIT', {}, { beside: [honest], venuesEnabled })
  closers.push(() => bench.close())
  return {
    bench,
    honest,
    /** A deposit that was paid. */
    lied: async (wish?: Wish) => {
      const swap = await bench.execute(wish)
      bench.pay(swap)
      return swap
    },
    /** A swap of the venue that names its orders, likewise. It alone is asked from here on. */
    named: async (wish?: Wish) => {
      const { quote } = bench.venue.script
      Object.assign(bench.venue.script, { quote: honest.script.quote })
      Object.assign(honest.script, { quote })
      const swap = await bench.execute(wish)
      return { ...swap, ref: bench.pay(swap, PAID_IN, { logs: [log(4, 'paid', `order-${swap.id}`, PAID_IN)] }) }
    },
  }
}

/** The named venue's delivery of an order, and whatever else its transaction moves. */
const fill = (bench: MoneyBench, swap: Executed, order: string, others: readonly Movement[] = []) => {
  const { order: sold, binding } = swap.record.swap
  const movements = [movement(sold.output, binding.recipient, LEAST, { place: 'log:1' }), ...others]
  return bench.deliver(swap, 0n, { movements, logs: [log(1, 'filled', order, LEAST)] })
}

describe('a payment that the contracts of one venue name an order of [status-other-venue-events]', () => {
  it('proves no swap of another venue, and the swap that it is of though that is asked about last', async () => {
    const { bench, honest, lied, named } = await open()
    const [liar, paid] = [await lied(), await named()]
    const txHash = fill(bench, paid, `order-${paid.id}`)
    honest.script.track = async () => statusOf('success', { txHash })
    bench.says('success', { txHash })
    expect(await bench.status(liar)).toMatchObject({ state: 'processing', txHash: null })
    expect((await bench.payments(liar)).map(({ kind }) => kind)).toEqual(['input'])
    expect(await bench.status(paid)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect(await bench.stateOf(liar)).toBe('processing')
  })

  it('proves none either of an order that nobody here knows, and of a venue that is switched off', async () => {
    const { bench, lied } = await open({}, ['toy'])
    const liar = await lied()
    bench.says('success', { txHash: fill(bench, liar, 'order-99') })
    expect(await bench.stateOf(liar)).toBe('processing')
  })

  it('is no refund of another venue', async () => {
    const { bench, lied } = await open()
    const liar = await lied()
    const movements = [movement(liar.record.swap.order.input, liar.record.swap.binding.refundTo, PAID_IN, { place: 'log:1' })]
    const filled = bench.giveBack(liar, 0n, { movements, logs: [log(1, 'filled', 'order-99', PAID_IN)] })
    bench.says('refunded', { txHash: filled })
    expect(await bench.stateOf(liar)).toBe('expired')
    bench.says('refunded', { txHash: bench.giveBack(liar) })
    expect(await bench.stateOf(liar)).toBe('refunded')
  })

  it('leaves what else the transaction paid, in its own place', async () => {
    const { bench, lied } = await open()
    const swap = await lied()
    const { order, binding } = swap.record.swap
    const txHash = fill(bench, swap, 'order-99', [movement(order.output, binding.recipient, LEAST, { place: 'log:2' })])
    bench.says('success', { txHash })
    expect(await bench.status(swap)).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect((await bench.payments(swap)).at(-1)).toMatchObject({ place: `${txHash}/log:2`, amount: LEAST })
  })

  it('is not counted in with what else the transaction paid, where the recipient gave some of it on', async () => {
    const { bench, lied } = await open()
    const swap = await lied()
    const { order, binding } = swap.record.swap
    const txHash = fill(bench, swap, 'order-99', [
      movement(order.output, binding.recipient, LEAST + 1n, { place: 'log:2' }),
      movement(order.output, OTHER, 2n, { place: 'log:3', from: binding.recipient }),
    ])
    bench.says('success', { txHash })
    expect(await bench.stateOf(swap)).toBe('processing')
  })

  it('pays a deposit where that is its recipient: the address is one swap’s alone', async () => {
    const { bench } = await open()
    const swap = await bench.execute()
    bench.says('processing', { paidBy: [bench.pay(swap, PAID_IN, { logs: [log(0, 'filled', 'order-99', PAID_IN)] })] })
    expect(await bench.stateOf(swap)).toBe('processing')
    expect(await bench.payments(swap)).toMatchObject([{ kind: 'input', amount: PAID_IN }])
  })

  it('proves a swap of its own venue whose route names none', async () => {
    const { bench, honest, named } = await open({ events: { ...TOY_EVENTS, outputs: async () => null } })
    const swap = await named()
    const txHash = fill(bench, swap, `order-${swap.id}`)
    honest.script.track = async () => statusOf('success', { txHash })
    expect(await bench.stateOf(swap)).toBe('success')
  })
})

describe('coins that the contracts of one venue sent on', () => {
  const COINS: Asset = nativeAsset(42161)
  const COINS_SENT = { ...TOY_EVENTS, named: async () => ['balance'] }

  it.each([
    ['prove no swap of another venue by the balances of the block', COINS_SENT, 'processing'],
    ['and do where no venue names them', TOY_EVENTS, 'success'],
  ] as const)('%s', async (_name, events, state) => {
    const { bench, lied } = await open({ events })
    const swap = await lied({ from: pair(TOKENS.usdcEthereum), to: [42161, COINS.address] })
    const { recipient } = swap.record.swap.binding
    bench.chain.gain({ chainId: 42161, height: 50, recipient }, LEAST)
    bench.says('success', { txHash: bench.deliver(swap, 0n, sendsOn(recipient, 50)) })
    expect(await bench.stateOf(swap)).toBe(state)
  })
})
