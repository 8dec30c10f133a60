import { afterEach, describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import type { Address } from '../../../../engine/core/address.ts'
import { toAmount } from '../../../../engine/core/amount.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { TransactionId } from '../../../../engine/core/transactionId.ts'
import type { RefundKeeps } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { statusOf, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import {
  type Executed,
  LEAST,
  type MoneyBench,
  NO_HASH,
  OTHER,
  OVER_MS,
  PAID_IN,
  startMoneyBench,
} from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'

/** What counts as the money having come back. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A deposit that was paid, of a venue that may keep so much. */
const paidSwap = async (keeps: RefundKeeps = { amount: 0n, bps: 0 }, amount: bigint = PAID_IN) => {
  const bench = await startMoneyBench('DEPOSIT', { profile: { refundKeeps: () => keeps } })
  closers.push(() => bench.close())
  const swap = await bench.execute()
  const paidBy = bench.pay(swap, amount)
  return { bench, swap, paidBy }
}

/** Executed and paid, of a venue whose order lets what was bought go to somebody on the other chain instead of a refund. */
const paidOrder = async (recipient: Address | null = OTHER) => {
  const bench = await startMoneyBench('TRANSACTION', { events: TOY_EVENTS })
  closers.push(() => bench.close())
  const asset = TOKENS.usdcArbitrum
  if (recipient) bench.venue.script.decode = async (honest) => ({ ...honest, refundsElsewhere: [{ asset, recipient }] })
  const swap = await bench.execute()
  const ref = bench.pay(swap, PAID_IN, { logs: [log(0, 'paid', 'o1', PAID_IN)] })
  bench.says('processing')
  await bench.status(swap, ref)
  let last = 0
  const returned = (amount: bigint, wish: Partial<SeenTransaction> & { readonly orderId?: string } = {}) => {
    const { orderId = 'o1', ...rest } = wish
    last += 1
    const seen = { chainId: asset.chainId, hash: hashOf(900 + last), logs: [log(0, 'returned', orderId, amount)], ...rest }
    bench.chain.put(seenTransaction(seen))
    return seen.hash
  }
  const toldOf = async (txHash: TransactionId) => {
    bench.says('refunded', { txHash })
    return bench.status(swap, ref)
  }
  return { bench, swap, ref, returned, toldOf }
}

const OWED = { state: 'expired', deliveredAmount: null, txHash: null }

describe('a refund on the other chain, in what was bought [refund-needs-transfer]', () => {
  it('stands where the payload allows it and its venue’s contract names the order, for what the quote guaranteed', async () => {
    const { bench, swap, returned, toldOf } = await paidOrder()
    for (const dust of [1n, LEAST - 1n]) expect(await toldOf(returned(dust))).toMatchObject(OWED)
    for (const wish of [{ orderId: 'o2' }, { isSuccess: false }, { chainId: 10 as const }, { at: START_AT - 6 * 60_000 }])
      expect(await toldOf(returned(LEAST, wish))).toMatchObject(OWED)
    expect(await toldOf(returned(LEAST, { standing: 'fresh' }))).toMatchObject(OWED)
    const txHash = returned(LEAST)
    expect(await toldOf(txHash)).toMatchObject({ state: 'refunded', txHash, deliveredAmount: null })
    expect((await bench.payments(swap)).at(-1)).toMatchObject({ kind: 'refund', chainId: 42161, recipient: OTHER, amount: LEAST })
  })

  it('is none where the payload names nobody there, nor any payment that names no order', async () => {
    const { returned, toldOf } = await paidOrder(null)
    expect(await toldOf(returned(LEAST))).toMatchObject(OWED)
    const { bench, toldOf: told } = await paidOrder()
    const gift = seenTransaction({ chainId: 42161, hash: hashOf(950), movements: [movement(TOKENS.usdcArbitrum, OTHER, LEAST)] })
    bench.chain.put(gift)
    expect(await told(gift.hash)).toMatchObject(OWED)
  })

  it.each(['refunded', 'failed', 'expired'] as const)(
    'is the delivery where it is to go to whom that is for, though its venue says %s',
    async (state) => {
      const { bench, swap, ref } = await paidOrder(WALLETS.evm)
      const { recipient } = swap.record.swap.binding
      expect(recipient).toBe(WALLETS.evm)
      bench.says(state)
      expect(await bench.status(swap, ref)).toMatchObject(OWED)
      bench.pass(60_000)
      const movements = [movement(TOKENS.usdcArbitrum, recipient, LEAST)]
      const txHash = bench.deliver(swap, LEAST, { logs: [log(0, 'filled', 'o1', LEAST)], movements })
      expect(await bench.status(swap, ref)).toMatchObject({ state: 'success', txHash, deliveredAmount: LEAST })
      expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input', 'output'])
    },
  )

  it('is searched for where its venue names none', async () => {
    const { bench, swap, ref, returned } = await paidOrder()
    const movements = [movement(TOKENS.usdcArbitrum, OTHER, LEAST)]
    const txHash = returned(LEAST, { movements })
    bench.says('refunded')
    expect(await bench.status(swap, ref)).toMatchObject({ state: 'refunded', txHash })
  })
})

describe('a claim of a refund [refund-needs-transfer]', () => {
  it('stands when what was paid in came back to the refund address', async () => {
    const { bench, swap } = await paidSwap()
    const txHash = bench.giveBack(swap)
    bench.says('refunded', { txHash })
    expect(await bench.status(swap)).toMatchObject({
      state: 'refunded',
      txHash,
      venueStatus: 'TOY_REFUNDED',
      deliveredAmount: null,
    })
    expect(await bench.kept(swap)).toMatchObject({ status: { state: 'refunded' }, endedAt: START_AT })
    expect((await bench.payments(swap)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['input', PAID_IN],
      ['refund', PAID_IN],
    ])
  })

  it.each([1n, PAID_IN - 1n, 0n])('is still owed by %i: dust, a unit less, nothing', async (amount) => {
    const { bench, swap } = await paidSwap()
    bench.says('refunded', { txHash: bench.giveBack(swap, amount) })
    expect(await bench.status(swap)).toMatchObject({ ...OWED, venueStatus: 'TOY_REFUNDED' })
    expect((await bench.kept(swap)).endedAt).toBeNull()
  })

  it('is still owed by another token, another recipient, another chain, or a failed transaction', async () => {
    const { bench, swap } = await paidSwap()
    const usdt = movement(TOKENS.usdtEthereum, WALLETS.evm, PAID_IN)
    const coins = movement(nativeAsset(1), WALLETS.evm, PAID_IN)
    const tries = [
      bench.giveBack(swap, PAID_IN, { movements: [usdt] }),
      bench.giveBack(swap, PAID_IN, { movements: [coins] }),
      bench.giveBack(swap, PAID_IN, { movements: [movement(TOKENS.usdcEthereum, OTHER, PAID_IN)] }),
      bench.giveBack(swap, PAID_IN, { chainId: 10 }),
      bench.giveBack(swap, PAID_IN, { isSuccess: false }),
      bench.giveBack(swap, PAID_IN, { at: START_AT - 6 * 60_000 }),
      NO_HASH,
    ]
    for (const txHash of tries) {
      bench.says('refunded', { txHash })
      expect(await bench.status(swap)).toMatchObject({ ...OWED, venueStatus: 'TOY_REFUNDED' })
    }
    expect((await bench.kept(swap)).endedAt).toBeNull()
  })

  it.each(['refunded', 'failed', 'expired'] as const)(
    'is still owed by the bare word %s [refund-owed-is-expired]',
    async (state) => {
      const { bench, swap } = await paidSwap()
      bench.says(state)
      expect(await bench.status(swap)).toMatchObject({ ...OWED, venueStatus: `TOY_${state.toUpperCase()}` })
    },
  )

  it('is not told before it is confirmed', async () => {
    const { bench, swap } = await paidSwap()
    const txHash = bench.giveBack(swap, PAID_IN, { standing: 'fresh' })
    bench.says('refunded', { txHash })
    expect(await bench.stateOf(swap)).toBe('expired')
    bench.giveBack(swap, PAID_IN, { hash: txHash })
    expect(await bench.stateOf(swap)).toBe('refunded')
  })

  it('may be less by what the venue keeps, and by no more', async () => {
    for (const [keeps, least] of [
      [{ amount: 5n, bps: 0 }, PAID_IN - 5n],
      [{ amount: 0n, bps: 30 }, PAID_IN - 3_000n],
      [{ amount: 5n, bps: 30 }, PAID_IN - 3_005n],
      [{ amount: PAID_IN, bps: 0 }, 1n],
    ] as const) {
      const { bench, swap } = await paidSwap(keeps)
      if (least > 1n) {
        bench.says('refunded', { txHash: bench.giveBack(swap, least - 1n) })
        expect(await bench.stateOf(swap)).toBe('expired')
      }
      bench.says('refunded', { txHash: bench.giveBack(swap, least) })
      expect(await bench.stateOf(swap)).toBe('refunded')
    }
  })

  it('is not an ordinary payment of more than was taken, whether the venue names it or it is found', async () => {
    for (const more of [1n, PAID_IN]) {
      const { bench, swap } = await paidSwap({ amount: 5n, bps: 0 })
      const larger = bench.giveBack(swap, PAID_IN + more)
      for (const named of [{ txHash: larger }, {}]) {
        bench.says('refunded', named)
        bench.pass(60_000)
        expect(await bench.status(swap)).toMatchObject({ ...OWED, venueStatus: 'TOY_REFUNDED' })
      }
      expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input'])
      const txHash = bench.giveBack(swap, PAID_IN - 5n)
      bench.says('refunded', { txHash })
      expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash })
    }
  })

  it('is not what only comes to enough together with what is not of it', async () => {
    const { bench, swap } = await paidSwap()
    for (const part of [700_000n, 600_000n, 350_000n]) bench.giveBack(swap, part)
    bench.says('failed')
    expect(await bench.stateOf(swap)).toBe('expired')
    expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input'])
  })

  it('is the payment nearest to what was taken, and leaves the lesser one to the swap that paid less', async () => {
    const { bench, swap } = await paidSwap({ amount: 100_000n, bps: 0 })
    const other = await bench.execute({ amount: 950_000n })
    bench.pay(other, 950_000n)
    for (const back of [945_000n, 960_000n]) bench.giveBack(swap, back)
    bench.says('failed')
    for (const [one, amount] of [
      [swap, 960_000n],
      [other, 945_000n],
    ] as const) {
      expect(await bench.stateOf(one)).toBe('refunded')
      expect((await bench.payments(one)).at(-1)).toMatchObject({ kind: 'refund', amount })
    }
  })

  it('may be of all that was paid to the address, what came after the input too', async () => {
    const { bench, swap } = await paidSwap()
    bench.pay(swap, 300_000n, { height: 1_001 })
    bench.says('processing')
    await bench.status(swap)
    const txHash = bench.giveBack(swap, 1_300_000n)
    bench.says('refunded', { txHash })
    expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash })
  })

  it('is held against what was really paid, not against what was asked for', async () => {
    const under = await paidSwap(undefined, 300_000n)
    under.bench.says('refunded', { txHash: under.bench.giveBack(under.swap, 299_999n) })
    expect(await under.bench.stateOf(under.swap)).toBe('expired')
    under.bench.says('refunded', { txHash: under.bench.giveBack(under.swap, 300_000n) })
    expect(await under.bench.stateOf(under.swap)).toBe('refunded')
    const over = await paidSwap(undefined, 3n * PAID_IN)
    over.bench.says('refunded', { txHash: over.bench.giveBack(over.swap, PAID_IN) })
    expect(await over.bench.stateOf(over.swap)).toBe('expired')
  })

  it('is in what the venue took, where that is not what was quoted', async () => {
    const took = { token: TOKENS.usdtEthereum.address, amount: 700n }
    const bench = await startMoneyBench('TRANSACTION', {
      events: {
        inputs: async () => [{ place: 'log:1', orderId: null, took }],
        outputs: async () => null,
        refunds: async () => null,
        named: async () => [],
      },
    })
    closers.push(() => bench.close())
    const swap = await bench.execute()
    const hash = bench.pay(swap)
    bench.says('refunded', { txHash: bench.giveBack(swap) })
    expect(await bench.stateOf(swap, hash)).toBe('expired')
    bench.says('refunded', {
      txHash: bench.giveBack(swap, 0n, { movements: [movement(TOKENS.usdtEthereum, WALLETS.evm, 700n)] }),
    })
    expect(await bench.stateOf(swap, hash)).toBe('refunded')
  })

  it('proves one of two swaps that one transfer gave back, and both where it gave back twice', async () => {
    const { bench, swap } = await paidSwap()
    const other = await bench.execute()
    bench.pay(other)
    const transfers = (...amounts: readonly bigint[]) =>
      amounts.map((amount, index) => movement(TOKENS.usdcEthereum, WALLETS.evm, amount, { place: `log:${index}` }))
    const states = () => Promise.all([swap, other].map((one: Executed) => bench.stateOf(one)))
    bench.says('refunded', { txHash: bench.giveBack(swap, 0n, { movements: transfers(PAID_IN) }) })
    expect((await states()).toSorted()).toEqual(['expired', 'refunded'])
    bench.says('refunded', { txHash: bench.giveBack(swap, 0n, { movements: transfers(PAID_IN, PAID_IN) }) })
    expect(await states()).toEqual(['refunded', 'refunded'])
  })
})

