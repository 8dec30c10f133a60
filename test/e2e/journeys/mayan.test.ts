import { ARB, COINS_OF, dollars, type Side, USDC_ON, units, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byTransaction, lessThanMinimum, refundLess as refund, staysOpen } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const USDC_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const USDT_BSC: Side = { chainId: 56, token: '0x55d398326f99059fF775485246999027B3197955' }
const POL: Side = { ...COINS_OF.ethereum, chainId: 137 }
const usdc = dollars(USDC_ON.base)
const binds = { recipient: 'execute', refund: 'execute' } as const

/** Two fees go to those who carry a refund. */
const refundLess = (fees: bigint) => refund(fees, 'ORDER_REFUNDED', ['processing', 'expired', 'refunded'])
const USDC_FEES = 9_702n

runJourneys({
  venue: { id: 'mayan', name: 'Mayan' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['ORDER_SETTLED'],
  switches: ['/init', '/quote'],
  journeys: [
    byTransaction('USDC from Base to Arbitrum', usdc, USDC_ON.arbitrum, {
      troubles: {
        'never-fills': refundLess(USDC_FEES),
        fails: { ...refundLess(USDC_FEES), states: ['expired', 'refunded'] },
        'lying-success': staysOpen('ORDER_FULFILLED'),
        'short-fill': staysOpen('ORDER_SETTLED', lessThanMinimum),
        'unknown-status': staysOpen('ORDER_PARKED'),
      },
      // The wallet may send it again, to be refunded after the order's deadline.
      reorg: { afterMs: 4_000, pending: [MINUTE_MS, 48 * HOUR_MS] },
      binds,
    }),
    byTransaction('USDC from Base to SOL', usdc, COINS_OF.solana, { isExchanged: true }),
    byTransaction('USDC from Solana to Base', dollars(USDC_ON.solana), USDC_ON.base, {
      ...{ troubles: { 'never-fills': refundLess(USDC_FEES) }, binds },
    }),
    byTransaction('ether from Base to a contract on Arbitrum', whole(COINS_OF.base), COINS_OF.arbitrum, {
      isForContract: true,
      // Counted in eight decimals.
      troubles: { 'never-fills': refundLess(2_460_000_000_000n) },
    }),
    byTransaction('SOL to USDC on Base', units(COINS_OF.solana, '2000000000'), USDC_ON.base, {
      troubles: { 'never-fills': refundLess(56_670n) },
    }),
    byTransaction('POL that is exchanged first, to USDC on Arbitrum', whole(POL, '1000'), USDC_ON.arbitrum, {
      ...{ took: USDC_POLYGON, isExchanged: true },
    }),
    byTransaction('ARB that is exchanged first, to USDT of eighteen decimals', whole(ARB, '1000'), USDT_BSC, {
      ...{ took: USDC_ON.arbitrum.token, isExchanged: true },
    }),
  ],
})
