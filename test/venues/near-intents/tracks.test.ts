import { describe, expect, test } from 'vitest'
import type { SwapStatus } from '../../../engine/core/swapStatus.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { alteredBy, refusalOf, type Swap, swapOf, track } from '../../support/venueKit/calls.ts'
import {
  bitcoinToBase,
  deposit,
  depositFor,
  MINUTE_MS,
  type NearIntentsBench,
  openBench,
  refOf,
  told,
  USDC,
  usdcToSolana,
} from './support.ts'

const open = closedAfterEach(openBench)
const LATE = START_OF_TIME + 24 * 60 * MINUTE_MS
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }

const start = async (order = usdcToSolana()) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, order)
  return { bench, swap, stateOf: () => track(bench.venue, refOf(swap), swap) }
}

describe('a swap', () => {
  type Paid = Parameters<typeof deposit>[2]
  type Station = readonly [advanceMs: number, state: SwapStatus['state'], venueStatus: string]
  const HALF_AN_HOUR = 30 * MINUTE_MS

  test.each<{
    name: string
    order?: () => Parameters<typeof start>[0]
    paid: readonly Paid[]
    before?: number
    stations: readonly Station[]
  }>([
    {
      name: 'goes from pending to success',
      paid: [{}],
      stations: [
        [0, 'processing', 'KNOWN_DEPOSIT_TX'],
        [11_000, 'processing', 'PROCESSING'],
        [60_000, 'success', 'SUCCESS'],
      ],
    },
    {
      name: 'that nobody pays is pending to our deadline and expired after it, though the venue never says so',
      paid: [],
      stations: [
        [HALF_AN_HOUR, 'pending', 'PENDING_DEPOSIT'],
        [1, 'expired', 'PENDING_DEPOSIT'],
        [4 * 48 * HALF_AN_HOUR, 'expired', 'PENDING_DEPOSIT'],
      ],
    },
    {
      name: 'from Bitcoin has an hour',
      order: bitcoinToBase,
      paid: [],
      stations: [
        [2 * HALF_AN_HOUR, 'pending', 'PENDING_DEPOSIT'],
        [1, 'expired', 'PENDING_DEPOSIT'],
      ],
    },
    {
      name: 'paid in part is pending, then processing past the deadline, then refunded',
      paid: [{ amount: 400_000_000n }],
      stations: [
        [0, 'pending', 'INCOMPLETE_DEPOSIT'],
        [HALF_AN_HOUR + 1, 'processing', 'INCOMPLETE_DEPOSIT'],
        [2 * MINUTE_MS, 'refunded', 'REFUNDED'],
      ],
    },
    {
      name: 'paid in two parts is a swap like any other',
      paid: [
        { amount: 400_000_000n, txHash: 'a' },
        { amount: 600_000_000n, txHash: 'b' },
      ],
      stations: [[MINUTE_MS, 'success', 'SUCCESS']],
    },
    {
      name: 'paid twice over is a success all the same',
      paid: [{ amount: 2_000_000_000n }],
      stations: [[MINUTE_MS, 'success', 'SUCCESS']],
    },
    {
      name: 'paid too late is refunded',
      before: 31 * MINUTE_MS,
      paid: [{}],
      stations: [
        [11_000, 'processing', 'PROCESSING'],
        [2 * MINUTE_MS, 'refunded', 'REFUNDED'],
      ],
    },
  ])('$name', async ({ order = usdcToSolana, paid, before = 0, stations }) => {
    const { bench, swap, stateOf } = await start(order())
    expect(await stateOf()).toEqual({ ...NOTHING, state: 'pending', venueStatus: 'PENDING_DEPOSIT' })
    bench.clock.advance(before)
    for (const change of paid) await deposit(bench, swap, change)
    for (const [advanceMs, state, venueStatus] of stations) {
      bench.clock.advance(advanceMs)
      const status = await stateOf()
      expect(status).toMatchObject({ state, venueStatus })
      // What was delivered and where is said only when it was.
      const isTold = state === 'success'
      expect(status.deliveredAmount).toBe(isTold ? swap.offer.outputAmount : null)
      if (isTold) expect(status.txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
    }
  })

  test.each([
    ['fell below its minimum is refunded', 90_000_000_000n, 'refunded'],
    ['rose delivers half of the difference more', 99_400_000_000n, 'success'],
  ])('whose price %s', async (_name, usdMicros, state) => {
    const { bench, swap, stateOf } = await start(bitcoinToBase())
    bench.market.setPrice('BTC', usdMicros)
    await deposit(bench, swap)
    bench.clock.advance(30 * MINUTE_MS)
    const status = await stateOf()
    expect(status.state).toBe(state)
    if (state === 'success') expect(status.deliveredAmount).toBeGreaterThan(swap.offer.outputAmount)
  })
})

test.each<readonly [FaultName, number, Partial<SwapStatus>]>([
  ['lying-success', 1, { ...NOTHING, state: 'processing', venueStatus: 'SUCCESS' }],
  ['fails', 1, { state: 'failed', venueStatus: 'FAILED' }],
  ['never-fills', 5, { state: 'processing' }],
  ['never-fills', 125, { state: 'refunded' }],
  ['unknown-status', 1, { ...NOTHING, state: 'unknown', venueStatus: 'SOLVER_REVIEW' }],
])('a venue at fault: %s after %i minutes is %o', async (fault, minutes, expected) => {
  const { bench, swap, stateOf } = await start()
  bench.faults.set('near-intents', fault, {}, 1)
  await deposit(bench, swap)
  bench.clock.advance(minutes * MINUTE_MS)
  expect(await stateOf()).toMatchObject(expected)
  // Of the unknown one, the next look knows.
  if (fault === 'unknown-status') expect((await stateOf()).state).toBe('success')
})

test('a venue that delivers less than it signed is told as it is', async () => {
  const { bench, swap, stateOf } = await start()
  bench.faults.set('near-intents', 'short-fill', {}, 1)
  await deposit(bench, swap)
  bench.clock.advance(MINUTE_MS)
  const { state, deliveredAmount } = await stateOf()
  expect(state).toBe('success')
  expect(deliveredAmount).toBeLessThan(swap.offer.slippage?.guaranteedMin ?? 0n)
})

test('the venue is asked by its own spelling of the address, whichever way the ref is written', async () => {
  const { bench, swap } = await start()
  await track(bench.venue, refOf(swap).toLowerCase(), swap)
  const asked = bench.sent.filter(({ path }) => path === '/v0/status').map(({ query }) => query.toString())
  expect(asked).toEqual([`depositAddress=${refOf(swap)}`])
})

test('a hint that a deposit was sent moves the swap on without proof, and back when none comes', async () => {
  const { bench, swap, stateOf } = await start()
  const body = JSON.stringify({ txHash: '0xabc', depositAddress: refOf(swap) })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(`${bench.baseUrl}/v0/deposit/submit`, { method: 'POST', headers, body })).status).toBe(201)
  expect(await stateOf()).toMatchObject({ state: 'processing', venueStatus: 'KNOWN_DEPOSIT_TX' })
  bench.clock.advance(31 * MINUTE_MS)
  expect(await stateOf()).toMatchObject({ state: 'expired', venueStatus: 'PENDING_DEPOSIT' })
})

