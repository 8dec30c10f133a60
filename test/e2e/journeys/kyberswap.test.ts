import { COINS_OF, dollars, USDC_ON, WETH_ON, whole } from '../sides.ts'
import { byTransaction } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const usdc = dollars(USDC_ON.ethereum, 1_000)

runJourneys({
  venue: { id: 'kyberswap', name: 'KyberSwap' },
  stepMs: 1_000,
  isAtOnce: true,
  states: ['processing', 'success'],
  success: [],
  journeys: [
    byTransaction('USDC to WETH on Ethereum', usdc, WETH_ON.ethereum, { binds: { recipient: 'execute' } }),
    byTransaction('USDC to ether on Ethereum', usdc, COINS_OF.ethereum),
    byTransaction('ether to USDC on Ethereum', whole(COINS_OF.ethereum), USDC_ON.ethereum),
  ],
})
