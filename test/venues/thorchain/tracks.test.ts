import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { depositOf, never, swapOf, track } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)

/** The legs of a payment decide, whatever chains the rest of a recorded answer is about. */
test.each([
  ['bnb to eth usdt', '0xb1Dfff6762b9A5Edd945e7fA55EE15288e2E294F', 'success'],
  ['ltc to eth', '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a', 'success'],
  // Some of it was refunded on THORChain.
  ['tcy to eth usdt', '0x4DbC7e789455390640FB88b80058Ef896798203a', 'success'],
  ['bnb to eth usdt', '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a', 'processing'],
  ['bnb to tron', '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a', 'processing'],
  ['bnb to tron pending', '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a', 'processing'],
  ['btc to tron pending', '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a', 'processing'],
  ['eth usdt to rune', '0x5615E8AB93b9d695b6d4d6545f7792aA59e1069a', 'processing'],
])('status: the recorded answer %s for the recipient %s is %s', async (name, recipient, state) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc({ recipient: addressOf('evm', recipient) }))
  const body = recordings.statuses.find((each) => each.name === `status ${name}`)?.status ?? {}
  const { venue } = told(bench, { instead: ({ path }) => (path.includes('/tx/status/') ? { body } : null) })
  expect(await track(venue, `0x${'ab'.repeat(32)}`, swap)).toMatchObject({ state })
})

/** A deposit that is paid on the offline ledger. */
const paid = async (amountOf: (amount: bigint) => bigint = (amount) => amount) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.bitcoin())
  const { address, amount } = depositOf(swap.execution)
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
