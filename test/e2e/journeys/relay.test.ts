import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending, Journey } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const usdcOnArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const fromBase = { from: { ...usdcOnBase, amount: '250000000' }, payload: 'TRANSACTION' } as const
const ether = { from: { chainId: 8453, token: NATIVE, amount: parseEther('1').toString() }, payload: 'TRANSACTION' } as const
const usdcOnSolana = { from: { chainId: -2, token: USDC.solana, amount: '250000000' }, payload: 'TRANSACTION' } as const
const sol = { from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' }, payload: 'TRANSACTION' } as const

/** From Relay's own money, less the cost of the transfer. */
const refundLess = (cost: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'refund',
  refunded: ({ amount }) => amount - cost,
})
const COST = { usdc: 1_000n, ether: 253_164_556_963n, sol: 5_842n, bitcoin: 1_900n }
/** Owed until the refund is in a block. */
const bitcoinRefund: Ending = {
  states: ['processing', 'expired', 'refunded'],
  refunded: ({ amount }) => amount - COST.bitcoin,
}
const bitcoin: Omit<Journey, 'title'> = {
  from: { chainId: -1, token: NATIVE, amount: '5000000' },
  to: usdcOnBase,
  payload: 'DEPOSIT',
  stepMs: 2 * MINUTE_MS,
}

runJourneys({
  venue: { id: 'relay', name: 'Relay' },
  stepMs: 2_000,
  states: ['processing', 'success'],
  success: ['success'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum',
      ...fromBase,
      to: usdcOnArbitrum,
      troubles: {
        'never-fills': refundLess(COST.usdc),
        'lying-success': { states: ['processing'], venueStatus: 'success' },
        'short-fill': { states: ['processing'], venueStatus: 'success', delivered: ({ minimum }) => (minimum * 9n) / 10n },
        'unknown-status': { states: ['processing'], venueStatus: 'reviewing' },
        // The payment is owed while no refund appears.
        fails: { states: ['processing', 'expired'], venueStatus: 'failure' },
      },
      reorg: {
        states: [
          // The wallet may send it again.
          [MINUTE_MS, 'pending'],
          [48 * HOUR_MS, 'pending'],
        ],
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    {
      title: 'ether from Base to Arbitrum',
      ...{ ...ether, to: { chainId: 42161, token: NATIVE }, isRefundedToSender: true },
      troubles: { 'never-fills': refundLess(COST.ether) },
    },
    { title: 'ether from Base to Bitcoin', ...ether, to: { chainId: -1, token: 'BTC' }, stepMs: MINUTE_MS },
    {
      title: 'USDC from Base to ether on Arbitrum',
      ...{ ...fromBase, to: { chainId: 42161, token: NATIVE } },
      prices: {
        ...{ currency: 'ETH', usual: '3950', moved: { usd: '3960', isBetter: false } },
        gone: { usd: '4200', ending: refundLess(COST.usdc) },
      },
    },
    {
      title: 'USDC from Base to Solana, in an account that is made for it',
      ...{ ...fromBase, to: { chainId: -2, token: USDC.solana }, binds: { recipient: 'quote' } },
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: { chainId: -2, token: NATIVE_SOL } },
    {
      title: 'USDG from Robinhood Chain',
      ...{ ...fromBase, from: { chainId: 4663, token: USDG, amount: '250000000' }, to: usdcOnArbitrum },
    },
    {
      title: 'MON from Monad',
      ...{ ...ether, from: { chainId: 143, token: NATIVE, amount: parseEther('200').toString() }, to: usdcOnArbitrum },
    },
    {
      title: 'SOL to USDC on Base',
      ...{ ...sol, to: usdcOnBase, troubles: { 'never-fills': refundLess(COST.sol) } },
      binds: { recipient: 'quote', refund: 'execute' },
    },
    {
      title: 'USDC from Solana to Base',
      ...{ ...usdcOnSolana, to: usdcOnBase, troubles: { 'never-fills': refundLess(COST.usdc) } },
    },
    { title: 'SOL to ether on Base', ...sol, to: { chainId: 8453, token: NATIVE } },
    { title: 'SOL to bitcoin', ...sol, to: { chainId: -1, token: 'BTC' }, stepMs: MINUTE_MS },
    {
      title: 'bitcoin to USDC on Base',
      ...bitcoin,
      troubles: { 'never-fills': bitcoinRefund },
      reorg: {
        afterMs: MINUTE_MS,
        states: [
          [MINUTE_MS, 'pending'],
          [HOUR_MS, 'pending'],
        ],
        isRepaired: true,
      },
      prices: {
        ...{ currency: 'BTC', usual: '98400', moved: { usd: '98000', isBetter: false } },
        gone: { usd: '90000', afterMs: 25 * HOUR_MS, ending: bitcoinRefund },
      },
      binds: { recipient: 'execute', refund: 'quote' },
    },
    { title: 'bitcoin to ether on Base', ...bitcoin, to: { chainId: 8453, token: NATIVE } },
    { title: 'bitcoin of a Taproot wallet', ...bitcoin, wallet: 'p2tr' },
    { title: 'bitcoin of an old wallet', ...bitcoin, wallet: 'p2pkh' },
  ],
})
