import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import {
  ARB,
  bitcoinOrder,
  keptAnswers,
  NATIVE,
  NATIVE_SOL,
  openBench,
  solOrder,
  spoilt,
  told,
  USDC,
  usdcOrder,
} from './support.ts'

const open = closedAfterEach(openBench)
const answers = keptAnswers()
const USUAL = usdcOrder()

/** Every class of the vendor's errors, and what the status alone means. */
const DOCUMENTED = [
  ['NO_SWAP_ROUTES_FOUND', 400, 'noLiquidity', null],
  ['NO_INTERNAL_SWAP_ROUTES_FOUND', 400, 'noLiquidity', null],
  ['NO_QUOTES', 400, 'noLiquidity', null],
  ['INSUFFICIENT_LIQUIDITY', 400, 'noLiquidity', null],
  ['SWAP_IMPACT_TOO_HIGH', 400, 'noLiquidity', null],
  ['ROUTE_TEMPORARILY_RESTRICTED', 400, 'noLiquidity', null],
  ['SOLANA_TX_TOO_LARGE', 400, 'noLiquidity', null],
  ['DESTINATION_TX_FAILED', 400, 'noLiquidity', null],
  ['UNSUPPORTED_ROUTE', 400, 'unsupportedPair', null],
  ['INVALID_INPUT_CURRENCY', 400, 'unsupportedPair', null],
  ['INVALID_OUTPUT_CURRENCY', 400, 'unsupportedPair', null],
  ['UNSUPPORTED_CURRENCY', 400, 'unsupportedPair', null],
  ['SANCTIONED_CURRENCY', 400, 'unsupportedPair', null],
  ['UNSUPPORTED_CHAIN', 400, 'unsupportedPair', null],
  ['CHAIN_DISABLED', 400, 'unsupportedPair', null],
  ['AMOUNT_TOO_LOW', 400, 'amountTooSmall', null],
  ['AMOUNT_TOO_HIGH', 400, 'amountTooLarge', null],
  ['INVALID_ADDRESS', 400, 'badRequest', null],
  ['SANCTIONED_WALLET_ADDRESS', 400, 'badRequest', null],
  ['PERMIT_FAILED', 400, 'badRequest', null],
  ['INVALID_RECIPIENT', 400, 'badRequest', 'recipient'],
  ['USER_RECIPIENT_MISMATCH', 400, 'badRequest', 'recipient'],
  ['INVALID_SLIPPAGE_TOLERANCE', 400, 'badRequest', 'slippageBps'],
  ['INSUFFICIENT_FUNDS', 400, 'badRequest', 'sender'],
  ['UNSUPPORTED_EXECUTION_TYPE', 400, 'badRequest', null],
  ['EXTRA_TXS_NOT_SUPPORTED', 400, 'badRequest', null],
  ['INVALID_EXTRA_TXS', 400, 'badRequest', null],
  ['INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS', 400, 'badRequest', null],
  ['UNAUTHORIZED', 401, 'unavailable', null],
  ['UNAUTHORIZED_QUOTE', 401, 'unavailable', null],
  ['UNAUTHORIZED', 400, 'unavailable', null],
  ['FORBIDDEN', 403, 'unavailable', null],
  ['SERVICE_UNAVAILABLE', 503, 'unavailable', null],
  ['PRICE_FETCH_FAILED', 503, 'unavailable', null],
  ['REQUEST_TIMED_OUT', 500, 'timeout', null],
  ['RPC_HTTP_ERROR', 500, 'unavailable', null],
  ['SWAP_QUOTE_FAILED', 500, 'unavailable', null],
  ['UNKNOWN_ERROR', 500, 'unavailable', null],
  ['ERC20_ROUTER_ADDRESS_NOT_FOUND', 500, 'unavailable', null],
  // Any code with a 400 is a considered no to this one order, whatever it is called.
  ['A_CODE_OF_NEXT_YEAR', 400, 'noLiquidity', null],
  ['SWAP_QUOTE_FAILED', 400, 'noLiquidity', null],
  ['RPC_HTTP_ERROR', 400, 'noLiquidity', null],
  ['REQUEST_TIMED_OUT', 400, 'noLiquidity', null],
  ['A_CODE_OF_NEXT_YEAR', 422, 'badResponse', null],
  ['A_CODE_OF_NEXT_YEAR', 500, 'unavailable', null],
  ['constructor', 400, 'noLiquidity', null],
  [undefined, 400, 'badResponse', null],
  [undefined, 401, 'unavailable', null],
  [undefined, 429, 'rateLimited', null],
  ['AMOUNT_TOO_LOW', 429, 'rateLimited', null],
  [undefined, 500, 'unavailable', null],
] as const

