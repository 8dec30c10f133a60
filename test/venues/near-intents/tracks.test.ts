import { afterEach, describe, expect, test } from 'vitest'
import type { Order } from '../../../engine/core/order.ts'
import type { SwapStatus } from '../../../engine/core/swapStatus.ts'
import type { ExecutedSwap } from '../../../engine/venues/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  bitcoinToBase,
  depositFor,
  executed,
  never,
  refOf,
  relayedFrom,
  trackedBy,
  USDC,
  usdcToSolana,
  venueErrorOf,
} from './support.ts'

const MINUTE_MS = 60_000

let bench: VenueBench
afterEach(() => bench.close())

const start = async (order: Order = usdcToSolana()): Promise<ExecutedSwap> => {
  bench = await aBench()
  return executed(bench.venue, order)
}

const track = async (swap: ExecutedSwap, ref = refOf(swap)): Promise<SwapStatus> => {
  const status = await bench.venue.tracker?.track(ref, trackedBy(swap), never())
  if (!status) throw new Error('no tracker')
  return status
}
const stateOf = async (swap: ExecutedSwap): Promise<readonly [string, string | null]> => {
  const { state, venueStatus } = await track(swap)
  return [state, venueStatus]
}
/** Advances in steps and notes each raw status with what we make of it. */
const stationsOf = async (swap: ExecutedSwap, steps: readonly number[]) => {
  const stations: (readonly [string, string | null])[] = []
  for (const step of steps) {
    bench.clock.advance(step)
    stations.push(await stateOf(swap))
  }
  return stations
}

describe('a swap', () => {
  test('goes from pending to success, with what was delivered and where', async () => {
    const swap = await start()
    expect(await stateOf(swap)).toEqual(['pending', 'PENDING_DEPOSIT'])
    expect(bench.sim.onDeposit(depositFor(swap))).toBe(true)
    expect(await stationsOf(swap, [0, 11_000, 60_000])).toEqual([
      ['processing', 'KNOWN_DEPOSIT_TX'],
      ['processing', 'PROCESSING'],
      ['success', 'SUCCESS'],
    ])
    const { deliveredAmount, txHash } = await track(swap)
    expect(deliveredAmount).toBe(swap.offer.outputAmount)
    expect(txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/)
  })

  test('says what was delivered and where only when it was', async () => {
    const swap = await start()
    bench.sim.onDeposit(depositFor(swap))
    bench.clock.advance(11_000)
    expect(await track(swap)).toEqual({ state: 'processing', venueStatus: 'PROCESSING', deliveredAmount: null, txHash: null })
  })

  test('that nobody pays is pending to our deadline and expired after it, though the venue never says so', async () => {
    const swap = await start()
    expect(await stationsOf(swap, [30 * MINUTE_MS, 1, 4 * 24 * 60 * MINUTE_MS])).toEqual([
      ['pending', 'PENDING_DEPOSIT'],
      ['expired', 'PENDING_DEPOSIT'],
      ['expired', 'PENDING_DEPOSIT'],
    ])
  })

  test('from Bitcoin has an hour', async () => {
    const swap = await start(bitcoinToBase())
    expect(await stationsOf(swap, [60 * MINUTE_MS, 1])).toEqual([
      ['pending', 'PENDING_DEPOSIT'],
      ['expired', 'PENDING_DEPOSIT'],
    ])
  })

  test('paid in part is pending, then processing past the deadline, then refunded', async () => {
    const swap = await start()
    bench.sim.onDeposit(depositFor(swap, { amount: 400_000_000n }))
    expect(await stationsOf(swap, [0, 30 * MINUTE_MS + 1, 2 * MINUTE_MS])).toEqual([
      ['pending', 'INCOMPLETE_DEPOSIT'],
      ['processing', 'INCOMPLETE_DEPOSIT'],
      ['refunded', 'REFUNDED'],
    ])
  })

  test('paid in two parts is a swap like any other', async () => {
    const swap = await start()
    bench.sim.onDeposit(depositFor(swap, { amount: 400_000_000n, txHash: 'a' }))
    bench.sim.onDeposit(depositFor(swap, { amount: 600_000_000n, txHash: 'b' }))
    bench.clock.advance(MINUTE_MS)
    expect(await stateOf(swap)).toEqual(['success', 'SUCCESS'])
  })

  test('paid twice over is a success all the same, the excess refunded', async () => {
    const swap = await start()
    bench.sim.onDeposit(depositFor(swap, { amount: 2_000_000_000n }))
    bench.clock.advance(MINUTE_MS)
    expect(await track(swap)).toMatchObject({ state: 'success', deliveredAmount: swap.offer.outputAmount })
  })

  test('paid too late is refunded', async () => {
    const swap = await start()
    bench.clock.advance(31 * MINUTE_MS)
    bench.sim.onDeposit(depositFor(swap))
    expect(await stationsOf(swap, [11_000, 2 * MINUTE_MS])).toEqual([
      ['processing', 'PROCESSING'],
      ['refunded', 'REFUNDED'],
    ])
  })

  test('whose price fell below its minimum is refunded', async () => {
    const swap = await start(bitcoinToBase())
    bench.market.setPrice('BTC', 90_000_000_000n)
    bench.sim.onDeposit(depositFor(swap))
    expect((await stationsOf(swap, [30 * MINUTE_MS])).at(-1)).toEqual(['refunded', 'REFUNDED'])
  })

  test('whose price rose delivers half of the difference more', async () => {
    const swap = await start(bitcoinToBase())
    bench.market.setPrice('BTC', 99_400_000_000n)
    bench.sim.onDeposit(depositFor(swap))
    bench.clock.advance(30 * MINUTE_MS)
    expect((await track(swap)).deliveredAmount).toBeGreaterThan(swap.offer.outputAmount)
  })
})

