import { afterEach, describe, expect, test } from 'vitest'
import { placeholderAddress } from '../../../engine/core/address.ts'
import { bpsBelow } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { anOrder, assetOf, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered, never } from '../../support/venueKit/calls.ts'
import tables from './quotes.json' with { type: 'json' }
import {
  type AcrossBench,
  ARB,
  FEE_RECIPIENT,
  NATIVE,
  openBench,
  PERIPHERY,
  properAnswer,
  SPOKE_POOL_BASE,
  told,
  USDC,
  usdcOrder,
  WITH_FEE,
} from './support.ts'

type Place = Parameters<typeof assetOf>
const TABLES = tables as unknown as {
  readonly tolerances: [number, number][]
  readonly defaults: [string, Place, Place, number][]
  readonly routes: [string, ChainId, ChainId, boolean][]
}

let bench: AcrossBench
afterEach(() => bench?.close())

const sentQuery = () => Object.fromEntries(bench.sent.at(-1)?.query ?? [])

describe('quote: an Across offer', () => {
  test('has the exact amounts, and its request only the required parameters', async () => {
    bench = await openBench()
    const offer = await bench.venue.quote(usdcOrder({ slippageBps: 50 }), never())
    expect(offer).toEqual({
      venue: 'across',
      executionType: 'TRANSACTION',
      // 250 USDC less 0.0025 lp, 0.025 relayer and 0.03 gas
      outputAmount: 249_942_500n,
      fee: { bps: 0, amount: 0n },
      // A plain bridge enforces its exact output; the caller's slippage is what execute may lose to a fresh price.
      slippage: { isFirm: true, guaranteedMin: 249_942_500n - (249_942_500n * 50n) / 10_000n },
      gasUnits: null,
      spender: SPOKE_POOL_BASE,
      nativeFee: 0n,
      estimatedTimeSeconds: 3,
      expiresAt: START_OF_TIME + 30_000,
      decimals: { input: 6, output: 6 },
      carry: { v: 1 },
    })
    expect(bench.sent).toHaveLength(1)
    expect(bench.sent[0]).toMatchObject({ method: 'GET', path: '/swap/approval' })
    expect(sentQuery()).toEqual({
      tradeType: 'exactInput',
      amount: '250000000',
      inputToken: USDC.base,
      outputToken: USDC.arbitrum,
      originChainId: '8453',
      destinationChainId: '42161',
      depositor: WALLETS.evm,
      recipient: WALLETS.evmOther,
      refundAddress: WALLETS.evm,
      refundOnOrigin: 'true',
      routingPreference: 'across',
      slippage: '0.005',
      skipOriginTxEstimation: 'true',
      skipChecks: 'true',
    })
    expect(bench.sent[0]?.headers['authorization']).toBeUndefined()
  })

  test('is net of the integrator fee, rounded down from the delivered amount', async () => {
    bench = await openBench({ settings: WITH_FEE, apiKey: 'across-key' })
    const offer = await bench.venue.quote(usdcOrder({ feeBps: 15, slippageBps: 10 }), never())
    const fee = (249_942_500n * 15n) / 10_000n
    expect(offer.fee).toEqual({ bps: 15, amount: fee })
    expect(offer.outputAmount).toBe(249_942_500n - fee)
    const output = 249_942_500n - fee
    expect(offer.slippage).toEqual({ isFirm: true, guaranteedMin: output - (output * 10n) / 10_000n })
    expect(sentQuery()).toMatchObject({ appFee: '0.0015', appFeeRecipient: FEE_RECIPIENT, integratorId: '0xbeef' })
    expect(bench.sent[0]?.headers['authorization']).toBe('Bearer across-key')
  })

  const FRACTIONS = { 1: '0.0001', 10: '0.001', 25: '0.0025', 50: '0.005', 100: '0.01', 333: '0.0333', 5000: '0.5' }
  test.each(Object.entries(FRACTIONS))('is requested for %s bps of slippage or fee as the fraction %s', async (bps, fraction) => {
    bench = await openBench({ settings: WITH_FEE })
    await bench.venue.quote(usdcOrder({ slippageBps: Number(bps) }), never())
    expect(sentQuery()['slippage']).toBe(fraction)
    if (Number(bps) > 100) return
    await bench.venue.quote(usdcOrder({ feeBps: Number(bps) }), never())
    expect(sentQuery()['appFee']).toBe(fraction)
  })

  test('has no fee without a fee recipient or on Solana', async () => {
    bench = await openBench()
    expect((await bench.venue.quote(usdcOrder({ feeBps: 15 }), never())).fee).toEqual({ bps: 0, amount: 0n })
    expect(sentQuery()['appFee']).toBeUndefined()
    await bench.close()
    bench = await openBench({ settings: WITH_FEE })
    const order = usdcOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana, feeBps: 15 })
    expect((await bench.venue.quote(order, never())).fee).toEqual({ bps: 0, amount: 0n })
    expect(sentQuery()['appFee']).toBeUndefined()
    expect(bench.venue.profile.feeRecipient(order)).toBeNull()
    expect(bench.venue.profile.feeRecipient(usdcOrder())).toBe(FEE_RECIPIENT)
  })

  test('limits a swap before the bridge by the slippage', async () => {
    bench = await openBench({ settings: WITH_FEE })
    const wish = { from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, feeBps: 100 } as const
    const given = await bench.venue.quote(anOrder({ ...wish, slippageBps: 50 }), never())
    expect(given.spender).toBe(PERIPHERY)
    expect(bpsBelow(given.outputAmount, given.slippage?.guaranteedMin ?? 0n)).toBe(50)
    expect(given.outputAmount).toBeGreaterThan(given.slippage?.guaranteedMin ?? 0n)
  })

  test.each(TABLES.tolerances)('keeps a slippage of %i bps net of a fee of %i bps', async (slippageBps, feeBps) => {
    bench = await openBench({ settings: WITH_FEE })
    const wish = { from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps, feeBps } as const
    const { outputAmount, slippage } = await bench.venue.quote(anOrder(wish), never())
    const asked = Number(sentQuery()['slippage']) * 10_000
    expect(asked).toBeLessThanOrEqual(slippageBps)
    const below = bpsBelow(outputAmount, slippage?.guaranteedMin ?? 0n)
    expect(below).toBeLessThanOrEqual(slippageBps)
    // No more is given away than Across's own unit and its way of telling the expected output make necessary.
    expect(asked).toBeGreaterThan((slippageBps * (10_000 - feeBps)) / 10_000 - 1)
  })

  test.each(TABLES.defaults)('uses the default slippage of Across for %s', async (_name, from, to, defaultBps) => {
    bench = await openBench()
    const route = { input: assetOf(from[0], from[1]), output: assetOf(to[0], to[1]) }
    expect(bench.venue.profile.slippage(route)).toEqual({ defaultBps, minBps: 1, maxBps: 5_000 })
  })

  test('needs no allowance for native coins, which are requested by the zero address', async () => {
    bench = await openBench()
    const offer = await bench.venue.quote(anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }), never())
    expect(offer).toMatchObject({ spender: null, decimals: { input: 18, output: 18 } })
    const zero = '0x0000000000000000000000000000000000000000'
    expect(sentQuery()).toMatchObject({ inputToken: zero, outputToken: zero })
  })

  test('uses the decimals of each chain', async () => {
    bench = await openBench()
    const order = anOrder({ from: [56, USDC.bsc], to: [8453, USDC.base], amount: 250n * 10n ** 18n })
    const offer = await bench.venue.quote(order, never())
    expect(offer).toMatchObject({ decimals: { input: 18, output: 6 }, outputAmount: 249_942_500n })
  })

  test('uses the Solana chain id of Across, and needs no allowance there', async () => {
    bench = await openBench()
    const order = anOrder({ from: [-2, USDC.solana], to: [8453, USDC.base], amount: 10n ** 9n, recipient: WALLETS.evmOther })
    const offer = await bench.venue.quote(order, never())
    expect(offer).toMatchObject({ spender: null, outputAmount: 999_860_000n })
    expect(sentQuery()).toMatchObject({
      originChainId: '34268394551451',
      depositor: WALLETS.solana,
      refundAddress: WALLETS.solana,
    })
  })

  test('without a recipient is priced for a placeholder, and its order cannot be executed', async () => {
    bench = await openBench()
    const order = anOrder({ from: [8453, USDC.base], to: [-2, USDC.solana], amount: 10n ** 9n })
    expect(order.unnamed).toEqual(['recipient'])
    await bench.venue.quote(order, never())
    expect(sentQuery()).toMatchObject({
      recipient: placeholderAddress('solana'),
      skipChecks: 'true',
      skipOriginTxEstimation: 'true',
    })
    expect(bench.venue.profile.bindsAtQuote).toEqual({ recipient: ['always'], refundTo: ['always'] })
  })
})

