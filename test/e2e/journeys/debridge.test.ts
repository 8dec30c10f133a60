import { ARB, COINS_OF, dollars, USDC_ON, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byTransaction, refundLess, staysOpen, staysOwed } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = dollars(USDC_ON.base)
/** An unfilled order stands until it is cancelled on the other chain, and then returns in full. */
const cancelled = refundLess(0n, 'ClaimedOrderCancel', ['processing', 'expired', 'refunded'])

runJourneys({
  venue: { id: 'debridge', name: 'deBridge' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['Fulfilled', 'ClaimedUnlock'],
  journeys: [
    byTransaction('USDC from Base to Arbitrum', usdc, USDC_ON.arbitrum, {
      troubles: {
        'never-fills': cancelled,
        'lying-success': staysOpen('Fulfilled'),
        'short-fill': staysOpen('Fulfilled', ({ output }) => (output * 9n) / 10n),
        'unknown-status': staysOpen('UnderReview'),
        fails: staysOwed('OrderCancelled'),
      },
      reorg: { pending: [MINUTE_MS, HOUR_MS] },
      binds: { recipient: 'execute', refund: 'execute' },
    }),
    byTransaction('ether from Base to Arbitrum', whole(COINS_OF.base), COINS_OF.arbitrum, {
      // The flat fee returns too.
      troubles: { 'never-fills': { ...cancelled, beside: 10n ** 15n } },
    }),
    byTransaction('USDC from Base to Solana', usdc, USDC_ON.solana, { binds: { recipient: 'execute' } }),
    byTransaction('USDC from Base to SOL', usdc, COINS_OF.solana),
    byTransaction('USDC from Solana to Base', dollars(USDC_ON.solana), USDC_ON.base, { troubles: { 'never-fills': cancelled } }),
    byTransaction('ARB that is swapped before the order', whole(ARB, '1000'), USDC_ON.base, {
      ...{ took: USDC_ON.arbitrum.token, isExchanged: true },
    }),
  ],
})
