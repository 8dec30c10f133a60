import { expect, it } from 'vitest'
import { closing } from '../support/closing.ts'
import { only, startService } from '../support/service.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'

const own = closing()

it('quote: returns the best offer, sealed, with fee, slippage, gas and expiry [quote-best-offer-sealed]', async () => {
  const service = own(await startService(only('across', 'cow', 'near-intents', 'relay')))
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
