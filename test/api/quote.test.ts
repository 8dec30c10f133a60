import { afterAll, beforeAll, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import {
  allBut,
  BITCOIN_WALLET,
  DEPOSIT_SWAP,
  OTHER_EVM,
  SIGNATURE_SWAP,
  SOLANA_WALLET,
  TRANSACTION_SWAP,
  USDC_SWAP,
} from '../support/swaps.ts'

/** Each with every address that a venue may fix at quote. */
const ROUTES: { readonly [route: string]: QuoteRequest } = {
  'to Solana': { ...USDC_SWAP, outputChainId: -2, outputToken: USDC.solana, destinationAddress: SOLANA_WALLET },
  'from Bitcoin': { ...DEPOSIT_SWAP, refundAddress: BITCOIN_WALLET },
  'within Ethereum': SIGNATURE_SWAP,
}
type AddressField = 'destinationAddress' | 'refundAddress'

let service: TestService
beforeAll(async () => {
  service = await startService(only(...VENUE_DEFINITIONS.map(({ id }) => id)))
})
afterAll(() => service.close())

const quote = (venue: string, route: string, without?: AddressField) => {
  const named = Object.entries(ROUTES[route] ?? {}).filter(([name]) => name !== without)
  return service.call('quote', { body: { ...Object.fromEntries(named), excludeVenues: allBut(venue) } as never })
}
const execute = (body: object) => service.send('POST', '/api/v1/execute', { body })

it('quote: returns the best offer, sealed, with fee, slippage, gas and expiry [quote-best-offer-sealed]', async () => {
  const data = await service.call('quote', { body: TRANSACTION_SWAP })
  expect(data).toMatchObject({
    venue: { id: 'across', name: 'Across' },
    routeType: 'EVM_CROSS_CHAIN',
    input: { token: { chainId: 8453, symbol: 'USDC', decimals: 6, isNative: false }, amount: '250000000' },
    output: { token: { chainId: 42161, symbol: 'USDC', decimals: 6 } },
    fee: { bps: 0, amount: '0' },
    executable: true,
    gas: { nativeSymbol: 'ETH' },
    estimatedTimeIsGuess: false,
  })
  expect(data.quoteToken.length).toBeLessThan(2_048)
  expect(BigInt(data.slippage?.guaranteedMin ?? 0)).toBeLessThanOrEqual(BigInt(data.output.amount))
  expect(data.expiresAt).toBeGreaterThan(Date.now())
  expect(data.gas?.usd).toMatch(/^[0-9]+\.[0-9]+$/)
})

it.each<[AddressField, venue: string, route: string]>([
  ['destinationAddress', 'across', 'to Solana'],
  ['destinationAddress', 'relay', 'to Solana'],
  ['refundAddress', 'relay', 'from Bitcoin'],
])(
  'quote: without a %s, which %s fixes at quote for a swap %s, is a preview, which execute refuses [quote-preview-missing-address]',
  async (name, venue, route) => {
    const { quoteToken, ...preview } = await quote(venue, route, name)
    expect(preview).toMatchObject({ venue: { id: venue }, executable: false })
    for (const late of [{}, { [name]: ROUTES[route]?.[name] }])
      expectFailure(await execute({ quoteToken, ...late }), 422, 'QUOTE_NOT_EXECUTABLE')
    expect((await quote(venue, route)).executable).toBe(true)
  },
)

it('quote: without a recipient that its venue fixes at execute is executable, and execute requires the recipient', async () => {
  const { executable, quoteToken } = await quote('near-intents', 'to Solana', 'destinationAddress')
  expect(executable).toBe(true)
  expect(failingPaths(expectFailure(await execute({ quoteToken }), 400, 'INVALID_REQUEST'))).toEqual(['destinationAddress'])
  expect((await execute({ quoteToken, destinationAddress: SOLANA_WALLET })).status).toBe(200)
})

it.each<[AddressField, venue: string, route: string, address: string]>([
  ['refundAddress', 'relay', 'from Bitcoin', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'],
  ['destinationAddress', 'across', 'to Solana', 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr'],
  // Jupiter builds only for a wallet with coins.
  ...['bebop', 'cow', 'kyberswap', 'lifi', 'uniswapx', 'zerox'].map((venue): [AddressField, string, string, string] => [
    'refundAddress',
    venue,
    'within Ethereum',
    OTHER_EVM,
  ]),
])('execute: lists a %s as ignored by %s, %s, which fixed it at quote or holds no input', async (name, venue, route, address) => {
  const { quoteToken } = await quote(venue, route)
  const [first, again] = [await execute({ quoteToken }), await execute({ quoteToken, [name]: address })]
  const { data } = first.body as { data: object }
  expect(again).toMatchObject({ status: 200, body: { data: { ...data, ignored: [name] } } })
})
