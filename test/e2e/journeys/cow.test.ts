import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { runJourneys } from './runJourneys.ts'

const [VAULT_RELAYER, ETH_FLOW] = ['0xC92E8bdf79f0507f65a392b0ab4667716BFE0110', '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC']
const usdc = {
  from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' },
  payload: 'SIGNATURE',
  spender: VAULT_RELAYER,
} as const
const ether = {
  states: ['processing', 'success'],
  from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
  payload: 'TRANSACTION',
  paysTo: ETH_FLOW,
} as const
/** 1000 USDC less 80 cents to settle, at 3950 dollars, less 0.06 % of spread and 0.02 % to the protocol. */
const output = ((((((999_200_000n * 10n ** 18n) / 3_950_000_000n) * 99_940n) / 100_000n) * 99_980n) / 100_000n).toString()

runJourneys({
  venue: { id: 'cow', name: 'CoW Protocol' },
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  // The second where its book was out of reach, and the chain told.
  success: ['fulfilled', 'traded'],
  buildsAlone: true,
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed order',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
      output,
      // The last once before its payment is confirmed, and once after.
      venueStatuses: ['open', 'scheduled', 'active', 'solved', 'executing', 'fulfilled', 'fulfilled'],
      troubles: {
        'never-fills': { states: ['pending', 'failed'], venueStatus: 'expired', untaken: true, stepMs: MINUTE_MS },
        // Until its deadline the order can still be settled, whatever its book says.
        'lying-success': {
          ...{ states: ['pending', 'processing', 'failed'], venueStatus: 'fulfilled', untaken: true },
          stepMs: (look) => (look < 12 ? 1_500 : MINUTE_MS),
        },
        // It takes all and gives half of the least.
        'short-fill': { states: ['pending', 'processing'], venueStatus: 'fulfilled', delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'settlementDisputed', untilSound: true },
        // Struck out of the book alone: until its deadline the signature can still be settled.
        fails: {
          ...{ states: ['pending', 'processing', 'pending', 'failed'], venueStatus: 'cancelled', untaken: true },
          ...{ mayGoBack: true, stepMs: (look) => (look < 12 ? 1_500 : MINUTE_MS) },
        },
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950' },
        moved: { usd: '3900', isBetter: true },
        gone: { usd: '4200', ending: { states: ['pending', 'failed'], untaken: true, stepMs: MINUTE_MS } },
      },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum, by a signed order', ...usdc, to: { chainId: 1, token: NATIVE }, output },
    {
      title: 'ether to USDC on Ethereum, by a transaction',
      ...ether,
      to: { chainId: 1, token: USDC.ethereum },
      isRefundedToSender: true,
      troubles: { 'never-fills': { states: ['processing', 'expired'], stepMs: MINUTE_MS } },
      reorg: {
        told: [
          [MINUTE_MS, 'pending'],
          // Its book still holds the order, and says that it ran out: EthFlow knows of none, and takes it no more.
          [HOUR_MS, 'failed'],
          [48 * HOUR_MS, 'failed'],
        ],
      },
    },
    {
      title: 'ether that is refunded by itself when the quote left room for it',
      ...ether,
      to: { chainId: 1, token: USDC.ethereum },
      slippageBps: 300,
      isRefundedToSender: true,
      troubles: {
        'never-fills': { states: ['processing', 'expired', 'refunded'], stepMs: MINUTE_MS, refunded: ({ amount }) => amount },
      },
    },
  ],
})
