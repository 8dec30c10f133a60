import { afterEach, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { altered, never, refusalOf, type Swap, swapOf } from '../../support/venueKit/calls.ts'
import statuses from './statuses.json' with { type: 'json' }
import { type AcrossBench, ARB, broadcast as broadcastOn, NATIVE, openBench, told, USDC, usdcOrder, WITH_FEE } from './support.ts'

let bench: AcrossBench
afterEach(() => bench?.close())

const HASH = `0x${'51'.repeat(32)}`
const OTHER_HASH = `0x${'aa'.repeat(32)}`
const SIGNATURE = '5'.repeat(88)
const MINUTE = 60_000
const NOTHING = { venueStatus: null, deliveredAmount: null, txHash: null }

/** Broadcasts what was built, as the wallet would. */
const broadcast = (swap: Swap, txHash = HASH): Promise<boolean> => broadcastOn(bench, swap, txHash)

const track = (swap: Swap, ref = HASH, executed: Swap['executed'] | null = swap.executed) =>
  bench.venue.tracker?.track(ref, { order: swap.order, offer: swap.offer, executed }, never())

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  return swapOf(bench.venue, order)
}

describe('status: a swap from broadcast to delivery', () => {
  const ROUTES = [
    ['plain', usdcOrder(), HASH],
    ['with a fee', usdcOrder({ feeBps: 15 }), HASH],
    ['native', anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, feeBps: 15 }), HASH],
    ['swapped first', anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, feeBps: 15 }), HASH],
    ['native swapped first', anOrder({ from: [137, NATIVE], to: [8453, USDC.base], amount: 10n ** 21n }), HASH],
    ['from Solana', usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] }), SIGNATURE],
    ['to Solana', usdcOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana }), HASH],
  ] as const
  test.each(ROUTES)('is pending, processing, then success with the delivered amount: %s', async (_name, order, ref) => {
    const swap = await open(order)
    expect(await track(swap, ref)).toEqual({ state: 'pending', ...NOTHING })
    expect(await broadcast(swap, ref)).toBe(true)
    expect(await track(swap, ref)).toEqual({ state: 'pending', ...NOTHING })
    bench.clock.advance(6_000)
    const seen = { state: 'processing', ...NOTHING, venueStatus: 'pending', paidBy: [ref], refundTx: null }
    expect(await track(swap, ref)).toEqual(seen)
    bench.clock.advance(10_000)
    const done = await track(swap, ref)
    expect(done).toMatchObject({
      state: 'success',
      venueStatus: 'filled',
      deliveredAmount: swap.execution.slippage?.guaranteedMin,
    })
    expect(done?.txHash).toMatch(order.output.chainId === -2 ? /^[1-9A-HJ-NP-Za-km-z]{80,}$/ : /^0x[0-9a-f]{64}$/)
    // Of an execution that we have no record of there is nothing to tell.
    expect(await track(swap, ref, null)).toEqual({ state: 'not_found', ...NOTHING })
  })

  test('is found by a transaction hash in upper case', async () => {
    const swap = await open(usdcOrder())
    await broadcast(swap, `0x${'ab'.repeat(32)}`)
    bench.clock.advance(20_000)
    expect(await track(swap, `0x${'AB'.repeat(32)}`)).toMatchObject({ state: 'success' })
  })

  test('is read from both indexer endpoints by its origin transaction', async () => {
    const swap = await open(usdcOrder())
    await broadcast(swap)
    bench.clock.advance(MINUTE)
    await track(swap)
    expect(
      bench.sent
        .slice(2)
        .map(({ method, path, query }) => `${method} ${path}?${query}`)
        .sort(),
    ).toEqual([`GET /deposit/status?depositTxnRef=${HASH}`, `GET /deposit?depositTxnRef=${HASH}`])
  })

  test('stays processing until a slow fill of a large amount', async () => {
    const swap = await open(usdcOrder({ amount: 1_000_000_000_000n }))
    await broadcast(swap)
    bench.clock.advance(6_000)
    expect(await track(swap)).toMatchObject({ state: 'processing', venueStatus: 'slowFillRequested' })
    bench.clock.advance(91 * MINUTE)
    expect(await track(swap)).toMatchObject({ state: 'success', venueStatus: 'slowFilled' })
  })
})

describe('status: a fill of a wrong amount', () => {
  test('reports the amount that arrived', async () => {
    const swap = await open(usdcOrder())
    bench.faults.set('across', 'short-fill', {}, 1)
    await broadcast(swap)
    bench.clock.advance(MINUTE)
    expect(await track(swap)).toMatchObject({ state: 'success', deliveredAmount: (249_942_500n * 9n) / 10n })
  })
})

describe('status: an unknown ref', () => {
  test('is pending for two minutes after the quote expired, then not_found', async () => {
    const swap = await open(usdcOrder())
    bench.clock.advance(30_000 + 2 * MINUTE - 1)
    expect(await track(swap)).toMatchObject({ state: 'pending' })
    bench.clock.advance(1)
    expect(await track(swap)).toEqual({ state: 'not_found', ...NOTHING })
  })

  test('that is not a transaction hash of the origin chain is not sent to the venue', async () => {
    const swap = await open(usdcOrder())
    const before = bench.sent.length
    for (const ref of ['', '0x51', SIGNATURE, WALLETS.evm, `${HASH}&index=1`])
      expect(await track(swap, ref)).toEqual({ state: 'not_found', ...NOTHING })
    expect(bench.sent).toHaveLength(before)
  })

  test('with a 404 page of a gateway is a venue failure, not an unknown deposit', async () => {
    const swap = await open(usdcOrder())
    const broken = told(() => ({ status: 404, body: { message: 'no such page' } }))
    const asked = broken.venue.tracker?.track(HASH, swap, never())
    expect((await refusalOf(Promise.resolve(asked))).kind).toBe('badResponse')
  })
})

