import { ACROSS_PACKAGES, compareAcross } from './across.ts'
import { CHAINFLIP_PACKAGES, compareChainflip } from './chainflip.ts'
import type { Comparator } from './comparison.ts'
import { COW_PACKAGES, compareCow } from './cow.ts'
import { compareMayan, MAYAN_PACKAGES } from './mayan.ts'
import { compareNearIntents, NEAR_INTENTS_PACKAGES } from './nearIntents.ts'
import { compareRelay, RELAY_PACKAGES } from './relay.ts'
import { compareUniswapX, UNISWAPX_PACKAGES } from './uniswapx.ts'

/** Every venue whose packages publish what our tables say. One line a venue. */
export const COMPARATORS: readonly Comparator[] = [
  { packages: ACROSS_PACKAGES, compare: compareAcross },
  { packages: CHAINFLIP_PACKAGES, compare: compareChainflip },
  { packages: COW_PACKAGES, compare: compareCow },
  { packages: MAYAN_PACKAGES, compare: compareMayan },
  { packages: NEAR_INTENTS_PACKAGES, compare: compareNearIntents },
  { packages: RELAY_PACKAGES, compare: compareRelay },
  { packages: UNISWAPX_PACKAGES, compare: compareUniswapX },
]
