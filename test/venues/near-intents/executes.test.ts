import { describe, expect, test } from 'vitest'
import { addressOf, parseAddress } from '../../../engine/core/address.ts'
import { BITCOIN, ecosystemOf } from '../../../engine/core/chain.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { depositOf, never, outcomeOf, prove, refusalOf, said, swapOf } from '../../support/venueKit/calls.ts'
import otherAnswers from './otherAnswers.json' with { type: 'json' }
import {
  API_KEY,
  bitcoinToBase,
  etherToBitcoin,
  FEE_ACCOUNT,
  MINUTE_MS,
  openBench,
  type QuoteAnswer,
  quotesAsked,
  solanaToArbitrum,
  told,
  toldBySigner,
  USDC,
  usdcToSolana,
} from './support.ts'

const open = closedAfterEach(openBench)
const DAY_MS = 24 * 60 * MINUTE_MS

const onEthereum = () =>
  anOrder({ from: [1, USDC.ethereum], to: [1, '0xdAC17F958D2ee523a2206206994597C13D831ec7'], amount: 10n ** 9n })

test.each([
  ['Bitcoin to an EVM token', bitcoinToBase],
  ['an EVM token to Solana', usdcToSolana],
  ['SOL to ether', solanaToArbitrum],
  ['ether to Bitcoin', etherToBitcoin],
  ['an EVM token on its own chain', onEthereum],
])('execute: %s is a signed deposit that matches the order exactly [venue-near-intents]', async (_name, make) => {
  const bench = await open({ settings: { FEE_ACCOUNT } })
  const order = { ...make(), feeBps: 30 }
  const swap = await swapOf(bench.venue, order)
  const { chainId } = order.input
  const { execution } = swap
  const address = execution.venueRef ?? ''
  expect(execution.payload).toEqual({ executionType: 'DEPOSIT', deposit: { chainId, address, amount: order.inputAmount } })
  expect(parseAddress(ecosystemOf(chainId), address)).toBe(address)
  const depositBy = START_OF_TIME + (chainId === BITCOIN ? 60 : 30) * MINUTE_MS
  const { fee, ...claims } = await bench.venue.decode(execution)
  expect(said(fee)).toEqual({ recipient: FEE_ACCOUNT, bps: 30 })
  expect(claims).toEqual({
    ...{ chainId, pays: address, spender: null, nativeFee: 0n, unread: [] },
    input: { asset: order.input, amount: order.inputAmount },
    output: { asset: order.output, minimum: execution.slippage?.guaranteedMin },
    recipient: order.recipient,
    refundTo: order.refundTo,
    deadlineAt: depositBy + 3 * DAY_MS,
  })
  const { outputAmount, slippage } = swap.offer
  expect(execution).toMatchObject({ outputAmount, slippage, carry: { v: 1, depositBy } })
  expect(await prove(bench.venue, swap)).toEqual([])
})

test('execute: requests a firm quote with the bound addresses instead of the quoted ones', async () => {
  const bench = await open()
  const preview = anOrder({ from: [8453, USDC.base], to: [-2, USDC.solana], amount: 1_000_000_000n, slippageBps: 55 })
  const offer = await bench.venue.quote(preview, never())
  bench.clock.advance(20_000)
  const binding = { recipient: WALLETS.solana, refundTo: WALLETS.evmOther }
  const execution = await bench.venue.execute({ order: preview, offer }, binding, never())
  const [dry, real] = quotesAsked(bench.sent)
  expect(real).toEqual({ ...dry, ...binding, dry: false, slippageTolerance: 55, deadline: '2026-11-20T00:30:20.000Z' })
  expect(await bench.venue.decode(execution)).toMatchObject(binding)
})

