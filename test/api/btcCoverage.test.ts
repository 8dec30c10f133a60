import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, SOLANA_WALLET } from '../support/swaps.ts'

const PATH = '/api/v1/tokens/btc-coverage'
/** Venues that take bitcoin as they are. */
const FROM_BITCOIN = ['near-intents', 'relay'] as const

let service: TestService
beforeAll(async () => {
  service = await startService({ VENUES_ENABLED: [...FROM_BITCOIN, 'across', 'cow'].join(',') })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const get = (query: { readonly [name: string]: string | number }) => service.send('GET', PATH, { query })
const coverage = (chainId: 1 | 137 | 324 | 8453 | -1 | -2) => service.call('btcCoverage', { query: { chainId } })

const isQuotedBy = async (venue: string, outputChainId: 1 | 8453 | -2, outputToken: string): Promise<boolean> => {
  const answer = await service.send('POST', '/api/v1/quote', {
    body: {
      inputChainId: -1,
      inputToken: NATIVE,
      inputAmount: '5000000',
      outputChainId,
      outputToken,
      userAddress: BITCOIN_WALLET,
      refundAddress: BITCOIN_WALLET,
      destinationAddress: outputChainId === -2 ? SOLANA_WALLET : ACCOUNT.address,
      excludeVenues: allBut(venue),
    },
  })
  if (answer.status !== 200) expectFailure(answer, 404, 'NO_LIQUIDITY')
  return answer.status === 200
}

describe('tokens/btc-coverage', () => {
  it.each([1, 8453, -2] as const)(
    'counts the venues that quote each token of chain %i from Bitcoin [coverage-matches-quotes]',
    async (chainId) => {
      const quoted = await Promise.all(
        createTokens()
          .all.filter((token) => token.chainId === chainId)
          .map(async ({ address }) => {
            const answers = await Promise.all(FROM_BITCOIN.map((venue) => isQuotedBy(venue, chainId, address)))
            return [address, answers.filter((isQuoted) => isQuoted).length] as const
          }),
      )
      const served = quoted.filter(([, venues]) => venues > 0)
      expect(served.length).toBeGreaterThan(3)
      expect(await coverage(chainId)).toEqual({ chainId, filtered: true, coverage: Object.fromEntries(served) })
    },
  )

  it('has the spelling of tokens/resolve', async () => {
    const { coverage: counted } = await coverage(-2)
    for (const address of Object.keys(counted)) {
      const { token } = await service.call('resolveToken', { query: { chainId: -2, address } })
      expect(token.address).toBe(address)
    }
    expect(Object.keys((await coverage(1)).coverage)).toContain(NATIVE)
  })

  it('is empty for Bitcoin itself', async () => {
    expect(await coverage(-1)).toEqual({ chainId: -1, filtered: true, coverage: {} })
  })

  it('receives 400 for an unsupported chain, a missing chainId and an unknown parameter', async () => {
    expectFailure(await get({ chainId: 250 }), 400, 'UNSUPPORTED_CHAIN')
    expect(failingPaths(expectFailure(await get({}), 400, 'INVALID_REQUEST'))).toEqual(['chainId'])
    expect(failingPaths(expectFailure(await get({ chainId: 1, address: NATIVE }), 400, 'INVALID_REQUEST'))).toEqual(['address'])
  })
})
