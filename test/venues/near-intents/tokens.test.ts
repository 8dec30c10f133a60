import { expect, test } from 'vitest'
import { NATIVE, NATIVE_SOL, nativeAsset } from '../../../engine/core/asset.ts'
import { BITCOIN, type ChainId } from '../../../engine/core/chain.ts'
import { assetNamed } from '../../../engine/venues/near-intents/assetId.ts'
import { chainCodesIn } from '../../../engine/venues/near-intents/published.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import { anOrder, assetOf, WALLETS } from '../../support/anOrder.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import assetIds from './assetIds.json' with { type: 'json' }
import { TOKENS_OF_2025, TOKENS_OF_2026 } from './recordedAnswers.ts'
import { type Row, USDC } from './support.ts'

const DAI = '0x6b175474e89094c44da98b954eedeac495271d0f'
const CODES = chainCodesIn({ settings: { CHAIN_CODES: '8453=base2,-2=sol2' } })

test.each(assetIds.names as [string, ChainId, string][])(
  'the asset id %s names an asset of chain %i: %s',
  (id, chainId, named) => {
    const asset = named === 'native' ? nativeAsset(chainId) : assetOf(chainId, named)
    expect(assetNamed(id, asset.address, CODES)).toEqual(asset)
    // Of a token that an id names by its hash alone, the address is what the list states, and must be that.
    for (const told of [DAI, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'])
      expect([null, asset.address]).toContain(assetNamed(id, told, CODES)?.address ?? null)
  },
)

test.each(assetIds.nameNothing as [string, string][])(
  'an asset id with %s names nothing, whatever the list states: %s',
  (_what, id) => {
    for (const told of ['', DAI, USDC.solana, NATIVE, NATIVE_SOL]) expect(assetNamed(id, told, CODES)).toBeNull()
  },
)

/** What the adapter takes rows for: the price is told of the asset that each is. */
const listing = (rows: readonly Row[]) => {
  const { venue, notices } = canned(nearIntents, () => ({ body: rows.map((row) => ({ ...row, price: 1.5 })) }))
  return { notices, usd: async (...asset: Parameters<typeof assetOf>) => venue.prices?.usd(assetOf(...asset), never()) }
}

test.each([
  ['2025-05-06', TOKENS_OF_2025, 39, 'ARB'],
  ['2026', TOKENS_OF_2026, 19, 'SAFE'],
] as const)(
  'the recorded token list of %s matches its asset ids on all supported chains',
  async (name, rows, onOurChains, symbol) => {
    const honest = listing(rows)
    expect((await honest.usd(1, NATIVE))?.usd).toBe(name === '2026' ? undefined : '1.5')
    expect(honest.notices).toEqual([])
    process.stdout.write(
      `near-intents /v0/tokens of ${name} (${rows.length} rows): ${onOurChains} of ${onOurChains} on our chains kept\n`,
    )
    // One that lies is counted, and left out with its price.
    const lying = listing(rows.map((row) => (row.symbol === symbol ? { ...row, contractAddress: DAI } : row)))
    expect(await lying.usd(42161, '0x912CE59144191C1204E64559FE8253a0e49E6548')).toBeNull()
    expect(lying.notices).toEqual([
      expect.stringMatching(new RegExp(`^${onOurChains - 1} of ${onOurChains} rows of the token list`)),
    ])
  },
)

test('quote: an asset on two bridges is requested by the newest, in any order of the rows', async () => {
  const order = anOrder({ from: [56, NATIVE], to: [BITCOIN, 'BTC'], amount: 10n ** 18n, recipient: WALLETS.bitcoin })
  const [originAsset, destinationAsset] = ['nep141:bnb.omdep.near', '1cs_v1:btc:native:coin']
  const newest: Row = { assetId: originAsset, blockchain: 'bsc', symbol: 'BNB', decimals: 18 }
  for (const body of [TOKENS_OF_2025.concat(TOKENS_OF_2026, newest), [newest, ...TOKENS_OF_2026, ...TOKENS_OF_2025]]) {
    const { venue, asked } = canned(nearIntents, ({ path }) => (path === '/v0/tokens' ? { body } : { status: 500 }))
    await refusalOf(venue.quote(order, never()))
    expect(asked.at(-1)?.body).toMatchObject({ originAsset, destinationAsset })
  }
})
