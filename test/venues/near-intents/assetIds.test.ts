import { describe, expect, test } from 'vitest'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import { assetNamed, isNameOf } from '../../../engine/venues/near-intents/assetId.ts'
import { indexTokens } from '../../../engine/venues/near-intents/tokenList.ts'
import { assetOf } from '../../support/anOrder.ts'
import { TOKENS_OF_2025, TOKENS_OF_2026 } from './recordedTokens.ts'

const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const USDC_HASH = '5ce3bf3a31af18be40ba30f721101b4341690186'

describe('an asset id names', () => {
  test.each<[string, ChainId, string]>([
    ['nep141:eth.omft.near', 1, NATIVE],
    ['nep141:base.omft.near', 8453, NATIVE],
    ['nep141:arb.omft.near', 42161, NATIVE],
    ['nep141:sol.omft.near', SOLANA, NATIVE_SOL],
    ['nep141:btc.omft.near', BITCOIN, NATIVE],
    ['1cs_v1:btc:native:coin', BITCOIN, NATIVE],
    ['1cs_v1:eth:native:coin', 1, NATIVE],
    ['1cs_v1:eth:erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    [`1cs_v1:sol:spl:${USDC_MINT}`, SOLANA, USDC_MINT],
    ['nep245:v2_1.omni.hot.tg:43114_11111111111111111111', 43114, NATIVE],
    ['nep245:v2_1.omni.hot.tg:56_2w93GqMcEmQFDru84j3HZZWt557r', 56, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
    ['nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near', 42161, '0x912CE59144191C1204E64559FE8253a0e49E6548'],
  ])('%s by itself, whatever is told', (assetId, chainId, address) => {
    for (const told of ['', USDC_MINT, '0x6b175474e89094c44da98b954eedeac495271d0f'])
      expect(assetNamed(assetId, told)).toEqual(assetOf(chainId, address))
    expect(isNameOf(assetId, assetOf(chainId, address))).toBe(true)
  })

  test('a token of Solana by the hash of its mint, which only that mint fits', () => {
    const id = `nep141:sol-${USDC_HASH}.omft.near`
    expect(assetNamed(id, USDC_MINT)).toEqual(assetOf(SOLANA, USDC_MINT))
    for (const told of ['', USDT_MINT, NATIVE_SOL, 'not base58: 0OIl', USDC_MINT.slice(0, -1)])
      expect(assetNamed(id, told)).toBeNull()
    expect(isNameOf(id, assetOf(SOLANA, USDC_MINT))).toBe(true)
    expect(isNameOf(id, assetOf(SOLANA, USDT_MINT))).toBe(false)
  })

  test.each([
    ['the native marker as a contract', `nep141:eth-${NATIVE.toLowerCase()}.omft.near`],
    ['the mint of wrapped SOL', `1cs_v1:sol:spl:${NATIVE_SOL}`],
    ['a bridge of the staging network', 'nep141:eth-0xdac17f958d2ee523a2206206994597c13d831ec7.stft.near'],
    ['a chain that is none of ours', 'nep141:gnosis.omft.near'],
    ['a chain we know and the venue does not', 'nep245:v2_1.omni.hot.tg:59144_11111111111111111111'],
    ['a token of a chain of another kind', 'nep141:sol-0x6b175474e89094c44da98b954eedeac495271d0f.omft.near'],
    ['an address in capitals', 'nep141:eth-0x6B175474E89094C44DA98B954EEDEAC495271D0F.omft.near'],
    ['an address that is too short', 'nep141:eth-0x6b175474e89094c44da98b954eedeac495271d.omft.near'],
    ['twenty-one bytes', 'nep245:v2_1.omni.hot.tg:56_111111111111111111111'],
    ['another HOT contract', 'nep245:v3_1.omni.hot.tg:56_11111111111111111111'],
    ['a chain id with a leading zero', 'nep245:v2_1.omni.hot.tg:056_11111111111111111111'],
    ['a token that lives on NEAR', 'nep141:17208628f84f5d6ad33f0da3bbbeb27ffcb398eac501a31bd6ad2011e36133a1'],
    ['text before it', 'x nep141:eth.omft.near'],
    ['text after it', 'nep141:eth.omft.near.evil.near'],
    ['nothing', ''],
  ])('nothing, when it holds %s', (_what, assetId) => {
    for (const told of ['', USDC_MINT, '0x6b175474e89094c44da98b954eedeac495271d0f']) expect(assetNamed(assetId, told)).toBeNull()
  })

  test('nothing, in no time, when it is as long as an id may be and almost one', () => {
    const started = performance.now()
    for (const id of ['nep141:', 'nep141:eth-0x', 'nep245:v2_1.omni.hot.tg:1', '1cs_v1:sol:spl:', '1cs_v1:'])
      for (const filler of ['a', '1', '-', ':', '.omft.near'])
        expect(assetNamed(`${id}${filler.repeat(256)}`.slice(0, 256), filler.repeat(512))).toBeNull()
    expect(performance.now() - started).toBeLessThan(100)
  })
})

describe('of the rows of the recorded list that are on our chains', () => {
  const told = (name: string, { onOurChains, kept }: { onOurChains: number; kept: number }) =>
    process.stdout.write(`near-intents /v0/tokens, ${name}: ${kept} of ${onOurChains} rows on our chains kept\n`)

  test('of 2025-05-06, all 39 are what their id says', () => {
    const { rows } = indexTokens(TOKENS_OF_2025)
    told(`whole list of 2025-05-06 (${TOKENS_OF_2025.length} rows)`, rows)
    expect(rows).toEqual({ onOurChains: 39, kept: 39 })
  })

  test('of 2026, all 19 are what their id says', () => {
    const { rows } = indexTokens(TOKENS_OF_2026)
    told(`rows recorded in 2026 (${TOKENS_OF_2026.length})`, rows)
    expect(rows).toEqual({ onOurChains: 19, kept: 19 })
  })

  test('the newest bridge is asked when an asset has come over two', () => {
    const index = indexTokens([...TOKENS_OF_2025, ...TOKENS_OF_2026])
    expect(index.byAsset(assetOf(BITCOIN, 'BTC'))?.assetId).toBe('1cs_v1:btc:native:coin')
    expect(index.byAsset(assetOf(56, NATIVE))?.assetId).toBe('nep245:v2_1.omni.hot.tg:56_11111111111111111111')
    expect(indexTokens([...TOKENS_OF_2026, ...TOKENS_OF_2025]).byAsset(assetOf(56, NATIVE))).toEqual(
      index.byAsset(assetOf(56, NATIVE)),
    )
  })

  test('a row that tells another contract than its id is left out, price and all', () => {
    const lying = TOKENS_OF_2025.map((row) =>
      row.symbol === 'ARB' ? { ...row, contractAddress: '0x6b175474e89094c44da98b954eedeac495271d0f' } : row,
    )
    const index = indexTokens(lying)
    expect(index.rows).toEqual({ onOurChains: 39, kept: 38 })
    expect(index.byAsset(assetOf(42161, '0x912CE59144191C1204E64559FE8253a0e49E6548'))).toBeNull()
    expect(index.assetOf('nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near')?.chainId).toBe(42161)
  })
})
