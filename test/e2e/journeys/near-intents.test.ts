import { COINS_OF, dollars, USDC_ON, units, whole } from '../sides.ts'
import { MINUTE_MS } from '../support.ts'
import { byDeposit, lessThanMinimum, refundLess as refund, staysOpen, staysOwed } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

/** The venue takes 1,900 satoshi or 0.02 USDC for a refund. */
const bitcoinRefund = refund(1_900n, 'REFUNDED')
const troubles = { 'never-fills': refund(20_000n, 'REFUNDED') }
const binds = { recipient: 'execute', refund: 'execute' } as const
const usdc = dollars(USDC_ON.base, 100)

runJourneys({
  venue: { id: 'near-intents', name: 'NEAR Intents' },
  stepMs: 5_000,
  states: ['processing', 'success'],
  success: ['SUCCESS'],
  journeys: [
    byDeposit('bitcoin to USDC on Base', units(COINS_OF.bitcoin, '5000000'), USDC_ON.base, {
      stepMs: 20_000,
      troubles: {
        'never-fills': bitcoinRefund,
        // It refunds what it lies about.
        'lying-success': { ...bitcoinRefund, states: ['processing'], venueStatus: 'SUCCESS' },
        'short-fill': staysOpen('SUCCESS', lessThanMinimum),
        'unknown-status': { states: ['processing'], venueStatus: 'SOLVER_REVIEW', untilSound: true },
        fails: staysOwed('FAILED'),
      },
      reorg: { pending: [1, 15 * MINUTE_MS], isRepaired: true },
      prices: {
        currency: 'BTC',
        moved: { usd: '99400', isBetter: true },
        gone: { usd: '90000', afterMs: 10 * MINUTE_MS, ending: bitcoinRefund },
      },
      binds,
    }),
    byDeposit('USDC from Base to Solana', usdc, USDC_ON.solana, { troubles, reorg: { pending: [MINUTE_MS] }, binds }),
    byDeposit('USDC from Base to SOL', usdc, COINS_OF.solana),
    byDeposit('ether from Base to Bitcoin', whole(COINS_OF.base, '2'), COINS_OF.bitcoin, { stepMs: 20_000 }),
    byDeposit('SOL to ether on Base', units(COINS_OF.solana, '2000000000'), COINS_OF.base),
    byDeposit('USDC from Solana to ether on Base', dollars(USDC_ON.solana), COINS_OF.base, {
      ...{ troubles, binds: { refund: 'execute' } },
    }),
  ],
})
