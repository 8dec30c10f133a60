import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { depositOf, never, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import {
  API_KEY,
  DEPOSITORY,
  FEE_RECIPIENT,
  LINEA_DEPOSITORY,
  openBench,
  orders,
  SOLANA_PROGRAM,
  told,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)

const quoted = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}) => {
  const bench = await open(options)
  const offer = await bench.venue.quote(order, never())
  return { bench, offer, asked: bench.sent.at(-1)?.body as { readonly [field: string]: unknown } }
}

test.each<[string, VenueOrder, object]>([
  [
    // 250 USDC less $0.024 flat, 1 bps and 2 millionths; 200 bps of slippage.
    'tokens between EVM chains, at the default slippage of Relay',
    orders.usdc(),
    {
      venue: 'relay',
      executionType: 'TRANSACTION',
      outputAmount: 249_950_500n,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: 248_700_747n },
      gasUnits: 78_000n,
      spender: DEPOSITORY,
      nativeFee: 0n,
      estimatedTimeSeconds: 2,
      expiresAt: START_OF_TIME + 30_000,
      decimals: { input: 6, output: 6 },
      carry: { v: 1 },
    },
  ],
  ['a native coin', orders.ether(), { spender: null, gasUnits: 42_000n, decimals: { input: 18, output: 18 } }],
  ['SOL', orders.sol(), { executionType: 'TRANSACTION', spender: null, gasUnits: null }],
  [
    'Bitcoin',
    orders.bitcoin({ slippageBps: 100, feeBps: 30 }),
    {
      executionType: 'DEPOSIT',
      outputAmount: 976_684_944n,
      fee: { bps: 30, amount: (976_684_944n * 30n) / 9_970n },
      slippage: { isFirm: true, guaranteedMin: 966_918_094n },
      estimatedTimeSeconds: 900,
      decimals: { input: 8, output: 6 },
    },
  ],
  // Wrapped SOL is another currency there.
  ['into SOL', orders.usdc({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }), { decimals: { input: 6, output: 9 } }],
])('quote: the Relay offer is exact, without chain reads: %s', async (_name, order, offer) => {
  const { bench, ...quote } = await quoted(order, { settings: WITH_FEE })
  expect(quote.offer).toMatchObject(offer)
  expect(bench.chains.calls).toEqual([])
})

/** All that is sent of a swap of tokens stands in the vendor's example, which `vectors` holds it to. */
describe('quote: Bitcoin as the input of Relay', () => {
  test('opens no address for a price, and one address per order at execute', async () => {
    const { venue, sent } = await open({ settings: WITH_FEE })
    await swapOf(venue, orders.bitcoin({ feeBps: 30 }))
    const price = {
      user: WALLETS.bitcoin,
      recipient: WALLETS.evmOther,
      originChainId: 8253038,
      destinationChainId: 8453,
      originCurrency: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8',
      destinationCurrency: USDC.base,
      amount: '1000000',
      tradeType: 'EXACT_INPUT',
      slippageTolerance: '50',
      refundTo: WALLETS.bitcoin,
      appFees: [{ recipient: FEE_RECIPIENT, fee: '30' }],
      useDepositAddress: true,
    }
    expect(sent.map(({ path, body }) => [path, body])).toEqual([
      ['/chains', undefined],
      ['/price', price],
      ['/quote/v2', { ...price, disableOriginSwaps: true, strict: true }],
    ])
  })

  test.each([100_000n, 500_000n, 1_000_000n])('is quoted for %d satoshi at the price of its deposit address', async (amount) => {
    const { offer, execution } = await swapOf((await open()).venue, orders.bitcoin({ amount, slippageBps: 100 }))
    expect([offer.outputAmount, offer.slippage]).toEqual([execution.outputAmount, execution.slippage])
    expect(execution.venueRef).toBe(depositOf(execution).address)
  })
})

