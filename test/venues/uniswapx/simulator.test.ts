import { beforeEach, describe, expect, test } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, type Swap, sign, signed, swapOf, track, typedDataOf } from '../../support/venueKit/calls.ts'
import { speakTo } from '../../support/venueKit/speak.ts'
import { type Body, byV2, openBench, STRANGER, type UniswapXBench, USDC, WETH } from './support.ts'

/** The simulated API knows nothing of the adapter; here it is spoken to by hand, to show that it refuses what it must. */

const open = closedAfterEach(openBench)
let bench: UniswapXBench
beforeEach(async () => {
  bench = await open()
})

const HEADERS = { 'x-api-key': 'a-key-0123456789' }

const call = async (path: string, body?: unknown, headers: Record<string, string> = HEADERS) => {
  const told = await speakTo(bench, path, { body, headers })
  return { verdict: [told.status, told.body['errorCode']].join(' ').trim(), body: told.body }
}

const QUOTE = {
  type: 'EXACT_INPUT',
  amount: '2000000000',
  tokenInChainId: 1,
  tokenOutChainId: 1,
  tokenIn: USDC,
  tokenOut: WETH,
  swapper: STRANGER,
  slippageTolerance: 0.5,
  protocols: ['UNISWAPX_V2'],
}
const fee = (bips: unknown) => [{ bips, recipient: STRANGER }]
const ZERO = `0x${'0'.repeat(40)}`

const VERDICTS: { readonly [verdict: string]: readonly Body[] } = {
  '200': [
    {},
    { protocols: ['UNISWAPX_V3'] },
    { protocols: ['V2', 'UNISWAPX_V2'], routingPreference: 'BEST_PRICE', recipient: USDC },
    { tokenOut: ZERO, tokenIn: USDC.slice(2), integratorFees: fee(500) },
  ],
  '400 RequestValidationError': [
    ...[undefined, 0.125, '0.5', 101].map((slippageTolerance) => ({ slippageTolerance })),
    { autoSlippage: 'DEFAULT' },
    ...[0, 501, '30'].map((bips) => ({ integratorFees: fee(bips) })),
    ...[[], [...fee(1), ...fee(1)]].map((integratorFees) => ({ integratorFees })),
    { tokenIn: '0x12' },
    { swapper: undefined },
    ...['0', 2_000_000_000].map((amount) => ({ amount })),
    ...[['UNISWAPX_V4'], ['UNISWAPX_V2', 'UNISWAPX_V3']].map((protocols) => ({ protocols })),
    ...['FASTEST', 'CHEAPEST'].map((routingPreference) => ({ routingPreference })),
    { tokenOutChainId: 10 },
    { surprise: true },
  ],
  '404 ResourceNotFound': [
    // Not to be had of UniswapX.
    { autoSlippage: 'DEFAULT', slippageTolerance: undefined },
    ...['299000000', '3100000000000'].map((amount) => ({ amount })),
    ...[10, 42161].map((chainId) => ({ tokenInChainId: chainId, tokenOutChainId: chainId })),
    { tokenIn: ZERO, tokenOut: USDC, amount: '9000000000000000000' },
    { tokenIn: WETH, tokenOut: ZERO, amount: '9000000000000000000' },
    { tokenOut: STRANGER },
    { type: 'EXACT_OUTPUT' },
  ],
}

describe('a quote', () => {
  test.each(Object.entries(VERDICTS).flatMap(([verdict, changes]) => changes.map((change) => ({ verdict, change }))))(
    'with $change is answered $verdict',
    async ({ change, verdict }) => {
      expect((await call('/quote', { ...QUOTE, ...change })).verdict).toBe(verdict)
    },
  )

  test('without a key, or with none that can be one, is refused on every path', async () => {
    for (const headers of [{}, { 'x-api-key': 'short' }])
      for (const [path, body] of [['/quote', {}], ['/order', {}], ['/orders']] as const)
        expect((await call(path, body, headers as never)).verdict).toBe('401 UnauthorizedError')
  })
})

const postedOf = async ({ execution }: Swap): Promise<Body> => {
  const { quote, routing } = execution.carry as { quote: object; routing: string }
  return { signature: (await signed(execution)).signature, quote, routing }
}

