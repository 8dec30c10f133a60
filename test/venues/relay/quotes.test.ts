import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { DEPOSITORY, FEE_RECIPIENT, NATIVE, NATIVE_SOL, orders, RECIPIENT_BTC, USDC } from './orders.ts'
import { API_KEY, openBench, poorBut, properAnswers, told, WITH_FEE, WITH_REFERRER } from './support.ts'

const open = closedAfterEach(openBench)

const quoted = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = {}) => {
  const bench = await open(options)
  const offer = await bench.venue.quote(order, never())
  return { bench, offer, asked: bench.sent.at(-1)?.body as { readonly [field: string]: unknown } }
}

describe('an offer to the unit', () => {
  test('tokens between EVM chains, at the venue’s own slippage', async () => {
    // 250 USDC less $0.024 flat, 1 bps and 2 millionths; 200 bps of slippage.
    expect((await quoted(orders.usdc())).offer).toEqual({
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
    })
  })

  test('a native coin needs no allowance', async () => {
    const { offer } = await quoted(orders.ether())
    expect(offer).toMatchObject({ spender: null, gasUnits: 42_000n, decimals: { input: 18, output: 18 } })
  })

  test('Solana: no gas units, no spender, nothing read but what the transaction is made of', async () => {
    const { bench, offer } = await quoted(orders.sol())
    expect(offer).toMatchObject({ executionType: 'TRANSACTION', spender: null, gasUnits: null })
    expect(bench.chains.calls).toEqual([])
  })

  test.each([100_000n, 500_000n, 1_000_000n])('%d satoshi are quoted at what their address is opened for', async (amount) => {
    const { venue, sent } = await open()
    const { offer, execution } = await swapOf(venue, orders.bitcoin({ amount, slippageBps: 100 }))
    expect([offer.outputAmount, offer.slippage]).toEqual([execution.outputAmount, execution.slippage])
    // One address, opened by the execution: a price opens none.
    expect(sent.map(({ path }) => path)).toEqual(['/chains', '/price', '/quote/v2'])
  })

  test('Bitcoin: a deposit, at the price alone', async () => {
    const { offer } = await quoted(orders.bitcoin({ slippageBps: 100, feeBps: 30 }), { settings: WITH_FEE })
    expect(offer).toMatchObject({
      executionType: 'DEPOSIT',
      outputAmount: 976_684_944n,
      fee: { bps: 30, amount: (976_684_944n * 30n) / 9_970n },
      slippage: { isFirm: true, guaranteedMin: 966_918_094n },
      estimatedTimeSeconds: 900,
      decimals: { input: 8, output: 6 },
    })
  })

  test('no fee is reported that nobody takes: without a recipient none is asked for, and one left out without a word is none', async () => {
    const order = orders.usdc({ feeBps: 15 })
    const { offer, asked } = await quoted(order)
    expect(offer.fee).toEqual({ bps: 0, amount: 0n })
    expect(asked).not.toHaveProperty('appFees')
    const { venue } = told(await properAnswers(order), { settings: WITH_FEE })
    expect((await venue.quote(order, never())).fee).toEqual({ bps: 0, amount: 0n })
  })
})

