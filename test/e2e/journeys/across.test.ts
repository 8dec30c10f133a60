import { ARB, COINS_OF, dollars, USDC_AVALANCHE, USDC_ON, WETH_ON, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byTransaction, refundLess, staysOpen } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const refund = refundLess(0n, 'refunded', ['processing', 'expired', 'refunded'])
const etherOnBase = whole(COINS_OF.base)
const exchanged = { took: USDC_ON.arbitrum.token, isExchanged: true } as const

runJourneys({
  venue: { id: 'across', name: 'Across' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['filled'],
  journeys: [
    byTransaction('USDC from Base to Arbitrum', dollars(USDC_ON.base), USDC_ON.arbitrum, {
      troubles: {
        'never-fills': refund,
        'lying-success': staysOpen('filled'),
        'short-fill': staysOpen('filled', ({ output }) => (output * 9n) / 10n),
        // The pool refunds an unfilled deposit, whatever the venue reports.
        'unknown-status': { ...refund, states: ['processing'], venueStatus: 'reorged' },
        fails: { ...refund, venueStatus: 'deposit-failed' },
      },
      // The venue forgot it; the wallet may send it again until the deadline.
      reorg: { afterMs: 7_000, pending: [MINUTE_MS, HOUR_MS], failed: [3 * HOUR_MS] },
      binds: { recipient: 'quote', refund: 'quote' },
    }),
    byTransaction('ether from Base to Arbitrum', etherOnBase, COINS_OF.arbitrum, { took: WETH_ON.base.token }),
    byTransaction('USDC from Solana to Base', dollars(USDC_ON.solana), USDC_ON.base, {
      ...{ troubles: { 'never-fills': refund }, isRefundedToSender: true },
    }),
    byTransaction('USDC from Base to Solana', dollars(USDC_ON.base), USDC_ON.solana, { binds: { recipient: 'quote' } }),
    byTransaction('ARB, exchanged first, to USDC on Base', whole(ARB, '1000'), USDC_ON.base, { ...exchanged, slippageBps: 50 }),
    byTransaction('ARB, exchanged first, to USDC on Solana', whole(ARB, '500'), USDC_ON.solana, exchanged),
    byTransaction('AVAX, exchanged first, to USDC on Base', whole(COINS_OF.avalanche, '20'), USDC_ON.base, {
      ...{ took: USDC_AVALANCHE, isExchanged: true },
    }),
    byTransaction('wrapped ether for a contract, which comes without a message', whole(WETH_ON.base), WETH_ON.arbitrum, {
      isForContract: true,
    }),
    byTransaction('ether for a contract, which comes by a message', etherOnBase, COINS_OF.arbitrum, {
      ...{ took: WETH_ON.base.token, isForContract: true },
    }),
  ],
})
