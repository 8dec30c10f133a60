import type { SimVenue } from './simVenue.ts'
import type { World } from './world.ts'

export type SimVenueDefinition = { readonly id: string; create(world: World): SimVenue }

/** Every simulated venue there is. */
export const SIM_VENUES: readonly SimVenueDefinition[] = []
