import { afterEach, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SwapStatus } from '../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  deposit,
  executed,
  never,
  refOf,
  relayedFrom,
  trackedBy,
  usdcToSolana,
  venueErrorOf,
} from './support.ts'

const MINUTE_MS = 60_000

let bench: VenueBench
afterEach(() => bench.close())

const start = async (order: VenueOrder = usdcToSolana()): Promise<ExecutedSwap> => {
  bench = await aBench()
  return executed(bench.venue, order)
}

const track = async (swap: ExecutedSwap, ref = refOf(swap)): Promise<SwapStatus> => {
  const status = await bench.venue.tracker?.track(ref, trackedBy(swap), never())
  if (!status) throw new Error('no tracker')
  return status
}
/** The status of a swap that succeeded, changed on its way to a second adapter. */
const trackedWith = async (
  change: (answer: Record<string, unknown>) => unknown,
  options: { withoutRecord?: boolean; now?: number } = {},
) => {
  const swap = await start()
  await deposit(bench, swap)
  await bench.schedule.advance(MINUTE_MS)
  const relay = relayedFrom(bench, (path, body) => {
    if (path === '/v0/status') change(body)
    return body
  })
  const { venue, close } = await againstAnswers(relay, bench.sim.settings, () => options.now ?? bench.clock.now())
  try {
    const known = options.withoutRecord ? { order: swap.order, offer: swap.offer, executed: null } : trackedBy(swap)
    return await venue.tracker?.track(refOf(swap), known, never())
  } finally {
    await close()
  }
}
const details = (answer: Record<string, unknown>) => answer['swapDetails'] as Record<string, unknown>
const LATE = START_OF_TIME + 24 * 60 * MINUTE_MS

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
    expect(await trackedWith((answer) => Reflect.set(answer, 'status', raw))).toMatchObject({ state: before, venueStatus: raw })
    expect(await trackedWith((answer) => Reflect.set(answer, 'status', raw), { now: LATE })).toMatchObject({
      state: after,
      venueStatus: raw,
    })
  })

  test.each([null, '0'])('PENDING_DEPOSIT with %s deposited has expired after the deadline', async (depositedAmount) => {
    const change = (answer: Record<string, unknown>) => {
      answer['status'] = 'PENDING_DEPOSIT'
      details(answer)['depositedAmount'] = depositedAmount
    }
    expect((await trackedWith(change, { now: LATE }))?.state).toBe('expired')
    expect((await trackedWith(change))?.state).toBe('pending')
  })
})

describe('SUCCESS is not believed', () => {
  test.each<[string, Record<string, unknown>]>([
    ['with nothing delivered', { amountOut: '0' }],
    ['without an amount', { amountOut: null }],
    ['with some of it refunded and no destination transaction', { refundedAmount: '1', destinationChainTxHashes: [] }],
    ['with some of it refunded and an empty one', { refundedAmount: '1', destinationChainTxHashes: [{ hash: '' }] }],
    ['with some of it refunded and no list of them', { refundedAmount: '1', destinationChainTxHashes: null }],
    ['with the whole deposit refunded', { refundedAmount: '1000000000' }],
    ['with the whole deposit but the refund fee refunded', { refundedAmount: '999980000' }],
    ['with the whole input refunded and no deposit named', { depositedAmount: null, refundedAmount: '1000000000' }],
  ])('%s', async (_name, change) => {
    expect(await trackedWith((answer) => Object.assign(details(answer), change))).toEqual({
      state: 'processing',
      venueStatus: 'SUCCESS',
      deliveredAmount: null,
      txHash: null,
    })
  })

  test('with no details at all', async () => {
    for (const nothing of [null, undefined, {}])
      expect((await trackedWith((answer) => Reflect.set(answer, 'swapDetails', nothing)))?.state).toBe('processing')
  })

  test('but a refund of part of the deposit does not stand against it', async () => {
    expect((await trackedWith((answer) => Reflect.set(details(answer), 'refundedAmount', '5')))?.state).toBe('success')
  })
})

