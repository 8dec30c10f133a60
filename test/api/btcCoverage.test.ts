import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, SOLANA_WALLET } from '../support/swaps.ts'

/** Venues that take bitcoin as they are. */
const FROM_BITCOIN = ['near-intents', 'relay'] as const

let service: TestService
beforeAll(async () => {
  service = await startService({ VENUES_ENABLED: [...FROM_BITCOIN, 'across', 'cow'].join(',') })
})
afterAll(() => service.close())

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
