import { COINS_OF, dollars, USDC_ON, USDT_ON, WETH_ON, whole } from '../sides.ts'
import { bySignature, byTransaction, unsettled } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = dollars(USDC_ON.ethereum, 1_000)
const venue = { id: 'zerox', name: '0x' } as const
/** Its nonce was never used: the trade can no longer settle after its deadline. */
const lie = unsettled('confirmed', ['pending', 'processing', 'failed'], 1_500)

runJourneys({
  venue,
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  success: ['succeeded', 'confirmed'],
  journeys: [
    bySignature('USDC to WETH on Ethereum, by a signed trade and a permit', usdc, WETH_ON.ethereum, {
      troubles: {
        'never-fills': unsettled('failed'),
        fails: unsettled('failed'),
        'lying-success': lie,
        'short-fill': { ...lie, delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'disputed', untilSound: true },
      },
      binds: { recipient: 'execute' },
    }),
    bySignature('USDC to ether on Ethereum, by a signed trade and a permit', usdc, COINS_OF.ethereum),
  ],
})

runJourneys({
  venue,
  stepMs: 1_500,
  states: ['processing', 'success'],
  success: [],
  isAtOnce: true,
  journeys: [
    byTransaction('ether to USDC on Ethereum, by a transaction', whole(COINS_OF.ethereum), USDC_ON.ethereum, {
      binds: { recipient: 'execute' },
    }),
    byTransaction(
      'USDT to ether on Ethereum, by a transaction and an approval',
      dollars(USDT_ON.ethereum, 1_000),
      COINS_OF.ethereum,
    ),
  ],
})
