import { afterEach, describe, expect, test } from 'vitest'
import { SOLANA } from '../../../engine/core/chain.ts'
import { decimalsOf } from '../../../engine/venues/near-intents/decimals.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import {
  API_KEY,
  aBench,
  againstAnswers,
  bitcoinToBase,
  etherToBitcoin,
  FEE_ACCOUNT,
  never,
  quoteRequestsIn,
  relayedFrom,
  solanaToArbitrum,
  USDC,
  usdcToSolana,
} from './support.ts'

let bench: VenueBench
const open = async (options: Parameters<typeof aBench>[0] = {}) => {
  bench = await aBench(options)
  return bench
}
afterEach(() => bench.close())

describe('an offer', () => {
  test('is right to the unit, and firm by the signed minimum', async () => {
    await open()
    // 1,000,000 sat less 20 bps and 1 ppm = 997,999; at 98,400 = 982.031016; less 650 ppm = 981.392695; less 0.03 withdrawal.
    expect(await bench.venue.quote(bitcoinToBase(), never())).toEqual({
      venue: 'near-intents',
      executionType: 'DEPOSIT',
      outputAmount: 981_362_695n,
      fee: { bps: 0, amount: 0n },
      slippage: { isFirm: true, guaranteedMin: 971_549_068n },
      gasUnits: null,
      spender: null,
      nativeFee: 0n,
      estimatedTimeSeconds: 812,
      expiresAt: null,
      decimals: { input: 8, output: 6 },
      carry: null,
    })
  })

  test('costs 20 bps more without an API key', async () => {
    await open({ apiKey: API_KEY })
    // 999,999 sat after the protocol fee = 983.999016; less 650 ppm = 983.359416.
    expect((await bench.venue.quote(bitcoinToBase(), never())).outputAmount).toBe(983_329_416n)
    expect(bench.sent.every(({ headers }) => headers['x-api-key'] === API_KEY)).toBe(true)
  })

  test('asks with exactly these fields, dry', async () => {
    await open()
    await bench.venue.quote(bitcoinToBase(), never())
    expect(quoteRequestsIn(bench.sent)).toEqual([
      {
        dry: true,
        depositMode: 'SIMPLE',
        swapType: 'EXACT_INPUT',
        slippageTolerance: 100,
        originAsset: '1cs_v1:btc:native:coin',
        depositType: 'ORIGIN_CHAIN',
        destinationAsset: 'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
        amount: '1000000',
        refundTo: WALLETS.bitcoin,
        refundType: 'ORIGIN_CHAIN',
        recipient: WALLETS.evmOther,
        recipientType: 'DESTINATION_CHAIN',
        deadline: '2026-11-20T01:00:00.000Z',
        quoteWaitingTimeMs: 1_000,
      },
    ])
    expect(bench.sent[0]?.headers['x-api-key']).toBeUndefined()
  })

  test('gives thirty minutes to deposit where blocks are quick, and names the referral when there is one', async () => {
    await open({ settings: { REFERRAL: 'acme' } })
    await bench.venue.quote(usdcToSolana(), never())
    expect(quoteRequestsIn(bench.sent)[0]).toMatchObject({ deadline: '2026-11-20T00:30:00.000Z', referral: 'acme' })
  })

  test.each([1, 37, 5000])('takes the caller’s slippage of %i bps', async (slippageBps) => {
    await open()
    const { slippage, outputAmount } = await bench.venue.quote(usdcToSolana({ slippageBps }), never())
    expect(slippage).toEqual({
      isFirm: true,
      guaranteedMin: (outputAmount * BigInt(10_000 - slippageBps)) / 10_000n,
    })
    expect(quoteRequestsIn(bench.sent)[0]).toMatchObject({ slippageTolerance: slippageBps })
  })

  test('names native coins and 18-decimal stablecoins by the ids listed for them', async () => {
    await open()
    const toBsc = anOrder({ from: [8453, USDC.base], to: [56, USDC.bsc], amount: 1_000_000_000n })
    const offers = [
      await bench.venue.quote(solanaToArbitrum(), never()),
      await bench.venue.quote(etherToBitcoin(), never()),
      await bench.venue.quote(toBsc, never()),
    ]
    expect(quoteRequestsIn(bench.sent).map(({ originAsset, destinationAsset }) => [originAsset, destinationAsset])).toEqual([
      ['nep141:sol.omft.near', 'nep141:arb.omft.near'],
      ['nep141:eth.omft.near', '1cs_v1:btc:native:coin'],
      [
        'nep141:base-0x833589fcd6edb6e08f4c7c32d4f71b54bda02913.omft.near',
        expect.stringMatching(/^nep245:v2_1\.omni\.hot\.tg:56_/),
      ],
    ])
    expect(offers.map(({ decimals }) => decimals)).toEqual([
      { input: 9, output: 18 },
      { input: 18, output: 8 },
      { input: 6, output: 18 },
    ])
  })

  test('of a token listed with other decimals reports those by which the signed amounts are written', async () => {
    await open()
    bench.faults.set('near-intents', 'wrong-decimals', { path: '/v0/tokens' }, 1)
    expect((await bench.venue.quote(bitcoinToBase(), never())).decimals).toEqual({ input: 8, output: 6 })
  })

  test('whose amounts are written in no way we can read reports the decimals of the list, for the engine to judge', async () => {
    await open()
    const relay = relayedFrom(bench, (path, body) =>
      path === '/v0/quote'
        ? {
            ...body,
            signature: null,
            quote: { ...(body['quote'] as object), amountInFormatted: '1e-2', amountOutFormatted: '981,4' },
          }
        : (body as unknown as { decimals: number }[]).map((row) => ({ ...row, decimals: row.decimals + 12 })),
    )
    const { venue, close } = await againstAnswers(relay, bench.sim.settings)
    expect((await venue.quote(bitcoinToBase(), never())).decimals).toEqual({ input: 20, output: 18 })
    await close()
  })

  test.each([
    ['9986764', '9.986764', 6],
    ['1000000000', '1.0', 9],
    ['11760237526222378', '0.011760237526222378', 18],
    ['8848584', '0.08848584', 8],
    ['7', '7', 0],
    ['5000000', '5.0', 6],
    ['100', '10000', null],
    ['9986764', '9.98', null],
    ['9986764', '9.986.764', null],
    ['9986764', '', null],
    ['9986764', '-9.986764', null],
    ['0', '0.0', null],
    ['1', `0.${'0'.repeat(200)}1`, null],
  ])('%s written as %s has %j decimals', async (amount, written, decimals) => {
    await open()
    expect(decimalsOf(amount, written)).toBe(decimals)
  })
})

