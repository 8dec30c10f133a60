import { describe, expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, type Swap, signed, swapOf, track } from '../../support/venueKit/calls.ts'
import { type Answering, changing, toldBy } from '../../support/venueKit/canned.ts'
import { type BebopBench, type Body, cannedBebop, etherToUsdc, openBench, usdcToWeth } from './support.ts'

const open = closedAfterEach(openBench)

const submit = async (venue: BebopBench['venue'], swap: Swap, scheme: 'ecdsa' | 'eip1271' = 'ecdsa') =>
  venue.submitter?.submit(swap, { ...(await signed(swap.execution)), scheme }, never())

const HASH = `0x${'5'.repeat(64)}`
const STATUS = '/jam/ethereum/v2/order-status'
const ORDER = '/jam/ethereum/v2/order'

/** The documented ones, and one that is not. */
const STATUSES: readonly [raw: string, txHash: string | null, state: string][] = [
  ['Pending', null, 'pending'],
  ['Pending', HASH, 'processing'],
  ['Success', null, 'processing'],
  ['Success', HASH, 'processing'],
  ['Settled', HASH, 'success'],
  ['Confirmed', HASH, 'success'],
  ['Failed', null, 'failed'],
  ['Netting', HASH, 'unknown'],
  ['success', HASH, 'unknown'],
]

test.each(STATUSES)('status: an order that is %s with the transaction %s is %s', async (status, txHash, state) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, usdcToWeth())
  const { venue } = cannedBebop(() => ({ body: { status, txHash, amounts: null } }))
  const word = await track(venue, swap.execution.venueRef ?? '', swap)
  expect(word).toEqual({ state, venueStatus: status, txHash: state === 'success' ? txHash : null, deliveredAmount: null })
})

describe('status: a Bebop ref', () => {
  test.each<[string, Parameters<typeof cannedBebop>[0]]>([
    ['HTTP 404', () => ({ status: 404, body: {} })],
    ['an error that comes with HTTP 200', () => ({ body: { error: { errorCode: 210, message: 'unknown' } } })],
  ])('unknown to the venue, by %s, is not_found', async (_name, answering) => {
    const swap = await swapOf((await open()).venue, usdcToWeth())
    expect(await track(cannedBebop(answering).venue, swap.execution.venueRef ?? '', swap)).toMatchObject({ state: 'not_found' })
  })

  test('of another order, or without a record, is not_found and not sent to the venue', async () => {
    const swap = await swapOf((await open()).venue, usdcToWeth())
    const { venue, asked } = cannedBebop(() => ({ body: { status: 'Confirmed', txHash: HASH } }))
    for (const [ref, record] of [
      ['121-1', 'with'],
      [HASH, 'with'],
      [swap.execution.venueRef ?? '', 'without'],
    ] as const)
      expect(await track(venue, ref, swap, record)).toMatchObject({ state: 'not_found' })
    expect(asked).toEqual([])
  })

  test('of a transaction has no venue status, only the one of the chain', async () => {
    const { venue } = await open()
    expect(await track(venue, HASH, await swapOf(venue, etherToUsdc()))).toMatchObject({ state: 'unknown', venueStatus: null })
  })
})

describe('submit: a signed JAM order', () => {
  test('is posted once per quote, and a repeat has the same result', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, usdcToWeth())
    expect(await submit(bench.venue, swap)).toEqual({ statusRef: swap.execution.venueRef })
    const { signature } = await signed(swap.execution)
    expect(bench.sent.at(-1)?.body).toEqual({ quote_id: swap.execution.venueRef, signature, sign_scheme: 'EIP712' })
    expect(await submit(bench.venue, swap)).toEqual({ statusRef: swap.execution.venueRef })
    expect(bench.sent.slice(-2).map(({ path }) => path)).toEqual([ORDER, STATUS])
  })

  test('of a contract wallet is posted with a contract signature', async () => {
    const swap = await swapOf((await open()).venue, usdcToWeth())
    const { venue, asked } = cannedBebop(() => ({ body: { status: 'Success' } }))
    await submit(venue, swap, 'eip1271')
    expect(asked[0]?.body).toMatchObject({ sign_scheme: 'EIP1271' })
  })

  test.each<[string, number, string]>([
    ['that expired', 203, 'noLiquidity'],
    ['that its maker rejected last', 202, 'noLiquidity'],
    ['of an unknown quote', 210, 'noLiquidity'],
    ['of a taker with insufficient funds', 204, 'badRequest'],
    ['of another signer', 212, 'badRequest'],
    ['during a server failure', 500, 'unavailable'],
  ])('%s is refused, unless an earlier post was accepted', async (_name, errorCode, kind) => {
    const { sim, venue: own } = await open()
    const swap = await swapOf(own, usdcToWeth())
    const refusing: Answering = async (asked) =>
      asked.path === ORDER ? { body: { error: { errorCode, message: 'no' } } } : toldBy(sim)(asked)
    expect((await refusalOf(submit(cannedBebop(refusing).venue, swap))).kind).toBe(kind)
    const taken = changing(refusing, { [STATUS]: (_: Body) => ({ status: 'Pending', txHash: null }) })
    const again = submit(cannedBebop(taken).venue, swap)
    if (kind === 'unavailable') return expect((await refusalOf(again)).kind).toBe(kind)
    expect(await again).toEqual({ statusRef: swap.execution.venueRef })
  })

  test('is not accepted for a swap that is sent on chain', async () => {
    const bench = await open()
    const native = await swapOf(bench.venue, etherToUsdc())
    const { signature } = await signed((await swapOf(bench.venue, usdcToWeth())).execution)
    const submitted = bench.venue.submitter?.submit(native, { signature, approvalSignature: null, scheme: 'ecdsa' }, never())
    expect((await refusalOf(submitted)).kind).toBe('badRequest')
  })
})

test('execute: requests a slipped price once more with less slippage, so that the quoted minimum holds', async () => {
  const bench = await open()
  const order = usdcToWeth({ slippageBps: 100 })
  const offer = await bench.venue.quote(order, never())
  bench.market.setPrice('ETH', 3_970_000_000n)
  const { slippage } = await bench.venue.execute({ order, offer }, order, never())
  expect(slippage?.guaranteedMin).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
  expect(bench.sent.slice(-2).map(({ query }) => query.get('slippage'))).toEqual(['1.00', expect.stringMatching(/^0\.[1-9]\d?$/)])
})
