import { describe, expect, test } from 'vitest'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder, assetOf, WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import assetIds from './assetIds.json' with { type: 'json' }
import { TOKENS_OF_2025, TOKENS_OF_2026 } from './recordedAnswers.ts'
import { BASE_USDC_ID, bitcoinToBase, openBench, quotesAsked, type Row, solanaToArbitrum, told, USDC } from './support.ts'

const open = closedAfterEach(openBench)

const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'

/** Which asset ids are asked for where the venue lists this. */
const askedWith = async (tokens: (rows: readonly Row[]) => unknown, order = bitcoinToBase()) => {
  const { venue, asked, notices } = told(await open(), { tokens })
  const { outputAmount } = await venue.quote(order, never())
  const [request] = quotesAsked(asked)
  return { outputAmount, notices, ids: [request?.['originAsset'], request?.['destinationAsset']] }
}

const ETHER = 'nep141:base.omft.near'
/** Deprecated, and listed beside those of today. */
const OLD_IDS = /^nep245:.*:56_|^nep141:btc/

describe('the token list of NEAR Intents', () => {
  test('is read once for all quotes of some minutes', async () => {
    const bench = await open()
    await Promise.all([1, 2, 3].map(() => bench.venue.quote(bitcoinToBase(), never())))
    bench.clock.advance(4 * 60_000)
    await bench.venue.quote(bitcoinToBase(), never())
    expect(bench.sent.filter(({ path }) => path === '/v0/tokens')).toHaveLength(1)
  })

  test('may contain other chains, rows and prices', async () => {
    const strange = [null, {}, { blockchain: 7 }, { blockchain: 'newchain' }, { blockchain: 'ton', assetId: 5, decimals: 'nine' }]
    expect(await askedWith((rows) => [...strange, ...rows])).toMatchObject({ outputAmount: 981_362_695n, notices: [] })
    const odd = (rows: readonly Row[]) => [{ blockchain: 'base', assetId: 5 }, ...rows.map((row) => ({ ...row, price: '1.5' }))]
    expect(await askedWith(odd)).toMatchObject({ outputAmount: 981_362_695n, notices: [expect.stringMatching(/of \d+ rows/)] })
  })

  test.each([[[]], [[{}, null]], [{}], [null], ['tokens']])('is rejected when it is %j', async (body) => {
    const { venue } = canned(nearIntents, () => ({ body }))
    expect((await refusalOf(venue.quote(bitcoinToBase(), never()))).kind).toMatch(/^(badResponse|rejected)$/)
  })

  test.each(assetIds.alone as [string, object, string, string][])(
    'rejects a token whose only row has %s',
    async (_what, change, kind, ofCoin) => {
      const changed = (row: Row) => (row.assetId === BASE_USDC_ID ? { ...row, ...change } : row)
      const { venue } = told(await open(), { tokens: (rows) => rows.filter(({ assetId }) => assetId !== ETHER).map(changed) })
      const check = kind === 'rejected' ? 'assetId' : null
      expect(await refusalOf(venue.quote(bitcoinToBase(), never()))).toMatchObject({ kind, check })
      const order = anOrder({ from: [8453, NATIVE], to: [1, NATIVE], amount: 10n ** 18n })
      expect((await refusalOf(venue.quote(order, never()))).kind).toBe(ofCoin)
      await venue.quote(solanaToArbitrum(), never())
    },
  )

  test('never maps wrapped SOL to SOL, nor a contract at the native marker to a coin', async () => {
    const impostors = [
      { assetId: 'wsol', decimals: 9, blockchain: 'sol', symbol: 'wSOL', contractAddress: NATIVE_SOL },
      { assetId: 'fake', decimals: 18, blockchain: 'arb', symbol: 'ETH', contractAddress: NATIVE },
      { assetId: 'other', decimals: 18, blockchain: 'arb', symbol: 'XYZ' },
    ]
    const { ids } = await askedWith((rows) => [...impostors, ...rows], solanaToArbitrum())
    expect(ids).toEqual(['nep141:sol.omft.near', 'nep141:arb.omft.near'])
  })
})

