import { afterEach, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SwapStatus } from '../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { aBench, bitcoinToBase, deposit, depositFor, executed, never, refOf, trackedBy, USDC, usdcToSolana } from './support.ts'

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
    await deposit(bench, swap)
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
    await deposit(bench, swap)
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
    await deposit(bench, swap, { amount: 400_000_000n })
    expect(await stationsOf(swap, [0, 30 * MINUTE_MS + 1, 2 * MINUTE_MS])).toEqual([
      ['pending', 'INCOMPLETE_DEPOSIT'],
      ['processing', 'INCOMPLETE_DEPOSIT'],
      ['refunded', 'REFUNDED'],
    ])
  })

  test('paid in two parts is a swap like any other', async () => {
    const swap = await start()
    await deposit(bench, swap, { amount: 400_000_000n, txHash: 'a' })
    await deposit(bench, swap, { amount: 600_000_000n, txHash: 'b' })
    bench.clock.advance(MINUTE_MS)
    expect(await stateOf(swap)).toEqual(['success', 'SUCCESS'])
  })

  test('paid twice over is a success all the same, the excess refunded', async () => {
    const swap = await start()
    await deposit(bench, swap, { amount: 2_000_000_000n })
    bench.clock.advance(MINUTE_MS)
    expect(await track(swap)).toMatchObject({ state: 'success', deliveredAmount: swap.offer.outputAmount })
  })

  test('paid too late is refunded', async () => {
    const swap = await start()
    bench.clock.advance(31 * MINUTE_MS)
    await deposit(bench, swap)
    expect(await stationsOf(swap, [11_000, 2 * MINUTE_MS])).toEqual([
      ['processing', 'PROCESSING'],
      ['refunded', 'REFUNDED'],
    ])
  })

  test('whose price fell below its minimum is refunded', async () => {
    const swap = await start(bitcoinToBase())
    bench.market.setPrice('BTC', 90_000_000_000n)
    await deposit(bench, swap)
    expect((await stationsOf(swap, [30 * MINUTE_MS])).at(-1)).toEqual(['refunded', 'REFUNDED'])
  })

  test('whose price rose delivers half of the difference more', async () => {
    const swap = await start(bitcoinToBase())
    bench.market.setPrice('BTC', 99_400_000_000n)
    await deposit(bench, swap)
    bench.clock.advance(30 * MINUTE_MS)
    expect((await track(swap)).deliveredAmount).toBeGreaterThan(swap.offer.outputAmount)
  })
})

describe('a venue at fault', () => {
  const settled = async (fault: Parameters<VenueBench['faults']['set']>[1], minutes = 1) => {
    const swap = await start()
    bench.faults.set('near-intents', fault, {}, 1)
    await deposit(bench, swap)
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

test('a deposit of another token changes nothing, and one to another address is none of the venue’s', async () => {
  const swap = await start()
  expect(bench.sim.onDeposit(depositFor(swap, { token: USDC.ethereum }))).toBe(true)
  expect(await stateOf(swap)).toEqual(['pending', 'PENDING_DEPOSIT'])
  expect(bench.sim.onDeposit(depositFor(swap, { address: WALLETS.evmOther }))).toBe(false)
})
