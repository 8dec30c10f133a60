import { describe, expect, test } from 'vitest'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import planted from './planted.json' with { type: 'json' }
import { ARB, NATIVE, openBench, properAnswer, told, USDC, usdcOrder } from './support.ts'

const open = closedAfterEach(openBench)

const NOT_SOLD = { kind: 'unsupportedPair', reason: 'notSold' }

const NATIVE_SOL = 'So11111111111111111111111111111111111111112'

const apiError = (code: string | null, { status = 400, param }: { status?: number; param?: string } = {}) => ({
  status,
  body: { type: 'AcrossApiError', code: code ?? undefined, status, message: 'words that may change', param, id: 'iad1::x' },
})

/** The meaning by `param` and HTTP status; the codes themselves: test/venues/refusals.test.ts. */
type Refusal = [code: string | null, options: { status?: number; param?: string }, kind: string, party: string | null]

test.each<Refusal>([
  ['AMOUNT_TOO_LOW', {}, 'amountTooSmall', null],
  ['SIMULATION_ERROR', {}, 'noLiquidity', null],
  ['INVALID_PARAM', { param: 'originChainId' }, 'unsupportedPair', null],
  ['INVALID_PARAM', { param: 'destinationChainId' }, 'unsupportedPair', null],
  ['INVALID_PARAM', { param: 'outputToken' }, 'unsupportedPair', null],
  ['INVALID_PARAM', { param: 'relayer' }, 'noLiquidity', null],
  ['INVALID_PARAM', { param: 'recipient' }, 'badRequest', 'recipient'],
  ['INVALID_PARAM', { param: 'depositor' }, 'badRequest', 'sender'],
  ['INVALID_PARAM', { param: 'refundAddress' }, 'badRequest', 'refundTo'],
  ['INVALID_PARAM', { param: 'amount' }, 'badRequest', null],
  ['SWAP_SLIPPAGE_INSUFFICIENT', { param: 'slippage' }, 'badRequest', 'slippageBps'],
  ['UNEXPECTED_ERROR', { status: 500 }, 'unavailable', null],
  ['A_CODE_OF_NEXT_YEAR', { status: 400 }, 'noLiquidity', null],
  ['A_CODE_OF_NEXT_YEAR', { status: 500 }, 'unavailable', null],
  [null, { status: 404 }, 'unsupportedPair', null],
  [null, { status: 401 }, 'unavailable', null],
  [null, { status: 403 }, 'unavailable', null],
  [null, { status: 429 }, 'rateLimited', null],
  [null, { status: 400 }, 'badResponse', null],
])('error code %s %o becomes %s, party %s', async (code, options, kind, party) => {
  const broken = told(() => apiError(code, options))
  const refusal = await refusalOf(broken.venue.quote(usdcOrder(), never()))
  expect(refusal).toMatchObject({ kind, party, minimum: null, maximum: null })
})

describe('execute: a simulation failure of Across', () => {
  const failing = (from?: string) => ({
    status: 400,
    body: { ...apiError('SIMULATION_ERROR').body, ...(from === undefined ? {} : { transaction: { from } }) },
  })
  const RELAYER = '0x07aE8551Be970cB1cCa11Dd7a11F47Ae82e70E67'
  const order = usdcOrder()
  test.each([
    ['of the sender is badRequest of the sender', order.sender.toLowerCase(), 'badRequest', 'sender'],
    ['without an address is badRequest of the sender', undefined, 'badRequest', 'sender'],
    ['of the relayer on the destination chain is noLiquidity', RELAYER, 'noLiquidity', null],
  ] as const)('%s', async (_name, from, kind, party) => {
    const proper = await properAnswer(order)
    const broken = told(({ query }) => (query.get('skipOriginTxEstimation') === 'true' ? { body: proper } : failing(from)))
    const offer = await broken.venue.quote(order, never())
    const refusal = await refusalOf(broken.venue.execute({ order, offer }, order, never()))
    expect(refusal).toMatchObject({ kind, party })
  })
})

