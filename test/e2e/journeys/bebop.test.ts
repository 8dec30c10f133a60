import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const USDT_ETHEREUM = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const DAI_ETHEREUM = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const from = { chainId: 1, token: USDC.ethereum, amount: '1000000000' } as const
const [weth, ether] = [{ chainId: 1, token: WETH_ETHEREUM } as const, { chainId: 1, token: NATIVE } as const]
const venue = { id: 'bebop', name: 'Bebop' } as const
const unfilled: Ending = { states: ['pending', 'failed'], venueStatus: 'Failed', untaken: true, stepMs: MINUTE_MS }

runJourneys({
  venue,
  stepMs: 1_000,
  states: ['pending', 'processing', 'success'],
  success: ['Settled', 'Confirmed'],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed order',
      ...{ from, to: weth, payload: 'SIGNATURE' },
      troubles: {
        'never-fills': unfilled,
        fails: unfilled,
        // Its nonce was never used: the order can no longer settle after its deadline.
        'lying-success': {
          ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'Confirmed', untaken: true },
          stepMs: (look) => (look < 6 ? 1_000 : MINUTE_MS),
        },
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'Confirmed', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'Netting', untilSound: true },
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950', moved: { usd: '3945', isBetter: true } },
        gone: { usd: '4200', ending: unfilled },
      },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum, by a signed order', from, to: ether, payload: 'SIGNATURE' },
  ],
})

runJourneys({
  venue,
  // Coins are always sold by transactions, and tokens by this setting.
  settings: { VENUE_BEBOP_TOKENS_BY: 'rfq' },
  stepMs: 1_000,
  states: ['processing', 'success'],
  success: [],
  isAtOnce: true,
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by the router',
      ...{ from, to: weth, payload: 'TRANSACTION' },
      reorg: {
        states: [
          [1, 'pending'],
          [MINUTE_MS, 'pending'],
          [HOUR_MS, 'failed'],
        ],
      },
      binds: { recipient: 'execute' },
    },
    {
      title: 'Tether to DAI on Ethereum, by the settlement of makers',
      from: { ...from, token: USDT_ETHEREUM },
      to: { chainId: 1, token: DAI_ETHEREUM },
      payload: 'TRANSACTION',
    },
    {
      title: 'ether to USDC on Ethereum, by the router',
      from: { ...ether, amount: parseEther('1').toString() },
      to: { chainId: 1, token: USDC.ethereum },
      payload: 'TRANSACTION',
    },
    { title: 'USDC to ether on Ethereum, by the router', from, to: ether, payload: 'TRANSACTION' },
  ],
})
