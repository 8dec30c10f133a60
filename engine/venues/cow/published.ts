import { type Address, addressOf } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, chainOf, type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Payload } from '../../core/execution.ts'
import type { Route } from '../../core/route.ts'
import { addressesSetting, addressIn, addressSetting } from '../kit/settings.ts'
import type { VenueConfig } from '../venue.ts'
import { BOOK_PATHS, ETH_FLOW, SETTLEMENT, VAULT_RELAYER } from './protocol.ts'

export const PUBLIC_BASE_URL = 'https://api.cow.fi'
/** Accepts keys, which the public host ignores: PARTNER_PROD_BASE_URL of packages/order-book in cowprotocol/cow-sdk. */
export const PARTNER_BASE_URL = 'https://partners.cow.fi'

export const AUTHENTICATORS = addressesSetting('AUTHENTICATORS', 'authenticators of the settlement besides the pinned one')
/** The operator's contracts in place of the pinned ones, for new orders. */
export const OWN_CONTRACTS = {
  settlement: addressSetting('SETTLEMENT', 'for which new orders are signed, set with VAULT_RELAYER and ETH_FLOW'),
  relayer: addressSetting('VAULT_RELAYER', 'the relayer of SETTLEMENT'),
  ethFlow: addressSetting('ETH_FLOW', 'to which new orders for native coins are sent'),
}

/** Contracts that are deployed for one another. */
export type CowFamily = { readonly settlement: Address; readonly relayer: Address; readonly ethFlow: Address }

/** New orders use the first. Orders of each are read. */
export type CowFamilies = readonly [inUse: CowFamily, ...others: CowFamily[]]

/** Throws TypeError for contracts that do not match: a settlement creates its relayer, and EthFlow stores its settlement. */
export const familiesIn = (config: VenueConfig): CowFamilies => {
  const settlement = addressIn(config, OWN_CONTRACTS.settlement) ?? SETTLEMENT
  const relayer = addressIn(config, OWN_CONTRACTS.relayer) ?? VAULT_RELAYER
  const ethFlow = addressIn(config, OWN_CONTRACTS.ethFlow) ?? ETH_FLOW
  const isOther = settlement !== SETTLEMENT
  if (isOther !== (relayer !== VAULT_RELAYER) || (isOther && ethFlow === ETH_FLOW))
    throw new TypeError('VENUE_COW_SETTLEMENT and VENUE_COW_VAULT_RELAYER are set together, and with VENUE_COW_ETH_FLOW')
  const pinned = { settlement: SETTLEMENT, relayer: VAULT_RELAYER, ethFlow: ETH_FLOW }
  return ethFlow === ETH_FLOW ? [pinned] : [{ settlement, relayer, ethFlow }, pinned]
}

/** The family of a payload, by its own bytes. Null for an unrelated contract, and for one that a setting no longer names. */
export const familyOf = (families: CowFamilies, payload: Payload): CowFamily | null =>
  families.find(({ settlement, ethFlow }) =>
    payload.executionType === 'SIGNATURE'
      ? payload.typedData.domain.verifyingContract === settlement
      : payload.executionType === 'TRANSACTION' && payload.transaction.to === ethFlow,
  ) ?? null

export type CowNetwork = {
  readonly chainId: EvmChainId
  /** First path segment of every call. */
  readonly path: string
  /**
   * How long the server may hold its price auction, in ms: the documented guidance for the chain (1,000 to 2,500), capped at 1.2
   * s. By default a race with another offer ends after 1.5 s.
   */
  readonly quoteTimeoutMs: number
  readonly wrappedNative: Address
}

/** An order book with the contracts of its orders. */
export type CowBook = CowNetwork & CowFamily

/** The order book of a chain; null on a chain without one. */
export const networkOf = (chainId: ChainId): CowNetwork | null => {
  const path = BOOK_PATHS[chainId]
  const { wrappedNative } = chainOf(chainId)
  if (!path || !isEvmChainId(chainId) || wrappedNative === null) return null
  const quoteTimeoutMs = chainId === 8453 || chainId === 59144 ? 1_000 : 1_200
  return { chainId, path, quoteTimeoutMs, wrappedNative: addressOf('evm', wrappedNative) }
}

export const COW_CHAIN_IDS: readonly ChainId[] = CHAIN_IDS.filter((chainId) => networkOf(chainId) !== null)

/** The token an order sells for an input: orders sell ERC-20 tokens only, so a native coin is sold in its wrapped form. */
export const sellTokenOf = ({ wrappedNative }: CowNetwork, input: Asset): Address =>
  isNative(input) ? wrappedNative : input.address

/** Same-chain swaps of two different tokens, except wrapping and unwrapping. */
export const serves = ({ input, output }: Route): boolean => {
  const network = networkOf(input.chainId)
  if (!network || output.chainId !== input.chainId || isSameAsset(input, output)) return false
  return sellTokenOf(network, input) !== sellTokenOf(network, output)
}
