import { afterEach, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { isExecutable } from '../../../engine/quoting/executable.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import {
  API_KEY,
  ARB,
  bitcoinOrder,
  DEPOSITORY,
  etherOrder,
  FEE_RECIPIENT,
  NATIVE,
  NATIVE_SOL,
  openBench,
  properAnswers,
  RECIPIENT_BTC,
  type RelayBench,
  solanaUsdcOrder,
  solOrder,
  USDC,
  usdcOrder,
  WITH_FEE,
  WITH_REFERRER,
} from './support.ts'

let bench: RelayBench
afterEach(() => bench?.close())

const quoteOf = async (order: Parameters<RelayBench['venue']['quote']>[0], settings = {}) => {
  bench = await openBench({ settings })
  return bench.venue.quote(order, never())
}

describe('an offer to the unit', () => {
  test('tokens between EVM chains, at the venue’s own slippage', async () => {
    // 250 USDC less $0.024 flat, 1 bps and 2 millionths; 200 bps of slippage.
    expect(await quoteOf(usdcOrder())).toEqual({
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

  test('with the integrator fee, taken from the input, and the caller’s slippage', async () => {
    const offer = await quoteOf(usdcOrder({ feeBps: 15, slippageBps: 50 }), WITH_FEE)
    expect(offer).toMatchObject({
      outputAmount: 249_575_500n,
      fee: { bps: 15, amount: (249_575_500n * 15n) / 9_985n },
      slippage: { isFirm: true, guaranteedMin: 248_327_622n },
    })
  })

  test('a native coin needs no allowance', async () => {
    expect(await quoteOf(etherOrder())).toMatchObject({ spender: null, gasUnits: 42_000n, decimals: { input: 18, output: 18 } })
  })

  test('Solana: no gas units, no spender, nothing read but what the transaction is made of', async () => {
    expect(await quoteOf(solOrder())).toMatchObject({ executionType: 'TRANSACTION', spender: null, gasUnits: null })
    expect(bench.chains.calls).toEqual([])
  })

  test.each([100_000n, 500_000n, 1_000_000n])('%d satoshi are quoted at what their address is opened for', async (amount) => {
    const order = bitcoinOrder({ amount, slippageBps: 100 })
    bench = await openBench()
    const { offer, execution } = await swapOf(bench.venue, order)
    expect({ out: offer.outputAmount, least: offer.slippage?.guaranteedMin }).toEqual({
      out: execution.outputAmount,
      least: execution.slippage?.guaranteedMin,
    })
    // One address, opened by the execution: a price opens none.
    expect(bench.sent.map(({ path }) => path)).toEqual(['/chains', '/price', '/quote/v2'])
  })

  test('Bitcoin: a deposit, at the price alone', async () => {
    expect(await quoteOf(bitcoinOrder({ slippageBps: 100, feeBps: 30 }), WITH_FEE)).toMatchObject({
      executionType: 'DEPOSIT',
      outputAmount: 976_684_944n,
      fee: { bps: 30, amount: (976_684_944n * 30n) / 9_970n },
      slippage: { isFirm: true, guaranteedMin: 966_918_094n },
      estimatedTimeSeconds: 900,
      decimals: { input: 8, output: 6 },
    })
  })

  test('without a recipient of fees none is asked for, and none is reported', async () => {
    expect((await quoteOf(usdcOrder({ feeBps: 15 }))).fee).toEqual({ bps: 0, amount: 0n })
    expect(bench.sent[1]?.body).not.toHaveProperty('appFees')
  })

  test('a fee the venue leaves out without a word is none', async () => {
    const order = usdcOrder({ feeBps: 15 })
    const { chains, quote } = await properAnswers(order)
    const broken = canned(relay, ({ path }) => ({ body: path === '/chains' ? chains : quote }), { settings: WITH_FEE })
    expect((await broken.venue.quote(order, never())).fee).toEqual({ bps: 0, amount: 0n })
  })
})

describe('what is sent', () => {
  const asked = () => bench.sent.map(({ method, path }) => `${method} ${path}`)

  test('tokens: everything, and nothing more', async () => {
    await quoteOf(usdcOrder({ feeBps: 15, slippageBps: 50 }), WITH_FEE)
    expect(asked()).toEqual(['GET /chains', 'POST /quote/v2'])
    expect(bench.sent[1]?.body).toEqual({
      user: WALLETS.evm,
      recipient: WALLETS.evmOther,
      originChainId: 8453,
      destinationChainId: 42161,
      originCurrency: USDC.base,
      destinationCurrency: USDC.arbitrum,
      amount: '250000000',
      tradeType: 'EXACT_INPUT',
      slippageTolerance: '50',
      refundTo: WALLETS.evm,
      appFees: [{ recipient: FEE_RECIPIENT, fee: '15' }],
      disableOriginSwaps: true,
    })
  })

  test('native coins by the names Relay has for them, with the tolerance that was decided on', async () => {
    await quoteOf(solOrder({ to: [8453, NATIVE] }))
    expect(bench.sent[1]?.body).toMatchObject({
      user: WALLETS.solana,
      originChainId: 792703809,
      originCurrency: '11111111111111111111111111111111',
      destinationCurrency: '0x0000000000000000000000000000000000000000',
      refundTo: WALLETS.solana,
    })
    expect(bench.sent[1]?.body).toMatchObject({ slippageTolerance: '50' })
  })

  test('Bitcoin is asked for a price, which opens no address', async () => {
    await quoteOf(bitcoinOrder({ feeBps: 30 }), WITH_FEE)
    expect(asked()).toEqual(['GET /chains', 'POST /price'])
    expect(bench.sent[1]?.body).toEqual({
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

  test('a referrer goes with what is asked, beside the key without which the venue refuses it', async () => {
    bench = await openBench({ settings: WITH_REFERRER, apiKey: API_KEY })
    for (const order of [usdcOrder(), bitcoinOrder()]) {
      await bench.venue.quote(order, never())
      expect(bench.sent.at(-1)?.body).toMatchObject({ referrer: 'acme' })
    }
    await bench.close()
    bench = await openBench({ settings: WITH_REFERRER })
    expect(await refusalOf(bench.venue.quote(usdcOrder(), never()))).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('UNAUTHORIZED_QUOTE'),
    })
  })

  test('a key goes with every call, and none without one', async () => {
    bench = await openBench({ apiKey: API_KEY })
    await bench.venue.quote(usdcOrder(), never())
    expect(bench.sent.map(({ headers }) => headers['x-api-key'])).toEqual([API_KEY, API_KEY])
    await bench.close()
    await quoteOf(usdcOrder())
    expect(bench.sent.map(({ headers }) => headers['x-api-key'])).toEqual([undefined, undefined])
  })

  test('the list of chains is asked for once a minute, and by one caller for all', async () => {
    bench = await openBench()
    const lists = () => bench.sent.filter(({ path }) => path === '/chains').length
    await Promise.all([usdcOrder(), etherOrder(), solOrder()].map((order) => bench.venue.quote(order, never())))
    bench.clock.advance(59_999)
    await bench.venue.quote(usdcOrder(), never())
    expect(lists()).toBe(1)
    bench.clock.advance(1)
    await bench.venue.quote(usdcOrder(), never())
    expect(lists()).toBe(2)
  })
})

describe('previews', () => {
  test('are executable but where Relay fixes an address the caller did not name', async () => {
    bench = await openBench()
    const { profile } = bench.venue
    const unnamed = { recipient: undefined as never }
    const toSolana = usdcOrder({ to: [-2, USDC.solana], ...unnamed })
    const fromBitcoin = anOrder({ from: [-1, NATIVE], to: [8453, USDC.base], amount: 1_000_000n })
    const toBitcoin = anOrder({ from: [8453, NATIVE], to: [-1, NATIVE], amount: 10n ** 18n })
    expect(isExecutable(profile, toSolana)).toBe(false)
    expect(isExecutable(profile, { ...fromBitcoin, unnamed: ['refundTo'] })).toBe(false)
    expect(isExecutable(profile, { ...fromBitcoin, unnamed: ['recipient'] })).toBe(true)
    expect(isExecutable(profile, toBitcoin)).toBe(true)
    for (const order of [toSolana, fromBitcoin, toBitcoin])
      expect((await bench.venue.quote(order, never())).outputAmount).toBeGreaterThan(0n)
  })

  test('a wallet that cannot pay yet gets a price in the name of another, and no more than a price', async () => {
    const order = usdcOrder()
    const standIn = addressOf('evm', '0x000000000000000000000000000000000000dEaD')
    const { chains, quote } = await properAnswers(usdcOrder({ sender: standIn, refundTo: order.refundTo }))
    const poor = { status: 400, body: { message: 'not enough', errorCode: 'INSUFFICIENT_FUNDS' } }
    const broken = canned(relay, ({ path, body }) => {
      if (path === '/chains') return { body: chains }
      return (body as { user: string }).user === standIn ? { body: quote } : poor
    })
    const offer = await broken.venue.quote(order, never())
    expect(offer.outputAmount).toBe(249_950_500n)
    expect(broken.asked.map(({ body }) => (body as { user: string } | undefined)?.user)).toEqual([
      undefined,
      WALLETS.evm,
      standIn,
    ])
    const refusal = await refusalOf(broken.venue.execute({ order, offer }, order, never()))
    expect(refusal).toMatchObject({ kind: 'badRequest', party: 'sender' })
  })
})

test.each([
  ['one chain to another', usdcOrder(), true],
  ['Solana', solanaUsdcOrder(), true],
  ['Bitcoin', bitcoinOrder(), true],
  ['to Bitcoin', usdcOrder({ to: [-1, NATIVE], recipient: RECIPIENT_BTC }), true],
  ['to Monad', etherOrder({ to: [143, NATIVE] }), true],
  ['from Monad, where no depository is published', etherOrder({ from: [143, NATIVE], amount: 10n ** 20n }), true],
  ['from Robinhood Chain', etherOrder({ from: [4663, NATIVE] }), true],
  ['one chain only', usdcOrder({ to: [8453, NATIVE] }), false],
  ['Solana only', solOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana }), false],
])('serves %s: %o', async (_name, order, isServed) => {
  bench = await openBench()
  expect(bench.venue.profile.serves(order)).toBe(isServed)
  if (isServed) await bench.venue.quote(order, never())
})

test('publishes its depositories, and nothing else, as what a wallet may call', async () => {
  bench = await openBench()
  const { contracts } = bench.venue.profile
  expect(contracts[8453]).toEqual([DEPOSITORY])
  expect(contracts[59144]).toEqual(['0x59916DA825D2D2eC1BF878D71c88826F6633ecca'])
  expect(contracts[-2]).toEqual(['99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'])
  expect([contracts[143], contracts[4663], contracts[-1]]).toEqual([[DEPOSITORY], [DEPOSITORY], undefined])
  expect(Object.keys(contracts)).toHaveLength(15)
})

test('SOL and wrapped SOL are not the same there, and ours is SOL', async () => {
  const toSol = await quoteOf(usdcOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }))
  expect(toSol.decimals.output).toBe(9)
  expect(bench.sent[1]?.body).toMatchObject({ destinationCurrency: '11111111111111111111111111111111' })
  expect(await bench.venue.quote(usdcOrder({ to: [42161, ARB] }), never())).toMatchObject({ executionType: 'TRANSACTION' })
})

test.each(['FEE_RECIPIENT', 'SOLVER'])('%s is an address, and a mistyped one is told before anything starts', (name) => {
  const { pattern } = relay.settings.find((setting) => setting.name === name) ?? { pattern: /^$/ }
  for (const right of [FEE_RECIPIENT, FEE_RECIPIENT.toLowerCase()]) expect(pattern.test(right)).toBe(true)
  for (const wrong of ['', FEE_RECIPIENT.replace('C51812dc', 'c51812dc'), `${FEE_RECIPIENT}00`, WALLETS.solana])
    expect(pattern.test(wrong), wrong).toBe(false)
})
