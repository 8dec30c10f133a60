import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { Hex } from '../../../../engine/core/execution.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { statusOf } from '../../../support/fakeVenue.ts'
import {
  callOf,
  done,
  type Executed,
  LEAST,
  type MoneyBench,
  OTHER,
  PAID_IN,
  sendsOn,
  startMoneyBench,
} from '../../../support/moneyBench.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

/** No payment is that of two swaps. */

const start = closedAfterEach(startMoneyBench)

/** So many deposits that were paid. */
const paidSwaps = async (
  count: number,
  wish: Parameters<MoneyBench['execute']>[0] = {},
  outputs: SwapEvents['outputs'] = async () => null,
) => {
  const events = { inputs: async () => [], outputs, refunds: async () => null, named: async () => [] }
  const bench = await start('DEPOSIT', { events })
  const swaps: Executed[] = []
  while (swaps.length < count) {
    const swap = await bench.execute(wish)
    bench.pay(swap)
    swaps.push(swap)
  }
  return { bench, swaps: swaps as [Executed, Executed, ...Executed[]] }
}

const statesOf = (bench: MoneyBench, swaps: readonly Executed[]) => Promise.all(swaps.map((swap) => bench.stateOf(swap)))

/** A transaction that pays the recipient so often. */
const payingEach = (bench: MoneyBench, swap: Executed, ...amounts: readonly bigint[]) => {
  const { order, binding } = swap.record.swap
  const movements = amounts.map((amount, index) => movement(order.output, binding.recipient, amount, { place: `log:${index}` }))
  return bench.deliver(swap, 0n, { movements })
}