test('a deposit of another token changes nothing, and one to another address is none of the venue’s', async () => {
  const { bench, swap, stateOf } = await start()
  expect(bench.sim.onDeposit(depositFor(swap, { token: USDC.ethereum }))).toBe(true)
  expect(await stateOf()).toMatchObject({ state: 'pending', venueStatus: 'PENDING_DEPOSIT' })
  expect(bench.sim.onDeposit(depositFor(swap, { address: WALLETS.evmOther }))).toBe(false)
})

/** One swap that has succeeded; what the venue says of it is changed on its way to another adapter. */
const succeeded = (() => {
  let made: Promise<{ bench: NearIntentsBench; swap: Swap }> | null = null
  return () => {
    made ??= (async () => {
      const bench = await openBench()
      const swap = await swapOf(bench.venue, usdcToSolana())
      await deposit(bench, swap)
      await bench.schedule.advance(MINUTE_MS)
      await bench.close()
      return { bench, swap }
    })()
    return made
  }
})()

type Options = { readonly record?: 'without'; readonly late?: boolean }
const trackedWith = async (
  change: readonly (readonly [path: string, value: unknown])[],
  { record, late = false }: Options = {},
) => {
  const { bench, swap } = await succeeded()
  const status = (answer: Record<string, unknown>) => alteredBy(answer, change)
  const { venue } = told(bench, { status }, late ? { now: () => LATE } : {})
  return track(venue, refOf(swap), swap, record)
}

