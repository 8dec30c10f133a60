import { type Address, addressOf } from '../../core/address.ts'
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

const evm = (raw: string): Address => addressOf('evm', raw)

/** Generations of the periphery, each with another interface or code; answers of 2026 use all of them. */
export type Generation = 'february' | 'june' | 'autumn'

/** Across's contracts on one EVM chain. */
export type AcrossChain = {
  readonly spokePool: Address
  readonly peripheries: { readonly [generation in Generation]?: Address }
  /** Runs the calls of a deposit's message on arrival. Null where none is published: no message can be read there. */
  readonly multicallHandler: Address | null
  /** Its `emitData` only logs; null where none is published. */
  readonly eventEmitter: Address | null
}

const USUAL_PERIPHERIES: AcrossChain['peripheries'] = {
  february: evm('0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C'),
  june: evm('0x10D8b8DaA26d307489803e10477De69C0492B610'),
  autumn: evm('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'),
}
const USUAL_HANDLER = evm('0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E')
const USUAL_EMITTER = evm('0xBF75133b48b0a42AB9374027902E83C5E2949034')

const chain = (chainId: EvmChainId, rest: Partial<AcrossChain> = {}): AcrossChain => ({
  spokePool: SPOKE_POOLS[chainId],
  peripheries: USUAL_PERIPHERIES,
  multicallHandler: USUAL_HANDLER,
  eventEmitter: USUAL_EMITTER,
  ...rest,
})

/**
 * By chain. Handlers and the newest periphery: across-protocol/contracts 5.0.27 of 2026-09-18,
 * broadcast/deployed-addresses.json. Event emitters but Avalanche's: api/_event-emitter.ts of across-protocol/frontend.
 */
export const ACROSS_CHAINS: { readonly [chainId in EvmChainId]?: AcrossChain } = {
  1: chain(1),
  10: chain(10),
  56: chain(56),
  130: chain(130),
  137: chain(137),
  143: chain(143, {
    peripheries: { ...USUAL_PERIPHERIES, february: evm('0xe9b0666DFfC176Df6686726CB9aaC78fD83D20d7') },
    multicallHandler: evm('0xeC41F75c686e376Ab2a4F18bde263ab5822c4511'),
  }),
  324: chain(324, {
    peripheries: {
      february: evm('0x672b9ba0CE73b69b5F940362F0ee36AAA3F02986'),
      june: evm('0x5a148a9260c1f670429361c34d40b477280F01a9'),
      autumn: evm('0x7C99cED6d8011AF8A52488884F7BA2c61b0FA57D'),
    },
    multicallHandler: evm('0x68d3806E57148D6c6793C78EbDDbc272fE605dbf'),
    eventEmitter: evm('0x74a2966e23B61A360b1345eA359127aF325beC4C'),
  }),
  480: chain(480),
  999: chain(999, {
    peripheries: { ...USUAL_PERIPHERIES, february: evm('0xF1BF00D947267Da5cC63f8c8A60568c59FA31bCb') },
    multicallHandler: evm('0x5E7840E06fAcCb6d1c3b5F5E0d1d3d07F2829bba'),
  }),
  4663: chain(4663, {
    peripheries: { autumn: evm('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4') },
    multicallHandler: null,
    eventEmitter: null,
  }),
  8453: chain(8453),
  42161: chain(42161),
  43114: chain(43114, {
    peripheries: { autumn: evm('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4') },
    multicallHandler: evm('0x9610954AcDCA5FF7905f051A040ce33fe613c60e'),
    eventEmitter: evm('0x25b15Fc38d6A2C13FEDdD9cb51f184F7Cf0D4C11'),
  }),
  59144: chain(59144, {
    peripheries: { ...USUAL_PERIPHERIES, february: evm('0xE0BCff426509723B18D6b2f0D8F4602d143bE3e0') },
    multicallHandler: evm('0xdF1C940487574EEfa79989a79a4936A0F979cDa2'),
  }),
}

export const SVM_SPOKE = addressOf('solana', 'DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru')

/** Across's own number for Solana; EVM chains use their chain id. */
export const WIRE_SOLANA = 34268394551451

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
export type Deployed = Pick<AcrossChain, 'peripheries'> & {
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
