import { ARB, COINS_OF, dollars, type Side, USDC_AVALANCHE, USDC_ON, USDG, WETH_ON, whole } from '../sides.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { byTransaction, refundLess, staysOpen, staysOwed } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const USDC_WORLD: Side = { chainId: 480, token: '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1' }
const ROBINHOOD: Side = { ...COINS_OF.base, chainId: 4663 }
/** LI.FI takes 0.25 % first. */
const [tookAmount, tookEther] = ['249375000', whole(COINS_OF.base, '0.9975').amount]
const sent = { isRefundedToSender: true } as const
const fromBase = { ...sent, tookAmount, binds: { recipient: 'execute' } } as const
const [usdc, arb] = [dollars(USDC_ON.base), whole(ARB, '1000')]
const venue = { id: 'lifi', name: 'LI.FI' } as const
const bridged = { venue, success: ['DONE:COMPLETED'], states: ['processing', 'success'] } as const

runJourneys({
  ...bridged,
  stepMs: 3_000,
  // Circle's bridge is slower, and would otherwise be cheaper.
  settings: { VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard' },
  journeys: [
    byTransaction('USDC from Base to Arbitrum by Across', usdc, USDC_ON.arbitrum, {
      ...fromBase,
      troubles: {
        // Across delivers nevertheless, in a transaction that nobody reports.
        'lying-success': staysOpen('DONE:COMPLETED', ({ output }) => output),
        'unknown-status': staysOpen('WANDERING:NOBODY_KNOWS', ({ output }) => output),
      },
      reorg: { afterMs: 7_000, pending: [MINUTE_MS], failed: [7 * HOUR_MS] },
    }),
    byTransaction('ether to Robinhood Chain', whole(COINS_OF.base), ROBINHOOD, {
      ...{ ...sent, took: WETH_ON.base.token, tookAmount: tookEther },
    }),
    byTransaction('ARB that is exchanged first and bridged to Base by Across', arb, USDC_ON.base, {
      ...{ ...sent, isExchanged: true, took: USDC_ON.arbitrum.token },
    }),
  ],
})

runJourneys({
  ...bridged,
  stepMs: 3_000,
  settings: { VENUE_LIFI_DENY_BRIDGES: 'across,polymer,polymerStandard' },
  journeys: [
    byTransaction('USDC from Base to Arbitrum by a solver of LI.FI Intents', usdc, USDC_ON.arbitrum, {
      ...fromBase,
      troubles: {
        // An escrow returns what it took, after its deadline.
        'never-fills': {
          ...refundLess(BigInt(usdc.amount) - BigInt(tookAmount), 'DONE:REFUNDED', ['processing', 'expired', 'refunded']),
          stepMs: HOUR_MS,
        },
      },
    }),
    byTransaction('ARB that is exchanged first, to ether on Base by a solver', arb, COINS_OF.base, {
      ...{ ...sent, isExchanged: true, took: WETH_ON.arbitrum.token },
    }),
  ],
})

runJourneys({
  ...bridged,
  stepMs: 10 * MINUTE_MS,
  journeys: [
    byTransaction("USDC from Base to World Chain by Circle's bridge", usdc, USDC_WORLD, {
      ...{ ...sent, tookAmount },
      troubles: {
        'never-fills': staysOpen('PENDING:WAIT_DESTINATION_TRANSACTION'),
        'short-fill': staysOpen('DONE:COMPLETED', ({ output }) => (output * 9_950n * 9n) / 100_000n),
        fails: staysOwed('FAILED:UNKNOWN_FAILED_ERROR'),
      },
    }),
    byTransaction("USDC from Base to Solana by Circle's bridge", usdc, USDC_ON.solana, fromBase),
    byTransaction(
      "AVAX, exchanged first, to USDC on Arbitrum by Circle's bridge",
      whole(COINS_OF.avalanche, '20'),
      USDC_ON.arbitrum,
      {
        ...{ ...sent, took: USDC_AVALANCHE, isExchanged: true },
      },
    ),
  ],
})

runJourneys({
  venue,
  stepMs: 1_000,
  isAtOnce: true,
  states: ['processing', 'success'],
  success: [],
  journeys: [
    byTransaction('USDC to WETH on Ethereum', dollars(USDC_ON.ethereum, 1_000), WETH_ON.ethereum, {
      binds: { recipient: 'execute' },
    }),
    byTransaction('ether to USDC on Ethereum', whole(COINS_OF.ethereum), USDC_ON.ethereum),
    byTransaction('USDG to ether on Robinhood Chain', dollars(USDG), ROBINHOOD),
  ],
})