describe('status: a ref of another swap is not_found', () => {
  const OTHERS: readonly (readonly [string, VenueOrder])[] = [
    ['another recipient', usdcOrder({ recipient: WALLETS.evm })],
    ['another amount', usdcOrder({ amount: 250_000_001n })],
    ['another output token', usdcOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 250_000_000n * 10n ** 9n })],
    ['another destination', usdcOrder({ to: [1, USDC.ethereum] })],
    ['another recipient behind the message', usdcOrder({ recipient: WALLETS.evm, feeBps: 15 })],
    [
      'a swap before it',
      anOrder({ from: [8453, NATIVE], to: [42161, USDC.arbitrum], amount: 10n ** 17n, recipient: WALLETS.evmOther }),
    ],
  ]
  test.each(OTHERS)('%s', async (_name, other) => {
    const swap = await open(usdcOrder())
    const stranger = await swapOf(bench.venue, other)
    await broadcast(stranger, OTHER_HASH)
    bench.clock.advance(MINUTE)
    expect(await track(stranger, OTHER_HASH)).toMatchObject({ state: 'success' })
    expect(await track(swap, OTHER_HASH)).toEqual({ state: 'not_found', ...NOTHING })
  })

  test('and two deposits of one transaction are distinguished', async () => {
    const first = await open(usdcOrder())
    const second = await swapOf(bench.venue, usdcOrder({ amount: 99_000_000n }))
    await broadcast(first)
    await broadcast(second)
    bench.clock.advance(MINUTE)
    for (const swap of [first, second])
      expect(await track(swap)).toMatchObject({ state: 'success', deliveredAmount: swap.execution.slippage?.guaranteedMin })
    const third = await swapOf(bench.venue, usdcOrder({ amount: 98_000_000n }))
    const before = bench.sent.length
    expect(await track(third)).toEqual({ state: 'not_found', ...NOTHING })
    expect(bench.sent.length - before).toBe(4)
  })

  test('for an earlier swap of the same user that differs only in its deadline', async () => {
    const earlier = await open(usdcOrder())
    await broadcast(earlier, OTHER_HASH)
    bench.clock.advance(2 * MINUTE)
    const later = await swapOf(bench.venue, usdcOrder())
    expect(await track(earlier, OTHER_HASH)).toMatchObject({ state: 'success' })
    expect(await track(later, OTHER_HASH)).toEqual({ state: 'not_found', ...NOTHING })
  })
})

describe('status: the raw status', () => {
  const details = {
    originChainId: '8453',
    destinationChainId: '42161',
    recipient: WALLETS.evmOther,
    inputToken: USDC.base,
    inputAmount: '250000000',
    outputToken: USDC.arbitrum,
    outputAmount: '249942500',
    message: '0x',
    fillDeadline: null,
    swapToken: null,
    swapTokenAmount: null,
  }
  const ask = async (status: object, deposit: unknown = details) => {
    const swap = await open(usdcOrder())
    const broken = told(({ path }) => ({ body: path === '/deposit' ? { deposit } : status }))
    return await broken.venue.tracker?.track(HASH, swap, never())
  }
  const FILL = { fillTxnRef: '0xfill' }
  const REFUND = { depositRefundTxnRef: '0xrefund' }

  test.each(
    statuses.states as unknown as readonly (readonly [status: string, more: object, state: string, txHash: string | null])[],
  )('%s %o is %s', async (status, more, state, txHash) => {
    const deliveredAmount = state === 'success' ? 249_942_500n : null
    const refundTx = (more as { depositRefundTxnRef?: string }).depositRefundTxnRef ?? null
    const besides = state === 'refunded' ? {} : { refundTx }
    expect(await ask({ status, ...more })).toEqual({
      state,
      venueStatus: status,
      deliveredAmount,
      txHash,
      paidBy: [],
      ...besides,
    })
  })

  test.each([
    ['depositTxnRef', { depositTxnRef: OTHER_HASH, depositTxHash: HASH }, [OTHER_HASH]],
    ['depositTxHash', { depositTxHash: OTHER_HASH }, [OTHER_HASH]],
    ['nothing', { depositTxnRef: null }, []],
  ])('reports the payment transaction from %s', async (_name, named, paidBy) => {
    expect(await ask({ status: 'pending', ...named })).toMatchObject({ paidBy })
  })

  test('with a refund beside a delivery reports both transactions', async () => {
    expect(await ask({ status: 'filled', ...FILL, ...REFUND })).toMatchObject({ txHash: '0xfill', refundTx: '0xrefund' })
  })

  test('filled with failed actions is no success, since another token was delivered', async () => {
    expect(await ask({ status: 'filled', ...FILL, actionsSucceeded: false })).toEqual({
      state: 'processing',
      venueStatus: 'filled:actions-failed',
      deliveredAmount: null,
      txHash: null,
      paidBy: [],
      refundTx: null,
    })
  })

  test.each(statuses.others as [string, string][])('with details %s = %s belongs to another swap', async (path, value) => {
    expect(await ask({ status: 'filled', ...FILL }, altered(details, path, value))).toMatchObject({ state: 'not_found' })
  })

  test('with 32-byte addresses and numeric chain ids is accepted', async () => {
    const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
    const padded = { ...details, recipient: word(details.recipient), outputToken: word(details.outputToken), originChainId: 8453 }
    expect(await ask({ status: 'filled', ...FILL }, padded)).toMatchObject({ state: 'success' })
  })
})