it('a refund that its venue named for another swap goes to the one it names it for at last', async () => {
  const { bench, swap: lied } = await paidSwap()
  const paid = await bench.execute()
  bench.pay(paid)
  const txHash = bench.giveBack(paid)
  bench.says('refunded', { txHash })
  expect(await bench.stateOf(lied)).toBe('refunded')
  expect(await bench.stateOf(paid)).toBe('expired')
  bench.saysOf(lied, statusOf('expired'))
  bench.pass(60_000)
  await bench.status(paid)
  for (let asked = 0; asked < 2; asked += 1) {
    expect(await bench.status(paid)).toMatchObject({ state: 'refunded', txHash })
    expect(await bench.stateOf(lied)).toBe('expired')
  }
})

describe('a refund that the venue does not name [refund-needs-transfer]', () => {
  it.each([[[2n * PAID_IN]], [[PAID_IN + 1n]], [[400_000n, 600_000n]]])(
    'is not what the venue’s contract, which names no order, gave back for other deposits of the wallet: %s',
    async (others) => {
      const told = ({ movements, call }: SeenTransaction) =>
        call?.data === '0x' ? movements.map(({ place, amount }) => ({ place, amount })) : []
      const bench = await startMoneyBench('TRANSACTION', { events: { ...TOY_EVENTS, refunds: async (seen) => told(seen) } })
      closers.push(() => bench.close())
      const swap = await bench.execute()
      const ref = bench.pay(swap, PAID_IN, { logs: [log(0, 'paid', 'o1', PAID_IN)] })
      const call = { from: OTHER, to: TOY_CONTRACT, data: '0x', value: 0n } as const
      for (const amount of others) bench.giveBack(swap, amount, { call })
      bench.says('expired')
      expect(await bench.stateOf(swap, ref)).toBe('expired')
      const txHash = bench.giveBack(swap, PAID_IN, { call })
      bench.pass(60_000)
      expect(await bench.status(swap, ref)).toMatchObject({ state: 'refunded', txHash })
    },
  )

  it('is found on the chain, also one of two parts', async () => {
    for (const parts of [[PAID_IN], [400_000n, 600_000n]]) {
      const { bench, swap } = await paidSwap()
      for (const part of parts) bench.giveBack(swap, part)
      bench.says('failed')
      expect(await bench.stateOf(swap)).toBe('refunded')
      expect((await bench.payments(swap)).filter(({ kind }) => kind === 'refund')).toHaveLength(parts.length)
    }
  })

  it.each([
    [0, true],
    [1, true],
    [0, false],
    [1, false],
  ])('is each its own of two nearly equal ones, whoever asks first (%i), told exactly: %s', async (first, isTold) => {
    const { bench, swap } = await paidSwap({ amount: 200n, bps: 0 })
    const other = await bench.execute({ amount: PAID_IN - 100n })
    bench.pay(other, PAID_IN - 100n)
    const due = [
      { swap, amount: PAID_IN - 200n },
      { swap: other, amount: PAID_IN - 300n },
    ]
    bench.says('refunded')
    for (const { swap: owner, amount } of due) {
      bench.giveBack(owner, amount, isTold ? {} : { at: START_AT + 30_000 })
      if (isTold) bench.saysOf(owner, { ...statusOf('refunded'), refundedAmount: toAmount(amount) })
    }
    const asked = first === 0 ? due : due.toReversed()
    for (let round = 0; round < (isTold ? 1 : 3); round += 1) {
      for (const { swap: one } of asked) await bench.status(one)
      bench.pass(60_000)
    }
    for (const { swap: owner, amount } of due) {
      expect(await bench.stateOf(owner)).toBe('refunded')
      expect((await bench.payments(owner)).find(({ kind }) => kind === 'refund')?.amount).toBe(amount)
    }
  })

  it('is not one from before the swap', async () => {
    const { bench, swap } = await paidSwap()
    bench.giveBack(swap, PAID_IN, { at: START_AT - 1 })
    bench.says('failed')
    expect(await bench.stateOf(swap)).toBe('expired')
  })

  it('is not what the address was paid before the payment, nor in the same block', async () => {
    for (const height of [999, 1_000]) {
      const { bench, swap } = await paidSwap()
      const txHash = bench.giveBack(swap, PAID_IN, { height })
      for (const word of [{}, { txHash }]) {
        bench.says('refunded', word)
        bench.pass(60_000)
        expect(await bench.stateOf(swap)).toBe('expired')
      }
      bench.giveBack(swap, PAID_IN, { height: 1_001, hash: txHash })
      bench.pass(3_600_000)
      expect(await bench.stateOf(swap)).toBe('refunded')
    }
  })

  it('is told apart by the time of its block once the node has forgotten the payment', async () => {
    const { bench, swap, paidBy } = await paidSwap()
    bench.pay(swap, PAID_IN, { hash: paidBy, standing: 'final' })
    bench.says('processing')
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.chain.remove(paidBy)
    bench.says('refunded', { txHash: bench.giveBack(swap, PAID_IN, { at: START_AT }) })
    expect(await bench.stateOf(swap)).toBe('expired')
    bench.says('refunded', { txHash: bench.giveBack(swap, PAID_IN, { at: START_AT + 1 }) })
    expect(await bench.stateOf(swap)).toBe('refunded')
  })

  it('is searched for with growing pauses, however often somebody asks, and soon after the chain could not be read', async () => {
    const { bench, swap } = await paidSwap()
    bench.says('expired')
    const refundTo = WALLETS.evm
    const searches = () => bench.chain.reads.filter(({ method, of }) => method === 'search' && of === refundTo).length
    const later = async (ms: number, asks = 3): Promise<number> => {
      bench.pass(ms)
      for (let i = 0; i < asks; i += 1) await bench.status(swap)
      return searches()
    }
    expect(await later(0)).toBe(1)
    expect(await later(29_999)).toBe(1)
    expect(await later(1)).toBe(2)
    expect(await later(59_999)).toBe(2)
    expect(await later(1)).toBe(3)
    const before = searches()
    for (let minute = 0; minute < 24 * 60; minute += 1) await later(60_000, 1)
    expect(searches() - before).toBeGreaterThan(20)
    expect(searches() - before).toBeLessThan(32)
    bench.chain.isUnreadable = ({ method }) => method === 'search'
    const failed = await later(3_600_000, 1)
    expect(await later(20_000, 1)).toBe(failed + 1)
  })

  it('is found though the venue names a transaction that is none', async () => {
    const { bench, swap } = await paidSwap()
    const txHash = bench.giveBack(swap)
    bench.says('refunded', { txHash: bench.giveBack(swap, 1n) })
    expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash })
  })

  it('is found in coins, of which no node keeps a list, among the transactions that the venue lists', async () => {
    const bench = await startMoneyBench('DEPOSIT')
    closers.push(() => bench.close())
    const swap = await bench.execute({ from: pair(nativeAsset(1)) })
    const { payload } = swap.record.swap.execution
    if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
    const coins = movement(nativeAsset(1), payload.deposit.address, PAID_IN, { place: 'value' })
    const paid = bench.pay(swap, PAID_IN, { movements: [coins] })
    bench.says('refunded', { paidBy: [paid] })
    expect(await bench.status(swap)).toMatchObject(OWED)
    const back = movement(nativeAsset(1), WALLETS.evm, PAID_IN, { place: 'value' })
    const txHash = bench.giveBack(swap, PAID_IN, { movements: [back] })
    bench.says('refunded', { paidBy: [paid, txHash] })
    expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash })
  })

  it('is held against all that was paid, however much dust anybody sent to the deposit address after it', async () => {
    const { bench, swap } = await paidSwap()
    for (let i = 0; i < 30; i += 1) bench.pay(swap, 1n, { height: 1_001 + i })
    bench.giveBack(swap, 31n)
    bench.says('refunded')
    for (let minute = 0; minute < 10; minute += 1) {
      bench.pass(60_000)
      expect(['processing', 'pending', 'expired']).toContain(await bench.stateOf(swap))
    }
    const txHash = bench.giveBack(swap, PAID_IN + 30n)
    bench.pass(3_600_000)
    expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash })
  })
})

