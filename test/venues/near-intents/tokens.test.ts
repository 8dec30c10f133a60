import { describe, expect, test } from 'vitest'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder, assetOf, WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { TOKENS_OF_2025, TOKENS_OF_2026 } from './recordedAnswers.ts'
import { bitcoinToBase, openBench, quotesAsked, type Row, solanaToArbitrum, told, USDC } from './support.ts'

const open = closedAfterEach(openBench)

describe('the token list', () => {
  const listed = ({ sent }: Awaited<ReturnType<typeof open>>) => sent.filter(({ path }) => path === '/v0/tokens').length

  test('is loaded once for all quotes that want it at the same time', async () => {
    const bench = await open()
    await Promise.all([1, 2, 3, 4].map(() => bench.venue.quote(bitcoinToBase(), never())))
    bench.clock.advance(4 * 60_000)
    await bench.venue.quote(bitcoinToBase(), never())
    expect(listed(bench)).toBe(1)
  })

  test('serves on while it is refreshed, and when it cannot be', async () => {
    const bench = await open()
    await bench.venue.quote(bitcoinToBase(), never())
    bench.clock.advance(6 * 60_000)
    bench.faults.set('near-intents', 'http-500', { path: '/v0/tokens' }, null)
    for (const _ of [1, 2, 3]) await bench.venue.quote(bitcoinToBase(), never())
    expect(listed(bench)).toBe(2)
    bench.clock.advance(20_000)
    await bench.venue.quote(bitcoinToBase(), never())
    expect(listed(bench)).toBe(3)
  })

  test('is not lost to all when the first caller gives up', async () => {
    const bench = await open()
    bench.faults.set('near-intents', 'latency', { path: '/v0/tokens', ms: 50 }, 1)
    const hasty = new AbortController()
    const first = refusalOf(bench.venue.quote(bitcoinToBase(), hasty.signal))
    const second = bench.venue.quote(bitcoinToBase(), never())
    hasty.abort()
    expect((await first).kind).toBe('timeout')
    expect((await second).outputAmount).toBe(981_362_695n)
    expect(listed(bench)).toBe(1)
  })

  test('may hold chains, rows and prices of any kind that are not ours', async () => {
    const strange = [{ blockchain: 'newchain' }, { blockchain: 'ton', assetId: 5, decimals: 'nine' }]
    const { venue, notices } = told(await open(), { tokens: (rows) => [...strange, ...rows] })
    expect((await venue.quote(bitcoinToBase(), never())).outputAmount).toBe(981_362_695n)
    expect(notices).toEqual([])
  })

  test.each([[[]], [{}], [null], ['tokens']])('that is %j is a bad response', async (body) => {
    const { venue } = canned(nearIntents, () => ({ body }))
    expect((await refusalOf(venue.quote(bitcoinToBase(), never()))).kind).toBe('badResponse')
  })
})

describe('bitcoin', () => {
  const askedWith = async (tokens: (rows: readonly Row[]) => unknown) => {
    const { venue, asked } = told(await open(), { tokens })
    await venue.quote(bitcoinToBase(), never())
    return quotesAsked(asked).map(({ originAsset }) => originAsset)
  }
  const isNew = ({ assetId }: Row) => assetId.startsWith('1cs_v1:btc')

  test('is asked for by its new id when both are listed, whatever the symbol of that row', async () => {
    const rename = (rows: readonly Row[]) => rows.map((row) => (isNew(row) ? { ...row, symbol: 'BTC(OMNI)' } : row))
    expect(await askedWith(rename)).toEqual(['1cs_v1:btc:native:coin'])
  })

  test('is asked for by its old id when that is all there is, and the echo of the new one is taken', async () => {
    expect(await askedWith((rows) => rows.filter((row) => !isNew(row)))).toEqual(['nep141:btc.omft.near'])
  })
})

test('wrapped SOL listed by its mint is not taken for SOL, and neither is an EVM contract at the native marker', async () => {
  const impostors = [
    { assetId: 'wsol', decimals: 9, blockchain: 'sol', symbol: 'wSOL', contractAddress: NATIVE_SOL },
    { assetId: 'fake', decimals: 18, blockchain: 'arb', symbol: 'ETH', contractAddress: NATIVE },
    { assetId: 'other', decimals: 18, blockchain: 'arb', symbol: 'XYZ' },
  ]
  const { venue, asked } = told(await open(), { tokens: (rows) => [...impostors, ...rows] })
  await venue.quote(solanaToArbitrum(), never())
  expect(quotesAsked(asked)).toMatchObject([{ originAsset: 'nep141:sol.omft.near', destinationAsset: 'nep141:arb.omft.near' }])
})

const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'

/** What the adapter takes a row for: the price is told of the asset that it is. */
const listing = (rows: readonly Partial<Row>[]) => {
  const priced = rows.map((row) => ({ decimals: 6, symbol: 'T', ...row, price: 1.5 }))
  const { venue, notices } = canned(nearIntents, () => ({ body: priced }))
  return {
    notices,
    isListed: async (...asset: Parameters<typeof assetOf>) => (await venue.prices?.usd(assetOf(...asset), never())) === '1.5',
  }
}

