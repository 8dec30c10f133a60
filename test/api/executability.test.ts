import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, OTHER_EVM, SIGNATURE_SWAP, SOLANA_WALLET } from '../support/swaps.ts'
import binds from './bindsAt.json' with { type: 'json' }

const OTHER_SOLANA = 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr'

const FROM_BITCOIN = { inputChainId: -1, inputToken: NATIVE, inputAmount: '5000000', userAddress: BITCOIN_WALLET } as const
const FROM_BASE = { inputChainId: 8453, inputToken: USDC.base, inputAmount: '250000000', userAddress: ACCOUNT.address } as const
const FROM_SOLANA = { inputChainId: -2, inputToken: USDC.solana, inputAmount: '250000000', userAddress: SOLANA_WALLET } as const
const FROM_ARBITRUM = { ...FROM_BASE, inputChainId: 42161, inputToken: USDC.arbitrum } as const
const TO_ARBITRUM = { outputChainId: 42161, outputToken: USDC.arbitrum } as const
const TO_BASE = { outputChainId: 8453, outputToken: USDC.base } as const
const TO_SOLANA = { outputChainId: -2, outputToken: USDC.solana } as const
const TO_BITCOIN = { outputChainId: -1, outputToken: NATIVE } as const

const ROUTES = {
  'from Solana': { ...FROM_SOLANA, ...TO_BASE, destinationAddress: ACCOUNT.address },
  'to Solana': { ...FROM_BASE, ...TO_SOLANA, destinationAddress: SOLANA_WALLET },
  'to Bitcoin': { ...FROM_BASE, ...TO_BITCOIN, destinationAddress: BITCOIN_WALLET },
  'from Bitcoin': { ...FROM_BITCOIN, ...TO_BASE, destinationAddress: ACCOUNT.address, refundAddress: BITCOIN_WALLET },
  'from Solana to Arbitrum': { ...FROM_SOLANA, ...TO_ARBITRUM, destinationAddress: ACCOUNT.address },
  'to Solana from Arbitrum': { ...FROM_ARBITRUM, ...TO_SOLANA, destinationAddress: SOLANA_WALLET },
  'to Bitcoin from Arbitrum': { ...FROM_ARBITRUM, ...TO_BITCOIN, destinationAddress: BITCOIN_WALLET },
  'within Ethereum': { ...SIGNATURE_SWAP, destinationAddress: ACCOUNT.address },
  'from Bitcoin to Arbitrum': {
    ...{ ...FROM_BITCOIN, ...TO_ARBITRUM, destinationAddress: ACCOUNT.address, refundAddress: BITCOIN_WALLET },
  },
} as const satisfies { readonly [name: string]: Omit<QuoteRequest, 'excludeVenues'> }

type Bound = 'quote' | 'execute'
/** Where each venue fixes the recipient of a swap to another kind of chain, and the refund address of one from Bitcoin. */
const BINDS = binds as unknown as readonly (readonly [
  venue: string,
  route: keyof typeof ROUTES,
  recipient: Bound,
  refund: Bound,
])[]

const idsOf = (bound: 'recipient' | 'refund', when: Bound) =>
  BINDS.filter(([, , recipient, refund]) => (bound === 'recipient' ? recipient : refund) === when)

let service: TestService
beforeAll(async () => {
  service = await startService(only(...VENUE_DEFINITIONS.map(({ id }) => id)))
})
afterAll(() => service.close())

const quote = (venue: string, route: keyof typeof ROUTES, without: 'destinationAddress' | 'refundAddress' | null) => {
  const body = Object.fromEntries(Object.entries(ROUTES[route]).filter(([name]) => name !== without))
  return service.call('quote', { body: { ...body, excludeVenues: allBut(venue) } as never })
}
const execute = (body: { quoteToken: string; destinationAddress?: string; refundAddress?: string }) =>
  service.send('POST', '/api/v1/execute', { body })

describe('a venue that fixes the recipient at quote', () => {
  it.each(idsOf('recipient', 'quote'))(
    '%s, %s: a quote without one is a preview, which execute refuses [quote-preview-missing-address]',
    async (venue, route) => {
      const preview = await quote(venue, route, 'destinationAddress')
      expect(preview).toMatchObject({ venue: { id: venue }, executable: false })
      const { quoteToken } = preview
      expectFailure(await execute({ quoteToken }), 422, 'QUOTE_NOT_EXECUTABLE')
      const { destinationAddress } = ROUTES[route]
      expectFailure(await execute({ quoteToken, destinationAddress }), 422, 'QUOTE_NOT_EXECUTABLE')
      expect((await quote(venue, route, null)).executable).toBe(true)
    },
  )
})

/** Those that serve no swap between two kinds of chain. */
const ALIKE_ONLY = ['bebop', 'cow', 'jupiter', 'kyberswap', 'uniswapx', 'zerox']

it('every venue has rows here or swaps within one kind of chain alone', () => {
  const shown = new Set([...ALIKE_ONLY, ...BINDS.map(([venue]) => venue)])
  expect([...shown].toSorted()).toEqual(VENUE_DEFINITIONS.map(({ id }) => id).toSorted())
})

describe('a venue that fixes the recipient at execute', () => {
  it.each(idsOf('recipient', 'execute'))(
    '%s, %s: a quote without one is executable, and execute requires it',
    async (venue, route) => {
      const { executable, quoteToken } = await quote(venue, route, 'destinationAddress')
      expect(executable).toBe(true)
      expect(failingPaths(expectFailure(await execute({ quoteToken }), 400, 'INVALID_REQUEST'))).toEqual(['destinationAddress'])
    },
  )
})

const fromBitcoin = BINDS.filter(([, route]) => route.startsWith('from Bitcoin'))

describe('from Bitcoin', () => {
  it.each(fromBitcoin)('by %s, %s: a quote without refund address (recipient fixed at %s, refund at %s)', async (...row) => {
    const [venue, route, , refund] = row
    const { executable, quoteToken } = await quote(venue, route, 'refundAddress')
    expect(executable).toBe(refund === 'execute')
    const answer = await execute({ quoteToken, refundAddress: BITCOIN_WALLET })
    if (refund === 'quote') expectFailure(answer, 422, 'QUOTE_NOT_EXECUTABLE')
    else expect(answer.status).toBe(200)
  })
})

/** Executes twice, the second time with an address that the venue ignores. */
const expectIgnored = async (venue: string, route: keyof typeof ROUTES, name: string, address: string) => {
  const { quoteToken } = await quote(venue, route, null)
  const [first, again] = [await execute({ quoteToken }), await execute({ quoteToken, [name]: address })]
  const { data } = first.body as { data: object }
  expect(again).toMatchObject({ status: 200, body: { data: { ...data, ignored: [name] } } })
}

describe('an address at execute', () => {
  const fixed = fromBitcoin.filter(([, , , refund]) => refund === 'quote')
  // Jupiter builds only for a wallet with coins.
  const holdsNothing = [...ALIKE_ONLY.filter((venue) => venue !== 'jupiter'), 'lifi']
  it.each([
    ...fixed.map(([venue, route]) => ['refundAddress', venue, route, '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'] as const),
    ...holdsNothing.map((venue) => ['refundAddress', venue, 'within Ethereum', OTHER_EVM] as const),
    ...idsOf('recipient', 'quote')
      .filter(([, route]) => route === 'to Solana')
      .map(([venue, route]) => ['destinationAddress', venue, route, OTHER_SOLANA] as const),
  ])('%s is listed as ignored by %s, %s, which fixed it at quote or holds no input', (name, venue, route, address) =>
    expectIgnored(venue, route, name, address),
  )
})
