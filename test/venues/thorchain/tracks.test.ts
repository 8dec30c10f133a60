import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, type Swap, swapOf, track } from '../../support/venueKit/calls.ts'
import cases from './cases.json' with { type: 'json' }
import { openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)

const PAID = `0x${'ab'.repeat(32)}`
const HASH = PAID.slice(2).toUpperCase()

/** What is made of one status body, by the swap's own hash. */
const toldFrom = async (body: object, recipient: string) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc({ recipient: addressOf('evm', recipient) }))
  const { venue, asked } = told(bench, { instead: ({ path }) => (path.includes('/tx/status/') ? { body } : null) })
  const word = await venue.tracker?.track(PAID, swap, never())
  return { word, asked: asked.at(-1)?.path }
}

/** The legs of a payment decide, and never its stages alone. */
test.each(cases.statuses)('status: maps the raw THORChain status: $name', async ({ recipient, body, word }) => {
  const heard = await toldFrom(body, recipient)
  expect(heard.word).toMatchObject(word)
  expect(heard.asked).toBe(`/thorchain/tx/status/${HASH}`)
})

/** A deposit that is paid on the offline ledger. */
const paid = async (amountOf: (amount: bigint) => bigint = (amount) => amount) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.bitcoin())
  const { payload } = swap.execution
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('no deposit')
  const { address, amount } = payload.deposit
  const txHash = await bench.world.bitcoin.transfer({ to: address, amount: amountOf(amount) })
  bench.sim.onDeposit({ chainId: -1, token: '', address, amount: amountOf(amount), txHash })
  return { bench, swap, address, txHash }
}

test('status: a memoless deposit is followed by the transaction that used its registration', async () => {
  const { bench, swap, address, txHash } = await paid()
  expect(await track(bench.venue, address, swap)).toMatchObject({ state: 'pending', venueStatus: null })
  await bench.schedule.advance(12 * 60_000)
  expect(await track(bench.venue, address, swap)).toMatchObject({ state: 'processing', paidBy: [txHash] })
  expect((await track(bench.venue, WALLETS.bitcoin, swap)).state).toBe('not_found')
  expect((await track(bench.venue, address, swap, 'without')).state).toBe('not_found')
})

test('status: a deposit with another reference is not the payment of the swap', async () => {
  const { bench, swap, address } = await paid((amount) => amount - 1n)
  await bench.schedule.advance(12 * 60_000)
  expect(await track(bench.venue, address, swap)).toMatchObject({ state: 'pending' })
})

test('status: an invalid hash, and an unknown one long after the deadline, are not_found', async () => {
  const bench = await open()
  const swap: Swap = await swapOf(bench.venue, orders.usdc())
  expect((await track(bench.venue, 'nonsense', swap)).state).toBe('not_found')
  expect((await track(bench.venue, PAID, swap)).state).toBe('pending')
  bench.clock.advance(2 * 3_600_000)
  expect((await track(bench.venue, PAID, swap)).state).toBe('not_found')
})

test('status: after the registration expired, the payment is the one that the chain shows', async () => {
  const { bench, swap, address, txHash } = await paid()
  await bench.schedule.advance(12 * 60_000)
  const forgotten = { status: 404, body: { code: 5, message: 'reference memo not found', details: [] } }
  const { venue } = told(bench, { instead: ({ path }) => (path.includes('/thorchain/memo/') ? forgotten : null) })
  const late = { ...swap, executed: { ...swap.executed, deadlineAt: bench.clock.now() - 24 * 3_600_000 } }
  expect(await venue.tracker?.track(address, late, never())).toMatchObject({ state: 'pending' })
  const word = await venue.tracker?.track(address, { ...late, paidBy: [parseTransactionId(-1, txHash) ?? ''] as never }, never())
  expect(word).toMatchObject({ state: 'processing', paidBy: [txHash] })
})
