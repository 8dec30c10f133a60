import { parseEther } from 'viem'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  robinhood: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
  zksync: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
}
const USDC_AVALANCHE = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const onBase = { chainId: 8453, token: USDC.base } as const
const onSolana = { chainId: -2, token: USDC.solana } as const
const fromBase = { from: { ...onBase, amount: '250000000' }, payload: 'TRANSACTION' } as const
const arb = (amount: string) => ({ chainId: 42161, token: ARB, amount: parseEther(amount).toString() }) as const
const etherOn = (chainId: 8453 | 4663 | 324 | 42161) => ({ chainId, token: NATIVE, amount: parseEther('1').toString() })
const etherFrom = (chainId: 8453 | 4663 | 324, took: string) =>
  ({ from: etherOn(chainId), took, payload: 'TRANSACTION' }) as const

const refund: Ending = {
  states: ['processing', 'expired', 'refunded'],
  venueStatus: 'refunded',
  refunded: ({ amount }) => amount,
}

runJourneys({
  venue: { id: 'across', name: 'Across' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['filled'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum',
      ...fromBase,
      to: { chainId: 42161, token: USDC.arbitrum },
      troubles: {
        'never-fills': refund,
        'lying-success': { states: ['processing'], venueStatus: 'filled' },
        'short-fill': { states: ['processing'], venueStatus: 'filled', delivered: ({ output }) => (output * 9n) / 10n },
        // The pool refunds an unfilled deposit, whatever the venue reports.
        'unknown-status': { ...refund, states: ['processing'], venueStatus: 'reorged' },
        fails: { ...refund, venueStatus: 'deposit-failed' },
      },
      reorg: {
        afterMs: 7_000,
        states: [
          [MINUTE_MS, 'pending'],
          // The venue forgot it; the wallet may send it again until the deadline.
          [HOUR_MS, 'pending'],
          [3 * HOUR_MS, 'failed'],
        ],
      },
      binds: { recipient: 'quote', refund: 'quote' },
    },
    { title: 'ether from Base to Arbitrum', ...etherFrom(8453, WETH.base), to: { chainId: 42161, token: NATIVE } },
    {
      title: 'USDC from Solana to Base',
      from: { ...onSolana, amount: '250000000' },
      to: onBase,
      ...{ payload: 'TRANSACTION', troubles: { 'never-fills': refund }, isRefundedToSender: true },
    },
    { title: 'USDC from Base to Solana', ...fromBase, to: onSolana, binds: { recipient: 'quote' } },
    {
      title: 'ARB that is exchanged first and bridged to Base',
      ...{ from: arb('1000'), took: USDC.arbitrum, to: onBase, payload: 'TRANSACTION', isExchanged: true, slippageBps: 50 },
    },
    {
      title: 'ARB that is exchanged first and bridged to Solana',
      ...{ from: arb('500'), took: USDC.arbitrum, to: onSolana, payload: 'TRANSACTION', isExchanged: true },
    },
    {
      title: 'USDC from Avalanche to Base',
      from: { chainId: 43114, token: USDC_AVALANCHE, amount: '250000000' },
      ...{ to: onBase, payload: 'TRANSACTION' },
    },
    {
      title: 'AVAX, exchanged first, to USDC on Base',
      from: { chainId: 43114, token: NATIVE, amount: parseEther('20').toString() },
      ...{ took: USDC_AVALANCHE, to: onBase, payload: 'TRANSACTION', isExchanged: true },
    },
    { title: 'ether from Robinhood Chain', ...etherFrom(4663, WETH.robinhood), to: { chainId: 8453, token: NATIVE } },
    { title: 'ether to Robinhood Chain', ...etherFrom(8453, WETH.base), to: { chainId: 4663, token: NATIVE } },
    { title: 'ether from ZKsync Era', ...etherFrom(324, WETH.zksync), to: { chainId: 8453, token: NATIVE } },
    {
      title: 'wrapped ether for a contract, which comes without a message',
      from: { ...etherOn(8453), token: WETH.base },
      to: { chainId: 42161, token: WETH.arbitrum },
      ...{ payload: 'TRANSACTION', isForContract: true },
    },
    {
      title: 'ether for a contract, which comes by a message',
      ...etherFrom(8453, WETH.base),
      ...{ to: { chainId: 42161, token: NATIVE }, isForContract: true },
    },
  ],
})
