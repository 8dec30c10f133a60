import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import {
  type AcrossBench,
  altered,
  NATIVE,
  openBench,
  openBroken,
  properAnswer,
  refusalOf,
  signal,
  swapOf,
  USDC,
  usdcOrder,
  WITH_FEE,
} from './support.ts'

const HASH = `0x${'51'.repeat(32)}`

describe('a line in trouble', () => {
  let bench: AcrossBench
  beforeAll(async () => {
    bench = await openBench()
  })
  afterAll(() => bench.close())

  const CALLS = {
    quote: (at: AbortSignal) => bench.venue.quote(usdcOrder(), at),
    track: async (at: AbortSignal) => {
      const swap = { order: usdcOrder(), offer: OFFER, executed: null }
      return bench.venue.tracker?.track(HASH, swap, at)
    },
    prices: (at: AbortSignal) => bench.venue.prices?.usd(usdcOrder().input, at) ?? Promise.resolve(null),
  }
  const OFFER = {
    ...{
      venue: 'across',
      executionType: 'TRANSACTION',
      outputAmount: 1n,
      fee: { bps: 0, amount: 0n },
      slippage: null,
      gasUnits: null,
    },
    ...{ spender: null, estimatedTimeSeconds: null, expiresAt: null, decimals: { input: 6, output: 6 }, carry: { v: 1 } },
  } as never

  const FAULTS = [
    ['reset', 'unavailable'],
    ['http-500', 'unavailable'],
    ['http-429', 'rateLimited'],
    ['malformed-body', 'badResponse'],
    ['truncated-body', 'unavailable'],
    ['huge-body', 'badResponse'],
    ['wrong-shape', 'badResponse'],
  ] as const

  for (const call of ['quote', 'track', 'prices'] as const) {
    test.each(FAULTS)(`${call}: %s is %s`, async (fault, kind) => {
      bench.faults.set('across', fault, {}, null)
      const refusal = await refusalOf(Promise.resolve(CALLS[call](signal())))
      bench.faults.clear('across')
      expect(refusal.kind).toBe(kind)
    })
    test(`${call}: a venue that hangs is cut by the caller’s signal`, async () => {
      bench.faults.set('across', 'hang', {}, null)
      const refusal = await refusalOf(Promise.resolve(CALLS[call](AbortSignal.timeout(60))))
      bench.faults.clear('across')
      expect(refusal.kind).toBe('timeout')
    })
  }
})

