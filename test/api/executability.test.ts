import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, OTHER_EVM, SIGNATURE_SWAP, SOLANA_WALLET } from '../support/swaps.ts'

const OTHER_SOLANA = 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr'
const OTHER_BITCOIN = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'

const FROM_BITCOIN = { inputChainId: -1, inputToken: NATIVE, inputAmount: '5000000', userAddress: BITCOIN_WALLET } as const
const FROM_BASE = { inputChainId: 8453, inputToken: USDC.base, inputAmount: '250000000', userAddress: ACCOUNT.address } as const
const TO_BASE = { outputChainId: 8453, outputToken: USDC.base, destinationAddress: ACCOUNT.address } as const
const TO_SOLANA = { outputChainId: -2, outputToken: USDC.solana, destinationAddress: SOLANA_WALLET } as const
const TO_BITCOIN = { outputChainId: -1, outputToken: NATIVE, destinationAddress: BITCOIN_WALLET } as const

const ROUTES = {
  'to Solana': { ...FROM_BASE, ...TO_SOLANA },
  'to Bitcoin': { ...FROM_BASE, ...TO_BITCOIN },
  'from Bitcoin': { ...FROM_BITCOIN, ...TO_BASE, refundAddress: BITCOIN_WALLET },
  'from Bitcoin to Arbitrum': {
    ...{ ...FROM_BITCOIN, outputChainId: 42161, outputToken: USDC.arbitrum },
    ...{ destinationAddress: ACCOUNT.address, refundAddress: BITCOIN_WALLET },
  },
  'within Ethereum': { ...SIGNATURE_SWAP, destinationAddress: ACCOUNT.address },
} as const satisfies { readonly [name: string]: Omit<QuoteRequest, 'excludeVenues'> }
type Route = keyof typeof ROUTES

let service: TestService
beforeAll(async () => {
  service = await startService(only(...VENUE_DEFINITIONS.map(({ id }) => id)))
})
afterAll(() => service.close())

const quote = (venue: string, route: Route, without: 'destinationAddress' | 'refundAddress' | null) => {
  const body = Object.fromEntries(Object.entries(ROUTES[route]).filter(([name]) => name !== without))
  return service.call('quote', { body: { ...body, excludeVenues: allBut(venue) } as never })
}
const execute = (body: { quoteToken: string; destinationAddress?: string; refundAddress?: string }) =>
  service.send('POST', '/api/v1/execute', { body })

describe('a quote without recipient', () => {
  it.each<[string, Route]>([
    ['across', 'to Solana'],
    ['relay', 'to Solana'],
  ])(
    'by %s, %s, which fixes it at quote, is a preview, which execute refuses [quote-preview-missing-address]',
    async (venue, route) => {
      const preview = await quote(venue, route, 'destinationAddress')
      expect(preview).toMatchObject({ venue: { id: venue }, executable: false })
      const { quoteToken } = preview
      const { destinationAddress } = ROUTES[route]
      for (const address of [{}, { destinationAddress }])
        expectFailure(await execute({ quoteToken, ...address }), 422, 'QUOTE_NOT_EXECUTABLE')
      expect((await quote(venue, route, null)).executable).toBe(true)
    },
  )

  it.each<[string, Route]>([
    ['relay', 'to Bitcoin'],
    ['near-intents', 'to Solana'],
    ['mayan', 'to Solana'],
    ['thorchain', 'from Bitcoin'],
  ])('by %s, %s, which fixes it at execute, is executable, and execute requires it', async (venue, route) => {
    const { executable, quoteToken } = await quote(venue, route, 'destinationAddress')
    expect(executable).toBe(true)
    expect(failingPaths(expectFailure(await execute({ quoteToken }), 400, 'INVALID_REQUEST'))).toEqual(['destinationAddress'])
  })
})

describe('a quote from Bitcoin without refund address', () => {
  it.each<[string, string, Route, number]>([
    ['relay', 'a preview, which execute refuses', 'from Bitcoin', 422],
    ['near-intents', 'executable with the one at execute', 'from Bitcoin', 200],
    ['thorchain', 'executable with the one at execute', 'from Bitcoin', 200],
    ['chainflip', 'executable with the one at execute', 'from Bitcoin to Arbitrum', 200],
  ])('by %s is %s', async (venue, _what, route, status) => {
    const { executable, quoteToken } = await quote(venue, route, 'refundAddress')
    expect(executable).toBe(status === 200)
    const answer = await execute({ quoteToken, refundAddress: BITCOIN_WALLET })
    expect(answer.status).toBe(status)
    if (status === 422) expectFailure(answer, 422, 'QUOTE_NOT_EXECUTABLE')
  })
})

it.each<[name: string, venue: string, Route, address: string]>([
  ['refundAddress', 'relay', 'from Bitcoin', OTHER_BITCOIN],
  ['destinationAddress', 'across', 'to Solana', OTHER_SOLANA],
  // Jupiter builds only for a wallet with coins.
  ...['bebop', 'cow', 'kyberswap', 'lifi', 'uniswapx', 'zerox'].map((venue): [string, string, Route, string] => [
    'refundAddress',
    venue,
    'within Ethereum',
    OTHER_EVM,
  ]),
])('execute: lists %s as ignored by %s, %s, which fixed it at quote or holds no input', async (name, venue, route, address) => {
  const { quoteToken } = await quote(venue, route, null)
  const [first, again] = [await execute({ quoteToken }), await execute({ quoteToken, [name]: address })]
  const { data } = first.body as { data: object }
  expect(again).toMatchObject({ status: 200, body: { data: { ...data, ignored: [name] } } })
})
