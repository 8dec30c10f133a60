import { afterEach, describe, expect, test } from 'vitest'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import {
  aBench,
  againstAnswers,
  bitcoinToBase,
  never,
  relayedFrom,
  solanaToArbitrum,
  USDC,
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

test('wrapped SOL listed by its mint is not taken for SOL, and neither is an EVM contract at the native marker', async () => {
  await open()
  const impostors = [
    { assetId: 'wsol', decimals: 9, blockchain: 'sol', symbol: 'wSOL', contractAddress: NATIVE_SOL },
    { assetId: 'fake', decimals: 18, blockchain: 'arb', symbol: 'ETH', contractAddress: NATIVE },
    { assetId: 'other', decimals: 18, blockchain: 'arb', symbol: 'XYZ' },
  ]
  const asked: unknown[] = []
  const answering = relayedFrom(bench, (path, body) =>
    path === '/v0/tokens' ? [...impostors, ...(body as unknown as unknown[])] : body,
  )
  const { venue, close } = await againstAnswers((call) => {
    if (call.path === '/v0/quote') asked.push(call.body)
    return answering(call)
  }, bench.sim.settings)
  await venue.quote(solanaToArbitrum(), never())
  expect(asked).toMatchObject([{ originAsset: 'nep141:sol.omft.near', destinationAsset: 'nep141:arb.omft.near' }])
  await close()
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
    ['QUOTE_WAITING_TIME_MS', ['0', '1', '999', '1000', '3000'], ['', '-1', '01', '1.5', '1e3', '3001', '10000']],
  ])('%s takes what it should and nothing else', async (name, good, bad) => {
    await open()
    for (const value of good) expect(pattern(name).test(value), value).toBe(true)
    for (const value of bad) expect(pattern(name).test(value), value).toBe(false)
  })

  test('a key that is not of 32 bytes stops the start', async () => {
    await open()
    const ports = {
      http: { send: () => Promise.reject(new Error()), close: () => Promise.resolve() },
      chains: {} as never,
      clock: bench.clock,
      notice: unnoticed,
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
      assetId: `nep141:base-0x${String(n).repeat(40)}.omft.near`,
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
