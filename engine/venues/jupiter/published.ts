import type { Address } from '../../core/address.ts'
import { solanaAddressesIn, solanaAddressesSetting } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'
import { JUPITER } from './protocol.ts'

/** https://dev.jup.ag: the current host; lite-api.jup.ag is being retired. */
export const PUBLIC_BASE_URL = 'https://api.jup.ag'

export const PROGRAMS = solanaAddressesSetting('PROGRAMS', 'swap programs with the calls of the pinned one')
/** The pinned program first. */
export const programsIn = (config: VenueConfig): readonly Address[] => [JUPITER, ...solanaAddressesIn(config, PROGRAMS)]

/** The programs that own every callable program on Solana. https://solana.com/docs/core/programs#loader-programs */
export const LOADERS = ['BPFLoaderUpgradeab1e11111111111111111111111', 'BPFLoader2111111111111111111111111111111111'] as const

/** https://dev.jup.ag/portal/rate-limit: a window of sixty seconds; with a key, the smallest plan. */
export const REQUESTS_PER_MINUTE = { keyless: 30, keyed: 60 } as const
