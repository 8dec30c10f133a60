import { type Address, addressOf } from '../../core/address.ts'
import type { Asset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import { formOf } from '../../core/peg.ts'
import {
  addressesByChainSetting,
  addressesOn,
  addressesSetting,
  solanaAddressesIn,
  solanaAddressesSetting,
} from '../kit/settings.ts'
import type { VenueConfig, VenueProfile, VenueSetting } from '../venue.ts'
import { CPI_PROXY, FEE_MANAGER, FORWARDER, pinned, SWAP_PROGRAM, SWIFT, SWIFT_FILLS, SWIFT_PROGRAM } from './protocol.ts'

/** https://docs.mayan.finance/integration/quote-api, explorer-api */
export const PUBLIC_HOSTS = {
  price: 'https://price-api.mayan.finance/v3',
  explorer: 'https://explorer-api.mayan.finance/v3',
  init: 'https://sia.mayan.finance/v10',
} as const

/** The version of the SDK that requests state: github.com/mayan-finance/swap-sdk, 2026-08-03. */
export const SDK_VERSION = [15, 2, 0] as const

const isOnEvm = (chainId: ChainId): boolean => isEvmChainId(chainId) && pinned(chainId) !== null

/** Settings that add to them. A quote names the Swift contract of its order; for the others the first setting applies. */
const KINDS = {
  forwarders: [addressesByChainSetting('FORWARDERS', 'contracts of which wallets call the first of a chain', isOnEvm), FORWARDER],
  swifts: [addressesSetting('SWIFTS', 'contracts of Swift where orders are placed', isOnEvm), SWIFT],
  fills: [addressesSetting('SWIFT_FILLS', 'contracts of Swift where orders are filled', isOnEvm), SWIFT_FILLS],
  programs: [solanaAddressesSetting('SWIFT_PROGRAMS', 'programs of Swift'), SWIFT_PROGRAM],
  proxies: [solanaAddressesSetting('CPI_PROXIES', 'programs of which wallets call the first'), CPI_PROXY],
  feeManagers: [solanaAddressesSetting('FEE_MANAGERS', 'programs of which orders name the first'), FEE_MANAGER],
  swapPrograms: [solanaAddressesSetting('SWAP_PROGRAMS', 'programs of which questions name the first'), SWAP_PROGRAM],
} as const
export const CONTRACTS = Object.values(KINDS).map(([setting]) => setting)
export type Contracts = { readonly [kind in keyof typeof KINDS]: readonly [Address, ...Address[]] }

/** The contracts of a chain: the pinned ones, with the operator's. */
export type ContractsOn = (chainId: ChainId) => Contracts
export const contractsBy =
  (config: Pick<VenueConfig, 'settings'>): ContractsOn =>
  (chainId) => {
    const added = (setting: VenueSetting) => [...addressesOn(config, setting)(chainId), ...solanaAddressesIn(config, setting)]
    const all = Object.entries(KINDS).map(([kind, [setting, own]]) => [kind, [...added(setting), own]])
    return Object.fromEntries(all) as Contracts
  }

/** The accounts that sign quotes: the default of mayan-finance/tx-builder, src/utils/signature.ts. */
export const QUOTE_SIGNERS: readonly Address[] = [addressOf('evm', '0xe8FDd6f6D10532bd49Cced5502CAa483E232E637')]

/** Routes of other kinds, `QuoteType` in src/types.ts of mayan-finance/swap-sdk 15.2.0. VENUES.md lists their gaps. */
export const OTHER_ROUTES: readonly string[] = ['WH', 'MCTP', 'FAST_MCTP', 'SHUTTLE', 'MONO_CHAIN']

/**
 * The most that one transaction of a cancelled order costs on a chain: in millionths of a dollar, in wei of ether and in
 * lamports. About three times the highest cost in Mayan's explorer from 2025-03 to 2026-03: 0.50 dollars on Solana, 0.71 on
 * Ethereum, 0.017 elsewhere. `redeemRelayerFee` on the chain of the output, `refundRelayerFee` on that of the input.
 */
const NETWORK_COST: { readonly [chainId in ChainId]?: typeof OTHER_COST } = {
  1: { dollars: 2_000_000n, ether: 1_000_000_000_000_000n, sol: 20_000_000n },
  [SOLANA]: { dollars: 1_500_000n, ether: 800_000_000_000_000n, sol: 15_000_000n },
}
const OTHER_COST = { dollars: 50_000n, ether: 25_000_000_000_000n, sol: 500_000n }
const CURRENCIES: { readonly [token: string]: readonly [keyof typeof OTHER_COST, decimals: number] } = {
  USDC: ['dollars', 6],
  USDT: ['dollars', 6],
  WETH: ['ether', 18],
  SOL: ['sol', 9],
}

/** The cost of cancelling an order on `to` and refunding it, in smallest units of the locked token; 0 for other tokens. */
export const refundCost = (locked: Asset, to: ChainId): bigint => {
  const form = formOf(locked)
  const [currency, decimals] = CURRENCIES[form?.token ?? ''] ?? []
  if (form === null || currency === undefined) return 0n
  const [here, there] = [locked.chainId, to].map((chainId) => (NETWORK_COST[chainId] ?? OTHER_COST)[currency])
  return (((here ?? 0n) + (there ?? 0n)) * 10n ** BigInt(form.decimals)) / 10n ** BigInt(decimals ?? 0)
}

/** The only contracts that a payload may call or allow. */
export const called = (on: ContractsOn): VenueProfile['contracts'] =>
  Object.fromEntries(CHAIN_IDS.filter((id) => pinned(id)).map((id) => [id, on(id)[id === SOLANA ? 'proxies' : 'forwarders']]))

/** Tokens that need an account of the referrer on Solana, or the fee is lost: https://docs.mayan.finance/integration/referral */
export const REFERRER_MINTS = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs',
].map((mint) => addressOf('solana', mint))
