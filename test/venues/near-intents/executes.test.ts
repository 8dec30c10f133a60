import { afterEach, describe, expect, test } from 'vitest'
import { parseAddress } from '../../../engine/core/address.ts'
import { ecosystemOf } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import {
  API_KEY,
  aBench,
  againstAnswers,
  aLiar,
  bindingOf,
  bitcoinToBase,
  etherToBitcoin,
  executed,
  FEE_ACCOUNT,
  never,
  quoteRequestsIn,
  relayedFrom,
  solanaToArbitrum,
  USDC,
  usdcToSolana,
  venueErrorOf,
} from './support.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let bench: VenueBench
afterEach(() => bench.close())

const ORDERS: readonly (readonly [string, () => VenueOrder])[] = [
  ['Bitcoin to an EVM token', bitcoinToBase],
  ['an EVM token to Solana', usdcToSolana],
  ['SOL to ether', solanaToArbitrum],
  ['ether to Bitcoin', etherToBitcoin],
  [
    'an EVM token on its own chain',
    () => anOrder({ from: [1, USDC.ethereum], to: [1, '0xdAC17F958D2ee523a2206206994597C13D831ec7'], amount: 10n ** 9n }),
  ],
]

describe.each(ORDERS)('%s', (_name, make) => {
  test('is executed by a signed deposit that does what was asked, and nothing else', async () => {
    bench = await aBench({ settings: { FEE_ACCOUNT } })
    const order = { ...make(), feeBps: 30 }
    const swap = await executed(bench.venue, order)
    const { execution } = swap
    const address = execution.venueRef ?? ''
    expect(execution.payload).toEqual({
      executionType: 'DEPOSIT',
      deposit: { chainId: order.input.chainId, address, amount: order.inputAmount },
    })
    expect(parseAddress(ecosystemOf(order.input.chainId), address)).toBe(address)
    const window = order.input.chainId === -1 ? HOUR_MS : HOUR_MS / 2
    expect(await bench.venue.decode(execution)).toEqual({
      chainId: order.input.chainId,
      pays: address,
      spender: null,
      nativeFee: 0n,
      input: { asset: order.input, amount: order.inputAmount },
      output: { asset: order.output, minimum: execution.slippage?.guaranteedMin },
      recipient: order.recipient,
      refundTo: order.refundTo,
      fee: { told: { recipient: FEE_ACCOUNT, bps: 30 } },
      deadlineAt: START_OF_TIME + window + 3 * DAY_MS,
      unread: [],
    })
    expect(execution).toMatchObject({
      outputAmount: swap.offer.outputAmount,
      slippage: swap.offer.slippage,
      carry: { v: 1, depositBy: START_OF_TIME + window },
    })
    expect(await provePayload(bench.venue, execution, { sealed: swap, binding: swap.binding, now: bench.clock.now() })).toEqual(
      [],
    )
  })
})

test('asks for the real thing with the addresses bound now, not those of the quote', async () => {
  bench = await aBench()
  const preview = anOrder({ from: [8453, USDC.base], to: [-2, USDC.solana], amount: 1_000_000_000n, slippageBps: 55 })
  const offer = await bench.venue.quote(preview, never())
  bench.clock.advance(20_000)
  const binding = { recipient: WALLETS.solana, refundTo: WALLETS.evmOther }
  const execution = await bench.venue.execute({ order: preview, offer }, binding, never())
  expect(quoteRequestsIn(bench.sent)[1]).toEqual({
    dry: false,
    depositMode: 'SIMPLE',
    swapType: 'EXACT_INPUT',
    slippageTolerance: 55,
    originAsset: 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
    depositType: 'ORIGIN_CHAIN',
    destinationAsset: 'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near',
    amount: '1000000000',
    refundTo: WALLETS.evmOther,
    refundType: 'ORIGIN_CHAIN',
    recipient: WALLETS.solana,
    recipientType: 'DESTINATION_CHAIN',
    deadline: '2026-11-20T00:30:20.000Z',
    quoteWaitingTimeMs: 1_000,
  })
  expect(await bench.venue.decode(execution)).toMatchObject({ recipient: WALLETS.solana, refundTo: WALLETS.evmOther })
})

