import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const USDC_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const USDT_BSC = '0x55d398326f99059fF775485246999027B3197955'
const onBase = { chainId: 8453, token: USDC.base } as const
const onArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const fromBase = { from: { ...onBase, amount: '250000000' }, payload: 'TRANSACTION' } as const
const fromSolana = { from: { chainId: -2, token: USDC.solana, amount: '250000000' }, payload: 'TRANSACTION' } as const
const oneEther = { chainId: 8453, token: NATIVE, amount: parseEther('1').toString() } as const

/** Two fees go to those who carry a refund. */
const refundLess = (fees: bigint): Ending => ({
  states: ['processing', 'expired', 'refunded'],
  venueStatus: 'ORDER_REFUNDED',
  refunded: ({ amount }) => amount - fees,
})
const USDC_FEES = 9_702n

runJourneys({
  venue: { id: 'mayan', name: 'Mayan' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['ORDER_SETTLED'],
  switches: ['/init', '/quote'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum',
      ...fromBase,
      to: onArbitrum,
      troubles: {
        'never-fills': refundLess(USDC_FEES),
        fails: { ...refundLess(USDC_FEES), states: ['expired', 'refunded'] },
        'lying-success': { states: ['processing'], venueStatus: 'ORDER_FULFILLED' },
        'short-fill': {
          states: ['processing'],
          venueStatus: 'ORDER_SETTLED',
          delivered: ({ minimum }) => (minimum * 9n) / 10n,
        },
        'unknown-status': { states: ['processing'], venueStatus: 'ORDER_PARKED' },
      },
      reorg: {
        afterMs: 4_000,
        states: [
          // The wallet may send it again, to be refunded after the order's deadline.
          [MINUTE_MS, 'pending'],
          [48 * HOUR_MS, 'pending'],
        ],
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: { chainId: -2, token: NATIVE_SOL }, isExchanged: true },
    {
      title: 'USDC from Solana to Base',
      ...fromSolana,
      to: onBase,
      troubles: { 'never-fills': refundLess(USDC_FEES) },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    { title: 'USDC from Solana to ether', ...fromSolana, to: { chainId: 8453, token: NATIVE } },
    {
      title: 'ether from Base to a contract on Arbitrum',
      from: oneEther,
      to: { chainId: 42161, token: NATIVE },
      payload: 'TRANSACTION',
      isForContract: true,
      // Counted in eight decimals.
      troubles: { 'never-fills': refundLess(2_460_000_000_000n) },
    },
    { title: 'ether from Base to USDC on Arbitrum', from: oneEther, to: onArbitrum, payload: 'TRANSACTION' },
    {
      title: 'SOL to USDC on Base',
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: onBase,
      payload: 'TRANSACTION',
      troubles: { 'never-fills': refundLess(56_670n) },
    },
    {
      title: 'POL that is exchanged first, to USDC on Arbitrum',
      from: { chainId: 137, token: NATIVE, amount: parseEther('1000').toString() },
      took: USDC_POLYGON,
      to: onArbitrum,
      ...{ payload: 'TRANSACTION', isExchanged: true },
    },
    {
      title: 'ARB that is exchanged first, to USDT of eighteen decimals',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      took: USDC.arbitrum,
      to: { chainId: 56, token: USDT_BSC },
      ...{ payload: 'TRANSACTION', isExchanged: true },
    },
  ],
})
