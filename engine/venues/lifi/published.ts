import { type Address, addressOf } from '../../core/address.ts'
import { type ChainId, type EvmChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import { type AddressesByChain, addressesByChainSetting, addressesOn, addressesSetting } from '../kit/settings.ts'
import { SPOKE_POOLS } from '../kit/spokePools.ts'
import type { VenueConfig, VenueSetting } from '../venue.ts'

/** https://docs.li.fi */
export const PUBLIC_BASE_URL = 'https://li.quest'

const evm = (raw: string): Address => addressOf('evm', raw)

/** LI.FI's contracts on one chain. */
export type Deployed = {
  /** Wallets call and allow it. */
  readonly diamond: Address
  /** The old and the new one, during a rotation. */
  readonly feeForwarders: readonly Address[]
  /** The older fee contract. */
  readonly feeCollector: Address
}

const USUAL = {
  diamond: evm('0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'),
  feeForwarders: [evm('0xCE40449B773a3E6E5e769ADb4e567179d4828cbd')],
} as const

/**
 * FeeForwarder 2.1.0, which every route of three chains names since 2026-11-04: release 0.5.88 of nuanu-ai/agent-payment-node, whose
 * check reads that the diamond allows it. The diamond calls no contract that it does not allow.
 */
const SINCE_NOVEMBER = { feeForwarders: [...USUAL.feeForwarders, evm('0xDe2b920506EE931a6A2ABDF566526220214FBbAE')] }

const chain = (feeCollector: string, own: Partial<Deployed> = {}): Deployed => ({
  ...USUAL,
  feeCollector: evm(feeCollector),
  ...own,
})

const OWN_FORWARDERS = [evm('0xA5971Bd73Dbb879aAaA6fEcB95Dc3fD50c2e3C25')]

/** By chain: deployments/*.json of lifinance/contracts, commit ef00558f of 2026-08-21. */
export const DEPLOYED: { readonly [chainId in EvmChainId]: Deployed } = {
  1: chain('0x3Ef238c36035880EfbDfa239d218186b79Ad1d6F', SINCE_NOVEMBER),
  10: chain('0x271970eE66c03c9D62d8e8c718b9841f2Ea7D817'),
  56: chain('0xbD6C7B0d2f68c2b7805d88388319cfB6EcB50eA9'),
  130: chain('0x262de706627Fe02B46A3643a60948fA6bE007F7b', {
    diamond: evm('0x864b314D4C5a0399368609581d3E8933a63b9232'),
    feeForwarders: OWN_FORWARDERS,
  }),
  137: chain('0xbD6C7B0d2f68c2b7805d88388319cfB6EcB50eA9'),
  143: chain('0x954d55105CDF5371224268691FAf6178be5f62F5', {
    diamond: evm('0x026F252016A7C47CDEf1F05a3Fc9E20C92a49C37'),
    feeForwarders: OWN_FORWARDERS,
  }),
  324: chain('0x8dBf6f59187b2EB36B980F3D8F4cFC6DC4E4642e', {
    diamond: evm('0x341e94069f53234fE6DabeF707aD424830525715'),
    feeForwarders: [evm('0xA577ddDa8E06BE1a0705fE9c6e6Ce2D2011100c9')],
  }),
  480: chain('0x50D5a8aCFAe13Dceb217E9a071F6c6Bd5bDB4155'),
  999: chain('0x7CaC679Cc2dF9c602590eA4965091F54EC32F2Fc', {
    diamond: evm('0x0a0758d937d1059c356D4714e57F5df0239bce1A'),
    feeForwarders: [evm('0xba072Bf218314E51d5c3d254800d799840ae6a25')],
  }),
  4663: chain('0xAD257784C6D50640d1EFa31cfB3e75bD566f63BA', {
    diamond: evm('0xB477751B76CF82d00a686A1232f5fCD772414Af3'),
    feeForwarders: [evm('0xF4BFFE4dfC693f37715A47c15BdA8af9ed8f7Cf1')],
  }),
  8453: chain('0x0A6d96E7f4D7b96CFE42185DF61E64d255c12DFf', SINCE_NOVEMBER),
  42161: chain('0xB0210dE78E28e2633Ca200609D9f528c13c26cD9', SINCE_NOVEMBER),
  43114: chain('0xB0210dE78E28e2633Ca200609D9f528c13c26cD9'),
  59144: chain('0xA4A24BdD4608D7dFC496950850f9763B674F0DB2', {
    diamond: evm('0xDE1E598b81620773454588B85D6b5D4eEC32573e'),
    feeForwarders: [evm('0x72015d314542457cBB6BF14318d82464E4D413ec')],
  }),
}

/** The recipient of its own fee, as in an answer of 2026-10-04, and its maximum, in basis points of the input. */
export const SERVICE_FEE = { recipient: evm('0xc06ebbefd94032b85424d51906e2a335efae264b'), bpsMax: 25 } as const

/** LI.FI's own number for Solana, and its placeholder for native SOL. */
const WIRE_SOLANA = 1151111081099710

/** The placeholder in a call for a recipient on a chain without EVM: src/Helpers/LiFiData.sol. */
export const NO_EVM_RECEIVER = evm('0x11f111f111f111F111f111f111F111f111f111F1')

export const toWireChain = (chainId: ChainId): number => (chainId === SOLANA ? WIRE_SOLANA : chainId)

/** Null for the number of an unsupported chain. */
export const fromWireChain = (wire: bigint): ChainId | null => {
  if (wire === BigInt(WIRE_SOLANA)) return SOLANA
  const chainId = Number(wire)
  return BigInt(chainId) === wire && Object.hasOwn(DEPLOYED, chainId) ? (chainId as EvmChainId) : null
}

/** Circle's USDC: config/polymercctp.json of lifinance/contracts, likewise; on Solana circle.com. */
export const CCTP_USDC: { readonly [chainId in ChainId]?: Address } = {
  1: evm('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  10: evm('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  130: evm('0x078D782b760474a361dDA0AF3839290b0EF57AD6'),
  137: evm('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  143: evm('0x754704Bc059F8C67012fEd69BC8A327a5aafb603'),
  480: evm('0x79A02482A880bCE3F13e09Da970dC34db4CD24d1'),
  999: evm('0xb88339CB7199b77E23DB6E890353E22632Ba630f'),
  8453: evm('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  42161: evm('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  43114: evm('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  59144: evm('0x176211869cA2b568f2A7D4EE941E073a821EE1ff'),
  [SOLANA]: addressOf('solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
}

/** AcrossFacetV4 is on all our chains except this one. */
const WITHOUT_ACROSS: ChainId = 43114

/** No LiFiIntentEscrowFacetV2 is deployed on these: deployments/*.json, likewise. */
export const WITHOUT_INTENTS: readonly ChainId[] = [324, 59144]

/** The facets whose calls fix recipient and least amount, and the names of their tools. */
export type Facet = 'across' | 'cctp' | 'intents'
export const TOOLS_OF: { readonly [facet in Facet]: readonly string[] } = {
  across: ['across'],
  cctp: ['polymer', 'polymerStandard'],
  intents: ['lifiIntents'],
}

/**
 * The facets that can bridge between two chains. The service reads Across fills on EVM chains only, and no facet calls
 * Avalanche's pool.
 */
export const facetsBetween = (from: ChainId, to: ChainId): readonly Facet[] => {
  if (!isEvmChainId(from) || from === to) return []
  const facets: Facet[] = []
  if (from !== WITHOUT_ACROSS && isEvmChainId(to)) facets.push('across')
  if (CCTP_USDC[from] !== undefined && CCTP_USDC[to] !== undefined) facets.push('cctp')
  if (isEvmChainId(to) && ![from, to].some((chainId) => WITHOUT_INTENTS.includes(chainId))) facets.push('intents')
  return facets
}

/** LI.FI's keys for the bridges of venues that we ask ourselves. Its keys for deBridge and THORChain are not published. */
export const BRIDGES_OF_VENUES: { readonly [venue: string]: readonly string[] } = {
  across: TOOLS_OF.across,
  chainflip: ['chainflip'],
  mayan: ['mayan', 'mayanMCTP', 'mayanFastMCTP'],
  'near-intents': ['near'],
  relay: ['relaydepository'],
}

/** The escrow of inputs and the contract for outputs, with one address each: config/lifiintentescrow.json, likewise. */
const INPUT_SETTLERS = [evm('0x00fC00edbe7C003b006f870068c548940000223e')]
const OUTPUT_SETTLERS = [evm('0x75220B7600c300005038432a0000f308e0000068')]

/** Polymer's oracle on both sides, one address on every chain: lifi-intents/architecture/overview of docs.li.fi. */
const INTENT_ORACLES = [evm('0x008C3800F3Ad9b3B662d002E90Cc00000000eE17')]

export const SETTINGS = {
  diamonds: addressesByChainSetting('DIAMONDS', 'contracts to call and allow besides the pinned diamonds', isEvmChainId),
  feeCollectors: addressesByChainSetting('FEE_COLLECTORS', 'older fee contracts besides the pinned ones', isEvmChainId),
  feeForwarders: addressesByChainSetting('FEE_FORWARDERS', 'fee contracts besides the pinned ones', isEvmChainId),
  spokePools: addressesByChainSetting('SPOKE_POOLS', "Across's SpokePools besides the pinned ones", isEvmChainId),
  feeTreasuries: addressesSetting('FEE_TREASURIES', "accounts that take LI.FI's own fee besides the pinned one", isEvmChainId),
  inputSettlers: addressesSetting('INTENT_INPUT_SETTLERS', 'escrows that take inputs of LI.FI Intents', isEvmChainId),
  outputSettlers: addressesSetting('INTENT_OUTPUT_SETTLERS', 'contracts that pay outputs of LI.FI Intents', isEvmChainId),
  intentOracles: addressesSetting('INTENT_ORACLES', 'oracles of LI.FI Intents besides the pinned one', isEvmChainId),
} as const

/** The pinned contracts, with the operator's. */
export type Pinned = { readonly [kind in keyof typeof SETTINGS]: AddressesByChain }

export const pinnedBy = (config: Pick<VenueConfig, 'settings'>): Pinned => {
  const ids = Object.keys(DEPLOYED).map(Number) as readonly EvmChainId[]
  const byChain = (setting: VenueSetting, own: (deployed: Deployed, chainId: EvmChainId) => readonly Address[]) => {
    const added = addressesOn(config, setting)
    return Object.fromEntries(ids.map((id) => [id, [...own(DEPLOYED[id], id), ...added(id)]])) as AddressesByChain
  }
  return {
    diamonds: byChain(SETTINGS.diamonds, ({ diamond }) => [diamond]),
    spokePools: byChain(SETTINGS.spokePools, (_, chainId) => [SPOKE_POOLS[chainId]]),
    feeCollectors: byChain(SETTINGS.feeCollectors, ({ feeCollector }) => [feeCollector]),
    feeForwarders: byChain(SETTINGS.feeForwarders, ({ feeForwarders }) => feeForwarders),
    feeTreasuries: byChain(SETTINGS.feeTreasuries, () => [SERVICE_FEE.recipient]),
    inputSettlers: byChain(SETTINGS.inputSettlers, () => INPUT_SETTLERS),
    outputSettlers: byChain(SETTINGS.outputSettlers, () => OUTPUT_SETTLERS),
    intentOracles: byChain(SETTINGS.intentOracles, () => INTENT_ORACLES),
  }
}
