import { COINS_OF, dollars, USDC_ON, WETH_ON } from '../sides.ts'
import { bySignature, unsettled } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

/** The payment counts by the next status request. */
const onRollup = { states: ['pending', 'success'], stepMs: 15_000 } as const

runJourneys({
  venue: { id: 'uniswapx', name: 'UniswapX' },
  stepMs: 3_000,
  states: ['pending', 'processing', 'success'],
  success: ['filled'],
  journeys: [
    bySignature('USDC to WETH on Ethereum, by a V2 order', dollars(USDC_ON.ethereum, 2_000), WETH_ON.ethereum, {
      troubles: {
        'never-fills': unsettled('expired'),
        fails: unsettled('error'),
        'lying-success': unsettled('filled', ['pending', 'processing', 'failed'], 3_000),
        // It takes everything and pays half of the minimum.
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'filled', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'disputed', untilSound: true },
      },
      prices: { currency: 'ETH', moved: { usd: '3960', isBetter: false }, gone: { usd: '4200', ending: unsettled() } },
      binds: { recipient: 'execute' },
    }),
    bySignature('USDC to WETH on Arbitrum, by a V3 order', dollars(USDC_ON.arbitrum, 2_000), WETH_ON.arbitrum, onRollup),
    bySignature('USDC to ether on Base, by a priority order', dollars(USDC_ON.base, 2_000), COINS_OF.base, onRollup),
  ],
})
