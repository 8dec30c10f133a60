import { parseEther } from 'viem'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'
import type { Ending, Journey, Troubles } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

/** Chainflip's own published contracts. */
const VAULT = { ethereum: '0xF5e10380213880111522dd0efD3dbb45b9f62Bcc', arbitrum: '0x79001a5e762f3bEFC8e5871b42F6734e00498920' }
const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const usdcOnArbitrum = { chainId: 42161, token: USDC.arbitrum } as const
const binds = { recipient: 'execute', refund: 'execute' } as const

/** What the network takes here for sending: of a dollar, and of bitcoin. */
const COST = { usdc: 15_000n, ether: 3_797_468_354_431n, sol: 58_412n, bitcoin: 915n }
const backLess = (cost: bigint): Ending => ({
  states: ['processing', 'refunded'],
  venueStatus: 'COMPLETED',
  refunded: ({ amount }) => amount - cost,
})
const troublesOf = (cost: bigint): Troubles => ({
  'never-fills': backLess(cost),
  'lying-success': { states: ['processing'], venueStatus: 'COMPLETED' },
  'unknown-status': { states: ['processing'], venueStatus: 'REVIEWING' },
  // Something was paid and nothing is seen to come back: it is owed.
  fails: { states: ['processing', 'expired'], venueStatus: 'FAILED' },
})
const etherOnEthereum = {
  from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
  payload: 'TRANSACTION',
  paysTo: VAULT.ethereum,
} as const
/** Asked within a block of the State Chain, the last word is told again. */
const byChannel = { payload: 'DEPOSIT', states: ['pending', 'processing', 'success'] } as const
const bitcoin: Omit<Journey, 'title'> = {
  ...byChannel,
  from: { chainId: -1, token: NATIVE, amount: '5000000' },
  to: usdcOnArbitrum,
  stepMs: MINUTE_MS,
}

const toBitcoin: Omit<Journey, 'title'> = { ...etherOnEthereum, to: { chainId: -1, token: 'BTC' }, stepMs: MINUTE_MS }
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
      spender: VAULT.arbitrum,
      paysTo: VAULT.arbitrum,
      troubles: troublesOf(COST.usdc),
      reorg: { told: [[MINUTE_MS, 'pending']] },
      binds,
    },
    { title: 'ether from Ethereum to Bitcoin, by the vault', ...toBitcoin },
    { title: 'ether from Ethereum to USDC on Solana', ...etherOnEthereum, to: { chainId: -2, token: USDC.solana } },
    {
      title: 'USDT from Arbitrum, whose vault swaps are off, by a channel',
      from: { chainId: 42161, token: USDT_ARBITRUM, amount: '500000000' },
      to: { chainId: -2, token: NATIVE_SOL },
      ...byChannel,
      troubles: { 'never-fills': backLess(COST.usdc) },
      binds,
    },
    {
      title: 'bitcoin to USDC on Arbitrum',
      ...bitcoin,
      troubles: { ...troublesOf(COST.bitcoin), 'never-fills': { ...backLess(COST.bitcoin), stepMs: 10 * MINUTE_MS } },
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
        moved: { usd: '98800', isBetter: true },
        gone: { usd: '90000', ending: backLess(COST.bitcoin) },
      },
      binds,
    },
    ...ADDRESS_KINDS.map((wallet): Journey => {
      const back = { ...backLess(COST.bitcoin), stepMs: 10 * MINUTE_MS }
      return { title: `bitcoin of a wallet of kind ${wallet}`, ...bitcoin, wallet, troubles: { 'never-fills': back } }
    }),
    ...ADDRESS_KINDS.map(
      (recipientKind): Journey => ({
        title: `ether to bitcoin at an address of kind ${recipientKind}`,
        ...toBitcoin,
        recipientKind,
      }),
    ),
    {
      title: 'SOL to ether on Arbitrum',
      from: { chainId: -2, token: NATIVE_SOL, amount: '20000000000' },
      to: { chainId: 42161, token: NATIVE },
      ...byChannel,
      refusesCoins: backLess(COST.sol),
    },
    {
      title: 'USDC from Solana to BNB',
      from: { chainId: -2, token: USDC.solana, amount: '500000000' },
      to: { chainId: 56, token: NATIVE },
      ...byChannel,
    },
  ],
})