describe('an answer that is not what was asked for', () => {
  const order = usdcOrder({ feeBps: 15, slippageBps: 50 })
  let proper: unknown
  beforeAll(async () => {
    proper = await properAnswer(order, WITH_FEE)
  })

  const quoteWith = async (path: string, value: unknown) => {
    const broken = await openBroken(() => ({ body: altered(proper, path, value) }), WITH_FEE)
    try {
      return await refusalOf(broken.venue.quote(order, signal()))
    } finally {
      await broken.close()
    }
  }

  const SHAPES = [
    'crossSwapType',
    'amountType',
    'steps',
    'steps.bridge',
    'steps.bridge.outputAmount',
    'steps.bridge.provider',
    'inputToken',
    'inputToken.address',
    'inputToken.chainId',
    'inputToken.decimals',
    'outputToken.address',
    'outputToken.chainId',
    'outputToken.decimals',
    'inputAmount',
    'expectedOutputAmount',
    'minOutputAmount',
    'expectedFillTime',
    'swapTx',
    'swapTx.chainId',
    'swapTx.to',
    'swapTx.data',
    'quoteExpiryTimestamp',
  ]
  test.each(SHAPES)('%s missing, null or of another type is a bad response', async (path) => {
    for (const value of [undefined, null, { odd: true }, [], -1.5])
      expect((await quoteWith(path, value)).kind).toBe('badResponse')
  })

  test.each(['0250', '-1', '1e9', '0x10', ' 1', '1.0', '', `1${'0'.repeat(78)}`])('%j is no amount', async (amount) => {
    for (const path of ['expectedOutputAmount', 'minOutputAmount', 'inputAmount', 'swapTx.value', 'swapTx.gas'])
      expect((await quoteWith(path, amount)).kind).toBe('badResponse')
  })

  const ECHOES = [
    ['amountType', 'minOutput'],
    ['steps.bridge.provider', 'cctp'],
    ['inputToken.address', USDC.arbitrum],
    ['inputToken.address', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['inputToken.chainId', 1],
    ['outputToken.address', '0x0000000000000000000000000000000000000000'],
    ['outputToken.chainId', 10],
    ['inputAmount', '250000001'],
    ['expectedOutputAmount', '0'],
    ['minOutputAmount', '0'],
    ['minOutputAmount', '249567586'],
    ['minOutputAmount', '249567588'],
    ['expectedOutputAmount', '249567586'],
    ['steps.bridge.outputAmount', '249942501'],
    ['fees.total.details.app.amount', '374912'],
    ['fees.total.details.app.amount', '0'],
    ['swapTx.chainId', 1],
    ['swapTx.to', '0x000000000000000000000000000000000000bEEF'],
    ['swapTx.to', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru'],
    ['swapTx.value', '1'],
    ['swapTx.data', 'AQAAAA=='],
  ] as const
  test.each(ECHOES)('%s = %j is a bad response', async (path, value) => {
    expect((await quoteWith(path, value)).kind).toBe('badResponse')
  })

  test('an output too small for the fee to be a unit of it is declined at quote, not refused at execute', async () => {
    const least = { expectedOutputAmount: '600', minOutputAmount: '600', 'steps.bridge.outputAmount': '600' }
    const small = Object.entries({ ...least, 'fees.total.details.app.amount': '0' }).reduce(
      (answer, [path, value]) => altered(answer, path, value),
      proper,
    )
    const broken = await openBroken(() => ({ body: small }), WITH_FEE)
    expect((await refusalOf(broken.venue.quote(order, signal()))).kind).toBe('amountTooSmall')
    await broken.close()
  })

  test('what a plain bridge is said to bring beyond its calldata is not counted', async () => {
    const told = async (expectedOutputAmount: string) => {
      const broken = await openBroken(() => ({ body: altered(proper, 'expectedOutputAmount', expectedOutputAmount) }), WITH_FEE)
      const offer = await broken.venue.quote(order, signal())
      await broken.close()
      return { outputAmount: offer.outputAmount, guaranteedMin: offer.slippage?.guaranteedMin }
    }
    const honest = await told('249567587')
    // As far above the calldata as the tolerance reaches.
    expect(await told('250821695')).toEqual(honest)
    // Beyond it the engine sees a bound that is too wide.
    expect(await told('260000000')).toEqual({ outputAmount: 260_000_000n, guaranteedMin: 249_567_587n })
  })
})

describe('a plain bridge that calls itself an exchange', () => {
  test.each([10, 50, 5_000])('is still priced by its calldata, at a tolerance of %i bps', async (slippageBps) => {
    const order = usdcOrder({ slippageBps })
    const proper = (await properAnswer(order)) as { readonly minOutputAmount: string }
    const minimum = BigInt(proper.minOutputAmount)
    const told = (minimum * 10_000n) / BigInt(10_000 - slippageBps)
    const lie = { ...proper, crossSwapType: 'anyToBridgeable', expectedOutputAmount: told.toString() }
    const broken = await openBroken(() => ({ body: lie }))
    expect((await broken.venue.quote(order, signal())).outputAmount).toBe(minimum)
    await broken.close()
  })
})

describe('prices that lie', () => {
  test('wrong decimals and a hundredfold price come through as priced: the engine drops them', async () => {
    const bench = await openBench()
    bench.faults.set('across', 'wrong-decimals', {}, 1)
    expect((await bench.venue.quote(usdcOrder(), signal())).outputAmount).toBe(249_942_500n * 10n ** 12n)
    bench.faults.set('across', 'price-x100', {}, 1)
    expect((await bench.venue.quote(usdcOrder(), signal())).outputAmount).toBe(24_994_250_000n)
    await bench.close()
  })
})

describe('execute', () => {
  test('breaks as quote does', async () => {
    const bench = await openBench()
    const order = anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n })
    const { offer } = await swapOf(bench.venue, order)
    for (const [fault, kind] of [
      ['http-500', 'unavailable'],
      ['wrong-shape', 'badResponse'],
      ['halt', 'noLiquidity'],
    ] as const) {
      bench.faults.set('across', fault, {}, 1)
      expect((await refusalOf(bench.venue.execute({ order, offer }, order, signal()))).kind).toBe(kind)
    }
    const foreign = { order, offer: { ...offer, carry: { v: 2 } } }
    expect((await refusalOf(bench.venue.execute(foreign, order, signal()))).kind).toBe('badResponse')
    await bench.close()
  })
})
