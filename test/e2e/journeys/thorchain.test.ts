import { COINS_OF, dollars, USDC_ON, units, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byDeposit, byTransaction, lessThanMinimum, refundLess as refund, staysOpen } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const ether = whole(COINS_OF.ethereum)
const binds = { recipient: 'execute', refund: 'execute' } as const

const refundLess = (cost: bigint) => refund(cost, 'refund')
/** Owed until the refund is in a block. */
const bitcoinRefund = { ...refund(2_400n, undefined, ['pending', 'expired', 'refunded']), stepMs: 2 * MINUTE_MS }

runJourneys({
  venue: { id: 'thorchain', name: 'THORChain' },
  stepMs: 2_000,
  states: ['processing', 'success'],
  success: ['outbound_signed'],
  isFirm: false,
  switches: ['/thorchain/inbound_addresses', '/second/thorchain/inbound_addresses', '/thorchain/quote/swap', '/thorchain/pools'],
  journeys: [
    byTransaction('USDC from Base to ether on Ethereum', dollars(USDC_ON.base), COINS_OF.ethereum, {
      troubles: {
        'never-fills': refundLess(249_916n),
        'lying-success': staysOpen('outbound_signed'),
        'short-fill': staysOpen('outbound_signed', lessThanMinimum),
        'unknown-status': staysOpen('outbound_signed'),
        fails: staysOpen('swap_finalised'),
      },
      reorg: { pending: [MINUTE_MS], failed: [2 * HOUR_MS] },
      // Ether costs more, and so does the refund.
      prices: { currency: 'ETH', moved: { usd: '3960', isBetter: false }, gone: { usd: '4200', ending: refundLess(265_734n) } },
      binds,
    }),
    byTransaction('ether from Ethereum to bitcoin', ether, COINS_OF.bitcoin, {
      ...{ isRefundedToSender: true, stepMs: MINUTE_MS, troubles: { 'never-fills': refundLess(158_200_000_000_000n) } },
    }),
    byTransaction('ether from Ethereum to USDC on Base', ether, USDC_ON.base),
    byDeposit('bitcoin to USDC on Base', units(COINS_OF.bitcoin, '5000000'), USDC_ON.base, {
      ...{ isLeast: true, states: ['pending', 'processing', 'success'], stepMs: 2 * MINUTE_MS },
      troubles: { 'never-fills': bitcoinRefund },
      reorg: { afterMs: MINUTE_MS, pending: [MINUTE_MS, HOUR_MS], isRepaired: true },
      prices: { currency: 'BTC', moved: { usd: '98300', isBetter: true }, gone: { usd: '90000', ending: bitcoinRefund } },
      binds,
    }),
  ],
})
