import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import { addressesOn, addressesSetting, addressIn, addressSetting, isPairedBy } from '../kit/settings.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'
import { BALANCE_MANAGER, JAM_SETTLEMENT, ROUTER, SETTLEMENT } from './protocol.ts'
import { type PinnedOn, pathOf } from './published.ts'

/** `jam`: an order to sign, which a solver settles. `rfq`: makers' orders in a call that the wallet sends itself. */
export type Way = 'jam' | 'rfq'

/** The operator's settings of the venue. */
export type BebopSettings = {
  /** The partner id; null: public quotes. */
  readonly source: string | null
  /** Whether the source is proved to be ours; otherwise RFQ takes no fee. */
  readonly isAuthenticated: boolean
  /** The recipient of JAM's fee; null: no fee. */
  readonly feeRecipient: Address | null
  /** The way to sell tokens. */
  readonly tokensBy: Way
  /** The signer of router orders on unreadable chains; null: the pinned signer. */
  readonly routerSigner: Address | null
  readonly pinned: PinnedOn
}

const FEE_RECIPIENT = addressSetting('FEE_RECIPIENT', 'to which fees of signed orders are paid')
const ROUTER_SIGNER = addressSetting('ROUTER_SIGNER', 'the one that signs orders of the router where a chain cannot be read')
const isServed = (chainId: ChainId): boolean => pathOf(chainId) !== null
const ROUTERS = addressesSetting('ROUTERS', 'routers beside the published one', isServed)
const SETTLEMENTS = addressesSetting('SETTLEMENTS', 'settlements of makers’ orders beside the published one', isServed)
const JAM_SETTLEMENTS = addressesSetting('JAM_SETTLEMENTS', 'settlements of JAM, each with its BALANCE_MANAGERS', isServed)
/** A settlement creates its own manager: the constructor of src/JamSettlement.sol of bebop-dex/bebop-jam-contracts. */
const BALANCE_MANAGERS = isPairedBy(
  addressesSetting('BALANCE_MANAGERS', 'one for each of JAM_SETTLEMENTS, by the same chains in the same order', isServed),
  JAM_SETTLEMENTS,
)

export const BEBOP_SETTINGS: readonly VenueSetting[] = [
  { name: 'SOURCE', pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, expects: 'the partner id of the API key', needsKey: true },
  FEE_RECIPIENT,
  ...[ROUTER_SIGNER, ROUTERS, SETTLEMENTS, JAM_SETTLEMENTS, BALANCE_MANAGERS],
  { name: 'TOKENS_BY', pattern: /^(jam|rfq)$/, expects: 'jam (tokens are sold by a signature) or rfq (by a transaction)' },
]

export const readSettings = (config: VenueConfig): BebopSettings => {
  const { SOURCE: source = null, TOKENS_BY: tokensBy } = config.settings
  const routers = addressesOn(config, ROUTERS, ROUTER)
  const settlements = addressesOn(config, SETTLEMENTS, SETTLEMENT)
  const jam = addressesOn(config, JAM_SETTLEMENTS, JAM_SETTLEMENT)
  const managers = addressesOn(config, BALANCE_MANAGERS, BALANCE_MANAGER)
  return {
    source,
    isAuthenticated: config.apiKey !== null && source !== null,
    feeRecipient: addressIn(config, FEE_RECIPIENT),
    tokensBy: tokensBy === 'rfq' ? 'rfq' : 'jam',
    routerSigner: addressIn(config, ROUTER_SIGNER),
    pinned: (chainId) => {
      const [all, own] = [jam(chainId), managers(chainId)]
      const pairs = all.flatMap((settlement, at) => (own[at] ? [[settlement, own[at]] as const] : []))
      return { routers: routers(chainId), settlements: settlements(chainId), jam: pairs }
    },
  }
}