describe('one transaction that a venue names for two swaps [status-one-payment-one-swap]', () => {
  it('proves one of them when it paid once, however much, even if both are asked about at once', async () => {
    const { bench, swaps } = await paidSwaps(2)
    bench.says('success', done(bench.deliver(swaps[0], 2n * LEAST)))
    const states = await statesOf(bench, swaps)
    expect(states.toSorted()).toEqual(['processing', 'success'])
    expect(await statesOf(bench, swaps)).toEqual(states)
    const open = swaps[states.indexOf('processing')] as Executed
    expect(await bench.status(open)).toMatchObject({ venueStatus: 'TOY_SUCCESS', deliveredAmount: null, txHash: null })
    expect((await bench.payments(open)).map(({ kind }) => kind)).toEqual(['input'])
  })

  it('proves both when it paid twice, each by a payment of its own, and no third', async () => {
    const { bench, swaps } = await paidSwaps(3)
    const hash = payingEach(bench, swaps[0], LEAST + 5n, LEAST)
    bench.says('success', { txHash: hash })
    // Asked at once, two may reach for the same payment: one of them has the other at the next look.
    await statesOf(bench, swaps)
    expect((await statesOf(bench, swaps)).toSorted()).toEqual(['processing', 'success', 'success'])
    const outputs = (await Promise.all(swaps.map((swap) => bench.payments(swap)))).flat().filter(({ kind }) => kind === 'output')
    expect(outputs.map(({ place, amount }) => [place, amount]).toSorted()).toEqual([
      [`${hash}/log:0`, LEAST + 5n],
      [`${hash}/log:1`, LEAST],
    ])
  })

  it('leaves the larger payment to the swap that needs it', async () => {
    const { bench, swaps } = await paidSwaps(2)
    const [small, large] = [swaps[0], await bench.execute({ amount: 2n * PAID_IN })] as const
    bench.pay(large, 2n * PAID_IN)
    bench.venue.script.quote = async () => ({})
    bench.says('success', { txHash: payingEach(bench, small, LEAST, 3n * LEAST) })
    expect(await bench.stateOf(small)).toBe('success')
    expect((await bench.payments(small)).at(-1)).toMatchObject({ amount: LEAST })
  })

  it('leaves the payment that is enough to the swap it is of, where the venue tells how much it delivered', async () => {
    const { bench, swaps } = await paidSwaps(2)
    const txHash = payingEach(bench, swaps[0], LEAST, LEAST + 9n, LEAST + 5n)
    bench.says('success', done(txHash, LEAST + 5n))
    expect(await bench.status(swaps[0])).toMatchObject({ state: 'success', deliveredAmount: LEAST + 5n })
    expect((await bench.payments(swaps[0])).at(-1)).toMatchObject({ kind: 'output', amount: LEAST + 5n })
    bench.says('success', { txHash })
    expect(await bench.status(swaps[1])).toMatchObject({ state: 'success', deliveredAmount: LEAST })
  })

  it('proves a swap that it paid in two parts, which are then both its own', async () => {
    const { bench, swaps } = await paidSwaps(2)
    bench.says('success', { txHash: payingEach(bench, swaps[0], LEAST - 10n, 10n) })
    expect(await bench.status(swaps[0])).toMatchObject({ state: 'success', deliveredAmount: LEAST })
    expect(await bench.stateOf(swaps[1])).toBe('processing')
  })

  it('is one transaction in whatever spelling', async () => {
    const { bench, swaps } = await paidSwaps(2)
    const hash = bench.deliver(swaps[0], LEAST, { hash: hashOf(0xabc) })
    bench.saysOf(swaps[0], statusOf('success', { txHash: hash.toUpperCase().replace('0X', '0x') }))
    bench.saysOf(swaps[1], statusOf('success', { txHash: hash }))
    expect(await bench.status(swaps[0])).toMatchObject({ state: 'success', txHash: hash })
    expect(await bench.stateOf(swaps[1])).toBe('processing')
  })

  it('proves both when it paid two recipients', async () => {
    const { bench, swaps } = await paidSwaps(1)
    const other = await bench.execute({ recipient: OTHER })
    bench.pay(other)
    const { output } = other.record.swap.order
    const movements = [WALLETS.evm, OTHER].map((to, index) => movement(output, to, LEAST, { place: `log:${index}` }))
    bench.says('success', { txHash: bench.deliver(swaps[0], 0n, { movements }) })
    expect(await statesOf(bench, [swaps[0], other])).toEqual(['success', 'success'])
  })

  it('proves one swap a block where the coins came by calls of contracts', async () => {
    const { bench, swaps } = await paidSwaps(3, { to: [42161, nativeAsset(42161).address] })
    const inBlock = (swap: Executed, height: number) => bench.deliver(swap, 0n, sendsOn(WALLETS.evm, height))
    for (const height of [50, 51]) bench.chain.gain({ chainId: 42161, height, recipient: WALLETS.evm }, 3n * LEAST)
    const [a, b, c] = swaps as [Executed, Executed, Executed]
    bench.saysOf(a, statusOf('success', { txHash: inBlock(a, 50) }))
    bench.saysOf(b, statusOf('success', { txHash: inBlock(b, 50) }))
    bench.saysOf(c, statusOf('success', { txHash: inBlock(c, 51) }))
    expect(await bench.stateOf(a)).toBe('success')
    expect(await bench.stateOf(b)).toBe('processing')
    expect(await bench.stateOf(c)).toBe('success')
  })

  it.each([
    [0, 1, ['success', 'processing']],
    [1, 0, ['processing', 'success']],
  ])('proves that swap where coins came by a call that an event tells, whoever asks first: %i', async (first, then, ends) => {
    const named = hashOf(0xabc)
    const outputs = async ({ hash }: SeenTransaction) => (hash === named ? [{ place: 'log:3', amount: LEAST }] : null)
    const { bench, swaps } = await paidSwaps(2, { to: [42161, nativeAsset(42161).address] }, outputs)
    bench.chain.gain({ chainId: 42161, height: 50, recipient: WALLETS.evm }, LEAST)
    bench.deliver(swaps[0], 0n, { ...sendsOn(WALLETS.evm, 50), hash: named })
    const other = bench.deliver(swaps[1], 0n, sendsOn(WALLETS.evm, 50))
    bench.saysOf(swaps[0], statusOf('success', { txHash: named }))
    bench.saysOf(swaps[1], statusOf('success', { txHash: other }))
    const [a, b] = [swaps[first], swaps[then]] as [Executed, Executed]
    expect(await bench.stateOf(a)).toBe('success')
    expect(await bench.stateOf(b)).toBe(ends[1])
    for (let asked = 0; asked < 2; asked += 1) expect(await statesOf(bench, [a, b])).toEqual(ends)
  })

  it('proves both where events tell of coins that came to one recipient in one block', async () => {
    const outputs = async () => [{ place: 'log:3', amount: LEAST }]
    const { bench, swaps } = await paidSwaps(2, { to: [42161, nativeAsset(42161).address] }, outputs)
    for (const swap of swaps)
      bench.saysOf(swap, statusOf('success', { txHash: bench.deliver(swap, 0n, { movements: [], height: 50 }) }))
    expect(await statesOf(bench, swaps)).toEqual(['success', 'success'])
  })

  it('is nobody’s where the store cannot keep whose it is', async () => {
    const { bench, swaps } = await paidSwaps(1)
    bench.says('success', { txHash: bench.deliver(swaps[0]) })
    bench.store.fails = (call) => call === 'payments.claim'
    await expect(bench.status(swaps[0])).rejects.toMatchObject({ code: 'INTERNAL' })
    bench.store.fails = () => false
    expect(await bench.stateOf(swaps[0])).toBe('success')
  })
})

