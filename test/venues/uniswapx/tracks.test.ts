import { beforeEach, describe, expect, test } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, type Swap, signed, swapOf, track } from '../../support/venueKit/calls.ts'
import { byPriority, byV2, cannedUniswapX, openBench, STRANGER, type UniswapXBench, USDC, WETH } from './support.ts'

const open = closedAfterEach(openBench)
let bench: UniswapXBench
let swap: Swap
let ref: string
beforeEach(async () => {
  bench = await open()
  swap = await swapOf(bench.venue, byV2({ feeBps: 0 }))
  ref = swap.execution.venueRef ?? ''
})

const TX = `0x${'ab'.repeat(32)}`

/** What the adapter makes of the books. */
const told = (order: object | null, now = START_OF_TIME, record: 'with' | 'without' = 'with') => {
  const orders = order === null ? [] : [{ orderId: ref, orderStatus: 'open', ...order }]
  const { venue } = cannedUniswapX(() => ({ body: { requestId: 'r', orders } }), { now: () => now })
  return track(venue, ref, swap, record)
}

const OVER = START_OF_TIME + 300_001

test.each<[status: string, state: SwapState, after: SwapState]>([
  ['open', 'pending', 'pending'],
  ['unverified', 'pending', 'pending'],
  ['filled', 'success', 'success'],
  ['expired', 'failed', 'failed'],
  ['error', 'failed', 'failed'],
  ['cancelled', 'failed', 'failed'],
  // Filled as soon as the wallet has the funds again, until its time is over.
  ['insufficient-funds', 'pending', 'failed'],
  ['something-new', 'unknown', 'unknown'],
])('status: the raw UniswapX status %s is %s, and %s once the order expired', async (orderStatus, state, after) => {
  expect(await told({ orderStatus })).toMatchObject({ state, venueStatus: orderStatus })
  expect(await told({ orderStatus }, OVER)).toMatchObject({ state: after, venueStatus: orderStatus })
})

describe('status: a UniswapX fill', () => {
  const paid = (amountOut: bigint, tokenOut = WETH) => ({ tokenOut, amountOut: `${amountOut}`, tokenIn: USDC, amountIn: '1' })
  const filled = (...settledAmounts: readonly object[]) => told({ orderStatus: 'filled', txHash: TX, settledAmounts })

  test('reports the amount when it has one payment in the output token', async () => {
    const { outputAmount } = swap.offer
    const success = { state: 'success', txHash: TX }
    expect(await filled(paid(outputAmount))).toMatchObject({ ...success, deliveredAmount: outputAmount })
    expect(await filled(paid(outputAmount, USDC))).toMatchObject({ ...success, deliveredAmount: null })
    expect(await filled(paid(outputAmount), paid(1n))).toMatchObject({ ...success, deliveredAmount: null })
    expect(await filled()).toMatchObject({ ...success, deliveredAmount: null })
    const untold = { state: 'success', txHash: null, deliveredAmount: null }
    for (const [txHash, settledAmounts] of [
      [null, null],
      ['', [paid(outputAmount), {}]],
    ])
      expect(await told({ orderStatus: 'filled', txHash, settledAmounts })).toMatchObject(untold)
  })

  test('below the signed minimum keeps the swap open; with a fee the amount is left to the chain', async () => {
    const least = swap.execution.slippage?.guaranteedMin ?? 0n
    expect((await filled(paid(least))).state).toBe('success')
    expect(await filled(paid(least - 1n))).toMatchObject({ state: 'processing', deliveredAmount: null, txHash: null })
    swap = await swapOf(bench.venue, byV2())
    ref = swap.execution.venueRef ?? ''
    expect(await filled(paid(1n))).toMatchObject({ state: 'success', deliveredAmount: null })
  })
})

test('status: requests an order by its id and type', async () => {
  for (const [order, orderType] of [
    [byV2(), 'Dutch_V2'],
    [byPriority(), 'Priority'],
  ] as const) {
    const one = await swapOf(bench.venue, order)
    const id = one.execution.venueRef ?? ''
    expect((await track(bench.venue, id, one)).state).toBe('not_found')
    expect(Object.fromEntries(bench.sent.at(-1)?.query ?? [])).toEqual({ orderId: id, orderType })
    await bench.venue.submitter?.submit(one, await signed(one.execution), never())
    for (const record of ['with', 'without'] as const) expect((await track(bench.venue, id, one, record)).state).toBe('pending')
  }
})

test('status: the order of another swap is not_found, with or without a record', async () => {
  for (const other of [
    { orderId: `0x${'1'.repeat(64)}` },
    { swapper: STRANGER },
    { chainId: 8453 },
    { input: { token: WETH, startAmount: '1', endAmount: '1' } },
  ])
    for (const record of ['with', 'without'] as const)
      expect((await told(other, START_OF_TIME, record)).state, JSON.stringify(other)).toBe('not_found')
  expect((await told(null)).state).toBe('not_found')
  expect((await track(bench.venue, `0x${'1'.repeat(64)}`, swap)).state).toBe('not_found')
  expect((await track(bench.venue, 'nonsense', swap)).state).toBe('not_found')
})

test('status: an unreadable answer is an error, and an unknown order is not_found', async () => {
  for (const [body, kind] of [
    [{}, 'badResponse'],
    [{ orders: [{ orderId: ref, orderStatus: 7 }, {}, null] }, 'rejected'],
    [{ orders: [{ orderId: null, orderStatus: 'open' }] }, 'rejected'],
  ] as const) {
    const { venue } = cannedUniswapX(() => ({ body }))
    expect((await refusalOf(track(venue, ref, swap))).kind).toBe(kind)
  }
  const { venue } = cannedUniswapX(() => ({ status: 404, body: { errorCode: 'ResourceNotFound', detail: '' } }))
  expect((await track(venue, ref, swap)).state).toBe('not_found')
})
