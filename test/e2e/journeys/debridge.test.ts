import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Journey, Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

/** DlnSource and the forwarder of every EVM chain, and the program on Solana. */
const [SOURCE, FORWARDER] = ['0xeF4fB24aD0916217251F553c0596F8Edc630EB66', '0x663DC15D3C1aC63ff12E45Ab68FeA3F0a883C251']
const PROGRAM = 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4'
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const onBase = { chainId: 8453, token: USDC.base } as const
const fromBase = { from: { ...onBase, amount: '250000000' }, payload: 'TRANSACTION', spender: SOURCE } as const
const fromSolana: Pick<Journey, 'from' | 'payload' | 'paysTo'> = {
  from: { chainId: -2, token: USDC.solana, amount: '250000000' },
  ...{ payload: 'TRANSACTION', paysTo: PROGRAM },
}

/** An order that nobody fills stands until it is cancelled on the other chain, and then all of it comes back. */
const TROUBLES: Troubles = {
  'never-fills': {
    states: ['processing', 'expired', 'refunded'],
    venueStatus: 'ClaimedOrderCancel',
    refunded: ({ amount }) => amount,
  },
  'lying-success': { states: ['processing'], venueStatus: 'Fulfilled' },
  'short-fill': {
    states: ['processing'],
    venueStatus: 'Fulfilled',
    delivered: ({ output }) => (output * 9n) / 10n,
  },
  'unknown-status': { states: ['processing'], venueStatus: 'UnderReview' },
  fails: { states: ['processing', 'expired'], venueStatus: 'OrderCancelled' },
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
      paysTo: SOURCE,
      // 250 USDC less 4 bps of the protocol, 12 cents of expenses and 4 bps of the solver.
      output: '249680088',
      troubles: TROUBLES,
      reorg: {
        told: [
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
      paysTo: SOURCE,
    },
    {
      title: 'USDC from Base to Solana',
      ...fromBase,
      to: { chainId: -2, token: USDC.solana },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: { chainId: -2, token: NATIVE_SOL } },
    { title: 'USDC from Solana to Base', ...fromSolana, to: onBase, troubles: TROUBLES },
    { title: 'USDC from Solana to ether', ...fromSolana, to: { chainId: 42161, token: NATIVE } },
    {
      title: 'ARB that is swapped before the order',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      took: USDC.arbitrum,
      to: onBase,
      ...{ payload: 'TRANSACTION', spender: FORWARDER, isExchanged: true },
    },
  ],
})