describe('a payout', () => {
  it('is claimed only by a swap whose own payment is proved [status-one-payment-one-swap]', async () => {
    const { bench, swaps } = await paidSwaps(1)
    const unpaid = await bench.execute()
    bench.says('success', { txHash: bench.deliver(unpaid) })
    expect(await bench.stateOf(unpaid)).toBe('processing')
    expect(await bench.payments(unpaid)).toEqual([])
    expect(await bench.stateOf(swaps[0])).toBe('success')
    expect(await bench.stateOf(unpaid)).toBe('processing')
  })

  it('is not claimed before it is confirmed', async () => {
    const { bench, swaps } = await paidSwaps(2)
    const hash = bench.deliver(swaps[0], LEAST, { standing: 'fresh' })
    bench.says('success', { txHash: hash })
    expect(await statesOf(bench, swaps)).toEqual(['processing', 'processing'])
    expect((await bench.payments(swaps[0])).map(({ kind }) => kind)).toEqual(['input'])
    bench.deliver(swaps[0], LEAST, { hash })
    expect(await bench.stateOf(swaps[1])).toBe('success')
  })

  it('is not also a refund where both chains are one', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute({ from: [42161, nativeAsset(42161).address] })
    const other = await bench.execute({ to: [42161, nativeAsset(42161).address] })
    bench.pay(swap)
    bench.pay(other)
    const hash = bench.deliver(other, PAID_IN)
    bench.saysOf(other, statusOf('success', { txHash: hash }))
    bench.saysOf(swap, statusOf('refunded', { txHash: hash }))
    expect(await bench.stateOf(other)).toBe('success')
    expect(await bench.stateOf(swap)).toBe('expired')
  })
})

