import type { Chains } from '../../chains/chains.ts'
import type { ChainId } from '../../core/chain.ts'
import { hubPoolPins } from '../kit/hubPool.ts'
import type { PinSource } from '../venue.ts'
import { ACROSS_CHAINS, type Pinned } from './published.ts'

const CHAINS = Object.keys(ACROSS_CHAINS).map((chainId) => Number(chainId) as ChainId)

/** The HubPool has twenty bytes of Solana's pool. Peripheries and handlers are in no list. */
export const createPins = (chains: Pick<Chains, 'call'>, { on }: Pinned): readonly PinSource[] => [
  hubPoolPins(chains, CHAINS, (chainId) => on(chainId)?.spokePools ?? []),
]
