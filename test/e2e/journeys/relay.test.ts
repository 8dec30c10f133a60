import { COINS_OF, dollars, type Side, USDC_ON, units, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byDeposit, byTransaction, lessThanMinimum, refundLess as refund, staysOpen, staysOwed } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const MON: Side = { ...COINS_OF.base, chainId: 143 }
const [usdc, ether, sol] = [dollars(USDC_ON.base), whole(COINS_OF.base), units(COINS_OF.solana, '2000000000')]

/** From Relay's own money, less the cost of the transfer. */
const refundLess = (cost: bigint) => refund(cost, 'refund')
const usdcRefund = refundLess(1_000n)
/** Owed until the refund is in a block. */
const bitcoinRefund = refund(1_900n, undefined, ['processing', 'expired', 'refunded'])

runJourneys({
  venue: { id: 'relay', name: 'Relay' },
  stepMs: 2_000,
  states: ['processing', 'success'],
  success: ['success'],
  journeys: [
    byTransaction('USDC from Base to Arbitrum', usdc, USDC_ON.arbitrum, {
      troubles: {
        'never-fills': usdcRefund,
        'lying-success': staysOpen('success'),
        'short-fill': staysOpen('success', lessThanMinimum),
        'unknown-status': staysOpen('reviewing'),
        fails: staysOwed('failure'),
      },
      // The wallet may send it again.
      reorg: { pending: [MINUTE_MS, 48 * HOUR_MS] },
      binds: { recipient: 'execute', refund: 'execute' },
    }),
    byTransaction('ether from Base to Arbitrum', ether, COINS_OF.arbitrum, {
      ...{ isRefundedToSender: true, troubles: { 'never-fills': refundLess(253_164_556_963n) } },
    }),
    byTransaction('ether from Base to Bitcoin', ether, COINS_OF.bitcoin, { stepMs: MINUTE_MS }),
    byTransaction('USDC from Base to ether on Arbitrum', usdc, COINS_OF.arbitrum, {
      prices: { currency: 'ETH', moved: { usd: '3960', isBetter: false }, gone: { usd: '4200', ending: usdcRefund } },
    }),
    byTransaction('USDC from Base to Solana, in an account that is made for it', usdc, USDC_ON.solana, {
      binds: { recipient: 'quote' },
    }),
    byTransaction('USDC from Base to SOL', usdc, COINS_OF.solana),
    byTransaction('MON from Monad', whole(MON, '200'), USDC_ON.arbitrum),
    byTransaction('SOL to USDC on Base', sol, USDC_ON.base, {
      ...{ troubles: { 'never-fills': refundLess(5_842n) }, binds: { recipient: 'quote', refund: 'execute' } },
    }),
    byTransaction('USDC from Solana to Base', dollars(USDC_ON.solana), USDC_ON.base, { troubles: { 'never-fills': usdcRefund } }),
    byTransaction('SOL to bitcoin', sol, COINS_OF.bitcoin, { stepMs: MINUTE_MS }),
    byDeposit('bitcoin to USDC on Base', units(COINS_OF.bitcoin, '5000000'), USDC_ON.base, {
      stepMs: 2 * MINUTE_MS,
      troubles: { 'never-fills': bitcoinRefund },
      reorg: { afterMs: MINUTE_MS, pending: [MINUTE_MS, HOUR_MS], isRepaired: true },
      prices: {
        currency: 'BTC',
        moved: { usd: '98000', isBetter: false },
        gone: { usd: '90000', afterMs: 25 * HOUR_MS, ending: bitcoinRefund },
      },
      binds: { recipient: 'execute', refund: 'quote' },
    }),
  ],
})
