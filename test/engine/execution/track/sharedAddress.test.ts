import { afterEach, expect, it } from 'vitest'
import { paymentsTo } from '../../../../engine/chains/seen.ts'
import type { ExecutedSwap } from '../../../../engine/core/swap.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { type Executed, type MoneyBench, OVER_MS, PAID_IN, startMoneyBench } from '../../../support/moneyBench.ts'

/** Deposits whose amount carries a reference are paid to an address that many swaps share. */

const REFERENCES = 100n
const depositOf = ({ execution: { payload } }: ExecutedSwap) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
  return payload.deposit
}
/** The digits tell whose a payment is, and its transaction names the order. */
const EVENTS: SwapEvents = {
  inputs: async (seen, swap) =>
    paymentsTo(seen, { asset: swap.order.input, recipient: depositOf(swap).address })
      .filter(({ amount }) => amount % REFERENCES === depositOf(swap).amount % REFERENCES)
      .map(({ place, amount }) => ({ place, orderId: seen.hash, took: { token: swap.order.input.address, amount } })),
  outputs: async () => [],
  refunds: async () => [],
  named: async () => [],
}

let bench: MoneyBench
afterEach(() => bench.close())

const open = async (events: SwapEvents | null = EVENTS): Promise<Executed> => {
  bench = await startMoneyBench('DEPOSIT', { events, profile: { amountCarriesReference: () => REFERENCES - 1n } })
  return bench.execute()
}

it('a payment with the digits of the swap is its, and its transaction names the order [status-shared-address]', async () => {
  const swap = await open()
  const txHash = bench.pay(swap)
  bench.says('processing', { paidBy: [txHash] })
  expect(await bench.stateOf(swap)).toBe('processing')
  expect(await bench.payments(swap)).toMatchObject([{ kind: 'input', amount: PAID_IN, orderId: txHash }])
})

it("others' payments to the address are not the swap's, whatever its venue says [status-shared-address]", async () => {
  const swap = await open()
  const txHash = bench.pay(swap, PAID_IN - 1n)
  bench.says('expired', { paidBy: [txHash] })
  expect(await bench.stateOf(swap)).toBe('pending')
  expect(await bench.payments(swap)).toEqual([])
})

it('one that nobody tells payments of takes none for its own', async () => {
  const swap = await open(null)
  bench.says('processing', { paidBy: [bench.pay(swap)] })
  expect(await bench.payments(swap)).toEqual([])
})

it('has failed once its time is over and two endpoints alone show that none of all that was paid there is its', async () => {
  const swap = await open()
  bench.pay(swap, PAID_IN - 1n)
  bench.pass(OVER_MS + 1)
  const { searchByTwo } = bench.chain
  bench.chain.searchByTwo = async () => ({ lists: [], isWhole: false })
  expect(await bench.stateOf(swap)).toBe('pending')
  bench.chain.searchByTwo = searchByTwo
  expect(await bench.stateOf(swap)).toBe('failed')
})

it.each([
  ['has failed', false, 0n, 'failed'],
  ['is paid by what is enough', true, 0n, 'processing'],
  ['is paid by one of those that are enough', true, PAID_IN, 'processing'],
] as const)('%s once all are read that paid the address, eight at a time', async (_what, isPaid, more, state) => {
  const swap = await open()
  if (isPaid) bench.pay(swap)
  const { input } = swap.record.swap.order
  const { address } = depositOf(swap.record.swap)
  for (let n = 1; n <= 12; n += 1)
    bench.chain.put(
      seenTransaction({
        chainId: input.chainId,
        hash: hashOf(500 + n),
        at: bench.clock.at,
        movements: [movement(input, address, more + BigInt(n))],
      }),
    )
  bench.pass(OVER_MS + 1)
  expect(await bench.stateOf(swap)).toBe(isPaid && more === 0n ? state : 'pending')
  expect(await bench.stateOf(swap)).toBe(state)
})

it('what is paid when another swap may have the same digits is none of it', async () => {
  const swap = await open()
  bench.pass(OVER_MS + 48 * 3_600_000)
  bench.pay(swap)
  expect(await bench.stateOf(swap)).toBe('failed')
  expect(await bench.payments(swap)).toEqual([])
})

/** Every payment goes back by itself, and names the one that it is for. */
const BY_ORDER: SwapEvents = {
  ...EVENTS,
  refunds: async (seen, { order, binding }, orderIds) =>
    seen.notes.some((note) => orderIds.includes(Buffer.from(note).toString()))
      ? paymentsTo(seen, { asset: order.input, recipient: binding.refundTo }).map(({ place, amount }) => ({ place, amount }))
      : [],
}

const SMALL = PAID_IN / 2n

it('a smaller payment with the same digits, which anybody can make, does not keep the refund of its own from it', async () => {
  const swap = await open(BY_ORDER)
  bench.says('expired')
  bench.pay(swap, SMALL)
  bench.pass(OVER_MS + 1)
  expect(await bench.stateOf(swap)).toBe('expired')
  const own = bench.pay(swap)
  expect(await bench.stateOf(swap)).toBe('expired')
  bench.giveBack(swap, PAID_IN, { notes: [Buffer.from(own)] })
  bench.pass(60_000)
  expect(await bench.stateOf(swap)).toBe('refunded')
  expect((await bench.payments(swap)).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['extra', SMALL],
    ['input', PAID_IN],
    ['refund', PAID_IN],
  ])
})

it('a smaller payment that the venue goes by is the input again once it says so', async () => {
  const swap = await open(BY_ORDER)
  const small = bench.pay(swap, SMALL)
  bench.pay(swap)
  bench.says('expired')
  bench.pass(OVER_MS + 1)
  expect(await bench.stateOf(swap)).toBe('expired')
  expect((await bench.payments(swap)).find(({ kind }) => kind === 'input')?.amount).toBe(PAID_IN)
  bench.says('expired', { paidBy: [small] })
  bench.giveBack(swap, SMALL, { notes: [Buffer.from(small)] })
  bench.pass(60_000)
  expect(await bench.stateOf(swap)).toBe('refunded')
  expect((await bench.payments(swap)).find(({ kind }) => kind === 'input')?.amount).toBe(SMALL)
})