describe('quote: the expiry of an Across offer', () => {
  const quoteWith = async (quoteExpiryTimestamp: number | null) => {
    const answer = altered(await properAnswer(usdcOrder()), 'quoteExpiryTimestamp', quoteExpiryTimestamp)
    const broken = told(() => ({ body: answer }))
    return await broken.venue.quote(usdcOrder(), never())
  }
  test('is the expiry of the answer, or unknown without one', async () => {
    expect((await quoteWith(START_OF_TIME / 1_000 + 10)).expiresAt).toBe(START_OF_TIME + 10_000)
    for (const none of [0, null]) expect((await quoteWith(none)).expiresAt).toBeNull()
  })
  test('is never in the past', async () => {
    await expect(quoteWith(START_OF_TIME / 1_000)).rejects.toMatchObject({ kind: 'rejected', check: 'expiry' })
  })
})

describe('quote: an Across answer without', () => {
  test('fees in dollars uses the difference between bridged and output amount as app fee', async () => {
    const order = usdcOrder({ feeBps: 15 })
    const answer = altered(await properAnswer(order, WITH_FEE), 'fees', undefined)
    const broken = told(() => ({ body: answer }), { settings: WITH_FEE })
    expect((await broken.venue.quote(order, never())).fee).toEqual({ bps: 15, amount: 374_913n })
  })
  test('gas and value, or with text, zero or null in them, is accepted', async () => {
    const answer = await properAnswer(usdcOrder())
    for (const [gas, expected] of [
      ['142000', 142_000n],
      ['0', null],
      [null, null],
    ] as const) {
      const broken = told(() => ({ body: altered(altered(answer, 'swapTx.gas', gas), 'swapTx.value', gas && '0') }))
      expect((await broken.venue.quote(usdcOrder(), never())).gasUnits).toBe(expected)
    }
  })
})

