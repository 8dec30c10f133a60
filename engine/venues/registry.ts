import { across } from './across/venue.ts'
import { bebop } from './bebop/venue.ts'
import { chainflip } from './chainflip/venue.ts'
import { cow } from './cow/venue.ts'
import { debridge } from './debridge/venue.ts'
import { jupiter } from './jupiter/venue.ts'
import { kyberswap } from './kyberswap/venue.ts'
import { lifi } from './lifi/venue.ts'
import { mayan } from './mayan/venue.ts'
import { nearIntents } from './near-intents/venue.ts'
import { relay } from './relay/venue.ts'
import { thorchain } from './thorchain/venue.ts'
import { uniswapx } from './uniswapx/venue.ts'
import type { VenueDefinition } from './venue.ts'
import { zerox } from './zerox/venue.ts'

/** All venues. A new one needs its folder and its line here. */
export const VENUE_DEFINITIONS: readonly VenueDefinition[] = [
  across,
  bebop,
  chainflip,
  cow,
  debridge,
  jupiter,
  kyberswap,
  lifi,
  mayan,
  nearIntents,
  relay,
  thorchain,
  uniswapx,
  zerox,
]