/** All that is sent of a swap of tokens stands in the vendor's example, which `vectors` holds it to. */
describe('what is sent', () => {
  test('native coins by the names Relay has for them, with the tolerance that was decided on', async () => {
    const { asked } = await quoted(orders.sol({ to: [8453, NATIVE] }))
    expect(asked).toMatchObject({
      user: WALLETS.solana,
      originChainId: 792703809,
      originCurrency: '11111111111111111111111111111111',
      destinationCurrency: '0x0000000000000000000000000000000000000000',
      refundTo: WALLETS.solana,
      slippageTolerance: '50',
    })
  })

  test('Bitcoin is asked for a price, which opens no address', async () => {
    const { bench, asked } = await quoted(orders.bitcoin({ feeBps: 30 }), { settings: WITH_FEE })
    expect(bench.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /chains', 'POST /price'])
    expect(asked).toEqual({
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
    })
  })

  test.each([orders.usdc(), orders.bitcoin()])(
    'a referrer goes with what is asked, beside the key without which it is refused',
    async (order) => {
      const { asked } = await quoted(order, { settings: WITH_REFERRER, apiKey: API_KEY })
      expect(asked).toMatchObject({ referrer: 'acme' })
      const refusal = await refusalOf(quoted(order, { settings: WITH_REFERRER }))
      expect(refusal).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('UNAUTHORIZED_QUOTE') })
    },
  )

  test.each([{ apiKey: API_KEY }, {}])('a key goes with every call, and none without one: %j', async (options) => {
    const { bench } = await quoted(orders.usdc(), options)
    expect(bench.sent.map(({ headers }) => headers['x-api-key'])).toEqual([options.apiKey, options.apiKey])
  })

  test('the list of chains is asked for once a minute, and by one caller for all', async () => {
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
})

test('a wallet that cannot pay yet gets a price in the name of another, and no more than a price', async () => {
  const order = orders.usdc()
  const standIn = addressOf('evm', '0x000000000000000000000000000000000000dEaD')
  const answers = await properAnswers(orders.usdc({ sender: standIn, refundTo: order.refundTo }))
  const { venue, asked } = poorBut(standIn, answers)
  const offer = await venue.quote(order, never())
  expect(offer.outputAmount).toBe(249_950_500n)
  expect(asked.slice(1).map(({ body }) => (body as { user: string }).user)).toEqual([WALLETS.evm, standIn])
  const refusal = await refusalOf(venue.execute({ order, offer }, order, never()))
  expect(refusal).toMatchObject({ kind: 'badRequest', party: 'sender' })
})

test.each([
  ['one chain to another', orders.usdc(), true],
  ['Solana', orders.solanaUsdc(), true],
  ['Bitcoin', orders.bitcoin(), true],
  ['to Bitcoin', orders.usdc({ to: [-1, NATIVE], recipient: RECIPIENT_BTC }), true],
  ['to Monad', orders.ether({ to: [143, NATIVE] }), true],
  ['from Monad, where no depository is published', orders.ether({ from: [143, NATIVE], amount: 10n ** 20n }), true],
  ['from Robinhood Chain', orders.ether({ from: [4663, NATIVE] }), true],
  ['one chain only', orders.usdc({ to: [8453, NATIVE] }), false],
  ['Solana only', orders.sol({ to: [-2, USDC.solana], recipient: WALLETS.solana }), false],
])('serves %s, or does not even ask: %o', async (_name, order, isServed) => {
  const { venue, sent } = await open()
  expect(venue.profile.serves(order)).toBe(isServed)
  if (isServed) return void (await venue.quote(order, never()))
  expect((await refusalOf(venue.quote(order, never()))).kind).toBe('unsupportedPair')
  expect(sent).toEqual([])
})

test('publishes its depositories, and nothing else, as what a wallet may call', async () => {
  const { contracts } = (await open()).venue.profile
  expect(contracts[8453]).toEqual([DEPOSITORY])
  expect(contracts[59144]).toEqual(['0x59916DA825D2D2eC1BF878D71c88826F6633ecca'])
  expect(contracts[-2]).toEqual(['99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'])
  expect([contracts[143], contracts[4663], contracts[-1]]).toEqual([[DEPOSITORY], [DEPOSITORY], undefined])
  expect(Object.keys(contracts)).toHaveLength(15)
})

test('SOL and wrapped SOL are not the same there, and ours is SOL', async () => {
  const { offer, asked } = await quoted(orders.usdc({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }))
  expect(offer.decimals.output).toBe(9)
  expect(asked).toMatchObject({ destinationCurrency: '11111111111111111111111111111111' })
})

test.each(['FEE_RECIPIENT', 'SOLVER'])('%s is an address, and a mistyped one is told before anything starts', (name) => {
  const { pattern } = relay.settings.find((setting) => setting.name === name) ?? { pattern: /^$/ }
  for (const right of [FEE_RECIPIENT, FEE_RECIPIENT.toLowerCase()]) expect(pattern.test(right)).toBe(true)
  for (const wrong of ['', FEE_RECIPIENT.replace('C51812dc', 'c51812dc'), `${FEE_RECIPIENT}00`, WALLETS.solana])
    expect(pattern.test(wrong), wrong).toBe(false)
})
