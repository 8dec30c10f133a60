import { expect } from 'vitest'
import type { Quote, QuoteRequest } from '../../../scripts/client/wire.ts'
import type { TestService } from '../../support/service.ts'
import { allBut } from '../../support/swaps.ts'

/** Relay's own published contract on most EVM chains. */
export const DEPOSITORY = '0x4cD00E387622C35bDDB9b4c962C136462338BC31'

/** Asks every other venue to stay out of it. */
export const quoteRelay = async ({ call }: Pick<TestService, 'call'>, request: QuoteRequest): Promise<Quote> => {
  const offer = await call('quote', { body: { ...request, excludeVenues: allBut('relay') } })
  expect(offer.venue).toEqual({ id: 'relay', name: 'Relay' })
  expect(BigInt(offer.slippage?.guaranteedMin ?? 0)).toBeGreaterThan(0n)
  expect(BigInt(offer.output.amount)).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 0))
  return offer
}