describe('errors of the API', () => {
  const refusedWith = async (order: VenueOrder, refusal: { status: number; body: unknown }) => {
    const { chains } = await answers(USUAL)
    return refusalOf(canned(relay, ({ path }) => (path === '/chains' ? { body: chains } : refusal)).venue.quote(order, never()))
  }
  test.each(DOCUMENTED)('%s with HTTP %d means %s, party %s', async (errorCode, status, kind, party) => {
    const body = { message: 'words that may change', errorCode }
    for (const order of [usdcOrder(), bitcoinOrder()])
      expect(await refusedWith(order, { status, body })).toMatchObject({ kind, party, minimum: null, maximum: null })
  })
})

const BY_THE_SIMULATOR = [
  ['less than the fees', usdcOrder({ amount: 40_000n }), 'amountTooSmall'],
  ['more than the solver holds', usdcOrder({ amount: 2_000_000_000_000n }), 'noLiquidity'],
  ['a token nobody knows', usdcOrder({ to: [42161, '0x000000000000000000000000000000000000dEaD'] }), 'unsupportedPair'],
  ['a recipient that is a token', usdcOrder({ recipient: addressOf('evm', USDC.arbitrum) }), 'badRequest'],
] as const

test.each(BY_THE_SIMULATOR)('the venue itself refuses %s', async (_name, order, kind) => {
  const bench = await open()
  expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe(kind)
})

test('a halted venue has no liquidity, and recovers', async () => {
  const bench = await open()
  for (const order of [usdcOrder(), bitcoinOrder(), solOrder()]) {
    bench.faults.set('relay', 'halt', {}, 1)
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('noLiquidity')
    await bench.venue.quote(order, never())
  }
})

describe('routes whose calldata nobody could prove are declined, not offered', () => {
  const ARB_ORDER = anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n })

  test('a swap before the deposit is not asked for: the venue says so at once', async () => {
    const bench = await open()
    expect(await refusalOf(bench.venue.quote(ARB_ORDER, never()))).toMatchObject({ kind: 'noLiquidity', isDecline: true })
    expect(bench.sent.at(-1)?.body).toMatchObject({ disableOriginSwaps: true })
  })

  test('a swap before the deposit that is offered all the same', async () => {
    const bench = await open()
    await refusalOf(bench.venue.quote(ARB_ORDER, never()))
    const { disableOriginSwaps: _asked, ...request } = (bench.sent.at(-1)?.body ?? {}) as { disableOriginSwaps?: boolean }
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
    const quote = await (await fetch(`${bench.baseUrl}/quote/v2`, init)).json()
    const chains = await (await fetch(`${bench.baseUrl}/chains`)).json()
    const { venue } = told({ chains, quote, price: null })
    expect(await refusalOf(venue.quote(ARB_ORDER, never()))).toMatchObject({ kind: 'unsupportedPair', isDecline: true })
  })

  const UNPROVABLE = [
    ['a swap outside the settlement protocol', 'protocol', undefined],
    ['an answer without the order', 'protocol.v2.orderData', undefined],
    ['a swap step', 'steps.1.id', 'swap'],
    ['a send step', 'steps.1.id', 'send'],
    ['a signature step', 'steps.0.id', 'authorize1'],
    ['no step that is still to be done', 'steps.1.items.0.status', 'complete'],
  ] as const
  test.each(UNPROVABLE)('%s', async (_name, path, value) => {
    const { venue } = told(spoilt(await answers(USUAL), 'quote', path, value))
    expect((await refusalOf(venue.quote(usdcOrder(), never()))).kind).toBe('unsupportedPair')
  })

  test.each([
    ['one chain', usdcOrder({ to: [8453, NATIVE] })],
    ['Solana alone', solOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana })],
  ])('%s is not even asked for', async (_name, order) => {
    const bench = await open()
    expect((await refusalOf(bench.venue.quote(order, never()))).kind).toBe('unsupportedPair')
    expect(bench.sent).toEqual([])
  })
})

