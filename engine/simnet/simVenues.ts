import type { ContractsOf } from './chains/evmGenesis.ts'
import { acrossContracts } from './contracts/acrossContracts.ts'
import { cowContracts } from './contracts/cowContracts.ts'
import { relayContracts } from './contracts/relayContracts.ts'
import type { SimVenue } from './simVenue.ts'
import { createAcross } from './venues/across.ts'
import { createCow } from './venues/cow.ts'
import { createNearIntents } from './venues/nearIntents.ts'
import { createRelay } from './venues/relay.ts'
import type { World } from './world.ts'

export type SimVenueDefinition = {
  readonly id: string
  create(world: World): SimVenue
  /** What the venue has on an EVM chain from its first block on, each at its published address. */
  readonly contracts?: ContractsOf
}

/** Every simulated venue there is. */
export const SIM_VENUES: readonly SimVenueDefinition[] = [
  { id: 'across', create: createAcross, contracts: acrossContracts },
  { id: 'cow', create: createCow, contracts: cowContracts },
  { id: 'near-intents', create: createNearIntents },
  { id: 'relay', create: createRelay, contracts: relayContracts },
]
