import { addressOf } from '../../../engine/core/address.ts'
import { createAcross } from '../../../engine/simnet/venues/across.ts'
import type { SimEvm } from '../../../engine/simnet/world.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'

export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const WITH_FEE = { FEE_RECIPIENT, INTEGRATOR_ID: '0xbeef' }

export const USDC = {
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  arbitrum: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  bsc: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
export const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const WETH = {
  base: '0x4200000000000000000000000000000000000006',
  arbitrum: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
} as const

export const openBench = (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string; evm?: SimEvm } = {},
): Promise<VenueBench> => createVenueBench(across, createAcross, { chains: createFakeChains(), ...options })

export const signal = (): AbortSignal => AbortSignal.timeout(15_000)
