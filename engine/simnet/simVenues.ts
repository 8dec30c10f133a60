import type { SimVenue } from './simVenue.ts'
import { createAcross } from './venues/across.ts'
import { createCow } from './venues/cow.ts'
import { createNearIntents } from './venues/nearIntents.ts'
import type { World } from './world.ts'

export type SimVenueDefinition = { readonly id: string; create(world: World): SimVenue }

/** Every simulated venue there is. */
export const SIM_VENUES: readonly SimVenueDefinition[] = [
  { id: 'across', create: createAcross },
  { id: 'cow', create: createCow },
  { id: 'near-intents', create: createNearIntents },
]
