import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { altered } from '../../support/venueKit/calls.ts'
import { type Fields, speakTo } from '../../support/venueKit/speak.ts'
import { readCall } from './routerAbi.ts'
import { BUILD, openBench, ROUTER, ROUTES, STRANGER } from './support.ts'

/** The simulated venue by itself: it must be at least as strict as the real one is documented to be. */

let bench: VenueBench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const NAMED = { 'x-client-id': 'test' }
const KEYED = { ...NAMED, 'x-api-key': 'kyber-key-1234' }
const call = (path: string, what: Parameters<typeof speakTo>[2] = {}) => speakTo(bench, path, { headers: NAMED, ...what })
const GOOD = { tokenIn: USDC.ethereum, tokenOut: WETH_ETHEREUM, amountIn: '1000000000' }
const ask = (change: Fields = {}, path = ROUTES) => call(path, { query: { ...GOOD, ...change } })
const FEE = { feeAmount: '15', chargeFeeBy: 'currency_out', isInBps: 'true', feeReceiver: STRANGER }

describe('a question for a route', () => {
  test.each([
    ['a malformed address', { tokenIn: '0x1234' }, 4000],
    ['a token it does not know', { tokenOut: STRANGER }, 4011],
    ['equal tokens', { tokenOut: USDC.ethereum.toLowerCase() }, 4000],
    ['no amount', { amountIn: null }, 4000],
    ['an amount of nothing', { amountIn: '0' }, 4000],
    ['a hexadecimal amount', { amountIn: '0x10' }, 4000],
    ['an amount with an exponent', { amountIn: '1e9' }, 4000],
    ['no boolean', { gasInclude: 'yes' }, 4001],
    ['a boolean in capitals', { excludeRFQSources: 'TRUE' }, 4001],
    ['a fee for nobody', { ...FEE, feeReceiver: null }, 4000],
    ['a fee of one for two', { ...FEE, feeReceiver: `${STRANGER},${STRANGER}` }, 4000],
    ['a fee that is no share and no amount', { ...FEE, isInBps: null }, 4000],
    ['a share of nothing', { isInBps: 'true' }, 4000],
    ['a fee of all', { ...FEE, feeAmount: '10000' }, 4007],
    ['a fee of all the input', { ...FEE, feeAmount: '10000', chargeFeeBy: 'currency_in' }, 4005],
    ['a fee of more than the input', { ...FEE, feeAmount: '1000000001', isInBps: 'false', chargeFeeBy: 'currency_in' }, 4005],
    ['a fee of the input', { ...FEE, chargeFeeBy: 'currency_in' }, 4000],
    ['a fee of nonsense', { ...FEE, feeAmount: '-1' }, 4000],
    ['a parameter nobody documents', { slippage: '1' }, 4000],
    ['too much', { amountIn: '9'.repeat(13) }, 4008],
    ['far too much', { amountIn: '9'.repeat(30) }, 4009],
  ])('with %s is refused', async (_name, change, code) => {
    expect(await ask(change)).toMatchObject({ status: 400, body: { code, requestId: expect.any(String) } })
  })

  test('of a chain it does not know, or a path it has not, is not found', async () => {
    for (const path of ['/world/api/v1/routes', '/ethereum/api/v2/routes', '/', '/swap/world/api/v1/routes'])
      expect((await call(`${path}?x=1`, { headers: KEYED })).status).toBe(404)
    expect((await call('/world/api/v1/routes')).body).toEqual({ message: 'Not Found', path: '/world/api/v1/routes' })
    expect((await call(ROUTES, { body: {} })).status).toBe(404)
  })

  test('at the gateway needs a key, and in nobody’s name has to wait for a second', async () => {
    expect((await ask({}, `/swap${ROUTES}`)).status).toBe(401)
    expect((await call(`/swap${ROUTES}`, { query: GOOD, headers: KEYED })).status).toBe(200)
    const statuses: number[] = []
    for (let i = 0; i < 2; i += 1) statuses.push((await call(ROUTES, { query: GOOD, headers: {} })).status)
    bench.clock.advance(1_000)
    statuses.push((await call(ROUTES, { query: GOOD, headers: {} })).status)
    expect(statuses).toEqual([200, 429, 200])
  })

  test('with two fees tells the output net of both', async () => {
    const amountOf = async (change: Parameters<typeof ask>[0]) => {
      const { body } = await ask(change)
      return BigInt((body as { data: { routeSummary: { amountOut: string } } }).data.routeSummary.amountOut)
    }
    const gross = await amountOf({})
    const fees = { ...FEE, feeAmount: '15,30', feeReceiver: `${STRANGER},${WALLETS.evm}` }
    expect(await amountOf(fees)).toBe(gross - (gross * 15n) / 10_000n - (gross * 30n) / 10_000n)
  })
})