describe('the integrator fee', () => {
  test('is asked for our account, and its worth in output is grossed up from the net', async () => {
    await open({ settings: { FEE_ACCOUNT } })
    const offer = await bench.venue.quote(bitcoinToBase({ feeBps: 20 }), never())
    expect(quoteRequestsIn(bench.sent)[0]?.['appFees']).toEqual([{ recipient: FEE_ACCOUNT, fee: 20 }])
    // 995,999 sat after 40 bps, the venue's own 20 among them, and 1 ppm = 980.063016; less 650 ppm = 979.425975.
    expect(offer.outputAmount).toBe(979_395_975n)
    expect(offer.fee).toEqual({ bps: 20, amount: (979_395_975n * 20n) / 9_960n })
    expect(bench.venue.profile.feeRecipient(bitcoinToBase())).toBe(FEE_ACCOUNT)
  })

  test('is what the venue leaves us of it: with a key it keeps its half, and at least 20 bps', async () => {
    await open({ settings: { FEE_ACCOUNT }, apiKey: API_KEY })
    const small = await bench.venue.quote(bitcoinToBase({ feeBps: 25 }), never())
    const large = await bench.venue.quote(bitcoinToBase({ feeBps: 100 }), never())
    expect(small.fee).toEqual({ bps: 13, amount: (small.outputAmount * 13n) / 9_967n })
    expect(large.fee).toEqual({ bps: 50, amount: (large.outputAmount * 50n) / 9_900n })
  })

  test('is none where no account is set up to take it, and then none is asked for', async () => {
    await open()
    expect((await bench.venue.quote(bitcoinToBase({ feeBps: 20 }), never())).fee).toEqual({ bps: 0, amount: 0n })
    expect(quoteRequestsIn(bench.sent)[0]).not.toHaveProperty('appFees')
    expect(bench.venue.profile.feeRecipient(bitcoinToBase())).toBeNull()
  })

  test('is none above the 500 bps the venue takes', async () => {
    await open({ settings: { FEE_ACCOUNT } })
    expect((await bench.venue.quote(bitcoinToBase({ feeBps: 501 }), never())).fee).toEqual({ bps: 0, amount: 0n })
    expect((await bench.venue.quote(bitcoinToBase({ feeBps: 500 }), never())).fee.bps).toBe(500)
  })

  test('goes to an EVM account in lower case, as accounts are named there', async () => {
    const account = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    await open({ settings: { FEE_ACCOUNT: account } })
    await bench.venue.quote(bitcoinToBase({ feeBps: 20 }), never())
    expect(quoteRequestsIn(bench.sent)[0]?.['appFees']).toEqual([{ recipient: account.toLowerCase(), fee: 20 }])
    expect(bench.venue.profile.feeRecipient(bitcoinToBase())).toBe(account.toLowerCase())
  })
})

describe('a preview', () => {
  test('is priced against the placeholder, the same as with the real address', async () => {
    await open()
    const preview = anOrder({ from: [8453, USDC.base], to: [SOLANA, USDC.solana], amount: 1_000_000_000n, slippageBps: 100 })
    expect(preview.unnamed).toEqual(['recipient'])
    expect(await bench.venue.quote(preview, never())).toEqual(await bench.venue.quote(usdcToSolana(), never()))
    expect(quoteRequestsIn(bench.sent)[0]).toMatchObject({ dry: true, recipient: preview.recipient })
  })

  test('can have any address bound later', async () => {
    await open()
    expect(bench.venue.profile.bindsAtQuote).toEqual({ recipient: [], refundTo: [] })
  })
})