test('execute: opens a new deposit address for every execution', async () => {
  const { venue, sent } = await open()
  const order = usdcToSolana()
  const offer = await venue.quote(order, never())
  const bindings = [
    { recipient: WALLETS.solana, refundTo: WALLETS.evm },
    { recipient: addressOf('solana', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'), refundTo: WALLETS.evmOther },
  ]
  const executions = []
  for (const binding of bindings) executions.push(await venue.execute({ order, offer }, binding, never()))
  const [, ...asked] = quotesAsked(sent)
  expect(asked).toMatchObject(bindings.map((binding) => ({ ...binding, dry: false })))
  const addresses = executions.map((execution) => depositOf(execution).address)
  expect(new Set(addresses).size).toBe(2)
  expect(executions.map(({ venueRef }) => venueRef)).toEqual(addresses)
  for (const [i, execution] of executions.entries())
    expect(await venue.decode(execution)).toMatchObject({ ...bindings[i], pays: addresses[i] })
})

test.each([
  // The venue is held to the quoted minimum.
  ['within the slippage is executed', 98_000_000_000n, [], [100, 100, 59]],
  ['for the better is executed at the new price', 98_900_000_000n, [], [100, 100]],
  // No other address is opened for it.
  ['beyond the slippage fails the proof', 97_000_000_000n, ['output.minimum'], [100, 100]],
] as const)('execute: a price that moved %s', async (_name, usdMicros, expected, tolerances) => {
  const { venue, market, sent } = await open()
  const order = bitcoinToBase({ slippageBps: 100 })
  const offer = await venue.quote(order, never())
  market.setPrice('BTC', usdMicros)
  const execution = await venue.execute({ order, offer }, order, never())
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(expected)
  const asked = quotesAsked(sent)
  expect(asked.map(({ slippageTolerance }) => slippageTolerance)).toEqual(tolerances)
  expect(asked.map(({ dry }) => dry)).toEqual(tolerances.map((_, i) => i === 0))
  expect(execution.outputAmount > offer.outputAmount).toBe(usdMicros > 98_400_000_000n)
  const isKept = (execution.slippage?.guaranteedMin ?? 0n) >= (offer.slippage?.guaranteedMin ?? 0n)
  expect(isKept).toBe(expected.length === 0)
})

test.each([
  [
    'is requested as quoted, and proved by the applied fee of the answer',
    { settings: { FEE_ACCOUNT }, apiKey: API_KEY },
    [{ recipient: FEE_ACCOUNT, fee: 30 }],
    { recipient: FEE_ACCOUNT, bps: 15 },
  ],
  ['that the quote did not include is not requested', {}, undefined, null],
])('execute: a fee %s', async (_what, options, appFees, claim) => {
  const { venue, sent } = await open(options)
  const swap = await swapOf(venue, bitcoinToBase({ feeBps: 30 }))
  expect(quotesAsked(sent).map((body) => body['appFees'])).toEqual([appFees, appFees])
  expect(said((await venue.decode(swap.execution)).fee)).toEqual(claim)
  expect(await prove(venue, swap)).toEqual([])
})

describe('execute: a deposit address [venue-near-intents]', () => {
  /** A venue that changes its real quotes and signs the change. */
  const signing = async (change: QuoteAnswer['quote']) =>
    toldBySigner(await open(), ({ quoteRequest, quote }) => {
      for (const [field, value] of Object.entries(change)) if (quoteRequest['dry'] === false) quote[field] = value
    }).venue

  test('of the unaltered answer used below is accepted', async () => {
    expect(await outcomeOf(await signing({}), usdcToSolana())).toBe('signed')
  })

  test.each(otherAnswers.deposits as [string, string, unknown][])(
    'that is %s is rejected even when signed',
    async (_name, field, value) => {
      const refusal = await refusalOf(swapOf(await signing({ [field]: value }), usdcToSolana()))
      expect(refusal).toMatchObject({ isDecline: false, message: expect.stringContaining(field) })
    },
  )

  test('without a signature is rejected', async () => {
    const { venue } = told(await open(), { quote: () => undefined })
    expect((await refusalOf(swapOf(venue, usdcToSolana()))).message).toBe('the quote does not match: signature')
  })
})

test('decode: a payload is decoded after a restart from its evidence and the public token list', async () => {
  const bench = await open({ settings: { FEE_ACCOUNT, REFERRAL: 'acme' } })
  const { execution, offer } = await swapOf(bench.venue, bitcoinToBase({ feeBps: 30 }))
  const evidence = JSON.stringify(execution.evidence)
  expect(evidence.length).toBeLessThan(2_048)
  expect(offer.carry).toBeNull()
  const stored = { ...execution, evidence: JSON.parse(evidence) as typeof execution.evidence }
  expect(await told(bench, {}, { settings: { FEE_ACCOUNT } }).venue.decode(stored)).toEqual(await bench.venue.decode(execution))
})