describe('a question to build', () => {
  const route = async (change: Parameters<typeof ask>[0] = {}) => {
    const { body } = await ask(change)
    return (body as { data: { routeSummary: Fields } }).data.routeSummary
  }
  const build = (body: Fields, path = BUILD) => call(path, { body })
  const WISH = { sender: WALLETS.evm, recipient: WALLETS.evmOther }

  test('is answered with a call that insists on the least, to the unit; without a tolerance on all', async () => {
    const routeSummary = await route()
    for (const slippageTolerance of [undefined, 0, 50, 12.5, 2_000]) {
      const { body } = await build({ ...WISH, routeSummary, slippageTolerance })
      const { data, amountOut, routerAddress, transactionValue } = body['data'] as { readonly [field: string]: string }
      expect([routerAddress, transactionValue, amountOut]).toEqual([ROUTER, '0', routeSummary['amountOut']])
      const { minReturnAmount } = readCall(data ?? '').desc
      const scaled = BigInt((10_000 - (slippageTolerance ?? 0)) * 10)
      expect(minReturnAmount).toBe((BigInt(amountOut ?? '') * scaled) / 100_000n)
    }
    const ofCoins = await route({ tokenIn: NATIVE, tokenOut: USDC.ethereum, amountIn: '1000000000000000' })
    const coins = await build({ ...WISH, routeSummary: ofCoins })
    expect(coins.body).toMatchObject({ data: { transactionValue: '1000000000000000' } })
  })

  test('of a summary that differs in any field from what was answered is refused', async () => {
    const summary = await route(FEE)
    const others = [
      ...Object.keys(summary).map((field) => altered(summary, field, undefined)),
      ...Object.keys(summary).map((field) => altered(summary, field, 'other')),
      altered(summary, 'extraFee.feeReceiver', WALLETS.evm.toLowerCase()),
      altered(summary, 'extraFee.feeAmount', '1'),
      altered(summary, 'route.0.0.pool', STRANGER),
      { ...summary, more: true },
    ]
    for (const routeSummary of others)
      expect(await build({ ...WISH, routeSummary })).toMatchObject({ status: 400, body: { code: 4000 } })
    expect((await build({ ...WISH, routeSummary: summary }, BUILD.replace('ethereum', 'base'))).status).toBe(400)
  })

  test.each<[string, Fields, number]>([
    ['no sender', { sender: undefined }, 4000],
    ['no recipient', { recipient: undefined }, 4000],
    ['a recipient that is none', { recipient: '0x12' }, 4000],
    ['too much slippage', { slippageTolerance: 2_001 }, 4000],
    ['slippage as a text', { slippageTolerance: '50' }, 4000],
    ['a deadline that is past', { deadline: 1 }, 4000],
    ['a field nobody documents', { gas: 1 }, 4000],
  ])('with %s is refused', async (_name, change, code) => {
    expect(await build({ ...WISH, routeSummary: await route(), ...change })).toMatchObject({ status: 400, body: { code } })
  })

  test('with more slippage is answered where it is said to be meant', async () => {
    const wish = { ...WISH, routeSummary: await route(), slippageTolerance: 5_000, ignoreCappedSlippage: true }
    expect((await build(wish)).status).toBe(200)
  })

  test('without a body, a minute later, or with a gas estimate and no funds', async () => {
    expect(await call(BUILD, { body: [] })).toMatchObject({ status: 400, body: { code: 4002 } })
    const routeSummary = await route()
    // This bench has no chain to run the call on.
    const estimated = await build({ ...WISH, routeSummary, enableGasEstimation: true })
    expect(estimated).toMatchObject({ status: 422, body: { code: 4227 } })
    bench.clock.advance(60_001)
    expect(await build({ ...WISH, routeSummary })).toMatchObject({ status: 422, body: { code: 4222 } })
  })
})

test('a transaction of another contract, and a payment, are none of its business', () => {
  const other = { chainId: 1, from: WALLETS.evm, to: STRANGER, data: '0x', value: 0n, txHash: '0x1' }
  expect(bench.sim.onTransaction(other)).toBe(false)
  expect(bench.sim.onDeposit({ chainId: 1, token: NATIVE, address: ROUTER, amount: 1n, txHash: '0x1' })).toBe(false)
})
