import { expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import { withBigints } from '../../support/withBigints.ts'
import { pay } from '../everyVenue.ts'
import { readCall } from './lifiAbi.ts'
import { BY_ACROSS, BY_CCTP, openBench, orders, STATUS, told } from './support.ts'
import tables from './tables.json' with { type: 'json' }

const open = closedAfterEach(openBench)

const HASH = `0x${'ab'.repeat(32)}`
const FILL = `0x${'cd'.repeat(32)}`
const token = { address: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', chainId: 42161, symbol: 'USDC', decimals: 6 }
const received = { chainId: 42161, txHash: FILL, amount: '249317291', token }

test.each(withBigints(tables.statuses) as readonly (readonly [string, string | null, object | null, object])[])(
  'status: maps the raw LI.FI status %s %s',
  async (status, substatus, receiving, word) => {
    const bench = await open({ settings: BY_ACROSS })
    const swap = await swapOf(bench.venue, orders.bridged())
    const body = { status, receiving, ...(substatus === null ? {} : { substatus }), sending: { txHash: HASH, chainId: 8453 } }
    const { venue, asked } = told(bench, { instead: ({ path }) => (path === STATUS ? { body } : null) })
    expect(await track(venue, HASH, swap)).toMatchObject(word)
    expect(asked.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      [STATUS, { txHash: HASH, fromChain: '8453', toChain: '42161' }],
    ])
  },
)

test('status: an answer for another swap is not_found, and without a record nothing is requested', async () => {
  const bench = await open({ settings: BY_ACROSS })
  const swap = await swapOf(bench.venue, orders.bridged())
  const own = (readCall(transactionOf(swap.execution).data).args['bridgeData'] as { transactionId: string }).transactionId
  const done = { status: 'DONE', substatus: 'COMPLETED', receiving: received }
  const by = (transactionId: string) => told(bench, { instead: () => ({ body: { ...done, transactionId } }) })
  // Of a transaction that made two it tells of one, and of the other by its own id.
  const two = told(bench, {
    instead: ({ query }) => ({ body: { ...done, transactionId: query.get('transactionId') ?? `0x${'1'.repeat(64)}` } }),
  })
  expect(await track(two.venue, HASH, swap)).toMatchObject({ state: 'success' })
  expect(two.asked.map(({ query }) => query.get('transactionId'))).toEqual([null, own])
  expect(await track(by(own.toUpperCase().replace('0X', '0x')).venue, HASH, swap)).toMatchObject({ state: 'success' })
  expect(await track(by(`0x${'1'.repeat(64)}`).venue, HASH, swap)).toMatchObject({ state: 'not_found' })
  const { venue, asked } = by(own)
  expect(await track(venue, HASH, swap, 'without')).toMatchObject({ state: 'not_found' })
  expect(await track(venue, 'no hash', swap)).toMatchObject({ state: 'not_found' })
  expect(asked).toEqual([])
})

test('status: an unknown swap is not_found a few minutes after its quote expired', async () => {
  const bench = await open({ settings: BY_ACROSS })
  const swap = await swapOf(bench.venue, orders.bridged())
  expect(await track(bench.venue, HASH, swap)).toMatchObject({ state: 'pending' })
  bench.clock.advance(3_600_000)
  expect(await track(bench.venue, HASH, swap)).toMatchObject({ state: 'not_found' })
})

test('status: a Circle CCTP swap is processing, then delivered to the unit with its transaction', async () => {
  const bench = await open({ settings: BY_CCTP })
  const swap = await swapOf(bench.venue, orders.bridged())
  const ref = await pay({ ...bench, chains: undefined as never }, swap)
  await bench.schedule.advance(10_000)
  expect(await track(bench.venue, ref, swap)).toMatchObject({
    state: 'processing',
    venueStatus: 'PENDING:WAIT_DESTINATION_TRANSACTION',
  })
  await bench.schedule.advance(1_200_000)
  const [paid] = bench.network.payouts
  expect(paid).toMatchObject({ chainId: 42161, amount: swap.execution.outputAmount })
  expect(await track(bench.venue, ref, swap)).toMatchObject({
    state: 'success',
    deliveredAmount: paid?.amount,
    txHash: paid?.txHash,
  })
})
