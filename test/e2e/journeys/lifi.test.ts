import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import { runJourneys } from './runJourneys.ts'

const DIAMOND = '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'
const DIAMOND_ZKSYNC = '0x341e94069f53234fE6DabeF707aD424830525715'
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const USDG = '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168'
const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  robinhood: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
  zksync: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
}
const USDC_WORLD = '0x79A02482A880bCE3F13e09Da970dC34db4CD24d1'
const USDC_AVALANCHE = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const onBase = { chainId: 8453, token: USDC.base } as const
const onArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
/** LI.FI's 0.25 % go first. */
const [tookAmount, tookEther] = ['249375000', parseEther('0.9975').toString()]
const fromBase = {
  from: { ...onBase, amount: '250000000' },
  tookAmount,
  payload: 'TRANSACTION',
  spender: DIAMOND,
  paysTo: DIAMOND,
} as const
const etherOn = (chainId: 1 | 8453 | 324 | 4663) => ({ chainId, token: NATIVE, amount: parseEther('1').toString() })
const toOthers = { venue: { id: 'lifi', name: 'LI.FI' }, success: ['DONE:COMPLETED'], states: ['processing', 'success'] } as const

runJourneys({
  ...toOthers,
  stepMs: 3_000,
  // Circle's bridge is slower, and would otherwise be the cheaper.
  settings: { VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard' },
  journeys: [
    {
      title: 'USDC from Base to Arbitrum by Across',
      ...fromBase,
      to: onArbitrum,
      // Less a nine-thousandth to the relayer, and 3 cents of gas.
      ...{ output: '249317291', isRefundedToSender: true, binds: { recipient: 'execute' } },
      troubles: {
        // Across delivers all the same, and nobody is told where.
        'lying-success': { states: ['processing'], venueStatus: 'DONE:COMPLETED', delivered: ({ output }) => output },
        'unknown-status': { states: ['processing'], venueStatus: 'WANDERING:NOBODY_KNOWS', delivered: ({ output }) => output },
      },
      reorg: {
        afterMs: 7_000,
        told: [
          [MINUTE_MS, 'pending'],
          [7 * HOUR_MS, 'failed'],
        ],
      },
    },
    {
      title: 'ether from ZKsync Era to Base',
      ...{ from: etherOn(324), took: WETH.zksync, tookAmount: tookEther, to: { chainId: 8453, token: NATIVE } },
      ...{ payload: 'TRANSACTION', paysTo: DIAMOND_ZKSYNC, isRefundedToSender: true },
    },
    {
      title: 'ether to Robinhood Chain',
      ...{ from: etherOn(8453), took: WETH.base, tookAmount: tookEther, to: { chainId: 4663, token: NATIVE } },
      ...{ payload: 'TRANSACTION', paysTo: DIAMOND, isRefundedToSender: true },
    },
    {
      title: 'ether from Robinhood Chain',
      ...{ from: etherOn(4663), took: WETH.robinhood, tookAmount: tookEther, to: { chainId: 8453, token: NATIVE } },
      ...{ payload: 'TRANSACTION', isRefundedToSender: true },
    },
    {
      title: 'ARB that is exchanged first and bridged to Base by Across',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      ...{
        took: USDC.arbitrum,
        to: onBase,
        payload: 'TRANSACTION',
        spender: DIAMOND,
        isExchanged: true,
        isRefundedToSender: true,
      },
    },
  ],
})

/** What a pool or an escrow gives back is what it took, and comes after its deadline. */
const lateRefund = { states: ['processing', 'expired', 'refunded'], venueStatus: 'DONE:REFUNDED', stepMs: HOUR_MS } as const

runJourneys({
  ...toOthers,
  stepMs: 3_000,
  settings: { VENUE_LIFI_DENY_BRIDGES: 'across,polymer,polymerStandard' },
  journeys: [
    {
      title: 'USDC from Base to Arbitrum by a solver of LI.FI Intents',
      ...{ ...fromBase, to: onArbitrum, isRefundedToSender: true, binds: { recipient: 'execute' } },
      troubles: {
        'never-fills': { ...lateRefund, refunded: () => BigInt(tookAmount) },
        'lying-success': { states: ['processing'], venueStatus: 'DONE:COMPLETED' },
      },
    },
    {
      title: 'ARB that is exchanged first, to ether on Base by a solver',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      ...{ to: { chainId: 8453, token: NATIVE }, payload: 'TRANSACTION', spender: DIAMOND, paysTo: DIAMOND },
      ...{ took: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1', isExchanged: true, isRefundedToSender: true },
    },
  ],
})

runJourneys({
  ...toOthers,
  stepMs: 10 * MINUTE_MS,
  journeys: [
    {
      title: "USDC from Base to World Chain by Circle's bridge",
      ...fromBase,
      to: { chainId: 480, token: USDC_WORLD },
      // Less 2 cents to Polymer.
      ...{ output: '249355000', isRefundedToSender: true },
      troubles: {
        'never-fills': { states: ['processing'], venueStatus: 'PENDING:WAIT_DESTINATION_TRANSACTION' },
        'lying-success': { states: ['processing'], venueStatus: 'DONE:COMPLETED' },
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
      ...{ ...fromBase, to: { chainId: -2, token: USDC.solana }, isRefundedToSender: true, binds: { recipient: 'execute' } },
    },
    {
      title: "AVAX, exchanged first, to USDC on Arbitrum by Circle's bridge",
      from: { chainId: 43114, token: NATIVE, amount: parseEther('20').toString() },
      ...{ took: USDC_AVALANCHE, to: onArbitrum, payload: 'TRANSACTION', isExchanged: true, isRefundedToSender: true },
    },
  ],
})

runJourneys({
  venue: { id: 'lifi', name: 'LI.FI' },
  stepMs: 1_000,
  isAtOnce: true,
  states: ['processing', 'success'],
  success: [],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum',
      from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' },
      to: { chainId: 1, token: WETH_ETHEREUM },
      ...{ payload: 'TRANSACTION', spender: DIAMOND, paysTo: DIAMOND, binds: { recipient: 'execute' } },
    },
    {
      title: 'ether to USDC on Ethereum',
      ...{ from: etherOn(1), to: { chainId: 1, token: USDC.ethereum }, payload: 'TRANSACTION', paysTo: DIAMOND },
    },
    {
      title: 'USDG to ether on Robinhood Chain',
      from: { chainId: 4663, token: USDG, amount: '250000000' },
      ...{ to: { chainId: 4663, token: NATIVE }, payload: 'TRANSACTION', spender: '0xB477751B76CF82d00a686A1232f5fCD772414Af3' },
    },
    {
      title: 'wrapped ether to ether on ZKsync Era',
      from: { chainId: 324, token: WETH.zksync, amount: parseEther('1').toString() },
      ...{ to: { chainId: 324, token: NATIVE }, payload: 'TRANSACTION', spender: DIAMOND_ZKSYNC },
    },
  ],
})