/** What the adapter takes a row for: the price is told of the asset that it is. */
const listing = (rows: readonly Partial<Row>[]) => {
  const priced = rows.map((row) => ({ decimals: 6, symbol: 'T', ...row, price: 1.5 }))
  const { venue, notices } = canned(nearIntents, () => ({ body: priced }), { settings: { CHAIN_CODES: '8453=base2,-2=sol2' } })
  return {
    notices,
    isListed: async (...asset: Parameters<typeof assetOf>) =>
      (await venue.prices?.usd(assetOf(...asset), never()))?.usd === '1.5',
  }
}

describe('an asset id of NEAR Intents', () => {
  const CODES = { 1: 'eth', 137: 'pol', 8453: 'base', 42161: 'arb', 43114: 'avax', 56: 'bsc', [SOLANA]: 'sol', [BITCOIN]: 'btc' }
  const CHAINS = Object.entries(CODES).map(([chainId, code]) => [code, Number(chainId) as ChainId] as const)
  const spelt = (chainId: ChainId, address: string) => (chainId === SOLANA ? address : address.toLowerCase())

  test.each(assetIds.names as [string, ChainId, string][])(
    '%s identifies its asset, and a contradicting row is removed',
    async (assetId, chainId, named) => {
      const native = chainId === SOLANA ? NATIVE_SOL : NATIVE
      const address = named === 'native' ? native : named
      const row = { assetId, blockchain: CHAINS.find(([, id]) => id === chainId)?.[0] ?? '' }
      const honest = named === 'native' ? row : { ...row, contractAddress: named }
      expect(await listing([honest]).isListed(chainId, address)).toBe(true)
      const [elsewhere, chainElsewhere] = CHAINS.find(([, id]) => id !== chainId) ?? ['', 1]
      expect(await listing([{ ...honest, blockchain: elsewhere }]).isListed(chainElsewhere, NATIVE)).toBe(false)
      if (chainId === BITCOIN) return
      const other = chainId === SOLANA ? USDT_MINT : DAI
      const lying = listing([{ ...row, contractAddress: spelt(chainId, other) }])
      expect([await lying.isListed(chainId, other), await lying.isListed(chainId, address)]).toEqual([false, false])
    },
  )

  test.each(assetIds.nameNothing as [string, string][])(
    'with %s identifies nothing, whatever the row states',
    async (_what, assetId) => {
      for (const [blockchain, chainId] of CHAINS) {
        const tokens = chainId === SOLANA ? [USDC.solana, NATIVE_SOL] : chainId > 0 ? [DAI, NATIVE] : []
        for (const address of tokens)
          expect(
            await listing([{ assetId, blockchain, contractAddress: spelt(chainId, address) }]).isListed(chainId, address),
          ).toBe(false)
        expect(await listing([{ assetId, blockchain }]).isListed(chainId, chainId === SOLANA ? NATIVE_SOL : NATIVE)).toBe(false)
      }
    },
  )
})

describe('the recorded token lists of NEAR Intents', () => {
  test.each([
    ['2025-05-06', TOKENS_OF_2025, 39, 'ARB'],
    ['2026', TOKENS_OF_2026, 19, 'SAFE'],
  ] as const)('of %s match their asset ids on all supported chains', async (name, rows, onOurChains, symbol) => {
    const honest = listing(rows)
    expect(await honest.isListed(1, NATIVE)).toBe(name !== '2026')
    expect(honest.notices).toEqual([])
    process.stdout.write(
      `near-intents /v0/tokens of ${name} (${rows.length} rows): ${onOurChains} of ${onOurChains} on our chains kept\n`,
    )
    // One that lies is counted, and left out with its price.
    const lie = { contractAddress: DAI.toLowerCase() }
    const { notices, isListed } = listing(rows.map((row) => (row.symbol === symbol ? { ...row, ...lie } : row)))
    expect(await isListed(42161, ARB)).toBe(false)
    expect(notices).toEqual([expect.stringMatching(new RegExp(`^${onOurChains - 1} of ${onOurChains} rows of the token list`))])
  })

  test('use the newest bridge when an asset has two', async () => {
    const order = anOrder({ from: [56, NATIVE], to: [BITCOIN, 'BTC'], amount: 10n ** 18n, recipient: WALLETS.bitcoin })
    const [old, recent] = [TOKENS_OF_2025, TOKENS_OF_2026]
    const [originAsset, destinationAsset] = ['nep141:bnb.omdep.near', '1cs_v1:btc:native:coin']
    const newest: Row = { assetId: originAsset, blockchain: 'bsc', symbol: 'BNB', decimals: 18 }
    for (const body of [old.concat(recent, newest), [newest, ...recent, ...old]]) {
      const { venue, asked } = canned(nearIntents, ({ path }) => (path === '/v0/tokens' ? { body } : { status: 500 }))
      await refusalOf(venue.quote(order, never()))
      expect(quotesAsked(asked)).toMatchObject([{ originAsset, destinationAsset }])
    }
  })
})

