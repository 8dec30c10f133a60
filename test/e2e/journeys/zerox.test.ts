import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { runJourneys } from './runJourneys.ts'

const ALLOWANCE_HOLDER = '0x0000000000001fF3684f28c67538d4D072C22734'
const usdc = { from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' }, payload: 'SIGNATURE' } as const

runJourneys({
  venue: { id: 'zerox', name: '0x' },
  stepMs: 1_500,
  states: ['pending', 'processing', 'success'],
  success: ['confirmed', 'succeeded'],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum, by a signed trade and a permit',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
    },
    {
      title: 'ether to USDC on Ethereum, by a transaction',
      from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
      to: { chainId: 1, token: USDC.ethereum },
      payload: 'TRANSACTION',
      paysTo: ALLOWANCE_HOLDER,
      states: ['processing', 'success'],
    },
  ],
})
