import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending, Journey, Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

/** Relay's own published contract on most EVM chains, and its program on Solana. */
const DEPOSITORY = '0x4cD00E387622C35bDDB9b4c962C136462338BC31'
const PROGRAM = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2'
const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
const ONE_ETHER = parseEther('1').toString()
const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const usdcOnArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const fromBase = { from: { ...usdcOnBase, amount: '250000000' }, payload: 'TRANSACTION', spender: DEPOSITORY } as const
const etherFromBase = {
  from: { chainId: 8453, token: NATIVE, amount: ONE_ETHER },
  payload: 'TRANSACTION',
  paysTo: DEPOSITORY,
} as const
const fromSolana = { payload: 'TRANSACTION', paysTo: PROGRAM, binds: { recipient: 'quote', refund: 'execute' } } as const

/** From Relay's own money, less the cost of sending it: a tenth of a cent here. */
const backLess = (cost: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'refund',
  refunded: ({ amount }) => amount - cost,
})
const COST = { usdc: 1_000n, ether: 253_164_556_963n, sol: 5_842n }
const troublesOf = (cost: bigint): Troubles => ({
  'never-fills': backLess(cost),
  'lying-success': { states: ['processing'], venueStatus: 'success' },
  'short-fill': { states: ['processing'], venueStatus: 'success', delivered: ({ minimum }) => (minimum * 9n) / 10n },
  'unknown-status': { states: ['processing'], venueStatus: 'reviewing' },
  fails: { states: ['processing', 'failed'], venueStatus: 'failure' },
})

/** Satoshi: what Relay takes here for sending bitcoin back. */
const BITCOIN_REFUND_FEE = 1_900n
/** Until the refund is in a block it is owed. */
const BITCOIN_BACK: Ending = {
  states: ['processing', 'expired', 'refunded'],
  refunded: ({ amount }) => amount - BITCOIN_REFUND_FEE,
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
      // 250 USDC less 2.4 cents, 1 bps and 2 millionths.
      output: '249950500',
      paysTo: DEPOSITORY,
      troubles: troublesOf(COST.usdc),
      reorg: {
        told: [
          [MINUTE_MS, 'failed'],
          [48 * HOUR_MS, 'failed'],
        ],
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    {
      title: 'ether from Base to Arbitrum',
      ...etherFromBase,
      to: { chainId: 42161, token: NATIVE },
      isRefundedToSender: true,
      troubles: { 'never-fills': backLess(COST.ether) },
      refusesCoins: backLess(COST.ether),
    },
    { title: 'ether from Base to Bitcoin', ...etherFromBase, to: { chainId: -1, token: 'BTC' }, stepMs: MINUTE_MS },
    {
      title: 'USDC from Base to ether on Arbitrum',
      ...fromBase,
      to: { chainId: 42161, token: NATIVE },
      prices: {
        ...{ currency: 'ETH', usual: '3950' },
        moved: { usd: '3960', isBetter: false },
        gone: { usd: '4200', ending: backLess(COST.usdc) },
      },
    },
    {
      title: 'USDC from Base to Solana, in an account that is made for it',
      ...fromBase,
      to: { chainId: -2, token: USDC.solana },
      binds: { recipient: 'quote' },
    },
    { title: 'USDC from Base to SOL', ...fromBase, to: { chainId: -2, token: NATIVE_SOL } },
    {
      title: 'USDG from Robinhood Chain',
      ...fromBase,
      from: { chainId: 4663, token: USDG, amount: '250000000' },
      to: usdcOnArbitrum,
    },
    {
      title: 'MON from Monad',
      ...etherFromBase,
      from: { chainId: 143, token: NATIVE, amount: parseEther('200').toString() },
      to: usdcOnArbitrum,
    },
    {
      title: 'SOL to USDC on Base',
      ...fromSolana,
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: usdcOnBase,
      troubles: troublesOf(COST.sol),
    },
    {
      title: 'USDC from Solana to Base',
      ...fromSolana,
      from: { chainId: -2, token: USDC.solana, amount: '250000000' },
      to: usdcOnBase,
      troubles: troublesOf(COST.usdc),
    },
    {
      title: 'SOL to ether on Base',
      ...fromSolana,
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: { chainId: 8453, token: NATIVE },
      troubles: { 'never-fills': backLess(COST.sol) },
    },
    {
      title: 'SOL to bitcoin',
      ...fromSolana,
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: { chainId: -1, token: 'BTC' },
      stepMs: MINUTE_MS,
      troubles: { 'never-fills': backLess(COST.sol) },
    },
    {
      title: 'bitcoin to USDC on Base',
      ...bitcoin,
      troubles: { ...troublesOf(0n), 'never-fills': BITCOIN_BACK },
      reorg: {
        afterMs: MINUTE_MS,
        told: [
          [MINUTE_MS, 'pending'],
          [HOUR_MS, 'pending'],
        ],
        isRepaired: true,
      },
      prices: {
        ...{ currency: 'BTC', usual: '98400' },
        moved: { usd: '98000', isBetter: false },
        gone: { usd: '90000', afterMs: 25 * HOUR_MS, ending: BITCOIN_BACK },
      },
      binds: { recipient: 'execute', refund: 'quote' },
    },
    {
      title: 'bitcoin to ether on Base',
      ...bitcoin,
      to: { chainId: 8453, token: NATIVE },
      refusesCoins: { ...BITCOIN_BACK, stepMs: 2 * MINUTE_MS },
    },
    { title: 'bitcoin of a Taproot wallet', ...bitcoin, wallet: 'p2tr' },
    { title: 'bitcoin of an old wallet', ...bitcoin, wallet: 'p2pkh' },
  ],
})
