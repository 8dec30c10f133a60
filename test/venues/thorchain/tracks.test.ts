import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, type Swap, swapOf, track } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { openBench, orders, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

const PAID = `0x${'ab'.repeat(32)}`
const HASH = PAID.slice(2).toUpperCase()
const SENT = 'CD'.repeat(32)
const seen = { inbound_observed: { started: true, final_count: 78, completed: true }, inbound_finalised: { completed: true } }
const signed = { ...seen, swap_finalised: { completed: true }, outbound_signed: { completed: true } }
const leg = (more: object = {}) => ({
  ...{
    id: SENT,
    chain: 'ETH',
    to_address: WALLETS.evmOther,
    coins: [{ asset: 'ETH.ETH', amount: '6301261' }],
    memo: `OUT:${HASH}`,
  },
  ...more,
})
const refund = (more: object = {}) => leg({ chain: 'BASE', to_address: WALLETS.evm, memo: `REFUND:${HASH}`, ...more })

/** What is made of one status body, by the swap's own hash. */
const toldFrom = async (body: object, recipient: string = WALLETS.evmOther) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc({ recipient: addressOf('evm', recipient) }))
  const { venue, asked } = told(bench, { instead: ({ path }) => (path.includes('/tx/status/') ? { body } : null) })
  const word = await venue.tracker?.track(PAID, swap, never())
  return { word, asked: asked.at(-1)?.path }
}

describe('the legs of a payment decide, and never its stages alone', () => {
  test.each([
    [
      'not seen',
      { stages: { inbound_observed: { started: false, final_count: 0, completed: false } } },
      { state: 'pending', venueStatus: null },
    ],
    ['seen', { stages: { inbound_observed: { started: true } } }, { state: 'processing', venueStatus: 'inbound_observed' }],
    ['final', { stages: seen }, { state: 'processing', venueStatus: 'inbound_finalised' }],
    [
      'swapped',
      { stages: { ...seen, swap_finalised: { completed: true } } },
      { state: 'processing', venueStatus: 'swap_finalised' },
    ],
    ['signed, and no leg', { stages: signed }, { state: 'processing', venueStatus: 'outbound_signed' }],
    [
      'paid',
      { stages: signed, out_txs: [leg()] },
      { state: 'success', venueStatus: 'outbound_signed', txHash: `0x${SENT.toLowerCase()}` },
    ],
    [
      'paid, in small letters',
      { stages: signed, out_txs: [leg({ to_address: WALLETS.evmOther.toLowerCase() })] },
      { state: 'success' },
    ],
    [
      'not signed yet',
      { stages: { ...signed, outbound_signed: { completed: false } }, out_txs: [leg()] },
      { state: 'processing' },
    ],
    ['paid to somebody else', { stages: signed, out_txs: [leg({ to_address: STRANGER })] }, { state: 'processing' }],
    ['paid on another chain', { stages: signed, out_txs: [leg({ chain: 'BASE' })] }, { state: 'processing' }],
    [
      'the fee of an affiliate',
      { stages: signed, out_txs: [leg({ chain: 'THOR', to_address: 'thor1abc' })] },
      { state: 'processing' },
    ],
    ['a leg of no transaction', { stages: signed, out_txs: [leg({ id: '0'.repeat(64) })] }, { state: 'processing' }],
    ['a leg of another kind', { stages: signed, out_txs: [leg({ memo: `RAGNAROK:${HASH}` })] }, { state: 'processing' }],
    [
      'a refund that is owed, whatever is signed',
      { stages: signed, planned_out_txs: [{ chain: 'BASE', to_address: WALLETS.evm, refund: true }] },
      { state: 'expired', venueStatus: 'refund' },
    ],
    [
      'a refund',
      { stages: signed, out_txs: [refund()] },
      { state: 'refunded', venueStatus: 'refund', txHash: `0x${SENT.toLowerCase()}` },
    ],
    ['a refund to somebody else', { stages: signed, out_txs: [refund({ to_address: STRANGER })] }, { state: 'expired' }],
    [
      'a delivery and a refund of the rest',
      { stages: signed, out_txs: [refund({ id: 'EF'.repeat(32) }), leg()] },
      { state: 'success', txHash: `0x${SENT.toLowerCase()}`, refundTx: `0x${'ef'.repeat(32)}` },
    ],
  ])('%s', async (_name, body, word) => {
    const heard = await toldFrom(body)
    expect(heard.word).toMatchObject(word)
    expect(heard.asked).toBe(`/thorchain/tx/status/${HASH}`)
  })
})

test.each(recordings.statuses)('status: a recorded answer, $name, is $state', async ({ recipient, state, body }) => {
  const { word } = await toldFrom((recordings.bodies as { readonly [name: string]: object })[body] ?? {}, recipient)
  expect(word?.state).toBe(state)
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

test('a deposit without a memo is followed by what used its registration', async () => {
  const { bench, swap, address, txHash } = await paid()
  expect(await track(bench.venue, address, swap)).toMatchObject({ state: 'pending', venueStatus: null })
  await bench.schedule.advance(12 * 60_000)
  expect(await track(bench.venue, address, swap)).toMatchObject({ state: 'processing', paidBy: [txHash] })
  expect((await track(bench.venue, WALLETS.bitcoin, swap)).state).toBe('not_found')
  expect((await track(bench.venue, address, swap, 'without')).state).toBe('not_found')
})

test('a deposit of other digits is none of the swap', async () => {
  const { bench, swap, address } = await paid((amount) => amount - 1n)
  await bench.schedule.advance(12 * 60_000)
  expect(await track(bench.venue, address, swap)).toMatchObject({ state: 'pending' })
})

test('a hash that is none, and one long after its call could be made, are not found', async () => {
  const bench = await open()
  const swap: Swap = await swapOf(bench.venue, orders.usdc())
  expect((await track(bench.venue, 'nonsense', swap)).state).toBe('not_found')
  expect((await track(bench.venue, PAID, swap)).state).toBe('pending')
  bench.clock.advance(2 * 3_600_000)
  expect((await track(bench.venue, PAID, swap)).state).toBe('not_found')
})

test('what used a registration that the network keeps no more is the payment that the chain shows', async () => {
  const { bench, swap, address, txHash } = await paid()
  await bench.schedule.advance(12 * 60_000)
  const forgotten = { status: 404, body: { code: 5, message: 'reference memo not found', details: [] } }
  const { venue } = told(bench, { instead: ({ path }) => (path.includes('/thorchain/memo/') ? forgotten : null) })
  const late = { ...swap, executed: { ...swap.executed, deadlineAt: bench.clock.now() - 24 * 3_600_000 } }
  expect(await venue.tracker?.track(address, late, never())).toMatchObject({ state: 'pending' })
  const word = await venue.tracker?.track(address, { ...late, paidBy: [parseTransactionId(-1, txHash) ?? ''] as never }, never())
  expect(word).toMatchObject({ state: 'processing', paidBy: [txHash] })
})