describe('every raw status', () => {
  test.each([
    ['PENDING_DEPOSIT', 'pending', 'pending'],
    ['KNOWN_DEPOSIT_TX', 'processing', 'processing'],
    ['INCOMPLETE_DEPOSIT', 'pending', 'processing'],
    ['PROCESSING', 'processing', 'processing'],
    ['SUCCESS', 'success', 'success'],
    ['REFUNDED', 'refunded', 'refunded'],
    ['FAILED', 'failed', 'failed'],
    ['success', 'unknown', 'unknown'],
    ['SUCCESS ', 'unknown', 'unknown'],
    ['COMPLETED', 'unknown', 'unknown'],
    ['constructor', 'unknown', 'unknown'],
  ])('%s is %s before the deadline and %s after it', async (raw, before, after) => {
    expect(await trackedWith([['status', raw]])).toMatchObject({ state: before, venueStatus: raw })
    expect(await trackedWith([['status', raw]], { late: true })).toMatchObject({ state: after, venueStatus: raw })
  })

  test.each([null, '0'])('PENDING_DEPOSIT with %s deposited has expired after the deadline', async (depositedAmount) => {
    const unpaid = [
      ['status', 'PENDING_DEPOSIT'],
      ['swapDetails.depositedAmount', depositedAmount],
    ] as const
    for (const record of [undefined, 'without'] as const) {
      expect((await trackedWith(unpaid, { ...(record && { record }), late: true })).state).toBe('expired')
      expect((await trackedWith(unpaid, record && { record })).state).toBe('pending')
    }
  })
})

describe('SUCCESS', () => {
  test.each<[string, readonly (readonly [string, unknown])[]]>([
    ['with nothing delivered', [['amountOut', '0']]],
    ['without an amount', [['amountOut', null]]],
    [
      'with some of it refunded and no destination transaction',
      [
        ['refundedAmount', '1'],
        ['destinationChainTxHashes', []],
      ],
    ],
    [
      'with some of it refunded and an empty one',
      [
        ['refundedAmount', '1'],
        ['destinationChainTxHashes', [{ hash: '' }]],
      ],
    ],
    [
      'with some of it refunded and no list of them',
      [
        ['refundedAmount', '1'],
        ['destinationChainTxHashes', null],
      ],
    ],
    ['with the whole deposit refunded', [['refundedAmount', '1000000000']]],
    ['with the whole deposit but the refund fee refunded', [['refundedAmount', '999980000']]],
    [
      'with the whole input refunded and no deposit named',
      [
        ['depositedAmount', null],
        ['refundedAmount', '1000000000'],
      ],
    ],
  ])('%s is not believed', async (_name, changes) => {
    const told = await trackedWith(changes.map(([field, value]) => [`swapDetails.${field}`, value]))
    expect(told).toEqual({ ...NOTHING, state: 'processing', venueStatus: 'SUCCESS' })
  })

  test.each([null, undefined, {}])('with no details at all, %j, is not believed', async (nothing) => {
    expect((await trackedWith([['swapDetails', nothing]])).state).toBe('processing')
  })

  test.each(['0', null])(
    'that names an amount and no transaction is believed, when nothing (%j) was sent back',
    async (refundedAmount) => {
      const { swap } = await succeeded()
      const told = await trackedWith([
        ['swapDetails.destinationChainTxHashes', []],
        ['swapDetails.refundedAmount', refundedAmount],
      ])
      expect(told).toEqual({ state: 'success', venueStatus: 'SUCCESS', deliveredAmount: swap.offer.outputAmount, txHash: null })
    },
  )

  test('is not doubted for a refund of part of the deposit', async () => {
    expect((await trackedWith([['swapDetails.refundedAmount', '5']])).state).toBe('success')
  })
})

