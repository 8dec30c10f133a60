import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { runJourneys } from './runJourneys.ts'

const ROUTER = '0x6131B5fae19EA4f9D964eAc0408E4408b66337b5'
const usdc = {
  from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' },
  payload: 'TRANSACTION',
  spender: ROUTER,
  paysTo: ROUTER,
} as const
const ether = {
  from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() },
  payload: 'TRANSACTION',
  paysTo: ROUTER,
} as const
/** 1000 USDC at 3950 dollars, less the 0.17 % that its pools keep. */
const output = ((((1_000_000_000n * 10n ** 18n) / 3_950_000_000n) * 998_300n) / 1_000_000n).toString()

runJourneys({
  venue: { id: 'kyberswap', name: 'KyberSwap' },
  stepMs: 1_000,
  isAtOnce: true,
  states: ['processing', 'success'],
  success: [],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum',
      ...usdc,
      to: { chainId: 1, token: WETH_ETHEREUM },
      output,
      binds: { recipient: 'execute' },
    },
    { title: 'USDC to ether on Ethereum', ...usdc, to: { chainId: 1, token: NATIVE }, output },
    { title: 'ether to USDC on Ethereum', ...ether, to: { chainId: 1, token: USDC.ethereum }, output: '3943285000' },
  ],
})
