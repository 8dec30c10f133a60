import { across } from './across/venue.ts'
import { bebop } from './bebop/venue.ts'
import { chainflip } from './chainflip/venue.ts'
import { cow } from './cow/venue.ts'
import { jupiter } from './jupiter/venue.ts'
import { kyberswap } from './kyberswap/venue.ts'
import { nearIntents } from './near-intents/venue.ts'
import { relay } from './relay/venue.ts'
import { uniswapx } from './uniswapx/venue.ts'
import type { VenueDefinition } from './venue.ts'
import { zerox } from './zerox/venue.ts'

/** Every venue there is. A new one is its folder and its line here. */
export const VENUE_DEFINITIONS: readonly VenueDefinition[] = [
  across,
  bebop,
  chainflip,
  cow,
  jupiter,
  kyberswap,
  nearIntents,
  relay,
  uniswapx,
  zerox,
]