describe('chains as the venue lists them', () => {
  const quoteWith = async (change: (chain: { id: number }) => unknown, order = usdcOrder()) => {
    const proper = await answers(USUAL)
    const listed = (proper.chains as { chains: { id: number }[] }).chains.flatMap((chain) => change(chain) ?? [])
    return told({ ...proper, chains: { chains: listed } })
      .venue.quote(order, never())
      .then(
        () => 'offered',
        (error: { kind: string }) => error.kind,
      )
  }
  const on = (id: number, change: object) => (chain: { id: number }) => (chain.id === id ? { ...chain, ...change } : chain)
  const v2 = (change: object) => ({ protocol: { v2: { chainId: 'base', depository: null, ...change } } })

  test.each([
    ['a disabled origin', on(8453, { disabled: true }), 'unsupportedPair'],
    ['a disabled destination', on(42161, { disabled: true }), 'unsupportedPair'],
    ['a destination that takes nothing', on(42161, { depositEnabled: false }), 'unsupportedPair'],
    ['an origin that is no destination', on(8453, { depositEnabled: false }), 'offered'],
    ['a lagging origin', on(8453, { blockProductionLagging: true }), 'noLiquidity'],
    ['a lagging destination', on(42161, { blockProductionLagging: true }), 'noLiquidity'],
    ['an unlisted chain', (chain: { id: number }) => (chain.id === 8453 ? null : chain), 'unsupportedPair'],
    ['a depository that is not the published one', on(8453, v2({ depository: WALLETS.evmOther })), 'badResponse'],
    ['a depository nobody is to pay', on(42161, v2({ chainId: 'arbitrum', depository: WALLETS.evmOther })), 'offered'],
    ['an origin outside the settlement protocol', on(8453, { protocol: { v2: {} } }), 'unsupportedPair'],
    ['a destination outside the settlement protocol', on(42161, { protocol: {} }), 'unsupportedPair'],
    ['a name that is not the published one', on(8453, v2({ chainId: 'bass' })), 'badResponse'],
    ['a chain that names no depository', on(8453, v2({})), 'offered'],
    ['somebody else’s chain with a strange name', on(10, v2({ chainId: 'base' })), 'offered'],
    ['an origin without any protocol', on(8453, { protocol: null }), 'unsupportedPair'],
    ['an origin whose protocol is of another version', on(8453, { protocol: { v2: null } }), 'unsupportedPair'],
    ['a chain nobody asks for without any protocol', on(10, { protocol: null }), 'offered'],
    ['a chain nobody asks for in another shape', on(10, { disabled: 'no', protocol: 7 }), 'offered'],
    [
      'a chain that is none of ours, in another shape',
      (chain: { id: number }) => (chain.id === 10 ? { id: 'sui', protocol: [] } : chain),
      'offered',
    ],
    ['an entry that is none', (chain: { id: number }) => (chain.id === 10 ? [7] : chain), 'offered'],
    ['an origin in another shape', on(8453, { disabled: 'no' }), 'badResponse'],
    ['a destination in another shape', on(42161, { protocol: 7 }), 'badResponse'],
  ] as const)('%s: %s', async (_name, change, outcome) => {
    expect(await quoteWith(change)).toBe(outcome)
  })

  test('a chain whose orders have no name there cannot be proved', async () => {
    const nameless = on(792703809, { protocol: { v2: { chainId: null, depository: null } } })
    const order = usdcOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })
    expect(await quoteWith(nameless, order)).toBe('unsupportedPair')
  })
})
