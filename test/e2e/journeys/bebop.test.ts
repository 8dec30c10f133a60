import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { runJourneys } from './runJourneys.ts'

const BALANCE_MANAGER = '0xC5a350853E4e36b73EB0C24aaA4b8816C9A3579a'
const ROUTER = '0xBeb0009ACa35087ce7cCF11637E24dd1Aad3bf2A'
const SETTLEMENT = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F'
const USDT_ETHEREUM = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const DAI_ETHEREUM = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const usdc = {
  from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' },
  payload: 'SIGNATURE',
  spender: BALANCE_MANAGER,
} as const
/** 1000 USDC at 3950 dollars, less 0.05 % of spread, 150 cents to settle and 0.01 % to the protocol, each rounded its own way. */
const gross =
  (((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 99_950n) / 100_000n -
  (1_500_000n * 10n ** 18n + 3_949_999_999n) / 3_950_000_000n
/** Of which a maker takes the spread alone. */
const firm = (((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 99_950n) / 100_000n
const output = (gross - gross / 10_000n).toString()

runJourneys({
  venue: { id: 'bebop', name: 'Bebop' },
  stepMs: 1_000,
  states: ['pending', 'processing', 'success'],
  success: ['Settled', 'Confirmed'],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed order',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
      output,
      troubles: {
        'never-fills': { states: ['pending', 'failed'], venueStatus: 'Failed', untaken: true, stepMs: MINUTE_MS },
        // Its nonce was never used: once the order has run out nothing can come of it.
        'lying-success': {
          ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'Confirmed', untaken: true },
          stepMs: (look) => (look < 6 ? 1_000 : MINUTE_MS),
        },
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'Confirmed', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'Netting', untilSound: true },
        fails: { states: ['pending', 'failed'], venueStatus: 'Failed', untaken: true, stepMs: MINUTE_MS },
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950' },
        moved: { usd: '3945', isBetter: true },
        gone: { usd: '4200', ending: { states: ['pending', 'failed'], untaken: true, stepMs: MINUTE_MS } },
      },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum, by a signed order', ...usdc, to: { chainId: 1, token: NATIVE }, output },
  ],
})

runJourneys({
  venue: { id: 'bebop', name: 'Bebop' },
  // Coins are sold by transactions always, tokens where the operator wants it so.
  settings: { VENUE_BEBOP_TOKENS_BY: 'rfq' },
  stepMs: 1_000,
  states: ['processing', 'success'],
  success: [],
  isAtOnce: true,
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by the router',
      ...{ from: usdc.from, payload: 'TRANSACTION', spender: ROUTER, paysTo: ROUTER },
      to: { chainId: 1, token: WETH_ETHEREUM },
      output: firm.toString(),
      reorg: {
        told: [
          [1, 'pending'],
          [MINUTE_MS, 'pending'],
          [HOUR_MS, 'failed'],
        ],
      },
      binds: { recipient: 'execute' },
    },
    {
      title: 'Tether, which is reset first, to DAI on Ethereum, by the settlement of makers',
      from: { chainId: 1, token: USDT_ETHEREUM, amount: '1000000000' },
      to: { chainId: 1, token: DAI_ETHEREUM },
      ...{ payload: 'TRANSACTION', spender: SETTLEMENT, paysTo: SETTLEMENT },
    },
    {
      title: 'ether to USDC on Ethereum, by the router',
      from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
      to: { chainId: 1, token: USDC.ethereum },
      ...{ payload: 'TRANSACTION', paysTo: ROUTER },
    },
    {
      title: 'USDC to ether on Ethereum, by the router',
      ...{ from: usdc.from, payload: 'TRANSACTION', spender: ROUTER, paysTo: ROUTER },
      to: { chainId: 1, token: NATIVE },
      output: firm.toString(),
    },
  ],
})
