import { afterEach, describe, expect, test } from 'vitest'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder, assetOf, WALLETS } from '../../support/anOrder.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  API_KEY,
  bitcoinToBase,
  etherToBitcoin,
  FEE_ACCOUNT,
  never,
  quoteRequestsIn,
  relayedFrom,
  solanaToArbitrum,
  USDC,
  usdcToSolana,
  VENUE_FEE_ACCOUNT,
  venueErrorOf,
} from './support.ts'

let bench: VenueBench
const open = async (options: Parameters<typeof aBench>[0] = {}) => {
  bench = await aBench(options)
  return bench
}
afterEach(() => bench.close())

const tokenCalls = () => bench.sent.filter(({ path }) => path === '/v0/tokens').length

describe('an offer', () => {
  test('is right to the unit, and firm by the signed minimum', async () => {
    await open()
    // 1,000,000 sat less 20 bps and 1 ppm = 997,999; at 98,400 = 982.031016; less 650 ppm = 981.392695; less 0.03 withdrawal.
    expect(await bench.venue.quote(bitcoinToBase(), never())).toEqual({
      venue: 'near-intents',
      executionType: 'DEPOSIT',
      outputAmount: 981_362_695n,
      fee: { bps: 0, amount: 0n },
      slippage: { bps: 100, isFirm: true, guaranteedMin: 971_549_068n },
      gasUnits: null,
      spender: null,
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
      bps: slippageBps,
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

  test('of a token listed with other decimals reports those decimals, for the engine to judge', async () => {
    await open()
    bench.faults.set('near-intents', 'wrong-decimals', { path: '/v0/tokens' }, 1)
    expect((await bench.venue.quote(bitcoinToBase(), never())).decimals).toEqual({ input: 20, output: 18 })
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
    const preview = anOrder({ from: [8453, USDC.base], to: [SOLANA, USDC.solana], amount: 1_000_000_000n })
    expect(preview.unnamed).toEqual(['recipient'])
    expect(await bench.venue.quote(preview, never())).toEqual(await bench.venue.quote(usdcToSolana(), never()))
    expect(quoteRequestsIn(bench.sent)[0]).toMatchObject({ dry: true, recipient: preview.recipient })
  })

  test('can have any address bound later', async () => {
    await open()
    expect(bench.venue.profile.bindsAtQuote).toEqual({ recipient: [], refundTo: [] })
  })
})

describe('the token list', () => {
  test('is loaded once for all quotes that want it at the same time', async () => {
    await open()
    await Promise.all([1, 2, 3, 4].map(() => bench.venue.quote(bitcoinToBase(), never())))
    expect(tokenCalls()).toBe(1)
    bench.clock.advance(4 * 60_000)
    await bench.venue.quote(bitcoinToBase(), never())
    expect(tokenCalls()).toBe(1)
  })

  test('serves on while it is refreshed, and when it cannot be', async () => {
    await open()
    await bench.venue.quote(bitcoinToBase(), never())
    bench.clock.advance(6 * 60_000)
    bench.faults.set('near-intents', 'http-500', { path: '/v0/tokens' }, null)
    for (const _ of [1, 2, 3]) await bench.venue.quote(bitcoinToBase(), never())
    expect(tokenCalls()).toBe(2)
    bench.clock.advance(20_000)
    await bench.venue.quote(bitcoinToBase(), never())
    expect(tokenCalls()).toBe(3)
  })

  test('is not lost to all when the first caller gives up', async () => {
    await open()
    bench.faults.set('near-intents', 'latency', { path: '/v0/tokens', ms: 50 }, 1)
    const hasty = new AbortController()
    const [first, second] = [
      venueErrorOf(bench.venue.quote(bitcoinToBase(), hasty.signal)),
      bench.venue.quote(bitcoinToBase(), never()),
    ]
    hasty.abort()
    expect((await first).kind).toBe('timeout')
    expect((await second).outputAmount).toBe(981_362_695n)
    expect(tokenCalls()).toBe(1)
  })

  test('may hold chains, rows and prices of any kind that are not ours', async () => {
    await open()
    const strange = [{ blockchain: 'newchain' }, { blockchain: 'ton', assetId: 5, decimals: 'nine' }]
    const { venue, close } = await againstAnswers(
      relayedFrom(bench, (path, body) => (path === '/v0/tokens' ? [...strange, ...(body as unknown as unknown[])] : body)),
      bench.sim.settings,
    )
    expect((await venue.quote(bitcoinToBase(), never())).outputAmount).toBe(981_362_695n)
    await close()
  })
})

describe('bitcoin', () => {
  const withRows = async (keep: (assetId: string) => boolean, symbol = 'BTC') => {
    await open()
    const asked: unknown[] = []
    const answering = relayedFrom(bench, (path, body) => {
      if (path !== '/v0/tokens') return body
      const rows = body as unknown as { assetId: string; blockchain: string }[]
      return rows
        .filter(({ assetId }) => keep(assetId))
        .map((row) => (row.assetId.startsWith('1cs_v1:btc') ? { ...row, symbol } : row))
    })
    const relay = await againstAnswers((call) => {
      if (call.path === '/v0/quote') asked.push((call.body as { originAsset: string }).originAsset)
      return answering(call)
    }, bench.sim.settings)
    return { ...relay, asked }
  }

  test('is asked for by its new id when both are listed, whatever the symbol of that row', async () => {
    const { venue, asked, close } = await withRows(() => true, 'BTC(OMNI)')
    await venue.quote(bitcoinToBase(), never())
    expect(asked).toEqual(['1cs_v1:btc:native:coin'])
    await close()
  })

  test('is asked for by its old id when that is all there is, and the echo of the new one is taken', async () => {
    const { venue, asked, close } = await withRows((assetId) => !assetId.startsWith('1cs_v1:btc'))
    await venue.quote(bitcoinToBase(), never())
    expect(asked).toEqual(['nep141:btc.omft.near'])
    await close()
  })
})

describe('the profile', () => {
  test.each<readonly [string, Parameters<typeof assetOf>, Parameters<typeof assetOf>, boolean]>([
    ['between listed chains', [8453, USDC.base], [SOLANA, NATIVE_SOL], true],
    ['on one chain', [8453, USDC.base], [8453, NATIVE], true],
    ['from Bitcoin', [BITCOIN, 'BTC'], [143, NATIVE], true],
    ['of an asset into itself', [8453, USDC.base], [8453, USDC.base], false],
    ['from HyperEVM', [999, NATIVE], [8453, USDC.base], false],
    ['to Robinhood Chain', [8453, USDC.base], [4663, NATIVE], false],
    ['to Linea', [8453, USDC.base], [59144, NATIVE], false],
  ])('serves a route %s: %s', async (_name, from, to, expected) => {
    await open()
    expect(bench.venue.profile.serves({ input: assetOf(...from), output: assetOf(...to) })).toBe(expected)
  })

  test('pays to no contract of its own, and is the venue of its definition', async () => {
    await open()
    expect(bench.venue.profile).toMatchObject({ id: 'near-intents', name: 'NEAR Intents', hasSandbox: true, contracts: {} })
    expect(nearIntents.publicBaseUrl).toBe('https://1click.chaindefuser.com')
  })
})

describe('settings', () => {
  const pattern = (name: string) => nearIntents.settings.find((setting) => setting.name === name)?.pattern ?? /$^/
  test.each([
    [
      'FEE_ACCOUNT',
      ['acme.near', 'fees.acme-1.near', 'a'.repeat(64), VENUE_FEE_ACCOUNT, WALLETS.evm],
      ['acme', 'Acme.near', 'a..near', `${'a'.repeat(61)}.near`, '0x12', ''],
    ],
    [
      'PUBLIC_KEY',
      ['ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc'],
      ['reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc', 'ed25519:0OIl', 'secp256k1:abc'],
    ],
    ['REFERRAL', ['acme', 'acme-2_x'], ['Acme', '', '-acme', 'a'.repeat(65)]],
  ])('%s takes what it should and nothing else', async (name, good, bad) => {
    await open()
    for (const value of good) expect(value, value).toMatch(pattern(name))
    for (const value of bad) expect(value, value).not.toMatch(pattern(name))
  })

  test('a key that is not of 32 bytes stops the start', async () => {
    await open()
    const ports = {
      http: { send: () => Promise.reject(new Error()), close: () => Promise.resolve() },
      chains: {} as never,
      clock: bench.clock,
    }
    expect(() =>
      nearIntents.create({ baseUrl: 'http://x', apiKey: null, settings: { PUBLIC_KEY: `ed25519:${'2'.repeat(40)}` } }, ports),
    ).toThrow(/PUBLIC_KEY/)
  })
})

describe('prices', () => {
  test('are what the list says, as decimal strings; null for what is not listed', async () => {
    await open()
    const usd = (chainId: Parameters<typeof assetOf>[0], address: string) =>
      bench.venue.prices?.usd(assetOf(chainId, address), never())
    expect(await usd(BITCOIN, 'BTC')).toBe('98400')
    expect(await usd(SOLANA, NATIVE_SOL)).toBe('171.2')
    expect(await usd(137, NATIVE)).toBe('0.48')
    expect(await usd(8453, '0x4200000000000000000000000000000000000006')).toBeNull()
    expect(await usd(999, NATIVE)).toBeNull()
  })

  test('survive tiny, missing and senseless numbers', async () => {
    await open()
    const row = (price: unknown, n: number) => ({
      assetId: `a${n}`,
      decimals: 6,
      blockchain: 'base',
      symbol: 'T',
      price,
      contractAddress: `0x${String(n).repeat(40)}`,
    })
    const { venue, close } = await againstAnswers(() => ({
      body: [1.25e-7, null, 0, -1, 1e22, 5e-324].map((price, i) => row(price, i + 1)),
    }))
    const of = (n: number) => venue.prices?.usd(assetOf(8453, `0x${String(n).repeat(40)}`), never())
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(of))).toEqual(['0.000000125', null, null, null, null, null])
    await close()
  })
})
