import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const onBase = { chainId: 8453, token: USDC.base } as const
const fromBase = { from: { ...onBase, amount: '250000000' }, payload: 'TRANSACTION' } as const
const fromSolana = { from: { chainId: -2, token: USDC.solana, amount: '250000000' }, payload: 'TRANSACTION' } as const

/** An unfilled order stands until it is cancelled on the other chain, and then returns in full. */
const cancelled: Ending = {
  states: ['processing', 'expired', 'refunded'],
  venueStatus: 'ClaimedOrderCancel',
  refunded: ({ amount }) => amount,
}

runJourneys({
  venue: { id: 'debridge', name: 'deBridge' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['Fulfilled', 'ClaimedUnlock'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum',
      ...fromBase,
      to: { chainId: 42161, token: USDC.arbitrum },
      troubles: {
        'never-fills': cancelled,
        'lying-success': { states: ['processing'], venueStatus: 'Fulfilled' },
        'short-fill': { states: ['processing'], venueStatus: 'Fulfilled', delivered: ({ output }) => (output * 9n) / 10n },
        'unknown-status': { states: ['processing'], venueStatus: 'UnderReview' },
        fails: { states: ['processing', 'expired'], venueStatus: 'OrderCancelled' },
      },
      reorg: {
        states: [
          [MINUTE_MS, 'pending'],
          [HOUR_MS, 'pending'],
        ],
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    {
      title: 'ether from Base to Arbitrum',
      from: { chainId: 8453, token: NATIVE, amount: parseEther('1').toString() },
      to: { chainId: 42161, token: NATIVE },
      payload: 'TRANSACTION',
    },
    {
      title: 'USDC from Base to Solana',
      ...fromBase,
      to: { chainId: -2, token: USDC.solana },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: { chainId: -2, token: NATIVE_SOL } },
    { title: 'USDC from Solana to Base', ...fromSolana, to: onBase, troubles: { 'never-fills': cancelled } },
    { title: 'USDC from Solana to ether', ...fromSolana, to: { chainId: 42161, token: NATIVE } },
    {
      title: 'ARB that is swapped before the order',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      took: USDC.arbitrum,
      to: onBase,
      ...{ payload: 'TRANSACTION', isExchanged: true },
    },
  ],
})
