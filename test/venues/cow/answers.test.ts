import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { cannedCow, etherToUsdc, openBench, quoteAnswer, STRANGER, submitted, USDC, usdcToWeth } from './support.ts'

type Body = Record<string, unknown>

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const quoteWith = async (change: { quote?: Body; top?: Body } | ((answer: Body) => unknown), order = usdcToWeth()) => {
  const { venue } = cannedCow(({ body }) => ({
    body: typeof change === 'function' ? change(quoteAnswer(body as Body)) : quoteAnswer(body as Body, change),
  }))
  return await venue.quote(order, never()).catch((error: unknown) => error)
}

const expectBadResponse = (outcome: unknown): void => {
  expect(outcome).toBeInstanceOf(VenueError)
  expect((outcome as VenueError).kind).toBe('badResponse')
}

describe('a quote that is not what was asked', () => {
  test('the canned answer itself is a good one', async () => {
    expect(await quoteWith({})).toMatchObject({ venue: 'cow' })
  })

  test.each<[string, Body]>([
    ['another sell token', { sellToken: STRANGER }],
    ['another buy token', { buyToken: USDC }],
    ['another receiver', { receiver: STRANGER }],
    ['no receiver, which is the owner', { receiver: null }],
    ['a buy order', { kind: 'buy' }],
    ['a partial order', { partiallyFillable: true }],
    ['another source of tokens', { sellTokenBalance: 'internal' }],
    ['another destination of tokens', { buyTokenBalance: 'internal' }],
    ['another signing scheme', { signingScheme: 'presign' }],
    ['another app data document', { appData: '{"appCode":"x","metadata":{},"version":"1.0.0"}' }],
    ['another app data hash', { appDataHash: `0x${'1'.repeat(64)}` }],
    ['an amount below what is spent', { sellAmount: '999199999' }],
    ['an amount above what is spent', { sellAmount: '999200001' }],
    ['a cost that does not add up', { feeAmount: '800001' }],
    ['nothing left to sell', { sellAmount: '0', feeAmount: '1000000000' }],
    ['an output beyond 256 bits', { buyAmount: (1n << 256n).toString() }],
  ])('is refused: %s', async (_name, quote) => {
    expectBadResponse(await quoteWith({ quote }))
  })

  test('is refused: another owner', async () => {
    expectBadResponse(await quoteWith({ top: { from: STRANGER } }))
  })

  test('is refused: an order to be placed on chain without the id of its quote', async () => {
    const order = etherToUsdc()
    const shares = { sellAmount: (10n ** 18n - 800_000n).toString() }
    expect(await quoteWith({ quote: shares }, order)).toMatchObject({ executionType: 'TRANSACTION' })
    expectBadResponse(await quoteWith({ quote: shares, top: { id: null } }, order))
  })

  test('an ERC-20 order needs no quote id', async () => {
    expect(await quoteWith({ top: { id: null } })).toMatchObject({ carry: { v: 1, quoteId: null } })
  })
})

describe('a field of the right type and the wrong sense', () => {
  test('the quote id is an integer, the protocol fee a decimal below everything, the expiry a time', async () => {
    for (const id of ['1', 1.5, -1, 2 ** 60]) expectBadResponse(await quoteWith({ top: { id } }))
    for (const protocolFeeBps of ['10000', '-1', '1e2', '', 'x', 2])
      expectBadResponse(await quoteWith({ top: { protocolFeeBps } }))
    for (const expiration of ['soon', '2026-99-99T00:00:00Z', '2026-09-21', 1_790_000_000])
      expectBadResponse(await quoteWith({ top: { expiration } }))
  })

  test.each([null, 'text', 5, [], {}, { quote: null }])('an answer of %j', async (answer) => {
    expectBadResponse(await quoteWith(() => answer))
  })
})

test('prices scaled by twelve decimals or a hundredfold are passed on as they are, for the race to judge', async () => {
  const honest = await bench.venue.quote(usdcToWeth({ feeBps: 0 }), never())
  bench.faults.set('cow', 'price-x100', {}, 1)
  const dear = await bench.venue.quote(usdcToWeth({ feeBps: 0 }), never())
  expect(dear.outputAmount).toBe(honest.outputAmount * 100n)
  bench.faults.set('cow', 'wrong-decimals', { direction: 'up' }, 1)
  expect((await bench.venue.quote(usdcToWeth({ feeBps: 0 }), never())).outputAmount).toBe(honest.outputAmount * 10n ** 12n)
})

test.each<FaultName>(['wrong-recipient', 'wrong-amount', 'bad-signature'])(
  'the simulated book commits %s and is found out',
  async (fault) => {
    bench.faults.set('cow', fault, {}, 1)
    expect((await refusalOf(bench.venue.quote(usdcToWeth(), never()))).kind).toBe('badResponse')
  },
)

test('an order created under another UID than the one signed is a bad answer', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  bench.faults.set('cow', 'bad-signature', {}, 1)
  expect((await refusalOf(submitted(bench.venue, swap))).kind).toBe('badResponse')
})

test('app data registered under another hash stops a native order', async () => {
  const { venue } = cannedCow(({ method, body }) =>
    method === 'PUT'
      ? { body: `0x${'1'.repeat(64)}` }
      : { body: quoteAnswer(body as Body, { quote: { sellAmount: (10n ** 18n - 800_000n).toString() } }) },
  )
  expect((await refusalOf(swapOf(venue, etherToUsdc()))).kind).toBe('badResponse')
})
