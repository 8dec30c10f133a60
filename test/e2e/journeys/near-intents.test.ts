import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import type { Journey, Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const onSolana = (token: string) => ({ chainId: -2, token }) as const

/** Satoshi, and two cents in USDC: what the venue takes for sending back. */
const [BITCOIN_REFUND_FEE, USDC_REFUND_FEE] = [1_900n, 20_000n]
const troubles = (refundFee: bigint): Troubles => ({
  'never-fills': { states: ['processing', 'refunded'], venueStatus: 'REFUNDED', refunded: ({ amount }) => amount - refundFee },
  // What it lies about it sends back.
  'lying-success': { states: ['processing'], venueStatus: 'SUCCESS', refunded: ({ amount }) => amount - refundFee },
  'short-fill': { states: ['processing'], venueStatus: 'SUCCESS', delivered: ({ minimum }) => (minimum * 9n) / 10n },
  'unknown-status': { states: ['processing'], venueStatus: 'SOLVER_REVIEW', untilSound: true },
  // Something was paid and nothing is seen to come back: it is owed.
  fails: { states: ['processing', 'expired'], venueStatus: 'FAILED' },
})
const binds = { recipient: 'execute', refund: 'execute' } as const

const bitcoin: Omit<Journey, 'title'> = {
  from: { chainId: -1, token: NATIVE, amount: '5000000' },
  to: usdcOnBase,
  payload: 'DEPOSIT',
  // 0.05 BTC at 98400 dollars, less the venue's 20 bps, a millionth and 654 millionths of spread and depth, less 3 cents.
  output: '4906913838',
  stepMs: 20_000,
}
const fromBase = { from: { ...usdcOnBase, amount: '100000000' }, payload: 'DEPOSIT' } as const

runJourneys({
  venue: { id: 'near-intents', name: 'NEAR Intents' },
  stepMs: 5_000,
  states: ['processing', 'success'],
  success: ['SUCCESS'],
  journeys: [
    {
      title: 'bitcoin to USDC on Base',
      ...bitcoin,
      venueStatuses: ['KNOWN_DEPOSIT_TX', 'PROCESSING', 'SUCCESS'],
      troubles: troubles(BITCOIN_REFUND_FEE),
      reorg: {
        told: [
          [1, 'pending'],
          [15 * MINUTE_MS, 'pending'],
        ],
        isRepaired: true,
      },
      prices: {
        ...{ currency: 'BTC', usual: '98400' },
        moved: { usd: '99400', isBetter: true },
        gone: {
          ...{ usd: '90000', afterMs: 10 * MINUTE_MS },
          ending: { states: ['processing', 'refunded'], refunded: ({ amount }) => amount - BITCOIN_REFUND_FEE },
        },
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
      troubles: troubles(USDC_REFUND_FEE),
      reorg: { told: [[MINUTE_MS, 'pending']] },
      binds,
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: onSolana(NATIVE_SOL) },
    {
      title: 'ether from Base to Solana',
      ...fromBase,
      from: { chainId: 8453, token: NATIVE, amount: parseEther('0.5').toString() },
      to: onSolana(USDC.solana),
    },
    {
      title: 'ether from Base to Bitcoin',
      ...fromBase,
      from: { chainId: 8453, token: NATIVE, amount: parseEther('2').toString() },
      to: { chainId: -1, token: 'BTC' },
      stepMs: 20_000,
    },
    {
      title: 'SOL to ether on Base',
      from: { ...onSolana(NATIVE_SOL), amount: '2000000000' },
      to: { chainId: 8453, token: NATIVE },
      payload: 'DEPOSIT',
      binds: { recipient: 'execute' },
    },
    {
      title: 'USDC from Solana to ether on Base',
      from: { ...onSolana(USDC.solana), amount: '250000000' },
      to: { chainId: 8453, token: NATIVE },
      payload: 'DEPOSIT',
      troubles: troubles(USDC_REFUND_FEE),
      binds,
      refusesCoins: { states: ['processing', 'refunded'], refunded: ({ amount }) => amount - USDC_REFUND_FEE },
    },
  ],
})