describe('a venue at fault', () => {
  const settled = async (fault: Parameters<VenueBench['faults']['set']>[1], minutes = 1) => {
    const swap = await start()
    bench.faults.set('near-intents', fault, {}, 1)
    bench.sim.onDeposit(depositFor(swap))
    bench.clock.advance(minutes * MINUTE_MS)
    return { swap, status: await track(swap) }
  }

  test('that says SUCCESS and delivers nothing is held at processing', async () => {
    expect((await settled('lying-success')).status).toEqual({
      state: 'processing',
      venueStatus: 'SUCCESS',
      deliveredAmount: null,
      txHash: null,
    })
  })
  test('that fails is failed', async () => {
    expect((await settled('fails')).status).toMatchObject({ state: 'failed', venueStatus: 'FAILED' })
  })
  test('that never fills is processing, and refunded in the end', async () => {
    const { swap, status } = await settled('never-fills', 5)
    expect(status.state).toBe('processing')
    bench.clock.advance(2 * 60 * MINUTE_MS)
    expect((await track(swap)).state).toBe('refunded')
  })
  test('that delivers less than it signed is told as it is', async () => {
    const { swap, status } = await settled('short-fill')
    expect(status.state).toBe('success')
    expect(status.deliveredAmount).toBeLessThan(swap.offer.slippage?.guaranteedMin ?? 0n)
  })
  test('that answers a status nobody documented is unknown, and polled on', async () => {
    const { swap, status } = await settled('unknown-status')
    expect(status).toEqual({ state: 'unknown', venueStatus: 'SOLVER_REVIEW', deliveredAmount: null, txHash: null })
    expect((await track(swap)).state).toBe('success')
  })
})

