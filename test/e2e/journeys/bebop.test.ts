import { COINS_OF, DAI, dollars, USDC_ON, USDT_ON, WETH_ON, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { bySignature, byTransaction, unsettled } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = dollars(USDC_ON.ethereum, 1_000)
const venue = { id: 'bebop', name: 'Bebop' } as const

runJourneys({
  venue,
  stepMs: 1_000,
  states: ['pending', 'processing', 'success'],
  success: ['Settled', 'Confirmed'],
  journeys: [
    bySignature('USDC to WETH on Ethereum, by a signed order', usdc, WETH_ON.ethereum, {
      troubles: {
        'never-fills': unsettled('Failed'),
        fails: unsettled('Failed'),
        // Its nonce was never used: the order can no longer settle after its deadline.
        'lying-success': unsettled('Confirmed', ['pending', 'processing', 'failed'], 1_000),
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'Confirmed', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'Netting', untilSound: true },
      },
      prices: { currency: 'ETH', moved: { usd: '3945', isBetter: true }, gone: { usd: '4200', ending: unsettled('Failed') } },
      binds: { recipient: 'execute' },
    }),
    bySignature('USDC to ether on Ethereum, by a signed order', usdc, COINS_OF.ethereum),
  ],
})

runJourneys({
  venue,
  // Coins are always sold by transactions, and tokens by this setting.
  settings: { VENUE_BEBOP_TOKENS_BY: 'rfq' },
  stepMs: 1_000,
  states: ['processing', 'success'],
  success: [],
  isAtOnce: true,
  journeys: [
    byTransaction('USDC to WETH on Ethereum, by the router', usdc, WETH_ON.ethereum, {
      reorg: { pending: [MINUTE_MS], failed: [HOUR_MS] },
      binds: { recipient: 'execute' },
    }),
    byTransaction('Tether to DAI on Ethereum, by the settlement of makers', dollars(USDT_ON.ethereum, 1_000), DAI),
    byTransaction('ether to USDC on Ethereum, by the router', whole(COINS_OF.ethereum), USDC_ON.ethereum),
    byTransaction('USDC to ether on Ethereum, by the router', usdc, COINS_OF.ethereum),
  ],
})
