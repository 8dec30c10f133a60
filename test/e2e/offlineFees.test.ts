import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, SOLANA_WALLET, TRANSACTION_SWAP } from '../support/swaps.ts'

const SOLANA_SWAP: QuoteRequest = {
  inputChainId: -2,
  outputChainId: -2,
  inputToken: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  outputToken: 'So11111111111111111111111111111111111111112',
  inputAmount: '250000000',
  userAddress: SOLANA_WALLET,
}

/** 1000 USDC from Ethereum to native Bitcoin. */
const TO_BITCOIN: QuoteRequest = {
  inputChainId: 1,
  outputChainId: -1,
  inputToken: USDC.ethereum,
  outputToken: 'BTC',
  inputAmount: '1000000000',
  userAddress: ACCOUNT.address,
  destinationAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
}

const SWAPS: { readonly [venue: string]: QuoteRequest } = {
  across: TRANSACTION_SWAP,
  bebop: SIGNATURE_SWAP,
  chainflip: TO_BITCOIN,
  cow: SIGNATURE_SWAP,
  debridge: TRANSACTION_SWAP,
  jupiter: SOLANA_SWAP,
  kyberswap: SIGNATURE_SWAP,
  lifi: TRANSACTION_SWAP,
  mayan: TRANSACTION_SWAP,
  'near-intents': DEPOSIT_SWAP,
  relay: TRANSACTION_SWAP,
  thorchain: TO_BITCOIN,
  uniswapx: SIGNATURE_SWAP,
  zerox: SIGNATURE_SWAP,
}

describe('a service with an empty environment', () => {
  let service: TestService
  let headers: { readonly 'x-api-key': string }
  beforeAll(async () => {
    service = await startService({ VENUES_ENABLED: '' })
    const { apiKey } = await service.call('createKey', { body: SIGNUP })
    headers = { 'x-api-key': apiKey }
    await service.call('updateKey', { headers, body: { feeBps: 25 } })
  })
  afterAll(() => service.close())

  it.each(VENUE_DEFINITIONS.map(({ id }) => id))('%s: a quote charges the fee of the key [offline-fees]', async (venue) => {
    const body = { ...(SWAPS[venue] ?? expect.fail(venue)), excludeVenues: allBut(venue) }
    const quote = await service.call('quote', { body, headers })
    expect([quote.venue.id, quote.fee.bps]).toEqual([venue, 25])
  })
})
