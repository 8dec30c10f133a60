import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = { from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' }, payload: 'SIGNATURE' } as const
const ether = {
  states: ['processing', 'success'],
  from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
  to: { chainId: 1, token: USDC.ethereum },
  payload: 'TRANSACTION',
  isRefundedToSender: true,
} as const
const unfilled: Ending = { states: ['pending', 'failed'], untaken: true, stepMs: MINUTE_MS }
const untilDeadline = (look: number) => (look < 12 ? 1_500 : MINUTE_MS)

runJourneys({
  venue: { id: 'cow', name: 'CoW Protocol' },
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  // The second when the order book was unreachable, and the chain showed the trade.
  success: ['fulfilled', 'traded'],
  buildsAlone: true,
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed order',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
      troubles: {
        'never-fills': { ...unfilled, venueStatus: 'expired' },
        // The order can settle until its deadline, whatever the order book reports.
        'lying-success': {
          ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'fulfilled', untaken: true },
          stepMs: untilDeadline,
        },
        // It takes everything and pays half of the minimum.
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'fulfilled', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'settlementDisputed', untilSound: true },
        // Only the order book removed it: the signature can settle until its deadline.
        fails: {
          ...{ states: ['pending', 'processing', 'pending', 'failed'], venueStatus: 'cancelled', untaken: true },
          ...{ mayGoBack: true, stepMs: untilDeadline },
        },
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950', moved: { usd: '3900', isBetter: true } },
        gone: { usd: '4200', ending: unfilled },
      },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum, by a signed order', ...usdc, to: { chainId: 1, token: NATIVE } },
    {
      title: 'ether to USDC on Ethereum, by a transaction',
      ...ether,
      troubles: { 'never-fills': { states: ['processing', 'expired'], stepMs: MINUTE_MS } },
      reorg: {
        states: [
          [MINUTE_MS, 'pending'],
          // The order book reports it as expired; EthFlow has none, and accepts it no more.
          [HOUR_MS, 'failed'],
          [48 * HOUR_MS, 'failed'],
        ],
      },
    },
    {
      title: 'ether that is refunded by itself when the quote left room for it',
      ...ether,
      slippageBps: 300,
      troubles: {
        'never-fills': { states: ['processing', 'expired', 'refunded'], stepMs: MINUTE_MS, refunded: ({ amount }) => amount },
      },
    },
  ],
})