test('quote: reports no fee that is not taken: none without a recipient, none when the answer omits it', async () => {
  const order = orders.usdc({ feeBps: 15 })
  const { bench, offer, asked } = await quoted(order)
  expect(offer.fee).toEqual({ bps: 0, amount: 0n })
  expect(asked).not.toHaveProperty('appFees')
  const without = ({ fees, ...quote }: { fees: object }) => ({ ...quote, fees: { ...fees, app: undefined } })
  const { venue } = told(bench, { changes: { '/quote/v2': without }, settings: WITH_FEE })
  expect((await venue.quote(order, never())).fee).toEqual({ bps: 0, amount: 0n })
})

test.each([orders.usdc(), orders.bitcoin()])(
  'quote: an API key is sent with every call, and a referrer only with it',
  async (order) => {
    const settings = { REFERRER: 'acme' }
    const { bench, asked } = await quoted(order, { settings, apiKey: API_KEY })
    expect(asked).toMatchObject({ referrer: 'acme' })
    expect(bench.sent.map(({ headers }) => headers['x-api-key'])).toEqual([API_KEY, API_KEY])
    expect((await quoted(order)).bench.sent[0]?.headers).not.toHaveProperty('x-api-key')
    const refusal = await refusalOf(quoted(order, { settings }))
    expect(refusal).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('UNAUTHORIZED_QUOTE') })
  },
)

test('quote: reads the list of chains once a minute, shared by all callers', async () => {
  const { venue, sent, clock } = await open()
  const lists = () => sent.filter(({ path }) => path === '/chains').length
  await Promise.all([orders.usdc(), orders.ether(), orders.sol()].map((order) => venue.quote(order, never())))
  clock.advance(59_999)
  await venue.quote(orders.usdc(), never())
  expect(lists()).toBe(1)
  clock.advance(1)
  await venue.quote(orders.usdc(), never())
  expect(lists()).toBe(2)
})

describe('quote: a wallet without funds on Relay', () => {
  /** The venue, telling everybody but one that the coins are not there; and in whose name it was asked for a quote. */
  const poorBut = async (rich: string) => {
    const poor = { status: 400, body: { message: 'not enough', errorCode: 'INSUFFICIENT_FUNDS' } }
    const userOf = (body: unknown) => (body as { readonly user: string }).user
    const { venue, asked } = told(await open(), {
      instead: ({ path, body }) => (path === '/quote/v2' && userOf(body) !== rich ? poor : null),
    })
    return { venue, asked, users: () => asked.filter(({ path }) => path === '/quote/v2').map(({ body }) => userOf(body)) }
  }

  test('gets a price for a placeholder wallet, which cannot be executed', async () => {
    const order = orders.usdc()
    const standIn = addressOf('evm', '0x000000000000000000000000000000000000dEaD')
    const { venue, users } = await poorBut(standIn)
    const offer = await venue.quote(order, never())
    expect([offer.outputAmount, users()]).toEqual([249_950_500n, [WALLETS.evm, standIn]])
    const refusal = await refusalOf(venue.execute({ order, offer }, order, never()))
    expect(refusal).toMatchObject({ kind: 'badRequest', party: 'sender' })
  })

  test('of Bitcoin gets a deposit address for a placeholder, with the requested recipient and refund address', async () => {
    const order = orders.bitcoin()
    const standIn = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'
    const { venue, users, asked } = await poorBut(standIn)
    const swap = await swapOf(venue, order)
    expect(users()).toEqual([WALLETS.bitcoin, standIn])
    expect(asked.at(-1)?.body).toMatchObject({ refundTo: order.refundTo, recipient: order.recipient, strict: true })
    expect(await prove(venue, swap)).toEqual([])
  })
})

test('the profile of Relay lists exactly its depositories as callable contracts', async () => {
  const { '59144': linea, '-2': solana, ...others } = (await open()).venue.profile.contracts
  expect([linea, solana]).toEqual([[LINEA_DEPOSITORY], [SOLANA_PROGRAM]])
  const evm = [1, 10, 56, 130, 137, 143, 324, 480, 999, 4663, 8453, 42161, 43114]
  expect(others).toEqual(Object.fromEntries(evm.map((chainId) => [chainId, [DEPOSITORY]])))
})
