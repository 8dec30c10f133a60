import { describe, expect, test } from 'vitest'
import type { VenueWord } from '../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { alteredBy, refusalOf, type Swap, swapOf, track } from '../../support/venueKit/calls.ts'
import statuses from './statuses.json' with { type: 'json' }
import { bitcoinToBase, deposit, MINUTE_MS, type NearIntentsBench, openBench, refOf, told, usdcToSolana } from './support.ts'

const open = closedAfterEach(openBench)
const LATE = START_OF_TIME + 24 * 60 * MINUTE_MS
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }

const start = async (order = usdcToSolana()) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, order)
  return { bench, swap, stateOf: async () => (await track(bench.venue, refOf(swap), swap)).state }
}

// Whether it was paid its own chain shows, and the signed quote tells when the address is dead.
test.each([
  ['a deposit', usdcToSolana],
  ['a deposit in bitcoin', bitcoinToBase],
] as const)('status: %s that was never paid stays pending, as at the venue', async (_what, order) => {
  const { bench, stateOf } = await start(order())
  for (const minutes of [60, 1, 4 * 24 * 60]) {
    bench.clock.advance(minutes * MINUTE_MS)
    expect(await stateOf()).toBe('pending')
  }
})

test('status: requests the address in the spelling of the venue, for any spelling of the ref', async () => {
  const { bench, swap } = await start()
  await track(bench.venue, refOf(swap).toLowerCase(), swap)
  const asked = bench.sent.filter(({ path }) => path === '/v0/status').map(({ query }) => query.toString())
  expect(asked).toEqual([`depositAddress=${refOf(swap)}`])
})

/** One swap that has succeeded; what the venue says of it is changed on its way to another adapter. */
const succeeded = (() => {
  let made: Promise<{ bench: NearIntentsBench; swap: Swap }> | null = null
  const make = async () => {
    const bench = await openBench()
    const swap = await swapOf(bench.venue, usdcToSolana())
    await deposit(bench, swap)
    await bench.schedule.advance(MINUTE_MS)
    await bench.close()
    return { bench, swap }
  }
  return () => {
    made ??= make()
    return made
  }
})()

type Changes = { readonly [path: string]: unknown }
type Options = { readonly record?: 'with' | 'without'; readonly late?: boolean }
const trackedWith = async (changes: Changes, { record = 'with', late = false }: Options = {}) => {
  const { bench, swap } = await succeeded()
  const status = (answer: Record<string, unknown>) => alteredBy(answer, Object.entries(changes))
  const { venue } = told(bench, { status }, late ? { now: () => LATE } : {})
  return track(venue, refOf(swap), swap, record)
}

test.each(statuses.raw as [string, string, string][])(
  'status: the raw status %s is %s before the deadline and %s after it',
  async (status, before, after) => {
    // What was delivered and where is said only when it was.
    const known = status === 'SUCCESS' ? {} : { deliveredAmount: null, txHash: null }
    expect(await trackedWith({ status })).toMatchObject({ ...known, state: before, venueStatus: status })
    expect(await trackedWith({ status }, { late: true })).toMatchObject({ ...known, state: after, venueStatus: status })
  },
)