/** The status of a swap that succeeded, changed on its way to a second adapter. */
const trackedWith = async (
  change: (answer: Record<string, unknown>) => void,
  options: { withoutRecord?: boolean; now?: number } = {},
) => {
  const swap = await start()
  bench.sim.onDeposit(depositFor(swap))
  bench.clock.advance(MINUTE_MS)
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
    expect(await trackedWith((answer) => void (answer['status'] = raw))).toMatchObject({ state: before, venueStatus: raw })
    expect(await trackedWith((answer) => void (answer['status'] = raw), { now: LATE })).toMatchObject({
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
    ['without a destination transaction', { destinationChainTxHashes: [] }],
    ['with an empty destination transaction', { destinationChainTxHashes: [{ hash: '' }] }],
    ['without a list of transactions', { destinationChainTxHashes: null }],
    ['with the whole deposit refunded', { refundedAmount: '1000000000' }],
    ['with the whole deposit but the refund fee refunded', { refundedAmount: '999980000' }],
    ['with the whole input refunded and no deposit named', { depositedAmount: null, refundedAmount: '1000000000' }],
  ])('%s', async (_name, change) => {
    expect(await trackedWith((answer) => void Object.assign(details(answer), change))).toEqual({
      state: 'processing',
      venueStatus: 'SUCCESS',
      deliveredAmount: null,
      txHash: null,
    })
  })

  test('with no details at all', async () => {
    for (const nothing of [null, undefined, {}])
      expect((await trackedWith((answer) => void (answer['swapDetails'] = nothing)))?.state).toBe('processing')
  })

  test('but a refund of part of the deposit does not stand against it', async () => {
    expect((await trackedWith((answer) => void (details(answer)['refundedAmount'] = '5')))?.state).toBe('success')
  })
})

describe('a ref that belongs to another swap is not found:', () => {
  const request = (answer: Record<string, unknown>) =>
    (answer['quoteResponse'] as { quoteRequest: Record<string, unknown> }).quoteRequest
  const quote = (answer: Record<string, unknown>) => (answer['quoteResponse'] as { quote: Record<string, unknown> }).quote
  const NOT_FOUND = { state: 'not_found', venueStatus: null, deliveredAmount: null, txHash: null }

  test.each<[string, (answer: Record<string, unknown>) => void]>([
    ['another amount', (answer) => void (request(answer)['amount'] = '1000000001')],
    ['another recipient', (answer) => void (request(answer)['recipient'] = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')],
    ['another refund address', (answer) => void (request(answer)['refundTo'] = WALLETS.evmOther)],
    ['another input', (answer) => void (request(answer)['originAsset'] = 'nep141:base.omft.near')],
    ['another output', (answer) => void (request(answer)['destinationAsset'] = 'nep141:sol.omft.near')],
    ['an asset nobody lists', (answer) => void (request(answer)['originAsset'] = 'nep141:unheard.of')],
    ['another deposit address', (answer) => void (quote(answer)['depositAddress'] = WALLETS.evmOther)],
    ['no deposit address', (answer) => void (quote(answer)['depositAddress'] = null)],
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
    expect((await trackedWith((answer) => void (answer['quoteResponse'] = null), { withoutRecord: true }))?.state).toBe(
      'not_found',
    )
    expect((await trackedWith((answer) => void (answer['quoteResponse'] = null)))?.state).toBe('success')
  })
})

test('the venue is asked by its own spelling of the address, whichever way the ref is written', async () => {
  const swap = await start()
  await track(swap, refOf(swap).toLowerCase())
  const asked = bench.sent.filter(({ path }) => path === '/v0/status').map(({ query }) => query.toString())
  expect(asked).toEqual([`depositAddress=${refOf(swap)}`])
})

test('a hint that a deposit was sent moves the swap on without proof, and back when none comes', async () => {
  const swap = await start()
  const body = { txHash: '0xabc', depositAddress: refOf(swap) }
  const hint = await fetch(`${bench.baseUrl}/v0/deposit/submit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(hint.status).toBe(201)
  expect(await stationsOf(swap, [0, 31 * MINUTE_MS])).toEqual([
    ['processing', 'KNOWN_DEPOSIT_TX'],
    ['expired', 'PENDING_DEPOSIT'],
  ])
})

test('a deposit of another token, or one reported twice, changes nothing', async () => {
  const swap = await start()
  expect(bench.sim.onDeposit(depositFor(swap, { token: USDC.ethereum }))).toBe(true)
  expect(await stateOf(swap)).toEqual(['pending', 'PENDING_DEPOSIT'])
  for (const _ of [1, 2]) bench.sim.onDeposit(depositFor(swap, { amount: 600_000_000n, txHash: 'same' }))
  expect(await stateOf(swap)).toEqual(['pending', 'INCOMPLETE_DEPOSIT'])
  expect(bench.sim.onDeposit(depositFor(swap, { address: WALLETS.evmOther }))).toBe(false)
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
    expect((await venueErrorOf(trackedWith((answer) => void (answer[field] = value)))).kind).toBe('badResponse')
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
