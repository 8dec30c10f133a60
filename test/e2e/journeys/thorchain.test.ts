import { parseEther } from 'viem'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending, Journey } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const usdcOnEthereum = { chainId: 1, token: USDC.ethereum } as const
const ether = { from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() }, payload: 'TRANSACTION' } as const

/** What the network keeps of a refund. */
const COST = { usdc: 249_916n, ether: 158_200_000_000_000n, bitcoin: 2_400n }
const refundLess = (cost: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'refund',
  refunded: ({ amount }) => amount - cost,
})
/** Owed until the refund is in a block. */
const bitcoinRefund: Ending = {
  states: ['pending', 'expired', 'refunded'],
  refunded: ({ amount }) => amount - COST.bitcoin,
  stepMs: 2 * MINUTE_MS,
}
const bitcoin: Omit<Journey, 'title'> = {
  from: { chainId: -1, token: NATIVE, amount: '5000000' },
  to: usdcOnBase,
  payload: 'DEPOSIT',
  isLeast: true,
  states: ['pending', 'processing', 'success'],
  stepMs: 2 * MINUTE_MS,
  troubles: { 'never-fills': bitcoinRefund },
}
const toBitcoin: Omit<Journey, 'title'> = {
  ...ether,
  to: { chainId: -1, token: 'BTC' },
  isRefundedToSender: true,
  stepMs: MINUTE_MS,
}
/** Beside native SegWit. */
const ADDRESS_KINDS = ['p2pkh', 'p2sh-p2wpkh', 'p2wsh', 'p2tr'] as const

runJourneys({
  venue: { id: 'thorchain', name: 'THORChain' },
  stepMs: 2_000,
  states: ['processing', 'success'],
  success: ['outbound_signed'],
  isFirm: false,
  switches: ['/thorchain/inbound_addresses', '/second/thorchain/inbound_addresses', '/thorchain/quote/swap', '/thorchain/pools'],
  journeys: [
    {
      title: 'USDC from Base to ether on Ethereum',
      from: { ...usdcOnBase, amount: '250000000' },
      to: { chainId: 1, token: NATIVE },
      payload: 'TRANSACTION',
      troubles: {
        'never-fills': refundLess(COST.usdc),
        'lying-success': { states: ['processing'], venueStatus: 'outbound_signed' },
        'short-fill': {
          states: ['processing'],
          venueStatus: 'outbound_signed',
          delivered: ({ minimum }) => (minimum * 9n) / 10n,
        },
        'unknown-status': { states: ['processing'], venueStatus: 'outbound_signed' },
        fails: { states: ['processing'], venueStatus: 'swap_finalised' },
      },
      reorg: {
        states: [
          [MINUTE_MS, 'pending'],
          [2 * HOUR_MS, 'failed'],
        ],
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950', moved: { usd: '3960', isBetter: false } },
        // Ether costs more, and so does the refund.
        gone: { usd: '4200', ending: refundLess(265_734n) },
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    { title: 'ether from Ethereum to bitcoin', ...toBitcoin, troubles: { 'never-fills': refundLess(COST.ether) } },
    { title: 'ether from Ethereum to USDC on Base', ...ether, to: usdcOnBase },
    {
      title: 'bitcoin to USDC on Base',
      ...bitcoin,
      reorg: {
        afterMs: MINUTE_MS,
        states: [
          [MINUTE_MS, 'pending'],
          [HOUR_MS, 'pending'],
        ],
        isRepaired: true,
      },
      prices: {
        ...{ currency: 'BTC', usual: '98400', moved: { usd: '98300', isBetter: true } },
        gone: { usd: '90000', ending: bitcoinRefund },
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    ...ADDRESS_KINDS.map((wallet): Journey => {
      const to = wallet === 'p2pkh' ? ({ chainId: 8453, token: NATIVE } as const) : usdcOnEthereum
      return { title: `bitcoin of a wallet of kind ${wallet}`, ...bitcoin, to, wallet }
    }),
    ...ADDRESS_KINDS.map((recipientKind): Journey => {
      return { title: `ether to bitcoin at an address of kind ${recipientKind}`, ...toBitcoin, recipientKind }
    }),
  ],
})