describe('a ref that belongs to another swap is not found:', () => {
  const request = (answer: Record<string, unknown>) =>
    (answer['quoteResponse'] as { quoteRequest: Record<string, unknown> }).quoteRequest
  const quote = (answer: Record<string, unknown>) => (answer['quoteResponse'] as { quote: Record<string, unknown> }).quote
  const NOT_FOUND = { state: 'not_found', venueStatus: null, deliveredAmount: null, txHash: null }

  test.each<[string, (answer: Record<string, unknown>) => unknown]>([
    ['another amount', (answer) => Reflect.set(request(answer), 'amount', '1000000001')],
    ['another recipient', (answer) => Reflect.set(request(answer), 'recipient', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')],
    ['another refund address', (answer) => Reflect.set(request(answer), 'refundTo', WALLETS.evmOther)],
    ['another input', (answer) => Reflect.set(request(answer), 'originAsset', 'nep141:base.omft.near')],
    ['another output', (answer) => Reflect.set(request(answer), 'destinationAsset', 'nep141:sol.omft.near')],
    ['an asset nobody lists', (answer) => Reflect.set(request(answer), 'originAsset', 'nep141:unheard.of')],
    ['another deposit address', (answer) => Reflect.set(quote(answer), 'depositAddress', WALLETS.evmOther)],
    ['no deposit address', (answer) => Reflect.set(quote(answer), 'depositAddress', null)],
  ])('%s', async (_name, change) => {
    expect(await trackedWith(change)).toEqual(NOT_FOUND)
  })

  test('an address the venue does not know', async () => {
    const swap = await start()
    expect(await track(swap, WALLETS.evmOther)).toEqual(NOT_FOUND)
  })

  test.each(['', 'nonsense', WALLETS.bitcoin, WALLETS.solana, '0x12'])(
    '"%s", which is no address of the input chain, and the venue is not asked',
    async (ref) => {
      const swap = await start()
      expect(await track(swap, ref)).toEqual(NOT_FOUND)
      expect(bench.sent.some(({ path }) => path === '/v0/status')).toBe(false)
    },
  )

  test('somebody else’s swap of another amount, with our record or without', async () => {
    const swap = await start()
    const theirs = await executed(bench.venue, usdcToSolana({ amount: 2_000_000_000n }))
    expect(await track(swap, refOf(theirs))).toEqual(NOT_FOUND)
    expect(
      await bench.venue.tracker?.track(refOf(theirs), { order: swap.order, offer: swap.offer, executed: null }, never()),
    ).toEqual(NOT_FOUND)
  })
})

describe('without our record of the execution', () => {
  test('the swap is still found by what the venue repeats of it', async () => {
    expect(await trackedWith(() => undefined, { withoutRecord: true })).toMatchObject({ state: 'success' })
  })
  test('and its deadline is the one the venue repeats', async () => {
    const pending = (answer: Record<string, unknown>) => {
      answer['status'] = 'PENDING_DEPOSIT'
      details(answer)['depositedAmount'] = null
    }
    expect((await trackedWith(pending, { withoutRecord: true }))?.state).toBe('pending')
    expect((await trackedWith(pending, { withoutRecord: true, now: LATE }))?.state).toBe('expired')
  })
  test('an answer that does not say what it is about proves nothing', async () => {
    expect((await trackedWith((answer) => Reflect.set(answer, 'quoteResponse', null), { withoutRecord: true }))?.state).toBe(
      'not_found',
    )
    expect((await trackedWith((answer) => Reflect.set(answer, 'quoteResponse', null)))?.state).toBe('success')
  })
})

describe('a broken answer', () => {
  test.each<[string, unknown]>([
    ['status', undefined],
    ['status', 7],
    ['status', ''],
    ['status', 'x'.repeat(65)],
    ['swapDetails', []],
    ['quoteResponse', 'x'],
    ['swapDetails', { amountOut: 5 }],
    ['swapDetails', { amountOut: '1.5' }],
    ['swapDetails', { destinationChainTxHashes: ['0x1'] }],
  ])('with %s as %j is a bad response', async (field, value) => {
    expect((await venueErrorOf(trackedWith((answer) => Reflect.set(answer, field, value)))).kind).toBe('badResponse')
  })

  test('a hang ends at the caller’s signal', async () => {
    const swap = await start()
    bench.faults.set('near-intents', 'hang', { path: '/v0/status' }, 1)
    expect(
      (await venueErrorOf(bench.venue.tracker?.track(refOf(swap), trackedBy(swap), AbortSignal.timeout(60)) ?? Promise.resolve()))
        .kind,
    ).toBe('timeout')
  })

  test('a record whose carry is not ours is refused', async () => {
    const swap = await start()
    const spoilt = { ...swap, execution: { ...swap.execution, carry: { v: 2 } } }
    expect((await venueErrorOf(track(spoilt))).kind).toBe('badResponse')
  })
})