describe('a venue whose contracts name the order [status-order-named-by-event]', () => {
  const open = async () => {
    const bench = await start('TRANSACTION', { events: TOY_EVENTS })
    const swap = await bench.execute()
    return { bench, swap, hash: bench.pay(swap, PAID_IN, { logs: [log(4, 'paid', 'order-7', PAID_IN)] }) }
  }

  it('proves a payment by its event, whoever sent the transaction and whatever left the wallet', async () => {
    const { bench, swap } = await open()
    const hash = bench.pay(swap, PAID_IN, { call: null, movements: [], logs: [log(4, 'paid', 'order-7', 123n)] })
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    expect(await bench.payments(swap)).toMatchObject([{ place: `${hash}/log:4`, orderId: 'order-7', amount: 123n }])
  })

  it('proves none without it, though the very call succeeded', async () => {
    const { bench, swap } = await open()
    expect(await bench.stateOf(swap, bench.pay(swap))).toBe('not_found')
    const forged = log(4, 'paid', 'order-7', PAID_IN, OTHER)
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { logs: [forged] }))).toBe('not_found')
  })

  it('has failed where its call stands in a bundle and its event does not, in coins too', async () => {
    const bench = await start('TRANSACTION', { events: TOY_EVENTS })
    const swap = await bench.execute({ from: [1, nativeAsset(1).address] })
    const { to, data } = callOf(swap)
    const inside = `0x${to.slice(2)}${data.slice(2)}`.toLowerCase() as Hex
    const call = { from: OTHER, to: OTHER, data: inside, value: 0n }
    expect(await bench.stateOf(swap, bench.pay(swap, PAID_IN, { call, movements: [] }))).toBe('failed')
  })

  it('proves a delivery by the event of its order, and by nothing else that the recipient got', async () => {
    const { bench, swap, hash } = await open()
    const tries = [
      bench.deliver(swap),
      bench.deliver(swap, LEAST, { logs: [log(1, 'filled', 'order-8', LEAST)] }),
      bench.deliver(swap, LEAST, { logs: [log(1, 'filled', 'order-7', LEAST, OTHER)] }),
      bench.deliver(swap, LEAST, { logs: [log(1, 'filled', 'order-7', LEAST - 1n)] }),
    ]
    for (const txHash of tries) {
      bench.says('success', { txHash })
      expect(await bench.stateOf(swap, hash)).toBe('processing')
    }
    const txHash = bench.deliver(swap, 0n, { logs: [log(1, 'filled', 'order-7', LEAST)] })
    bench.says('success', { txHash })
    expect(await bench.status(swap, hash)).toMatchObject({ state: 'success', txHash, deliveredAmount: LEAST })
  })

  it('proves a refund likewise', async () => {
    const { bench, swap, hash } = await open()
    bench.says('refunded', { txHash: bench.giveBack(swap, PAID_IN, { logs: [log(1, 'returned', 'order-8', PAID_IN)] }) })
    expect(await bench.stateOf(swap, hash)).toBe('expired')
    bench.says('refunded', { txHash: bench.giveBack(swap, 0n, { logs: [log(1, 'returned', 'order-7', PAID_IN)] }) })
    expect(await bench.stateOf(swap, hash)).toBe('refunded')
  })

  it('proves no delivery by the order of a second payment, which is extra', async () => {
    const { bench, swap, hash } = await open()
    const second = bench.pay(swap, PAID_IN, { logs: [log(4, 'paid', 'order-9', PAID_IN)] })
    await bench.status(swap, hash)
    await bench.status(swap, second)
    expect((await bench.payments(swap)).map(({ kind, orderId }) => [kind, orderId])).toEqual([
      ['input', 'order-7'],
      ['extra', 'order-9'],
    ])
    bench.says('success', { txHash: bench.deliver(swap, 0n, { logs: [log(1, 'filled', 'order-9', LEAST)] }) })
    expect(await bench.stateOf(swap, hash)).toBe('processing')
  })

  it('tells two payments in one batch apart, and their deliveries', async () => {
    const inputs: SwapEvents['inputs'] = async (seen, { binding, ...rest }) => {
      const own = binding.recipient === OTHER ? 'order-9' : 'order-7'
      return ((await TOY_EVENTS.inputs(seen, { binding, ...rest })) ?? []).filter(({ orderId }) => orderId === own)
    }
    const bench = await start('TRANSACTION', { events: { ...TOY_EVENTS, inputs } })
    const swap = await bench.execute()
    const second = await bench.execute({ recipient: OTHER })
    const logs = [log(4, 'paid', 'order-7', PAID_IN), log(9, 'paid', 'order-9', PAID_IN)]
    const hash = bench.pay(swap, PAID_IN, { logs })
    const fills = (orderId: string) => bench.deliver(swap, 0n, { logs: [log(1, 'filled', orderId, LEAST)] })
    bench.saysOf(swap, statusOf('success', { txHash: fills('order-7') }))
    bench.saysOf(second, statusOf('success', { txHash: fills('order-9') }))
    expect(await bench.stateOf(swap, hash)).toBe('success')
    expect(await bench.stateOf(second, hash)).toBe('success')
  })

  it('proves by money where its contracts name no order on a route', async () => {
    const bench = await start('TRANSACTION', { events: { ...TOY_EVENTS, outputs: async () => null, refunds: async () => null } })
    const swap = await bench.execute()
    const hash = bench.pay(swap, PAID_IN, { logs: [log(4, 'paid', 'order-7', PAID_IN)] })
    bench.says('success', { txHash: bench.deliver(swap) })
    expect(await bench.stateOf(swap, hash)).toBe('success')
  })
})
