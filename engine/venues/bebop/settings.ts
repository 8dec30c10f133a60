import type { Address } from '../../core/address.ts'
import { addressIn, addressSetting } from '../kit/settings.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'

/** `jam`: an order to sign, which a solver settles. `rfq`: makers' orders in a call that the wallet makes itself. */
export type Way = 'jam' | 'rfq'

/** How the venue was set up by the operator. */
export type BebopSettings = {
  /** The partner id; null: quotes are those of everybody. */
  readonly source: string | null
  /** Whether the source is known to be ours, without which RFQ takes no fee. */
  readonly isAuthenticated: boolean
  /** To whom JAM pays the fee; null: it takes none. */
  readonly feeRecipient: Address | null
  /** How tokens are sold. */
  readonly tokensBy: Way
  /** Who signs orders of the router, where a chain cannot be read; null: whoever is pinned. */
  readonly routerSigner: Address | null
}

const FEE_RECIPIENT = addressSetting('FEE_RECIPIENT', 'to which fees of signed orders are paid')
const ROUTER_SIGNER = addressSetting('ROUTER_SIGNER', 'the one that signs orders of the router where a chain cannot be read')

export const BEBOP_SETTINGS: readonly VenueSetting[] = [
  { name: 'SOURCE', pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, expects: 'the partner id of the API key', needsKey: true },
  FEE_RECIPIENT,
  ROUTER_SIGNER,
  { name: 'TOKENS_BY', pattern: /^(jam|rfq)$/, expects: 'jam (tokens are sold by a signature) or rfq (by a transaction)' },
]

export const readSettings = (config: VenueConfig): BebopSettings => {
  const { SOURCE: source = null, TOKENS_BY: tokensBy } = config.settings
  return {
    source,
    isAuthenticated: config.apiKey !== null && source !== null,
    feeRecipient: addressIn(config, FEE_RECIPIENT),
    tokensBy: tokensBy === 'rfq' ? 'rfq' : 'jam',
    routerSigner: addressIn(config, ROUTER_SIGNER),
  }
}
