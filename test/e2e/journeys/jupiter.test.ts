import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { runJourneys } from './runJourneys.ts'

const PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const PYUSD = '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'
const fromUsdc = {
  from: { chainId: -2, token: USDC.solana, amount: '250000000' },
  payload: 'TRANSACTION',
  paysTo: PROGRAM,
} as const

runJourneys({
  venue: { id: 'jupiter', name: 'Jupiter' },
  stepMs: 1_000,
  states: ['success'],
  success: [],
  isAtOnce: true,
  journeys: [
    {
      title: 'USDC to USDT, in an account that is made for it',
      ...fromUsdc,
      to: { chainId: -2, token: USDT },
      // One pool, which keeps 400 millionths.
      output: '249900000',
      binds: { recipient: 'execute' },
    },
    {
      title: 'SOL to USDC',
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: { chainId: -2, token: USDC.solana },
      payload: 'TRANSACTION',
      paysTo: PROGRAM,
    },
    { title: 'USDC to a token of Token-2022', ...fromUsdc, to: { chainId: -2, token: PYUSD } },
    {
      title: 'SOL to PYUSD, by two pools',
      from: { chainId: -2, token: NATIVE_SOL, amount: '2000000000' },
      to: { chainId: -2, token: PYUSD },
      payload: 'TRANSACTION',
      paysTo: PROGRAM,
    },
  ],
})
