import { COINS_OF, dollars, type Side, USDC_ON, USDT_ON, units } from '../sides.ts'
import { byTransaction } from './journey.ts'
import { runJourneys } from './runJourneys.ts'

const PYUSD: Side = { chainId: -2, token: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo' }
const [usdc, sol] = [dollars(USDC_ON.solana), units(COINS_OF.solana, '2000000000')]

runJourneys({
  venue: { id: 'jupiter', name: 'Jupiter' },
  stepMs: 1_000,
  states: ['success'],
  success: [],
  isAtOnce: true,
  journeys: [
    byTransaction('USDC to USDT, in an account that is made for it', usdc, USDT_ON.solana, { binds: { recipient: 'execute' } }),
    byTransaction('SOL to USDC', sol, USDC_ON.solana),
    byTransaction('USDC to a token of Token-2022', usdc, PYUSD),
    byTransaction('SOL to PYUSD, by two pools', sol, PYUSD),
  ],
})
