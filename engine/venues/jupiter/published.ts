import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { solanaAddressesIn, solanaAddressesSetting } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'

/** https://dev.jup.ag: the current host; lite-api.jup.ag is being retired. */
export const PUBLIC_BASE_URL = 'https://api.jup.ag'

/** The swap program, and the seed of the account that signs its events. Source: its published IDL, version 6. */
const JUPITER = addressOf('solana', 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')
export const EVENT_SEED = '__event_authority'

export const PROGRAMS = solanaAddressesSetting('PROGRAMS', 'swap programs with the calls of the pinned one')
/** The pinned program first. */
export const programsIn = (config: VenueConfig): readonly Address[] => [JUPITER, ...solanaAddressesIn(config, PROGRAMS)]

/** The programs that own every callable program on Solana. https://solana.com/docs/core/programs#loader-programs */
export const LOADERS = ['BPFLoaderUpgradeab1e11111111111111111111111', 'BPFLoader2111111111111111111111111111111111'] as const

/** The owners of shared routes' accounts: one authority for each of these ids. */
export const AUTHORITY_SEED = 'authority'
export const AUTHORITY_IDS = 16

export const TOKEN_PROGRAMS: readonly Address[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/** https://dev.jup.ag/portal/rate-limit: a window of sixty seconds; with a key, the smallest plan. */
export const REQUESTS_PER_MINUTE = { keyless: 30, keyed: 60 } as const