describe('an asset id', () => {
  const CODES: readonly (readonly [string, ChainId])[] = [
    ['eth', 1],
    ['base', 8453],
    ['arb', 42161],
    ['avax', 43114],
    ['bsc', 56],
    ['sol', SOLANA],
    ['btc', BITCOIN],
  ]
  const blockchainOf = (chainId: ChainId) => CODES.find(([, id]) => id === chainId)?.[0] ?? ''

  test.each<[string, ChainId, string]>([
    ['nep141:eth.omft.near', 1, NATIVE],
    ['nep141:base.omft.near', 8453, NATIVE],
    ['nep141:arb.omft.near', 42161, NATIVE],
    ['nep141:sol.omft.near', SOLANA, NATIVE_SOL],
    ['nep141:btc.omft.near', BITCOIN, NATIVE],
    ['1cs_v1:btc:native:coin', BITCOIN, NATIVE],
    ['1cs_v1:eth:native:coin', 1, NATIVE],
    ['1cs_v1:eth:erc20:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 1, USDC.ethereum],
    [`1cs_v1:sol:spl:${USDC.solana}`, SOLANA, USDC.solana],
    ['nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near', SOLANA, USDC.solana],
    ['nep245:v2_1.omni.hot.tg:43114_11111111111111111111', 43114, NATIVE],
    ['nep245:v2_1.omni.hot.tg:56_2w93GqMcEmQFDru84j3HZZWt557r', 56, USDC.bsc],
    ['nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near', 42161, '0x912CE59144191C1204E64559FE8253a0e49E6548'],
  ])('%s names its asset by itself; a row that tells another is left out', async (assetId, chainId, address) => {
    const isCoin = ([NATIVE, NATIVE_SOL] as readonly string[]).includes(address)
    const row = { assetId, blockchain: blockchainOf(chainId), ...(!isCoin && { contractAddress: address }) }
    expect(await listing([row]).isListed(chainId, address)).toBe(true)
    const [elsewhere, chainElsewhere] = CODES.find(([code]) => code !== row.blockchain) ?? ['', 1]
    expect(await listing([{ ...row, blockchain: elsewhere }]).isListed(chainElsewhere, NATIVE)).toBe(false)
    if (chainId === BITCOIN) return
    const other = chainId === SOLANA ? USDT_MINT : DAI
    const lying = listing([{ ...row, contractAddress: chainId === SOLANA ? other : other.toLowerCase() }])
    expect([await lying.isListed(chainId, other), await lying.isListed(chainId, address)]).toEqual([false, false])
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
  ])('that holds %s names nothing, wherever it is said to be', async (_what, assetId) => {
    for (const [blockchain, chainId] of CODES)
      for (const [contractAddress, address] of [
        [undefined, chainId === SOLANA ? NATIVE_SOL : NATIVE],
        ...(chainId === SOLANA
          ? [
              [USDC.solana, USDC.solana],
              [NATIVE_SOL, NATIVE_SOL],
            ]
          : []),
        ...(chainId > 0
          ? [
              [DAI.toLowerCase(), DAI],
              [NATIVE.toLowerCase(), NATIVE],
            ]
          : []),
      ] as const) {
        const row = { assetId, blockchain, ...(contractAddress && { contractAddress }) }
        expect(await listing([row]).isListed(chainId, address), `${blockchain} ${contractAddress}`).toBe(false)
      }
  })

  test('as long as one may be and almost one is read in no time', async () => {
    const rows = ['nep141:', 'nep141:eth-0x', 'nep245:v2_1.omni.hot.tg:1', '1cs_v1:sol:spl:', '1cs_v1:'].flatMap((id) =>
      ['a', '1', '-', ':', '.omft.near'].map((filler) => ({
        assetId: `${id}${filler.repeat(256)}`.slice(0, 256),
        blockchain: 'eth',
      })),
    )
    const startedAt = performance.now()
    expect(await listing(rows).isListed(1, NATIVE)).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

describe('of the rows of the recorded list that are on our chains', () => {
  const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
  const spoilt = (rows: readonly Row[], symbol: string) =>
    rows.map((row) => (row.symbol === symbol ? { ...row, contractAddress: DAI.toLowerCase() } : row))

  test.each([
    ['2025-05-06', TOKENS_OF_2025, 39, 'ARB'],
    ['2026', TOKENS_OF_2026, 19, 'SAFE'],
  ] as const)('of %s, all are what their id says', async (name, rows, onOurChains, symbol) => {
    const honest = listing(rows)
    expect(await honest.isListed(1, NATIVE)).toBe(name !== '2026')
    expect(honest.notices).toEqual([])
    process.stdout.write(
      `near-intents /v0/tokens of ${name} (${rows.length} rows): ${onOurChains} of ${onOurChains} on our chains kept\n`,
    )
    // One that lies is counted, and left out with its price.
    const { notices, isListed } = listing(spoilt(rows, symbol))
    expect(await isListed(42161, ARB)).toBe(false)
    expect(notices).toEqual([expect.stringMatching(new RegExp(`^${onOurChains - 1} of ${onOurChains} rows of the token list`))])
  })

  test('the newest bridge is asked when an asset has come over two', async () => {
    for (const rows of [
      [...TOKENS_OF_2025, ...TOKENS_OF_2026],
      [...TOKENS_OF_2026, ...TOKENS_OF_2025],
    ]) {
      const { venue, asked } = canned(nearIntents, ({ path }) => (path === '/v0/tokens' ? { body: rows } : { status: 500 }))
      const order = anOrder({ from: [56, NATIVE], to: [BITCOIN, 'BTC'], amount: 10n ** 18n, recipient: WALLETS.bitcoin })
      await refusalOf(venue.quote(order, never()))
      expect(quotesAsked(asked)).toMatchObject([
        { originAsset: 'nep245:v2_1.omni.hot.tg:56_11111111111111111111', destinationAsset: '1cs_v1:btc:native:coin' },
      ])
    }
  })
})

describe('what the venue signed is what it names, whatever its token list calls it:', () => {
  /** What the list says of the first asset is what is true of the second, whose own row is gone. */
  const relabel = (id: string, as: Partial<Row>, unlisted: (row: Row) => boolean) => (rows: readonly Row[]) =>
    rows.filter((row) => row.assetId === id || !unlisted(row)).map((row) => (row.assetId === id ? { ...row, ...as } : row))
  const at = (address: string) => (row: Row) => row.contractAddress === address

  test.each<[string, [ChainId, string], bigint, (rows: readonly Row[]) => unknown]>([
    [
      'ARB sold as DAI',
      [1, DAI],
      10n ** 21n,
      relabel(
        'nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near',
        { blockchain: 'eth', symbol: 'DAI', contractAddress: DAI.toLowerCase(), decimals: 18 },
        at(DAI.toLowerCase()),
      ),
    ],
    [
      'one mint sold as another',
      [SOLANA, USDT_MINT],
      10n ** 9n,
      relabel(
        'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near',
        { symbol: 'USDT', contractAddress: USDT_MINT },
        at(USDT_MINT),
      ),
    ],
    [
      'BNB sold as USDC',
      [56, USDC.bsc],
      10n ** 21n,
      relabel(
        'nep245:v2_1.omni.hot.tg:56_11111111111111111111',
        { symbol: 'USDC', contractAddress: USDC.bsc.toLowerCase() },
        at(USDC.bsc.toLowerCase()),
      ),
    ],
    [
      'ether of Base sold as ether of Ethereum',
      [1, NATIVE],
      10n ** 18n,
      relabel('nep141:base.omft.near', { blockchain: 'eth' }, ({ assetId }) => assetId === 'nep141:eth.omft.near'),
    ],
  ])('%s is not, on either side', async (_name, asset, amount, lie) => {
    const bench = await open()
    const recipient = asset[0] === SOLANA ? WALLETS.solana : WALLETS.evmOther
    const bought = anOrder({ from: [8453, USDC.base], to: asset, amount: 1_000_000_000n, recipient })
    const sold = anOrder({ from: asset, to: [8453, USDC.base], amount, recipient: WALLETS.evmOther })
    for (const order of [bought, sold]) {
      expect(await outcomeOf(told(bench, {}).venue, order)).toBe('signed')
      expect(await outcomeOf(told(bench, { tokens: lie }).venue, order)).toBe('unsupportedPair')
    }
  })
})

describe('prices', () => {
  test('are what the list says, as decimal strings; null for what is not listed', async () => {
    const { venue } = await open()
    const usd = (...asset: Parameters<typeof assetOf>) => venue.prices?.usd(assetOf(...asset), never())
    expect(await usd(BITCOIN, 'BTC')).toBe('98400')
    expect(await usd(SOLANA, NATIVE_SOL)).toBe('171.2')
    expect(await usd(137, NATIVE)).toBe('0.48')
    expect(await usd(8453, '0x4200000000000000000000000000000000000006')).toBeNull()
    expect(await usd(999, NATIVE)).toBeNull()
  })

  test('survive tiny, missing and senseless numbers', async () => {
    const rows = [1.25e-7, null, 0, -1, 1e22, 5e-324].map((price, i) => {
      const contractAddress = `0x${String(i + 1).repeat(40)}`
      return {
        assetId: `nep141:base-${contractAddress}.omft.near`,
        decimals: 6,
        blockchain: 'base',
        symbol: 'T',
        price,
        contractAddress,
      }
    })
    const { venue } = canned(nearIntents, () => ({ body: rows }))
    const prices = rows.map(({ contractAddress }) => venue.prices?.usd(assetOf(8453, contractAddress), never()))
    expect(await Promise.all(prices)).toEqual(['0.000000125', null, null, null, null, null])
  })
})
