import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import type { Ending, Journey } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const onSolana = (token: string) => ({ chainId: -2, token }) as const

/** What the venue takes for a refund, in satoshi and in USDC. */
const [BITCOIN_FEE, USDC_FEE] = [1_900n, 20_000n]
const refundLess = (fee: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'REFUNDED',
  refunded: ({ amount }) => amount - fee,
})
const binds = { recipient: 'execute', refund: 'execute' } as const

const bitcoin: Omit<Journey, 'title'> = {
  from: { chainId: -1, token: NATIVE, amount: '5000000' },
  to: usdcOnBase,
  payload: 'DEPOSIT',
  stepMs: 20_000,
}
const fromBase = { from: { ...usdcOnBase, amount: '100000000' }, payload: 'DEPOSIT' } as const
const etherFromBase = (amount: string) =>
  ({ from: { chainId: 8453, token: NATIVE, amount: parseEther(amount).toString() }, payload: 'DEPOSIT' }) as const

runJourneys({
  venue: { id: 'near-intents', name: 'NEAR Intents' },
  stepMs: 5_000,
  states: ['processing', 'success'],
  success: ['SUCCESS'],
  journeys: [
    {
      title: 'bitcoin to USDC on Base',
      ...bitcoin,
      troubles: {
        'never-fills': refundLess(BITCOIN_FEE),
        // It refunds what it lies about.
        'lying-success': { ...refundLess(BITCOIN_FEE), states: ['processing'], venueStatus: 'SUCCESS' },
        'short-fill': { states: ['processing'], venueStatus: 'SUCCESS', delivered: ({ minimum }) => (minimum * 9n) / 10n },
        'unknown-status': { states: ['processing'], venueStatus: 'SOLVER_REVIEW', untilSound: true },
        // The payment is owed while no refund appears.
        fails: { states: ['processing', 'expired'], venueStatus: 'FAILED' },
      },
      reorg: {
        states: [
          [1, 'pending'],
          [15 * MINUTE_MS, 'pending'],
        ],
        isRepaired: true,
      },
      prices: {
        ...{ currency: 'BTC', usual: '98400', moved: { usd: '99400', isBetter: true } },
        gone: { usd: '90000', afterMs: 10 * MINUTE_MS, ending: refundLess(BITCOIN_FEE) },
      },
      binds,
    },
    { title: 'bitcoin of a Taproot wallet', ...bitcoin, wallet: 'p2tr' },
    { title: 'bitcoin of a nested wallet', ...bitcoin, wallet: 'p2sh-p2wpkh' },
    { title: 'bitcoin of an old wallet', ...bitcoin, wallet: 'p2pkh' },
    {
      title: 'USDC from Base to Solana',
      ...fromBase,
      to: onSolana(USDC.solana),
      troubles: { 'never-fills': refundLess(USDC_FEE) },
      reorg: { states: [[MINUTE_MS, 'pending']] },
      binds,
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: onSolana(NATIVE_SOL) },
    { title: 'ether from Base to Solana', ...etherFromBase('0.5'), to: onSolana(USDC.solana) },
    { title: 'ether from Base to Bitcoin', ...etherFromBase('2'), to: { chainId: -1, token: 'BTC' }, stepMs: 20_000 },
    {
      title: 'SOL to ether on Base',
      from: { ...onSolana(NATIVE_SOL), amount: '2000000000' },
      to: { chainId: 8453, token: NATIVE },
      payload: 'DEPOSIT',
    },
    {
      title: 'USDC from Solana to ether on Base',
      from: { ...onSolana(USDC.solana), amount: '250000000' },
      to: { chainId: 8453, token: NATIVE },
      payload: 'DEPOSIT',
      troubles: { 'never-fills': refundLess(USDC_FEE) },
      binds: { refund: 'execute' },
    },
  ],
})
