import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { MINUTE_MS } from '../support.ts'
import { runJourneys } from './runJourneys.ts'

const ALLOWANCE_HOLDER = '0x0000000000001fF3684f28c67538d4D072C22734'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

const usdc = { from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' }, payload: 'SIGNATURE' } as const
const venue = { id: 'zerox', name: '0x' } as const

const liar = {
  states: ['pending', 'processing', 'failed'],
  venueStatus: 'confirmed',
  stepMs: (look: number) => (look < 6 ? 1_500 : MINUTE_MS),
} as const

/** What 1000 USDC buy at 3950 dollars less 0.07 % in the pool; then go 0.15 % and 90 cents of gas, in one whole share. */
const gross = (((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 999_300n) / 1_000_000n

runJourneys({
  venue,
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  success: ['succeeded', 'confirmed'],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed trade and a permit',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
      output: (gross - (gross * 25n) / 10_000n).toString(),
      troubles: {
        'never-fills': { states: ['pending', 'failed'], venueStatus: 'failed', untaken: true, stepMs: MINUTE_MS },
        fails: { states: ['pending', 'failed'], venueStatus: 'failed', untaken: true, stepMs: MINUTE_MS },
        // Its nonce was never spent: once the trade has run out nothing can come of it.
        'lying-success': { ...liar, untaken: true },
        'short-fill': { ...liar, untaken: true, delivered: ({ minimum }) => minimum / 2n },
        'unknown-status': { states: ['pending', 'processing'], venueStatus: 'disputed', untilSound: true },
      },
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum, by a signed trade and a permit', ...usdc, to: { chainId: 1, token: NATIVE } },
  ],
})

runJourneys({
  venue,
  stepMs: 1_500,
  states: ['processing', 'success'],
  success: [],
  isAtOnce: true,
  journeys: [
    {
      title: 'ether to USDC on Ethereum, by a transaction',
      from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
      to: { chainId: 1, token: USDC.ethereum },
      payload: 'TRANSACTION',
      paysTo: ALLOWANCE_HOLDER,
      binds: { recipient: 'execute' },
    },
    {
      title: 'USDT to ether on Ethereum, by a transaction and an approval',
      from: { chainId: 1, token: USDT, amount: '1000000000' },
      to: { chainId: 1, token: NATIVE },
      payload: 'TRANSACTION',
      spender: ALLOWANCE_HOLDER,
      paysTo: ALLOWANCE_HOLDER,
    },
  ],
})