describe('a ref that belongs to another swap is not found:', () => {
  const NOT_FOUND = { ...NOTHING, state: 'not_found' }

  test.each([
    ['another amount', 'quoteRequest.amount', '1000000001'],
    ['another recipient', 'quoteRequest.recipient', USDC.solana],
    ['another refund address', 'quoteRequest.refundTo', WALLETS.evmOther],
    ['another input', 'quoteRequest.originAsset', 'nep141:base.omft.near'],
    ['another output', 'quoteRequest.destinationAsset', 'nep141:sol.omft.near'],
    ['an asset nobody lists', 'quoteRequest.originAsset', 'nep141:unheard.of'],
    ['another deposit address', 'quote.depositAddress', WALLETS.evmOther],
    ['no deposit address', 'quote.depositAddress', null],
  ])('%s', async (_name, path, value) => {
    expect(await trackedWith([[`quoteResponse.${path}`, value]])).toEqual(NOT_FOUND)
  })

  test.each([
    [WALLETS.evmOther, 'which the venue does not know', 1],
    ...['', 'nonsense', WALLETS.bitcoin, WALLETS.solana, '0x12'].map(
      (ref) => [ref, 'which is no address of the input chain, and the venue is not asked', 0] as const,
    ),
  ] as const)('"%s", %s', async (ref, _why, asks) => {
    const { bench, swap } = await start()
    expect(await track(bench.venue, ref, swap)).toEqual(NOT_FOUND)
    expect(bench.sent.filter(({ path }) => path === '/v0/status')).toHaveLength(asks)
  })

  test('somebody else’s swap of another amount, with our record or without', async () => {
    const { bench, swap } = await start()
    const theirs = await swapOf(bench.venue, usdcToSolana({ amount: 2_000_000_000n }))
    for (const record of ['with', 'without'] as const)
      expect(await track(bench.venue, refOf(theirs), swap, record)).toEqual(NOT_FOUND)
  })
})

test('without our record the swap is still found by what the venue repeats of it; what repeats nothing proves nothing', async () => {
  expect(await trackedWith([], { record: 'without' })).toMatchObject({ state: 'success' })
  expect((await trackedWith([['quoteResponse', null]], { record: 'without' })).state).toBe('not_found')
  expect((await trackedWith([['quoteResponse', null]])).state).toBe('success')
})

test.each<[string, unknown]>([
  ['status', ''],
  ['status', 'x'.repeat(65)],
  ['swapDetails.amountOut', '1.5'],
  ['swapDetails.destinationChainTxHashes', ['0x1']],
])('a status with %s as %j is a bad response', async (path, value) => {
  expect((await refusalOf(trackedWith([[path, value]]))).kind).toBe('badResponse')
})

test('a record whose carry is not ours is refused', async () => {
  const { bench, swap } = await start()
  const spoilt = { ...swap, executed: { ...swap, execution: { ...swap.execution, carry: { v: 2 } } } }
  expect((await refusalOf(track(bench.venue, refOf(swap), spoilt))).kind).toBe('badResponse')
})