describe('status: the raw status SUCCESS', () => {
  const withDetails = (details: Changes) =>
    trackedWith(Object.fromEntries(Object.entries(details).map(([field, value]) => [`swapDetails.${field}`, value])))

  test.each(statuses.noSuccess as unknown as [string, Changes][])('with %s is not a success', async (_what, details) => {
    const { refundedAmount: returned } = details
    expect(await withDetails(details)).toEqual({
      ...NOTHING,
      ...(typeof returned === 'string' && { refundedAmount: BigInt(returned) }),
      state: 'processing',
      venueStatus: 'SUCCESS',
      paidBy: [expect.any(String)],
    })
  })

  test.each([null, undefined, {}])('without details, %j, is not a success', async (swapDetails) => {
    expect((await trackedWith({ swapDetails })).state).toBe('processing')
  })

  test('with an amount and without a transaction is a success when nothing was refunded', async () => {
    const { outputAmount: deliveredAmount } = (await succeeded()).swap.offer
    for (const refundedAmount of ['0', null])
      expect(await withDetails({ refundedAmount, destinationChainTxHashes: [], originChainTxHashes: [] })).toEqual({
        ...{ state: 'success', venueStatus: 'SUCCESS', txHash: null },
        deliveredAmount,
      })
  })

  test('reports a delivery below the minimum with amount and transaction; a partial refund is allowed', async () => {
    const { state, deliveredAmount, txHash } = await withDetails({ amountOut: '7', refundedAmount: '5' })
    expect([state, deliveredAmount]).toEqual(['success', 7n])
    expect(txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
  })
})

// `nearTxHashes` are of another chain, and `originChainTxHashes` has deposits and refunds in one list.
describe('status: the transactions that the venue lists', () => {
  const namedWith = async (changes: Changes) => {
    const { paidBy, refundTx, txHash }: VenueWord = await trackedWith({
      'swapDetails.nearTxHashes': ['GbSv8wGrN7sLVLzvpRNUCF9CXFWNmpTcdDLrtDSvVnWd'],
      'swapDetails.originChainTxHashes': [{ hash: '0x01' }, { hash: '' }, { hash: '0x02' }],
      ...changes,
    })
    return { paidBy, refundTx, txHash }
  }
  const paidBy = ['0x01', '0x02']

  test.each(['KNOWN_DEPOSIT_TX', 'INCOMPLETE_DEPOSIT', 'PROCESSING', 'REFUNDED', 'FAILED', 'PENDING_DEPOSIT', 'NEWS'])(
    'with %s are the payments, without refunds',
    async (status) => {
      expect(await namedWith({ status })).toEqual({ paidBy, refundTx: undefined, txHash: null })
    },
  )

  test('for a delivery with a partial refund leave the refund to be found on chain', async () => {
    expect(await namedWith({ 'swapDetails.refundedAmount': '5' })).toMatchObject({ paidBy, refundTx: null })
    expect(await trackedWith({ 'swapDetails.refundedAmount': '5' })).toMatchObject({ refundedAmount: 5n })
    expect(await namedWith({ 'swapDetails.refundedAmount': '0' })).toMatchObject({ paidBy, refundTx: undefined })
  })

  test.each([[[]], [null], [undefined], [[{ hash: '' }]]])('may be missing: %j', async (originChainTxHashes) => {
    expect(await namedWith({ 'swapDetails.originChainTxHashes': originChainTxHashes })).toMatchObject({ paidBy: undefined })
  })
})

describe('status: a ref of another swap is not_found:', () => {
  const NOT_FOUND = { ...NOTHING, state: 'not_found' }

  test.each(statuses.otherSwaps as [string, string, unknown, string][])('%s', async (_what, path, value, withoutRecord) => {
    const change = { [`quoteResponse.${path}`]: value }
    expect(await trackedWith(change)).toEqual(NOT_FOUND)
    expect((await trackedWith(change, { record: 'without' })).state).toBe(withoutRecord)
  })

  test('an unknown address; an invalid address of the input chain is not requested', async () => {
    const { bench, swap } = await start()
    for (const ref of [WALLETS.evmOther, '', 'nonsense', WALLETS.bitcoin, WALLETS.solana, '0x12'])
      expect(await track(bench.venue, ref, swap), ref).toEqual(NOT_FOUND)
    expect(bench.sent.filter(({ path }) => path === '/v0/status')).toHaveLength(1)
  })
})

test('status: without a record, a swap is found by the repeated request; an answer without one proves nothing', async () => {
  expect((await trackedWith({}, { record: 'without' })).state).toBe('success')
  expect((await trackedWith({ quoteResponse: null }, { record: 'without' })).state).toBe('not_found')
  expect((await trackedWith({ quoteResponse: null })).state).toBe('success')
})

test.each<[string, unknown]>([
  ['status', ''],
  ['status', 'x'.repeat(65)],
  ['swapDetails.amountOut', '1.5'],
  ['swapDetails.destinationChainTxHashes', ['0x1']],
  ['swapDetails.originChainTxHashes', ['0x1']],
])('status: rejects %s as %j', async (path, value) => {
  expect((await refusalOf(trackedWith({ [path]: value }))).kind).toBe('rejected')
})