test('every execution opens an address of its own', async () => {
  bench = await aBench()
  const order = usdcToSolana()
  const offer = await bench.venue.quote(order, never())
  const refs = await Promise.all(
    [1, 2, 3].map(async () => (await bench.venue.execute({ order, offer }, bindingOf(order), never())).venueRef),
  )
  expect(new Set(refs).size).toBe(3)
})

describe('a price that moved since the quote', () => {
  const moved = async (usdMicros: bigint, slippageBps: number) => {
    bench = await aBench()
    const order = bitcoinToBase({ slippageBps })
    const offer = await bench.venue.quote(order, never())
    bench.market.setPrice('BTC', usdMicros)
    const execution = await bench.venue.execute({ order, offer }, bindingOf(order), never())
    const problems = await provePayload(bench.venue, execution, {
      sealed: { order, offer },
      binding: bindingOf(order),
      now: bench.clock.now(),
    })
    return {
      offer,
      execution,
      problems,
      asked: quoteRequestsIn(bench.sent).map(({ dry, slippageTolerance }) => [dry, slippageTolerance]),
    }
  }

  test('within its bound is executed with the venue held to the quoted minimum', async () => {
    const { offer, execution, problems, asked } = await moved(98_000_000_000n, 100)
    expect(problems).toEqual([])
    expect(asked).toEqual([
      [true, 100],
      [false, 100],
      [false, 59],
    ])
    expect(execution.slippage?.guaranteedMin).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
    expect(execution.outputAmount).toBeLessThan(offer.outputAmount)
  })

  test('for the better is executed as it comes', async () => {
    const { offer, execution, problems, asked } = await moved(98_900_000_000n, 100)
    expect(problems).toEqual([])
    expect(asked).toEqual([
      [true, 100],
      [false, 100],
    ])
    expect(execution.outputAmount).toBeGreaterThan(offer.outputAmount)
  })

  test('beyond its bound does not pass the proof, and no other address is opened for it', async () => {
    const { problems, asked } = await moved(97_000_000_000n, 100)
    expect(problems).toEqual(['output.minimum'])
    expect(asked).toHaveLength(2)
  })
})

test('the fee is asked for again as it was quoted, and proved by what the venue says it applies', async () => {
  bench = await aBench({ settings: { FEE_ACCOUNT }, apiKey: API_KEY })
  const order = bitcoinToBase({ feeBps: 30 })
  const swap = await executed(bench.venue, order)
  expect(quoteRequestsIn(bench.sent).map(({ appFees }) => appFees)).toEqual([
    [{ recipient: FEE_ACCOUNT, fee: 30 }],
    [{ recipient: FEE_ACCOUNT, fee: 30 }],
  ])
  expect((await bench.venue.decode(swap.execution)).fee).toEqual({ told: { recipient: FEE_ACCOUNT, bps: 15 } })
  expect(
    await provePayload(bench.venue, swap.execution, { sealed: swap, binding: swap.binding, now: bench.clock.now() }),
  ).toEqual([])
})

test('a quote that could take no fee is executed without one', async () => {
  bench = await aBench()
  const order = bitcoinToBase({ feeBps: 30 })
  const swap = await executed(bench.venue, order)
  expect(quoteRequestsIn(bench.sent).every((body) => !('appFees' in body))).toBe(true)
  expect((await bench.venue.decode(swap.execution)).fee).toEqual({ told: null })
})

/** A venue that changes its real quotes and signs the change with the key we trust. */
const againstLiar = async (
  change: (quote: Record<string, unknown>, answer: Record<string, unknown>) => unknown,
  order: VenueOrder,
) => {
  bench = await aBench()
  const liar = aLiar()
  const relay = relayedFrom(bench, (path, body) => {
    if (path !== '/v0/quote') return body
    const quote = body['quote'] as Record<string, unknown>
    if ((body['quoteRequest'] as { dry: boolean }).dry === false) change(quote, body)
    return liar.resign(body)
  })
  const { venue, close } = await againstAnswers(relay, { PUBLIC_KEY: liar.publicKey })
  try {
    const offer = await venue.quote(order, never())
    return await venue.execute({ order, offer }, bindingOf(order), never())
  } finally {
    await close()
  }
}

