import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const usdc = { from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' }, payload: 'SIGNATURE' } as const
const ether = { chainId: 1, token: NATIVE } as const
const venue = { id: 'zerox', name: '0x' } as const

const unfilled: Ending = { states: ['pending', 'failed'], venueStatus: 'failed', untaken: true, stepMs: MINUTE_MS }
/** Its nonce was never used: the trade can no longer settle after its deadline. */
const lie: Ending = {
  ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'confirmed', untaken: true },
  stepMs: (look) => (look < 6 ? 1_500 : MINUTE_MS),
}

runJourneys({
  venue,
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  success: ['succeeded', 'confirmed'],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed trade and a permit',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
      troubles: {
        'never-fills': unfilled,
        fails: unfilled,
        'lying-success': lie,
        'short-fill': { ...lie, delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'disputed', untilSound: true },
      },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum, by a signed trade and a permit', ...usdc, to: ether },
  ],
})

runJourneys({
  venue,
  stepMs: 1_500,
  states: ['processing', 'success'],
  success: [],
  isAtOnce: true,
  journeys: [
    {
      title: 'ether to USDC on Ethereum, by a transaction',
      from: { ...ether, amount: parseEther('1').toString() },
      ...{ to: { chainId: 1, token: USDC.ethereum }, payload: 'TRANSACTION', binds: { recipient: 'execute' } },
    },
    {
      title: 'USDT to ether on Ethereum, by a transaction and an approval',
      ...{ from: { chainId: 1, token: USDT, amount: '1000000000' }, to: ether, payload: 'TRANSACTION' },
    },
  ],
})
