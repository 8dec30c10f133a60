import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = { chainId: 1, token: USDC.ethereum } as const
const from = { ...usdc, amount: '1000000000' }

runJourneys({
  venue: { id: 'kyberswap', name: 'KyberSwap' },
  stepMs: 1_000,
  isAtOnce: true,
  states: ['processing', 'success'],
  success: [],
  journeys: [
    {
      title: 'USDC to WETH on Ethereum',
      ...{ from, to: { chainId: 1, token: WETH_ETHEREUM }, payload: 'TRANSACTION', binds: { recipient: 'execute' } },
    },
    { title: 'USDC to ether on Ethereum', from, to: { chainId: 1, token: NATIVE }, payload: 'TRANSACTION' },
    {
      title: 'ether to USDC on Ethereum',
      ...{ from: { chainId: 1, token: NATIVE, amount: parseEther('1').toString() }, to: usdc, payload: 'TRANSACTION' },
    },
  ],
})
