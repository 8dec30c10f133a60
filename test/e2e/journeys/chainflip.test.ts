import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending, Journey } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const usdcOnArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const binds = { recipient: 'execute', refund: 'execute' } as const

/** What the network takes for a refund of USDC and of bitcoin. */
const COST = { usdc: 15_000n, bitcoin: 915n }
const refundLess = (cost: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'COMPLETED',
  refunded: ({ amount }) => amount - cost,
})
const bitcoinRefund: Ending = { ...refundLess(COST.bitcoin), stepMs: 10 * MINUTE_MS }
const etherByVault = { from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() }, payload: 'TRANSACTION' } as const
/** Within a block of the State Chain, the service repeats the last answer. */
const byChannel = { payload: 'DEPOSIT', states: ['pending', 'processing', 'success'] } as const
const bitcoin: Omit<Journey, 'title'> = {
  ...byChannel,
  from: { chainId: -1, token: NATIVE, amount: '5000000' },
  to: usdcOnArbitrum,
  stepMs: MINUTE_MS,
}
const toBitcoin: Omit<Journey, 'title'> = { ...etherByVault, to: { chainId: -1, token: 'BTC' }, stepMs: MINUTE_MS }
/** Beside native SegWit. */
const ADDRESS_KINDS = ['p2pkh', 'p2sh-p2wpkh', 'p2wsh', 'p2tr'] as const

runJourneys({
  venue: { id: 'chainflip', name: 'Chainflip' },
  stepMs: 6_000,
  states: ['processing', 'success'],
  success: ['COMPLETED'],
  switches: ['/api/networkInfo', '/v2/quote', '/api/encodeVaultSwapData'],
  journeys: [
    {
      title: 'USDC from Arbitrum to ether on Ethereum, by the vault',
      from: { ...usdcOnArbitrum, amount: '1000000000' },
      to: { chainId: 1, token: NATIVE },
      payload: 'TRANSACTION',
      troubles: {
        'never-fills': refundLess(COST.usdc),
        'lying-success': { states: ['processing'], venueStatus: 'COMPLETED' },
        'unknown-status': { states: ['processing'], venueStatus: 'REVIEWING' },
        // The payment is owed while no refund appears.
        fails: { states: ['processing', 'expired'], venueStatus: 'FAILED' },
      },
      reorg: { states: [[MINUTE_MS, 'pending']] },
      binds,
    },
    { title: 'ether from Ethereum to Bitcoin, by the vault', ...toBitcoin },
    { title: 'ether from Ethereum to USDC on Solana', ...etherByVault, to: { chainId: -2, token: USDC.solana } },
    {
      title: 'USDT from Arbitrum, whose vault swaps are off, by a channel',
      from: { chainId: 42161, token: USDT_ARBITRUM, amount: '500000000' },
      to: { chainId: -2, token: NATIVE_SOL },
      ...byChannel,
      troubles: { 'never-fills': refundLess(COST.usdc) },
      binds,
    },
    {
      title: 'bitcoin to USDC on Arbitrum',
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
        ...{ currency: 'BTC', usual: '98400', moved: { usd: '98800', isBetter: true } },
        gone: { usd: '90000', ending: bitcoinRefund },
      },
      binds,
    },
    ...ADDRESS_KINDS.map((wallet): Journey => {
      return { title: `bitcoin of a wallet of kind ${wallet}`, ...bitcoin, wallet, troubles: { 'never-fills': bitcoinRefund } }
    }),
    ...ADDRESS_KINDS.map((recipientKind): Journey => {
      return { title: `ether to bitcoin at an address of kind ${recipientKind}`, ...toBitcoin, recipientKind }
    }),
    {
      title: 'SOL to ether on Arbitrum',
      from: { chainId: -2, token: NATIVE_SOL, amount: '20000000000' },
      to: { chainId: 42161, token: NATIVE },
      ...byChannel,
    },
    {
      title: 'USDC from Solana to BNB',
      from: { chainId: -2, token: USDC.solana, amount: '500000000' },
      to: { chainId: 56, token: NATIVE },
      ...byChannel,
    },
  ],
})