describe('quote: rejects an asset id of another asset than the token list states', () => {
  /** What the list says of the second id is what is true of the first, whose own row is gone. */
  const selling = (honestId: string, lyingId: string) => (rows: readonly Row[]) =>
    rows
      .filter(({ assetId }) => assetId !== lyingId && !OLD_IDS.test(assetId))
      .map((row) => (row.assetId === honestId ? { ...row, assetId: lyingId } : row))
  const onArbitrum = 'nep141:arb-0x912ce59144191c1204e64559fe8253a0e49e6548.omft.near'

  test.each<[string, [ChainId, string], bigint, honestId: string, lyingId: string]>([
    ['ARB sold as DAI', [1, DAI], 10n ** 21n, `nep141:eth-${DAI.toLowerCase()}.omft.near`, onArbitrum],
    [
      'one mint sold as another',
      [SOLANA, USDT_MINT],
      10n ** 9n,
      'nep141:sol-c800a4bd850783ccb82c2b2c7e84175443606352.omft.near',
      'nep141:sol-5ce3bf3a31af18be40ba30f721101b4341690186.omft.near',
    ],
    ['BNB sold as USDC', [56, USDC.bsc], 10n ** 21n, `nep141:bnb-${USDC.bsc.toLowerCase()}.omdep.near`, 'nep141:bnb.omdep.near'],
    ['ether of Base sold as ether of Ethereum', [1, NATIVE], 10n ** 18n, 'nep141:eth.omft.near', 'nep141:base.omft.near'],
  ])('%s, on either side', async (_name, asset, amount, honestId, lyingId) => {
    const bench = await open()
    const recipient = asset[0] === SOLANA ? WALLETS.solana : WALLETS.evmOther
    const bought = anOrder({ from: [8453, USDC.base], to: asset, amount: 1_000_000_000n, recipient })
    const sold = anOrder({ from: asset, to: [8453, USDC.base], amount, recipient: WALLETS.evmOther })
    for (const order of [bought, sold]) {
      expect(await outcomeOf(told(bench, {}).venue, order)).toBe('signed')
      expect(await outcomeOf(told(bench, { tokens: selling(honestId, lyingId) }).venue, order)).toBe('rejected')
    }
  })
})

describe('prices of NEAR Intents', () => {
  test('are decimal strings of the list, and null for an unlisted token', async () => {
    const { venue } = await open()
    for (const [chainId, address, usd] of [
      [BITCOIN, 'BTC', '98400'],
      [SOLANA, NATIVE_SOL, '171.2'],
      [137, NATIVE, '0.48'],
      [8453, '0x4200000000000000000000000000000000000006', null],
      [999, NATIVE, null],
    ] as const)
      expect((await venue.prices?.usd(assetOf(chainId, address), never()))?.usd ?? null).toBe(usd)
  })

  test('ignore missing and invalid numbers, and accept tiny ones', async () => {
    const told = [1.25e-7, null, 0, -1, 1e22, 5e-324]
    const addresses = told.map((_, i) => `0x${String(i + 1).repeat(40)}`)
    const rows = addresses.map((contractAddress, i) => {
      const assetId = `nep141:base-${contractAddress}.omft.near`
      return { assetId, decimals: 6, blockchain: 'base', symbol: 'T', price: told[i], contractAddress }
    })
    const { venue } = canned(nearIntents, () => ({ body: rows }))
    const prices = addresses.map((address) => venue.prices?.usd(assetOf(8453, address), never()))
    expect((await Promise.all(prices)).map((price) => price?.usd ?? null)).toEqual(['0.000000125', null, null, null, null, null])
  })
})
