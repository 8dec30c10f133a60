import { COINS_OF, dollars, USDC_ON, WETH_ON, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { bySignature, byTransaction, unsettled } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = dollars(USDC_ON.ethereum, 1_000)
const ether = whole(COINS_OF.ethereum)
const sold = { states: ['processing', 'success'], isRefundedToSender: true } as const

runJourneys({
  venue: { id: 'cow', name: 'CoW Protocol' },
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  // The second when the order book was unreachable, and the chain showed the trade.
  success: ['fulfilled', 'traded'],
  buildsAlone: true,
  journeys: [
    bySignature('USDC to WETH on Ethereum, by a signed order', usdc, WETH_ON.ethereum, {
      troubles: {
        'never-fills': unsettled('expired'),
        'lying-success': unsettled('fulfilled', ['pending', 'processing', 'failed'], 1_500),
        // It takes everything and pays half of the minimum.
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'fulfilled', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'settlementDisputed', untilSound: true },
        // Only the order book removed it: the signature can settle until its deadline.
        fails: { ...unsettled('cancelled', ['pending', 'processing', 'pending', 'failed'], 1_500), mayGoBack: true },
      },
      prices: { currency: 'ETH', moved: { usd: '3900', isBetter: true }, gone: { usd: '4200', ending: unsettled() } },
      binds: { recipient: 'execute' },
    }),
    bySignature('USDC to ether on Ethereum, by a signed order', usdc, COINS_OF.ethereum),
    byTransaction('ether to USDC on Ethereum, by a transaction', ether, USDC_ON.ethereum, {
      ...sold,
      troubles: { 'never-fills': { states: ['processing', 'expired'], stepMs: MINUTE_MS } },
      // The order book reports it as expired; EthFlow has none, and accepts it no more.
      reorg: { pending: [MINUTE_MS], failed: [HOUR_MS, 48 * HOUR_MS] },
    }),
    byTransaction('ether that is refunded by itself when the quote left room for it', ether, USDC_ON.ethereum, {
      ...sold,
      slippageBps: 300,
      troubles: {
        'never-fills': { states: ['processing', 'expired', 'refunded'], stepMs: MINUTE_MS, refunded: ({ amount }) => amount },
      },
    }),
  ],
})
