import { describe, expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, signed, swapOf } from '../../support/venueKit/calls.ts'
import { byPriority, byV2, byV3, cannedUniswapX, openBench, STRANGER, USDC, WETH } from './support.ts'

const open = closedAfterEach(openBench)

const refusing = async (status: number, errorCode: string, order = byV2(), detail = 'why') => {
  const { venue } = cannedUniswapX(() => ({ status, body: { errorCode, detail } }))
  return refusalOf(venue.quote(order, never()))
}

describe('quote: a UniswapX refusal', () => {
  test.each([
    [404, 'ResourceNotFound', 'noLiquidity', null],
    [404, 'QuoteAmountTooLowError', 'amountTooSmall', null],
    [404, 'InsufficientBalance', 'badRequest', 'sender'],
    [404, 'TokenBalanceNotAvailable', 'badRequest', 'sender'],
    [400, 'RequestValidationError', 'badRequest', null],
    [429, 'Ratelimited', 'rateLimited', null],
    [429, 'ResourceNotFound', 'rateLimited', null],
    [500, 'InternalServerError', 'unavailable', null],
    [503, 'ServiceUnavailable', 'unavailable', null],
    [504, 'Timeout', 'unavailable', null],
    [500, 'ResourceNotFound', 'unavailable', null],
    [400, 'SomethingNew', 'badResponse', null],
  ] as const)('with HTTP %i %s is %s', async (status, code, kind, party) => {
    const error = await refusing(status, code)
    expect({ kind: error.kind, party: error.party, minimum: error.minimum }).toEqual({ kind, party, minimum: null })
  })

  test('with HTTP 401 UnauthorizedError names our API key', async () => {
    expect(await refusing(401, 'UnauthorizedError')).toMatchObject({ kind: 'unavailable', nature: 'keyRefused' })
  })

  test('below the published minimum is too small, with the amount for an input worth a dollar', async () => {
    for (const [order, minimum] of [
      [byV2({ amount: 299_999_999n }), 300_000_000n],
      [byV3({ amount: 999_999_999n }), 1_000_000_000n],
      [byPriority({ amount: 5n }), 1_000_000_000n],
      [byV2({ from: [1, '0x6B175474E89094C44Da98b954EedeAC495271d0F'], amount: 10n ** 18n }), 300n * 10n ** 18n],
    ] as const)
      for (const code of ['ResourceNotFound', 'QuoteAmountTooLowError'])
        expect(await refusing(404, code, order)).toMatchObject({ kind: 'amountTooSmall', minimum, maximum: null })
    // Of what it is worth nobody here knows.
    expect(await refusing(404, 'ResourceNotFound', byV2({ from: [1, WETH], to: [1, USDC], amount: 1n }))).toMatchObject({
      ...{ kind: 'noLiquidity', minimum: null },
    })
    // At the least size itself there is liquidity or none.
    expect((await refusing(404, 'ResourceNotFound', byV2({ amount: 300_000_000n }))).kind).toBe('noLiquidity')
  })
})

test('quote: declines coins, other chains and the zero address without a request', async () => {
  const { venue, asked } = cannedUniswapX(() => ({}))
  const native = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
  for (const order of [byV2({ from: [1, native], to: [1, USDC] }), byV2({ from: [10, USDC], to: [10, WETH] })])
    expect((await refusalOf(venue.quote(order, never()))).kind).toBe('unsupportedPair')
  const nobody = byV2({ recipient: ZERO_EVM_ADDRESS })
  expect(await refusalOf(venue.quote(nobody, never()))).toMatchObject({ kind: 'badRequest', party: 'recipient' })
  expect(asked).toEqual([])
})

describe('submit: a signed UniswapX order', () => {
  test('is posted exactly with its quote, and a repeat has the same result', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, byV2())
    const payload = await signed(swap.execution)
    for (let i = 0; i < 2; i += 1)
      expect(await bench.venue.submitter?.submit(swap, payload, never())).toEqual({ statusRef: swap.execution.venueRef })
    const { quote } = swap.execution.carry as { quote: object }
    expect(bench.sent.at(-1)?.body).toEqual({ signature: payload.signature, quote, routing: 'DUTCH_V2' })
    expect(quote).toMatchObject({ orderId: swap.execution.venueRef, slippageTolerance: 0.5 })
  })

  test('accepted before stays accepted after a refusal, and is otherwise refused', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, byV2())
    const orderId = swap.execution.venueRef
    const answering = (orders: readonly object[]) =>
      cannedUniswapX(({ path }) =>
        path === '/orders'
          ? { body: { orders } }
          : { status: 400, body: { errorCode: 'INVALID_ORDER', detail: 'Deadline must be in the next day' } },
      ).venue.submitter?.submit(swap, { signature: `0x${'11'.repeat(65)}`, approvalSignature: null, scheme: 'ecdsa' }, never())
    expect(await answering([{ orderId, orderStatus: 'filled' }])).toEqual({ statusRef: orderId })
    expect((await refusalOf(answering([]))).kind).toBe('badRequest')
  })

  test('with an undocumented refusal is classified by its HTTP status', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, byV2())
    const kinds = {
      400: 'badRequest',
      403: 'badRequest',
      404: 'badResponse',
      401: 'unavailable',
      429: 'rateLimited',
      500: 'unavailable',
    }
    for (const [status, kind] of Object.entries(kinds)) {
      const { venue } = cannedUniswapX(({ path }) =>
        path === '/orders'
          ? { body: { orders: [] } }
          : { status: Number(status), body: { errorCode: 'Wrapped', detail: 'VALIDATION_ERROR' } },
      )
      const placing = venue.submitter?.submit(swap, await signed(swap.execution), never())
      expect((await refusalOf(placing)).kind, status).toBe(kind)
    }
  })

  test('past its deadline is noLiquidity', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, byV2())
    bench.clock.advance(300_000)
    const late = bench.venue.submitter?.submit(swap, await signed(swap.execution), never())
    expect((await refusalOf(late)).kind).toBe('noLiquidity')
  })

  test('returned with another id is rejected, and a signature of another length is not sent', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, byV2())
    bench.faults.set('uniswapx', 'bad-signature', {}, null)
    const payload = await signed(swap.execution)
    expect((await refusalOf(bench.venue.submitter?.submit(swap, payload, never()))).kind).toBe('rejected')
    const before = bench.sent.length
    const long = { ...payload, signature: `${payload.signature}00` as const, scheme: 'eip1271' as const }
    expect(await refusalOf(bench.venue.submitter?.submit(swap, long, never()))).toMatchObject({
      ...{ kind: 'badRequest', party: 'signature' },
    })
    expect(bench.sent).toHaveLength(before)
  })
})

test('execute: binds another recipient than the quoted one', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, byV2(), { recipient: STRANGER })
  expect((await bench.venue.decode(swap.execution)).recipient).toBe(STRANGER)
})
