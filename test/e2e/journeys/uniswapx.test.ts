import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const WETH_ARBITRUM = '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'
const amount = '2000000000'
/** The payment counts by the next status request. */
const onRollup = { payload: 'SIGNATURE', states: ['pending', 'success'], stepMs: 15_000 } as const
const unfilled: Ending = { states: ['pending', 'failed'], untaken: true, stepMs: MINUTE_MS }

runJourneys({
  venue: { id: 'uniswapx', name: 'UniswapX' },
  stepMs: 3_000,
  states: ['pending', 'processing', 'success'],
  success: ['filled'],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a V2 order',
      from: { chainId: 1, token: USDC.ethereum, amount },
      to: { chainId: 1, token: WETH_ETHEREUM },
      payload: 'SIGNATURE',
      troubles: {
        'never-fills': { ...unfilled, venueStatus: 'expired' },
        // The signature can be filled until its deadline, whatever the venue reports.
        fails: { ...unfilled, venueStatus: 'error' },
        'lying-success': {
          ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'filled', untaken: true },
          stepMs: (look) => (look < 12 ? 3_000 : MINUTE_MS),
        },
        // It takes everything and pays half of the minimum.
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'filled', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'disputed', untilSound: true },
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950', moved: { usd: '3960', isBetter: false } },
        gone: { usd: '4200', ending: unfilled },
      },
      binds: { recipient: 'execute' },
    },
    {
      title: 'USDC to WETH on Arbitrum, by a V3 order',
      from: { chainId: 42161, token: USDC.arbitrum, amount },
      to: { chainId: 42161, token: WETH_ARBITRUM },
      ...onRollup,
    },
    {
      title: 'USDC to ether on Base, by a priority order',
      from: { chainId: 8453, token: USDC.base, amount },
      to: { chainId: 8453, token: NATIVE },
      ...onRollup,
    },
  ],
})
