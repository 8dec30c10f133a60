import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import { runJourneys } from './runJourneys.ts'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const WETH_ARBITRUM = '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1'
const order = { payload: 'SIGNATURE', spender: PERMIT2 } as const
/** By the next look its payment counts. */
const onRollup = { ...order, states: ['pending', 'success'], stepMs: 15_000 } as const
/** What 2000 dollars buy at 3950, less 0.25 % that the filler keeps. */
const output = ((((2_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 99_750n) / 100_000n).toString()
const amount = '2000000000'

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
      ...order,
      output,
      troubles: {
        'never-fills': { states: ['pending', 'failed'], venueStatus: 'expired', untaken: true, stepMs: MINUTE_MS },
        'lying-success': {
          ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'filled', untaken: true },
          stepMs: (look) => (look < 12 ? 3_000 : MINUTE_MS),
        },
        // It takes all and gives half of the least.
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'filled', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'disputed', untilSound: true },
        // Nobody's word ends it: until its deadline the signature can still be filled.
        fails: { states: ['pending', 'failed'], venueStatus: 'error', untaken: true, stepMs: MINUTE_MS },
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950' },
        moved: { usd: '3960', isBetter: false },
        gone: { usd: '4200', ending: { states: ['pending', 'failed'], untaken: true, stepMs: MINUTE_MS } },
      },
      binds: { recipient: 'execute' },
    },
    {
      title: 'USDC to WETH on Arbitrum, by a V3 order',
      from: { chainId: 42161, token: USDC.arbitrum, amount },
      to: { chainId: 42161, token: WETH_ARBITRUM },
      ...onRollup,
      output,
    },
    {
      title: 'USDC to ether on Base, by a priority order',
      from: { chainId: 8453, token: USDC.base, amount },
      to: { chainId: 8453, token: NATIVE },
      ...onRollup,
      output,
    },
  ],
})
