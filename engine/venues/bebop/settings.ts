import { type Address, addressOf, evmAddressText } from '../../core/address.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'
import { type RouterSigners, routerSigners } from './published.ts'

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
  readonly signerOn: RouterSigners
}

export const BEBOP_SETTINGS: readonly VenueSetting[] = [
  {
    name: 'SOURCE',
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    expects: 'the partner id that goes with the API key',
    needsKey: true,
  },
  { name: 'FEE_RECIPIENT', pattern: evmAddressText, expects: 'an EVM address, to which fees of signed orders are paid' },
  { name: 'ROUTER_SIGNER', pattern: evmAddressText, expects: 'an EVM address, the one that signs orders of the router' },
  { name: 'TOKENS_BY', pattern: /^(jam|rfq)$/, expects: 'jam (tokens are sold by a signature) or rfq (by a transaction)' },
]

export const readSettings = ({ settings, apiKey }: VenueConfig): BebopSettings => {
  const address = (name: string): Address | null => {
    const text = settings[name] ?? null
    return text === null ? null : addressOf('evm', text)
  }
  const source = settings['SOURCE'] ?? null
  return {
    source,
    isAuthenticated: apiKey !== null && source !== null,
    feeRecipient: address('FEE_RECIPIENT'),
    tokensBy: settings['TOKENS_BY'] === 'rfq' ? 'rfq' : 'jam',
    signerOn: routerSigners(address('ROUTER_SIGNER')),
  }
}
