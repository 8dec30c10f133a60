import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const FORWARDER = '0x337685fdaB40D39bd02028545a4FfA7D287cC3E2'
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const USDC_POLYGON = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'
const USDT_BSC = '0x55d398326f99059fF775485246999027B3197955'
const onBase = { chainId: 8453, token: USDC.base } as const
const onSolana = { chainId: -2, token: USDC.solana } as const
const fromBase = { ...onBase, amount: '250000000' }
const fromSolana = { ...onSolana, amount: '250000000' }
/** 250 USDC less 3 basis points to the protocol, one to the driver, and 2.5 cents. */
const output = '249875000'
/** 9,001 and 701 units of a dollar to those who carry a refund. */
const less = ({ amount }: { readonly amount: bigint }): bigint => amount - 9_702n

const TROUBLES: Troubles = {
  'never-fills': { states: ['processing', 'expired', 'refunded'], venueStatus: 'ORDER_REFUNDED', refunded: less },
  fails: { states: ['expired', 'refunded'], venueStatus: 'ORDER_REFUNDED', refunded: less },
  'lying-success': { states: ['processing'], venueStatus: 'ORDER_FULFILLED' },
  'short-fill': {
    states: ['processing'],
    venueStatus: 'ORDER_SETTLED',
    delivered: ({ minimum }) => (minimum * 9n) / 10n,
  },
  'unknown-status': { states: ['processing'], venueStatus: 'ORDER_PARKED' },
}

/** Coins come back as coins, less what is counted of the two fees in eight decimals. */
const inCoins = (fees: bigint): Troubles => ({
  'never-fills': { states: ['processing', 'expired', 'refunded'], refunded: ({ amount }) => amount - fees },
})
const oneEther = { chainId: 8453, token: NATIVE, amount: parseEther('1').toString() } as const

runJourneys({
  venue: { id: 'mayan', name: 'Mayan' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['ORDER_SETTLED'],
  switches: ['/init', '/quote'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum',
      from: fromBase,
      to: { chainId: 42161, token: USDC.arbitrum },
      ...{ payload: 'TRANSACTION', spender: FORWARDER, paysTo: FORWARDER, output, troubles: TROUBLES },
      reorg: {
        afterMs: 4_000,
        told: [
          // The wallet may send it again, to be refunded once the order's time is over.
          [MINUTE_MS, 'pending'],
          [48 * HOUR_MS, 'pending'],
        ],
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    {
      title: 'USDC from Base to SOL',
      from: fromBase,
      to: { chainId: -2, token: NATIVE_SOL },
      ...{ payload: 'TRANSACTION', spender: FORWARDER, isExchanged: true, binds: { recipient: 'execute' } },
    },
    {
      title: 'USDC from Solana to Base',
      from: fromSolana,
      to: onBase,
      ...{ payload: 'TRANSACTION', output, troubles: TROUBLES, binds: { recipient: 'execute', refund: 'execute' } },
    },
    {
      title: 'USDC from Solana to ether',
      from: fromSolana,
      ...{ to: { chainId: 8453, token: NATIVE }, payload: 'TRANSACTION' },
    },
    {
      title: 'ether from Base to Arbitrum',
      from: oneEther,
      to: { chainId: 42161, token: NATIVE },
      ...{ payload: 'TRANSACTION', paysTo: FORWARDER, isForContract: true, troubles: inCoins(2_460_000_000_000n) },
    },
    {
      title: 'ether from Base to USDC on Arbitrum',
      from: oneEther,
      to: { chainId: 42161, token: USDC.arbitrum },
      payload: 'TRANSACTION',
    },
    {
      title: 'SOL to USDC on Base',
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: onBase,
      ...{ payload: 'TRANSACTION', troubles: inCoins(56_670n) },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    {
      title: 'POL that is exchanged first, to USDC on Arbitrum',
      from: { chainId: 137, token: NATIVE, amount: parseEther('1000').toString() },
      took: USDC_POLYGON,
      to: { chainId: 42161, token: USDC.arbitrum },
      ...{ payload: 'TRANSACTION', isExchanged: true },
    },
    {
      title: 'ARB that is exchanged first, to USDT of eighteen decimals',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      took: USDC.arbitrum,
      to: { chainId: 56, token: USDT_BSC },
      ...{ payload: 'TRANSACTION', spender: FORWARDER, isExchanged: true },
    },
  ],
})