describe('an order', () => {
  let swap: Swap
  let posted: Body
  beforeEach(async () => {
    swap = await swapOf(bench.venue, byV2())
    posted = await postedOf(swap)
  })
  const post = async (body: Body) => (await call('/order', body)).verdict

  test.each<[name: string, path: string, value: unknown, verdict: string]>([
    ['permit data', 'permitData', {}, '400 RequestValidationError'],
    ['no routing', 'routing', undefined, '400 RequestValidationError'],
    ['another routing', 'routing', 'PRIORITY', '400 INVALID_ORDER'],
    ['a quote with a word changed', 'quote.slippageTolerance', 1, '400 INVALID_ORDER'],
    ['a quote that nobody gave', 'quote.orderId', `0x${'1'.repeat(64)}`, '400 INVALID_ORDER'],
    ['an order that is too long', 'quote.encodedOrder', `0x${'0'.repeat(4_002)}`, '400 ORDER_PARSE_FAIL'],
    ['no order', 'quote.encodedOrder', undefined, '400 ORDER_PARSE_FAIL'],
    ['a signature of 66 bytes', 'signature', (was: string) => `${was}00`, '400 RequestValidationError'],
    ['the signature of nobody', 'signature', `0x${'11'.repeat(65)}`, '400 INVALID_ORDER'],
  ])('with %s is refused', async (_name, path, value, verdict) => {
    expect(await post(altered(posted, path, value))).toBe(verdict)
  })

  test('with a signature over something else, or too late, is refused; the same twice is one', async () => {
    const other = await sign(altered(typedDataOf(swap.execution), 'message.nonce', '7'))
    expect(await post({ ...posted, signature: other })).toBe('400 INVALID_ORDER')
    expect([await post(posted), await post(posted)]).toEqual(['201', '201'])
    const { body } = await call(`/orders?swapper=${swap.order.sender}`)
    expect(body['orders']).toHaveLength(1)
    bench.clock.advance(300_000)
    expect(await post({ ...posted })).toBe('400 INVALID_ORDER')
  })

  test('to a reactor that is none, or good for more than a day, is refused', async () => {
    bench.faults.set('uniswapx', 'wrong-contract', {}, 1)
    const { quote, permitData, routing } = (await call('/quote', { ...QUOTE, swapper: WALLETS.evm })).body
    const { values: message, ...rest } = permitData as { readonly values: object }
    const signature = await sign({ ...rest, primaryType: 'PermitWitnessTransferFrom', message } as never)
    expect(await post({ signature, quote, routing })).toBe('400 INVALID_ORDER')
    // A clock that was set back by a day, and by what an order lives.
    bench.clock.advance(-24 * 60 * 60_000)
    expect(await post(posted)).toBe('400 INVALID_ORDER')
    bench.clock.advance(300_000)
    expect(await post(posted)).toBe('201')
  })

  test('beyond so many that are open is refused', async () => {
    bench.faults.set('uniswapx', 'never-fills', {}, null)
    for (let i = 0; i < 26; i += 1) {
      const one = await postedOf(await swapOf(bench.venue, byV2()))
      expect(await post(one)).toBe(i < 25 ? '201' : '403 TOO_MANY_OPEN_ORDERS')
    }
  })

  test('is looked up by its id, by one of its words, and in no other way', async () => {
    await post(posted)
    const id = swap.execution.venueRef
    for (const query of [`orderId=${id}`, `orderId=${id}&orderType=Dutch_V2`])
      expect((await call(`/orders?${query}`)).verdict, query).toBe('200')
    const [twice, both] = [`orderIds=${id}&orderIds=${id}`, `orderId=${id}&orderIds=${id}`]
    for (const query of [twice, both, `orderId=${id}&orderType=Dutch_V9`, 'orderId=0x12', ''])
      expect((await call(`/orders?${query}`)).verdict, query).toBe('400 RequestValidationError')
    expect((await call(`/orders?orderId=${id}&orderType=Priority`)).body['orders']).toEqual([])
  })

  test('whose wallet lacks funds waits for them until it expires', async () => {
    bench.network.refusal = 'TRANSFER_FROM_FAILED'
    await post(posted)
    const ref = swap.execution.venueRef ?? ''
    bench.clock.advance(18_000)
    expect(await track(bench.venue, ref, swap)).toMatchObject({ state: 'pending', venueStatus: 'insufficient-funds' })
    bench.network.refusal = null
    bench.clock.advance(12_000)
    expect((await track(bench.venue, ref, swap)).venueStatus).toBe('filled')
    const other = await swapOf(bench.venue, byV2())
    bench.market.setPrice('ETH', 4_400_000_000n)
    await bench.venue.submitter?.submit(other, await signed(other.execution), never())
    bench.clock.advance(301_000)
    expect((await track(bench.venue, other.execution.venueRef ?? '', other)).venueStatus).toBe('expired')
    expect(bench.clock.now()).toBeGreaterThan(START_OF_TIME)
  })
})
