import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, SOLANA_WALLET } from '../support/swaps.ts'

/** Venues that take bitcoin as they are. */
const FROM_BITCOIN = ['near-intents', 'relay'] as const

const MKR = '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const USDC_TOKEN = { chainId: 1, address: USDC.ethereum, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false }

let service: TestService
beforeAll(async () => {
  service = await startService(only(...FROM_BITCOIN, 'across', 'cow'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const resolve = async (chainId: 1 | 56, address: string) =>
  (await service.call('resolveToken', { query: { chainId, address } })).token

it.each<[string, 1 | 56, string, object]>([
  ['an address with checksum', 1, USDC.ethereum, USDC_TOKEN],
  ['an address in lower case', 1, USDC.ethereum.toLowerCase(), USDC_TOKEN],
  ['an old token whose name is no string', 1, MKR, { symbol: 'MKR', name: 'Maker', decimals: 18 }],
  ['USDC of BNB Smart Chain', 56, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', { symbol: 'USDC', decimals: 18 }],
])('tokens/resolve: reads %s from its chain [token-metadata-onchain]', async (_what, chainId, address, token) => {
  expect(await resolve(chainId, address)).toMatchObject(token)
})

it('tokens/resolve: returns a listed token while its chain cannot be read', async () => {
  await service.control.fault('chain:1', 'http-500')
  expect(await resolve(1, DAI)).toMatchObject({ symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18 })
})

const isQuotedBy = async (venue: string, outputChainId: number, outputToken: string): Promise<boolean> => {
  const destinationAddress = outputChainId === -2 ? SOLANA_WALLET : ACCOUNT.address
  const wallets = { userAddress: BITCOIN_WALLET, refundAddress: BITCOIN_WALLET, destinationAddress }
  const route = { inputChainId: -1, inputToken: NATIVE, inputAmount: '5000000', outputChainId, outputToken }
  const answer = await service.send('POST', '/api/v1/quote', { body: { ...route, ...wallets, excludeVenues: allBut(venue) } })
  if (answer.status !== 200) expectFailure(answer, 404, 'NO_LIQUIDITY')
  return answer.status === 200
}

it.each([8453, -2] as const)(
  'tokens/btc-coverage: counts the venues that quote each token of chain %i from Bitcoin [coverage-matches-quotes]',
  async (chainId) => {
    const tokens = createTokens().all.filter((token) => token.chainId === chainId)
    const counts = await Promise.all(
      tokens.map(async ({ address }) => {
        const answers = await Promise.all(FROM_BITCOIN.map((venue) => isQuotedBy(venue, chainId, address)))
        return [address, answers.filter((isQuoted) => isQuoted).length] as const
      }),
    )
    const coverage = Object.fromEntries(counts.filter(([, venues]) => venues > 0))
    expect(Object.keys(coverage).length).toBeGreaterThan(3)
    expect(await service.call('btcCoverage', { query: { chainId } })).toEqual({ chainId, filtered: true, coverage })
  },
)
