import { parseEther } from 'viem'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending, Journey, Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

/** The routers of Base and of Ethereum. */
const ROUTER_BASE = '0x00dc6100103BC402d490aEE3F9a5560cBd91f1d4'
const ROUTER_ETHEREUM = '0xD37BbE5744D730a1d98d8DC97c42F0Ca46aD7146'
const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const usdcOnEthereum = { chainId: 1, token: USDC.ethereum } as const
const ether = { chainId: 1, token: NATIVE, amount: parseEther('1').toString() } as const

/** What the network keeps of a refund: by its own list, in the chain's coin or what that is worth. */
const COST = { usdcOnBase: 249_916n, usdcOnBaseThen: 265_734n, ether: 158_200_000_000_000n, bitcoin: 2_400n }
const back = (cost: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'refund',
  refunded: ({ amount }) => amount - cost,
})

const troublesOf = (cost: bigint): Troubles => ({
  'never-fills': back(cost),
  'lying-success': { states: ['processing'], venueStatus: 'outbound_signed' },
  'short-fill': { states: ['processing'], venueStatus: 'outbound_signed', delivered: ({ minimum }) => (minimum * 9n) / 10n },
  'unknown-status': { states: ['processing'], venueStatus: 'outbound_signed' },
  fails: { states: ['processing'], venueStatus: 'swap_finalised' },
})

/** Until the refund is in a block it is owed. */
const BITCOIN_BACK: Ending = {
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
}

const toBitcoin: Omit<Journey, 'title'> = {
  from: ether,
  to: { chainId: -1, token: 'BTC' },
  payload: 'TRANSACTION',
  paysTo: ROUTER_ETHEREUM,
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
      spender: ROUTER_BASE,
      paysTo: ROUTER_BASE,
      troubles: troublesOf(COST.usdcOnBase),
      reorg: {
        told: [
          [MINUTE_MS, 'pending'],
          [2 * HOUR_MS, 'failed'],
        ],
      },
      prices: {
        ...{ currency: 'ETH', usual: '3950' },
        moved: { usd: '3960', isBetter: false },
        gone: { usd: '4200', ending: back(COST.usdcOnBaseThen) },
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    {
      title: 'ether from Ethereum to bitcoin',
      ...toBitcoin,
      troubles: { 'never-fills': back(COST.ether) },
    },
    {
      title: 'ether from Ethereum to USDC on Base',
      from: ether,
      to: usdcOnBase,
      payload: 'TRANSACTION',
      paysTo: ROUTER_ETHEREUM,
    },
    {
      title: 'bitcoin to USDC on Base',
      ...bitcoin,
      troubles: { 'never-fills': BITCOIN_BACK },
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
        moved: { usd: '98300', isBetter: true },
        gone: { usd: '90000', ending: BITCOIN_BACK },
      },
      binds: { recipient: 'execute', refund: 'execute' },
    },
    ...ADDRESS_KINDS.map((wallet): Journey => {
      const to = wallet === 'p2pkh' ? ({ chainId: 8453, token: NATIVE } as const) : usdcOnEthereum
      return { title: `bitcoin of a wallet of kind ${wallet}`, ...bitcoin, to, wallet, troubles: { 'never-fills': BITCOIN_BACK } }
    }),
    ...ADDRESS_KINDS.map(
      (recipientKind): Journey => ({
        title: `ether to bitcoin at an address of kind ${recipientKind}`,
        ...toBitcoin,
        recipientKind,
      }),
    ),
  ],
})