describe('a deposit address', () => {
  test('the changes below start from a good answer', async () => {
    expect((await againstLiar(() => undefined, usdcToSolana())).venueRef).not.toBeNull()
  })

  test.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['of another chain', WALLETS.bitcoin],
    ['with a wrong checksum', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  ])('%s is refused even when signed', async (_name, depositAddress) => {
    const call = againstLiar((quote) => Reflect.set(quote, 'depositAddress', depositAddress), usdcToSolana())
    expect(await venueErrorOf(call)).toMatchObject({ kind: 'badResponse', message: expect.stringContaining('depositAddress') })
  })

  const toEthereum = () =>
    anOrder({ from: [8453, USDC.base], to: [1, USDC.ethereum], amount: 10n ** 9n, recipient: WALLETS.evmOther })

  test.each([
    ['the sender', WALLETS.evm, usdcToSolana],
    ['the token contract', USDC.base, usdcToSolana],
    ['the zero address', '0x0000000000000000000000000000000000000000', usdcToSolana],
    ['the recipient', WALLETS.evmOther, toEthereum],
    ['the system program', '11111111111111111111111111111111', solanaToArbitrum],
  ] as const)('that is %s is no proof, even when signed', async (_name, depositAddress, orderOf) => {
    const order = orderOf()
    bench = await aBench()
    const liar = aLiar()
    const relay = relayedFrom(bench, (path, body) => {
      if (path !== '/v0/quote') return body
      const { dry } = body['quoteRequest'] as { dry: boolean }
      if (dry === false) Reflect.set(body['quote'] as object, 'depositAddress', depositAddress)
      return liar.resign(body)
    })
    const { venue, close } = await againstAnswers(relay, { PUBLIC_KEY: liar.publicKey })
    const offer = await venue.quote(order, never())
    const binding = bindingOf(order)
    const execution = await venue.execute({ order, offer }, binding, never())
    expect(await provePayload(venue, execution, { sealed: { order, offer }, binding, now: bench.clock.now() })).toEqual([
      'deposit.owner',
    ])
    await close()
  })

  test.each([
    ['deadline', undefined],
    ['deadline', '2026-11-20T00:29:59.000Z'],
    ['timeWhenInactive', '2026-11-20T00:10:00.000Z'],
    ['depositMemo', '991'],
  ])('whose %s is %s is refused', async (field, value) => {
    expect((await venueErrorOf(againstLiar((quote) => Reflect.set(quote, field, value), usdcToSolana()))).message).toContain(
      field,
    )
  })

  test('without a signature is refused', async () => {
    bench = await aBench()
    const relay = relayedFrom(bench, (path, body) => (path === '/v0/quote' ? { ...body, signature: undefined } : body))
    const { venue, close } = await againstAnswers(relay, bench.sim.settings)
    const order = usdcToSolana()
    const offer = await venue.quote(order, never())
    expect((await venueErrorOf(venue.execute({ order, offer }, bindingOf(order), never()))).message).toBe(
      'the quote does not match: signature',
    )
    await close()
  })
})

test('what was built can be decoded after a restart, from the evidence and the public list alone', async () => {
  bench = await aBench()
  const { execution } = await executed(bench.venue, bitcoinToBase())
  const { venue, close } = await againstAnswers(
    relayedFrom(bench, (_, body) => body),
    bench.sim.settings,
  )
  const stored = { ...execution, evidence: JSON.parse(JSON.stringify(execution.evidence)) as typeof execution.evidence }
  expect(await venue.decode(stored)).toEqual(await bench.venue.decode(execution))
  await close()
})

test('the evidence is small', async () => {
  bench = await aBench({ settings: { FEE_ACCOUNT, REFERRAL: 'acme' } })
  const { execution, offer } = await executed(bench.venue, bitcoinToBase({ feeBps: 30 }))
  expect(JSON.stringify(execution.evidence).length).toBeLessThan(2_048)
  expect(offer.carry).toBeNull()
})
