import { parseEther } from 'viem'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { runJourneys } from './runJourneys.ts'

const DIAMOND = '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'
const onBase = { chainId: 8453, token: USDC.base } as const
const etherOn = (chainId: 8453 | 324 | 4663) => ({ chainId, token: NATIVE, amount: parseEther('1').toString() })
const usdc = { from: { ...onBase, amount: '250000000' }, payload: 'TRANSACTION', spender: DIAMOND, paysTo: DIAMOND } as const

runJourneys({
  venue: { id: 'lifi', name: 'LI.FI' },
  stepMs: 3_000,
  states: ['processing', 'success'],
  success: ['DONE:COMPLETED'],
  journeys: [
    {
      title: 'USDC from Base to Arbitrum by Across',
      ...usdc,
      to: { chainId: 42161, token: USDC.arbitrum },
      binds: { recipient: 'execute' },
    },
    {
      title: 'ether from ZKsync Era to Base',
      ...{ from: etherOn(324), to: { chainId: 8453, token: NATIVE }, payload: 'TRANSACTION' },
      took: '0x5AEa5775959fBC2557Cc8789bC1bf90A239D9a91',
    },
    {
      title: 'USDC to WETH on Ethereum',
      from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' },
      to: { chainId: 1, token: WETH_ETHEREUM },
      ...{ payload: 'TRANSACTION', spender: DIAMOND, paysTo: DIAMOND, venueStatuses: [] },
    },
  ],
})
