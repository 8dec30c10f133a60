import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { runJourneys } from './runJourneys.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  robinhood: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
  zksync: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
}
const USDC_WORLD = '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1'
const USDC_AVALANCHE = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const onBase = { chainId: 8453, token: USDC.base } as const
const onArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
/** LI.FI takes 0.25 % first. */
const [tookAmount, tookEther] = ['249375000', parseEther('0.9975').toString()]
const sent = { payload: 'TRANSACTION', isRefundedToSender: true } as const
const fromBase = { ...sent, from: { ...onBase, amount: '250000000' }, tookAmount } as const
const oneEther = (chainId: 1 | 8453 | 324 | 4663) => ({ chainId, token: NATIVE, amount: parseEther('1').toString() })
const arb = { ...sent, from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() }, isExchanged: true } as const
const venue = { id: 'lifi', name: 'LI.FI' } as const
const bridged = { venue, success: ['DONE:COMPLETED'], states: ['processing', 'success'] } as const

runJourneys({
  ...bridged,
  stepMs: 3_000,
  // Circle's bridge is slower, and would otherwise be cheaper.
  settings: { VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard' },
  journeys: [
    {
      title: 'USDC from Base to Arbitrum by Across',
      ...fromBase,
      to: onArbitrum,
      binds: { recipient: 'execute' },
      troubles: {
        // Across delivers nevertheless, in a transaction that nobody reports.
        'lying-success': { states: ['processing'], venueStatus: 'DONE:COMPLETED', delivered: ({ output }) => output },
        'unknown-status': { states: ['processing'], venueStatus: 'WANDERING:NOBODY_KNOWS', delivered: ({ output }) => output },
      },
      reorg: {
        afterMs: 7_000,
        states: [
          [MINUTE_MS, 'pending'],
          [7 * HOUR_MS, 'failed'],
        ],
      },
    },
    {
      title: 'ether from ZKsync Era to Base',
      ...{ ...sent, from: oneEther(324), took: WETH.zksync, tookAmount: tookEther, to: { chainId: 8453, token: NATIVE } },
    },
    {
      title: 'ether to Robinhood Chain',
      ...{ ...sent, from: oneEther(8453), took: WETH.base, tookAmount: tookEther, to: { chainId: 4663, token: NATIVE } },
    },
    {
      title: 'ether from Robinhood Chain',
      ...{ ...sent, from: oneEther(4663), took: WETH.robinhood, tookAmount: tookEther, to: { chainId: 8453, token: NATIVE } },
    },
    { title: 'ARB that is exchanged first and bridged to Base by Across', ...arb, took: USDC.arbitrum, to: onBase },
  ],
})

runJourneys({
  ...bridged,
  stepMs: 3_000,
  settings: { VENUE_LIFI_DENY_BRIDGES: 'across,polymer,polymerStandard' },
  journeys: [
    {
      title: 'USDC from Base to Arbitrum by a solver of LI.FI Intents',
      ...{ ...fromBase, to: onArbitrum, binds: { recipient: 'execute' } },
      troubles: {
        // An escrow returns what it took, after its deadline.
        'never-fills': {
          ...{ states: ['processing', 'expired', 'refunded'], venueStatus: 'DONE:REFUNDED', stepMs: HOUR_MS },
          refunded: () => BigInt(tookAmount),
        },
      },
    },
    {
      title: 'ARB that is exchanged first, to ether on Base by a solver',
      ...{ ...arb, took: WETH.arbitrum, to: { chainId: 8453, token: NATIVE } },
    },
  ],
})

runJourneys({
  ...bridged,
  stepMs: 10 * MINUTE_MS,
  journeys: [
    {
      title: "USDC from Base to World Chain by Circle's bridge",
      ...fromBase,
      to: { chainId: 480, token: USDC_WORLD },
      troubles: {
        'never-fills': { states: ['processing'], venueStatus: 'PENDING:WAIT_DESTINATION_TRANSACTION' },
        'short-fill': {
          states: ['processing'],
          venueStatus: 'DONE:COMPLETED',
          delivered: ({ output }) => (output * 9_950n * 9n) / 100_000n,
        },
        fails: { states: ['processing', 'expired'], venueStatus: 'FAILED:UNKNOWN_FAILED_ERROR' },
      },
    },
    {
      title: "USDC from Base to Solana by Circle's bridge",
      ...{ ...fromBase, to: { chainId: -2, token: USDC.solana }, binds: { recipient: 'execute' } },
    },
    {
      title: "AVAX, exchanged first, to USDC on Arbitrum by Circle's bridge",
      from: { chainId: 43114, token: NATIVE, amount: parseEther('20').toString() },
      ...{ ...sent, took: USDC_AVALANCHE, to: onArbitrum, isExchanged: true },
    },
  ],
})

runJourneys({
  venue,
  stepMs: 1_000,
  isAtOnce: true,
  states: ['processing', 'success'],
  success: [],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum',
      from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' },
      to: { chainId: 1, token: WETH_ETHEREUM },
      ...{ payload: 'TRANSACTION', binds: { recipient: 'execute' } },
    },
    { title: 'ether to USDC on Ethereum', from: oneEther(1), to: { chainId: 1, token: USDC.ethereum }, payload: 'TRANSACTION' },
    {
      title: 'USDG to ether on Robinhood Chain',
      from: { chainId: 4663, token: USDG, amount: '250000000' },
      ...{ to: { chainId: 4663, token: NATIVE }, payload: 'TRANSACTION' },
    },
    {
      title: 'wrapped ether to ether on ZKsync Era',
      from: { ...oneEther(324), token: WETH.zksync },
      ...{ to: { chainId: 324, token: NATIVE }, payload: 'TRANSACTION' },
    },
  ],
})
