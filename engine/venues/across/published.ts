import type { Address } from '../../core/address.ts'
import { type ChainId, type EvmChainId, SOLANA } from '../../core/chain.ts'
import {
  type AddressesByChain,
  addressesByChainSetting,
  addressesOn,
  solanaAddressesIn,
  solanaAddressesSetting,
} from '../kit/settings.ts'
import { SPOKE_POOLS } from '../kit/spokePools.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'
import { CONTRACTS, type Contracts, SVM_SPOKE, WIRE_SOLANA } from './protocol.ts'

export const ACROSS_CHAINS: { readonly [chainId in EvmChainId]?: Contracts & { readonly spokePool: Address } } =
  Object.fromEntries(
    Object.entries(CONTRACTS).map(([id, contracts]) => [id, { ...contracts, spokePool: SPOKE_POOLS[Number(id) as EvmChainId] }]),
  )

export const isServed = (chainId: ChainId): boolean => chainId === SOLANA || chainId in ACROSS_CHAINS

const setting = (name: string, what: string) =>
  addressesByChainSetting(name, `${what} on EVM chains of Across`, (chainId) => chainId in ACROSS_CHAINS)

export const SETTINGS = {
  contracts: setting('EXTRA_CONTRACTS', 'newer peripheries'),
  pools: setting('SPOKE_POOLS', 'newer SpokePools'),
  handlers: setting('MULTICALL_HANDLERS', 'newer multicall handlers'),
  emitters: setting('EVENT_EMITTERS', 'newer event emitters'),
  programs: solanaAddressesSetting('SVM_SPOKES', 'newer programs of Across'),
}

/** The pinned contracts of one EVM chain, with those of the operator. */
export type Deployed = Pick<Contracts, 'peripheries'> & {
  readonly [kind in 'spokePools' | 'handlers' | 'emitters' | 'called']: readonly Address[]
}

export type Pinned = {
  /** Null for chains that Across does not serve and for Solana. */
  readonly on: (chainId: ChainId) => Deployed | null
  readonly svmSpokes: readonly Address[]
}

export const pinnedBy = (config: Pick<VenueConfig, 'settings'>): Pinned => {
  const { contracts, pools, handlers, emitters, programs } = SETTINGS
  const table = Object.entries(ACROSS_CHAINS).map(([key, { peripheries, ...known }]): readonly [string, Deployed] => {
    const added = (one: VenueSetting) => addressesOn(config, one)(Number(key) as EvmChainId)
    const spokePools = [known.spokePool, ...added(pools)]
    const called = [...spokePools, ...Object.values(peripheries), ...added(contracts)]
    const handled = [known.multicallHandler ?? [], added(handlers)].flat()
    const emitted = [known.eventEmitter ?? [], added(emitters)].flat()
    return [key, { spokePools, peripheries, called, handlers: handled, emitters: emitted }]
  })
  const byChain = new Map(table)
  const svmSpokes = [SVM_SPOKE, ...solanaAddressesIn(config, programs)]
  return { svmSpokes, on: (chainId) => byChain.get(String(chainId)) ?? null }
}

export const toWireChain = (chainId: ChainId): number => (chainId === SOLANA ? WIRE_SOLANA : chainId)

/** Null for the number of a chain that is not served. */
export const fromWireChain = (wire: bigint): ChainId | null => {
  if (wire === BigInt(WIRE_SOLANA)) return SOLANA
  const chainId = Number(wire) as EvmChainId
  return BigInt(chainId) === wire && ACROSS_CHAINS[chainId] ? chainId : null
}

/** The contracts that a payload may call or allow. */
export const contractsOf = ({ on, svmSpokes }: Pinned): AddressesByChain => ({
  ...Object.fromEntries(Object.keys(ACROSS_CHAINS).map((chainId) => [chainId, on(Number(chainId) as ChainId)?.called])),
  [SOLANA]: svmSpokes,
})
