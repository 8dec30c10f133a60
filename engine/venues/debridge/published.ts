import type { Address } from '../../core/address.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { addressesOn, addressesSetting, solanaAddressesIn, solanaAddressesSetting } from '../kit/settings.ts'
import type { VenueConfig, VenueProfile } from '../venue.ts'
import * as protocol from './protocol.ts'
import { bytesOf, isServed, PROTOCOL_FEE_BPS, SOLVER } from './protocol.ts'

export const PUBLIC_BASE_URL = 'https://dln.debridge.finance/v1.0'
/** Another host, with order data that the API lacks: dln-details/integration-guidelines of docs.debridge.com. */
export const PUBLIC_TRACKING_URL = 'https://dln-api.debridge.finance'

/** Each chain once, with a fee within the contract's range. */
const areFees = (text: string): boolean => {
  const items = text.split(',').map((one) => /^(-?[1-9][0-9]*)=([0-9]{1,39})$/.exec(one) ?? [])
  const ids = items.map(([, id]) => Number(id))
  const isFee = ([, , fee = '']: readonly string[]) => fee !== '' && BigInt(fee) <= 2n ** 128n
  return items.every(isFee) && ids.every((id) => isServed(id as ChainId)) && new Set(ids).size === ids.length
}
const isOnEvm = (chainId: ChainId): boolean => isServed(chainId) && isEvmChainId(chainId)

export const SETTINGS = {
  sources: addressesSetting('SOURCES', 'contracts like DlnSource besides the pinned one', isOnEvm),
  destinations: addressesSetting('DESTINATIONS', 'contracts like DlnDestination besides the pinned one', isOnEvm),
  forwarders: addressesSetting('FORWARDERS', 'forwarders of deBridge besides the pinned one', isOnEvm),
  takers: addressesSetting('TAKERS', 'solvers of deBridge on EVM chains besides the pinned one', isOnEvm),
  takerSolana: solanaAddressesSetting('TAKER_SOLANA', 'solvers of deBridge besides the pinned one'),
  solanaSources: solanaAddressesSetting('SOLANA_SOURCES', 'programs that take orders besides the pinned one'),
  solanaDestinations: solanaAddressesSetting('SOLANA_DESTINATIONS', 'programs that fill orders besides the pinned one'),
  fees: {
    name: 'FIXED_FEES',
    pattern: { test: areFees },
    expects: 'flat fees in smallest units, of chains of deBridge, each once, such as 1=1000000000000000,-2=15000000',
  },
  feeBps: {
    name: 'PROTOCOL_FEE_BPS',
    pattern: /^([0-9]{1,2}|100)$/,
    expects: 'at most 100, the share of the protocol besides the pinned one',
  },
} as const

/** The pinned values, with the operator's. Takers as the bytes in orders. */
export type Pinned = Readonly<
  Record<'sources' | 'destinations' | 'forwarders', (chainId: ChainId) => readonly Address[]> &
    Record<'solanaSources' | 'solanaDestinations', readonly Address[]>
> & {
  readonly takers: (chainId: ChainId) => readonly Hex[]
  /** The fee besides the input. The contracts can change it at any time; a setting replaces the published fee. */
  readonly feeOn: (chainId: ChainId) => bigint
  readonly feeBps: readonly number[]
}

export const pinnedBy = (config: Pick<VenueConfig, 'settings'>): Pinned => {
  const { FIXED_FEES: fees = null, PROTOCOL_FEE_BPS: bps = null } = config.settings
  const set = new Map((fees?.split(',') ?? []).map((one) => one.split('=') as [string, string]))
  const takersOn = addressesOn(config, SETTINGS.takers, SOLVER.evm)
  return {
    sources: addressesOn(config, SETTINGS.sources, protocol.DLN_SOURCE),
    destinations: addressesOn(config, SETTINGS.destinations, protocol.DLN_DESTINATION),
    forwarders: addressesOn(config, SETTINGS.forwarders, protocol.FORWARDER),
    solanaSources: [protocol.SOLANA_SOURCE, ...solanaAddressesIn(config, SETTINGS.solanaSources)],
    solanaDestinations: [protocol.SOLANA_DESTINATION, ...solanaAddressesIn(config, SETTINGS.solanaDestinations)],
    takers: (chainId) =>
      (chainId === SOLANA ? [SOLVER.solana, ...solanaAddressesIn(config, SETTINGS.takerSolana)] : takersOn(chainId)).map(
        (taker) => bytesOf(chainId, taker),
      ),
    feeOn: (chainId) => BigInt(set.get(String(chainId)) ?? protocol.SERVED[chainId]?.fee ?? 0n),
    feeBps: [PROTOCOL_FEE_BPS, ...(bps === null ? [] : [Number(bps)])],
  }
}

/** No taker, or deBridge's own solver. The taker moves no money by itself, but an order that its taker cannot fill is stuck. */
export const isKnownTaker = (taker: Hex, on: ChainId, { takers }: Pinned): boolean => taker === '0x' || takers(on).includes(taker)

/** The contracts that a payload may call or allow. */
export const contractsOf = ({ sources, solanaSources, forwarders }: Pinned): VenueProfile['contracts'] =>
  Object.fromEntries(
    CHAIN_IDS.filter(isServed).map((id) => [id, id === SOLANA ? solanaSources : [...sources(id), ...forwarders(id)]]),
  )