describe('a refund beside a delivery [refund-partial-fill]', () => {
  const half = (swap: Executed, bench: MoneyBench) => ({
    txHash: bench.deliver(swap, LEAST / 2n),
    refundTx: bench.giveBack(swap, PAID_IN / 2n),
  })

  it('makes a partial fill a success with the real amount, in proportion to what was not refunded', async () => {
    const { bench, swap } = await paidSwap()
    const { txHash, refundTx } = half(swap, bench)
    bench.says('success', { txHash, refundTx })
    expect(await bench.status(swap)).toMatchObject({ state: 'success', txHash, deliveredAmount: LEAST / 2n })
    expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input', 'output', 'refund'])
  })

  it('does not where the rest is not delivered in full, or the refund is not there', async () => {
    const { bench, swap } = await paidSwap()
    bench.says('success', { ...half(swap, bench), txHash: bench.deliver(swap, LEAST / 2n - 1n) })
    expect(await bench.stateOf(swap)).toBe('processing')
    for (const refundTx of [null, NO_HASH, bench.giveBack(swap, PAID_IN / 2n, { standing: 'fresh' })]) {
      bench.says('success', { ...half(swap, bench), refundTx })
      expect(await bench.stateOf(swap)).toBe('processing')
    }
    expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input'])
  })

  it('rounds what must be delivered up', async () => {
    const returned = 333_333n
    const least = (LEAST * (PAID_IN - returned)) / PAID_IN + 1n
    for (const [amount, state] of [
      [least - 1n, 'processing'],
      [least, 'success'],
    ] as const) {
      const { bench, swap } = await paidSwap()
      bench.says('success', { txHash: bench.deliver(swap, amount), refundTx: bench.giveBack(swap, returned) })
      expect(await bench.stateOf(swap)).toBe(state)
    }
  })

  it('lowers what is owed to one swap only', async () => {
    const { bench, swap } = await paidSwap()
    const other = await bench.execute()
    bench.pay(other)
    const { txHash, refundTx } = half(swap, bench)
    bench.saysOf(swap, { ...statusOf('success', { txHash }), refundTx })
    bench.saysOf(other, { ...statusOf('success', { txHash: bench.deliver(other, LEAST / 2n) }), refundTx })
    const states = await Promise.all([swap, other].map((one) => bench.stateOf(one)))
    expect(states.toSorted()).toEqual(['processing', 'success'])
  })

  it('is a refund where all of it came back and nothing was delivered', async () => {
    const { bench, swap } = await paidSwap()
    const refundTx = bench.giveBack(swap)
    bench.says('success', { txHash: NO_HASH, refundTx })
    expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash: refundTx })
  })
})

it('a refund seen after `failed` becomes `refunded` [refund-owed-is-expired]', async () => {
  const bench = await startMoneyBench('DEPOSIT')
  closers.push(() => bench.close())
  const swap = await bench.execute()
  bench.says('pending')
  bench.pass(OVER_MS + 1)
  expect(await bench.stateOf(swap)).toBe('failed')
  const { endedAt } = await bench.kept(swap)
  bench.pay(swap)
  const txHash = bench.giveBack(swap)
  bench.pass(60_000)
  bench.says('refunded', { txHash })
  expect(await bench.status(swap)).toMatchObject({ state: 'refunded', txHash })
  expect(await bench.kept(swap)).toMatchObject({ status: { state: 'refunded' }, endedAt })
})