describe('the routes of Across', () => {
  const { venue } = told(() => ({}))
  test.each(TABLES.routes)('are served or not without a request: %s', (_name, from, to, expected) => {
    const native = (chainId: ChainId) => assetOf(chainId, chainId === -2 ? USDC.solana : NATIVE)
    expect(venue.profile.serves({ input: native(from), output: native(to) })).toBe(expected)
  })
  test('list the published contracts and those of the operator', () => {
    const extra = '0x00000000000000000000000000000000deadbeef'
    const withSettings = (settings: { readonly [name: string]: string }) => told(() => ({}), { settings }).venue.profile
    const { contracts } = withSettings({ EXTRA_CONTRACTS: `8453:${extra}, 1=${extra}` })
    expect(contracts[8453]).toContain('0x00000000000000000000000000000000DeaDBeef')
    expect(contracts[10]).not.toContain('0x00000000000000000000000000000000DeaDBeef')
    expect(venue.profile.contracts[8453]).toEqual([
      SPOKE_POOL_BASE,
      '0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C',
      '0x10D8b8DaA26d307489803e10477De69C0492B610',
      PERIPHERY,
    ])
    expect(venue.profile.contracts[-2]).toEqual(['DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru'])
    expect(() => withSettings({ FEE_RECIPIENT: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' })).toThrow()
  })
})

describe('prices in dollars from Across', () => {
  test('come from the token list of a chain, which is read once in five minutes', async () => {
    bench = await openBench()
    bench.faults.set('across', 'null-value', {}, null)
    const prices = bench.venue.prices
    const readAt = bench.clock.now()
    expect(await prices?.usd(assetOf(8453, USDC.base), never())).toEqual({ usd: '1.000000', readAt })
    expect(await prices?.usd(assetOf(8453, NATIVE), never())).toEqual({ usd: '3950.000000', readAt })
    expect(await prices?.usd(assetOf(8453, '0x000000000000000000000000000000000000dEaD'), never())).toBeNull()
    expect(bench.sent.map(({ path, query }) => `${path}?${query}`)).toEqual(['/swap/tokens?chainId=8453'])
    bench.clock.advance(299_000)
    await prices?.usd(assetOf(8453, USDC.base), never())
    expect(bench.sent).toHaveLength(1)
    bench.clock.advance(1_000)
    await prices?.usd(assetOf(8453, USDC.base), never())
    expect(bench.sent).toHaveLength(2)
    expect(await prices?.usd(assetOf(-2, USDC.solana), never())).toEqual({ usd: '1.000000', readAt: readAt + 300_000 })
    expect(await prices?.usd(assetOf(-1, NATIVE), never())).toBeNull()
    expect(bench.sent).toHaveLength(3)
  })
})
