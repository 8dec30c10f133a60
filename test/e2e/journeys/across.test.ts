import { parseEther } from 'viem'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
  robinhood: '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73',
  zksync: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
}
const USDC_AVALANCHE = '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'
const [BASE_POOL, PERIPHERY] = ['0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64', '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4']
const AVALANCHE_POOL = '0xFE9D541c92E4e90437C7152A00244886dE37a658'
const ONE_ETHER = parseEther('1').toString()
const onBase = { chainId: 8453, token: USDC.base } as const
const fromBase = { ...onBase, amount: '250000000' }
const etherOn = (chainId: 8453 | 4663 | 324 | 42161) => ({ chainId, token: NATIVE, amount: ONE_ETHER })
/** 250 USDC less 0.001 % to the pool, 0.01 % to the relayer and 3 cents of gas. */
const output = '249942500'

const TROUBLES: Troubles = {
  'never-fills': {
    states: ['processing', 'expired', 'refunded'],
    venueStatus: 'refunded',
    refunded: ({ amount }) => amount,
  },
  'lying-success': { states: ['processing'], venueStatus: 'filled' },
  'short-fill': {
    states: ['processing'],
    venueStatus: 'filled',
    delivered: ({ output: whole }) => (whole * 9n) / 10n,
  },
  // The pool gives back what nobody filled, whatever the venue calls it.
  'unknown-status': { states: ['processing'], venueStatus: 'reorged', refunded: ({ amount }) => amount },
  fails: { states: ['processing', 'expired', 'refunded'], venueStatus: 'deposit-failed', refunded: ({ amount }) => amount },
}

runJourneys({
  venue: { id: 'across', name: 'Across' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['filled'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum',
      from: fromBase,
      to: { chainId: 42161, token: USDC.arbitrum },
      ...{ payload: 'TRANSACTION', spender: BASE_POOL, paysTo: BASE_POOL, output, troubles: TROUBLES },
      reorg: {
        afterMs: 7_000,
        told: [
          [MINUTE_MS, 'pending'],
          // Its book has forgotten it, but the record has not, and until the deadline the wallet may send it again.
          [HOUR_MS, 'pending'],
          [3 * HOUR_MS, 'failed'],
        ],
      },
      binds: { recipient: 'quote', refund: 'quote' },
    },
    {
      title: 'ether from Base to Arbitrum',
      from: etherOn(8453),
      took: WETH.base,
      to: { chainId: 42161, token: NATIVE },
      // 0.00001 ETH to the pool, 0.0001 to the relayer, and 3 cents of gas at 3950 dollars.
      ...{ payload: 'TRANSACTION', paysTo: PERIPHERY, output: '999882405063291140' },
    },
    {
      title: 'USDC from Solana to Base',
      from: { chainId: -2, token: USDC.solana, amount: '250000000' },
      to: onBase,
      ...{ payload: 'TRANSACTION', output, troubles: TROUBLES, isRefundedToSender: true },
    },
    {
      title: 'USDC from Base to Solana',
      from: fromBase,
      to: { chainId: -2, token: USDC.solana },
      ...{ payload: 'TRANSACTION', spender: BASE_POOL, output, binds: { recipient: 'quote' } },
    },
    {
      title: 'ARB that is exchanged first and bridged to Base',
      from: { chainId: 42161, token: ARB, amount: parseEther('1000').toString() },
      took: USDC.arbitrum,
      to: onBase,
      ...{ payload: 'TRANSACTION', spender: PERIPHERY, isExchanged: true, slippageBps: 50 },
    },
    {
      title: 'ARB that is exchanged first and bridged to Solana',
      from: { chainId: 42161, token: ARB, amount: parseEther('500').toString() },
      took: USDC.arbitrum,
      to: { chainId: -2, token: USDC.solana },
      ...{ payload: 'TRANSACTION', spender: PERIPHERY, isExchanged: true },
    },
    {
      title: 'USDC from Avalanche to Base',
      from: { chainId: 43114, token: USDC_AVALANCHE, amount: '250000000' },
      to: onBase,
      ...{ payload: 'TRANSACTION', spender: AVALANCHE_POOL },
    },
    {
      title: 'AVAX, exchanged first, to USDC on Base',
      from: { chainId: 43114, token: NATIVE, amount: parseEther('20').toString() },
      took: USDC_AVALANCHE,
      to: onBase,
      ...{ payload: 'TRANSACTION', isExchanged: true },
    },
    {
      title: 'ether from Robinhood Chain',
      ...{ from: etherOn(4663), took: WETH.robinhood, to: { chainId: 8453, token: NATIVE }, payload: 'TRANSACTION' },
    },
    {
      title: 'ether to Robinhood Chain',
      ...{ from: etherOn(8453), took: WETH.base, to: { chainId: 4663, token: NATIVE }, payload: 'TRANSACTION' },
    },
    {
      title: 'ether from ZKsync Era',
      ...{ from: etherOn(324), took: WETH.zksync, to: { chainId: 8453, token: NATIVE }, payload: 'TRANSACTION' },
    },
    {
      title: 'wrapped ether for a contract, which comes without a message',
      from: { chainId: 8453, token: WETH.base, amount: ONE_ETHER },
      to: { chainId: 42161, token: WETH.arbitrum },
      ...{ payload: 'TRANSACTION', spender: BASE_POOL, isForContract: true },
    },
    {
      title: 'ether for a contract, which comes by a message',
      from: etherOn(8453),
      took: WETH.base,
      to: { chainId: 42161, token: NATIVE },
      ...{ payload: 'TRANSACTION', isForContract: true },
    },
  ],
})