test('quote: an HTML error page is classified by its HTTP status', async () => {
  const broken = told(() => ({ status: 404, body: '<html>not here</html>' }))
  expect((await refusalOf(broken.venue.quote(usdcOrder(), never()))).kind).toBe('badResponse')
})

const BY_THE_SIMULATOR = [
  ['less than the relayers cost', usdcOrder({ amount: 50_000n }), 'amountTooSmall'],
  ['more than the pools hold', usdcOrder({ amount: 5_000_000_000_000n }), 'amountTooLarge'],
  ['an unknown token', usdcOrder({ to: [42161, '0x000000000000000000000000000000000000dEaD'] }), 'unsupportedPair'],
  ['a swap on the way out of a Solana route', usdcOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }), 'unsupportedPair'],
  [
    'a slippage no exchange can keep',
    anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps: 1 }),
    'badRequest',
  ],
  [
    'a pair without a bridged token',
    anOrder({ from: [999, NATIVE], to: [8453, USDC.base], amount: 10n ** 18n }),
    'unsupportedPair',
  ],
] as const

test.each(BY_THE_SIMULATOR)('quote: the simulated venue declines %s', async (_name, order, kind) => {
  const bench = await open()
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe(kind)
})

test('quote: a halted venue reports noLiquidity, and recovers', async () => {
  const bench = await open()
  bench.faults.set('across', 'halt', {}, 1)
  expect((await refusalOf(bench.venue.quote(usdcOrder(), never()))).kind).toBe('noLiquidity')
  await bench.venue.quote(usdcOrder(), never())
})

describe('quote: a route without provable calldata is not sold', () => {
  test('an exchange on the destination chain', async () => {
    const bench = await open()
    const order = anOrder({ from: [8453, USDC.base], to: [42161, ARB], amount: 250_000_000n })
    expect(await refusalOf(bench.venue.quote(order, never()))).toMatchObject(NOT_SOLD)
  })
  test.each(['bridgeableToAny', 'anyToAny', 'bridgeableToBridgeableIndirect'])('crossSwapType %s', async (crossSwapType) => {
    const answer = altered(await properAnswer(usdcOrder()), 'crossSwapType', crossSwapType)
    const broken = told(() => ({ body: answer }))
    expect(await refusalOf(broken.venue.quote(usdcOrder(), never()))).toMatchObject(NOT_SOLD)
  })
  test.each(planted)('but an unknown %s in it is rejected', async (check, path, known, unknown) => {
    const answering = toldBy((await open()).sim)
    const { venue } = told(async (asked) => {
      const { body } = await answering(asked)
      return { body: altered(body, path, (text: string) => text.replaceAll(new RegExp(known, 'gi'), unknown)) }
    })
    expect(await refusalOf(venue.quote(usdcOrder({ to: [42161, ARB] }), never()))).toMatchObject({
      kind: 'rejected',
      check,
    })
  })
  test('an exchange on Solana', async () => {
    const order = usdcOrder({ from: [-2, USDC.solana], recipient: WALLETS.evmOther })
    const answer = altered(await properAnswer(order), 'crossSwapType', 'anyToBridgeable')
    const broken = told(() => ({ body: answer }))
    expect(await refusalOf(broken.venue.quote(order, never()))).toMatchObject(NOT_SOLD)
  })
})

describe('quote: a refund to another address than the sender is declined, naming refundTo', () => {
  test('from Solana', async () => {
    const bench = await open()
    const refundTo = 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru' as typeof WALLETS.solana
    const order = usdcOrder({ from: [-2, USDC.solana], recipient: WALLETS.evmOther, refundTo })
    expect(await refusalOf(bench.venue.quote(order, never()))).toMatchObject({ kind: 'badRequest', party: 'refundTo' })
  })
  test('through the old periphery', async () => {
    const order = anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, refundTo: WALLETS.evmOther })
    const proper = await properAnswer(order)
    const data = `0x656a20e6${'00'.repeat(32 * 13)}`
    const broken = told(() => ({ body: altered(proper, 'swapTx.data', data) }))
    expect(await refusalOf(broken.venue.quote(order, never()))).toMatchObject({ kind: 'badRequest', party: 'refundTo' })
  })
})
