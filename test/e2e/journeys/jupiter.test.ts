import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { runJourneys } from './runJourneys.ts'

const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'
const usdc = { from: { chainId: -2, token: USDC.solana, amount: '250000000' }, payload: 'TRANSACTION' } as const
const sol = { from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' }, payload: 'TRANSACTION' } as const

runJourneys({
  venue: { id: 'jupiter', name: 'Jupiter' },
  stepMs: 1_000,
  states: ['success'],
  success: [],
  isAtOnce: true,
  journeys: [
    {
      title: 'USDC to USDT, in an account that is made for it',
      ...{ ...usdc, to: { chainId: -2, token: USDT }, binds: { recipient: 'execute' } },
    },
    { title: 'SOL to USDC', ...sol, to: { chainId: -2, token: USDC.solana } },
    { title: 'USDC to a token of Token-2022', ...usdc, to: { chainId: -2, token: PYUSD } },
    { title: 'SOL to PYUSD, by two pools', ...sol, to: { chainId: -2, token: PYUSD } },
  ],
})
