import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { hexOf } from '../../chains/solana/borsh.ts'
import { SYSTEM_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf, parseEvmAddress, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, nativeAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { addressesOn, addressesSetting, solanaAddressesIn, solanaAddressesSetting } from '../kit/settings.ts'
import type { VenueConfig, VenueProfile } from '../venue.ts'

export const PUBLIC_BASE_URL = 'https://dln.debridge.finance/v1.0'
/** Another host, with order data that the API lacks: dln-details/integration-guidelines of docs.debridge.com. */
export const PUBLIC_TRACKING_URL = 'https://dln-api.debridge.finance'

const evm = (raw: string): Address => addressOf('evm', raw)

/** One address on every EVM chain: dln-details/overview/deployed-contracts of docs.debridge.com. */
const DLN_SOURCE = evm('0xeF4fB24aD0916217251F553c0596F8Edc630EB66')
const DLN_DESTINATION = evm('0xE7351Fd770A37282b91D153Ee690B63579D6dd7f')
/** Swaps an input that is no liquidity token before it makes the order. */
const FORWARDER = evm('0x663DC15D3C1aC63ff12E45Ab68FeA3F0a883C251')
const SOLANA_SOURCE = addressOf('solana', 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4')
const SOLANA_DESTINATION = addressOf('solana', 'dst5MGcFPoBeREFAA5E3tU5ij8m5uVYwkzkSAbsLbNo')

/** deBridge's own solver, which market orders name since 2025: that of recorded answers, and on Solana of integrators. */
const TAKERS = {
  evm: [addressOf('evm', '0x555ce236c0220695b68341bc48c68d52210cc35b')],
  solana: ['2snHHreXbpJ7UwZxPe37gnUNf7Wx7wv6UKDSR2JckKuS'],
}

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
  const takersOn = addressesOn(config, SETTINGS.takers, ...TAKERS.evm)
  return {
    sources: addressesOn(config, SETTINGS.sources, DLN_SOURCE),
    destinations: addressesOn(config, SETTINGS.destinations, DLN_DESTINATION),
    forwarders: addressesOn(config, SETTINGS.forwarders, FORWARDER),
    solanaSources: [SOLANA_SOURCE, ...solanaAddressesIn(config, SETTINGS.solanaSources)],
    solanaDestinations: [SOLANA_DESTINATION, ...solanaAddressesIn(config, SETTINGS.solanaDestinations)],
    takers: (chainId) =>
      (chainId === SOLANA ? [...TAKERS.solana, ...solanaAddressesIn(config, SETTINGS.takerSolana)] : takersOn(chainId)).map(
        (taker) => bytesOf(chainId, taker),
      ),
    feeOn: (chainId) => BigInt(set.get(String(chainId)) ?? PINNED[chainId]?.fee ?? 0n),
    feeBps: [PROTOCOL_FEE_BPS, ...(bps === null ? [] : [Number(bps)])],
  }
}

/** No taker, or deBridge's own solver. The taker moves no money by itself, but an order that its taker cannot fill is stuck. */
export const isKnownTaker = (taker: Hex, on: ChainId, { takers }: Pinned): boolean => taker === '0x' || takers(on).includes(taker)

type Served = {
  /** deBridge's own number of the chain, the only one that it accepts. */
  readonly wireId: number
  /** The fee besides the input, whatever its size: smallest units of the native coin. */
  readonly fee: bigint
}

const coins = (thousandths: bigint): bigint => thousandths * 10n ** 15n

/** Numbers and flat fees: fees and supported chains of docs.debridge.com. Our other chains are not in its list. */
const PINNED: { readonly [chainId in ChainId]?: Served } = {
  1: { wireId: 1, fee: coins(1n) },
  10: { wireId: 10, fee: coins(1n) },
  56: { wireId: 56, fee: coins(5n) },
  137: { wireId: 137, fee: coins(500n) },
  143: { wireId: 100000030, fee: coins(2_000n) },
  999: { wireId: 100000022, fee: coins(50n) },
  8453: { wireId: 8453, fee: coins(1n) },
  42161: { wireId: 42161, fee: coins(1n) },
  43114: { wireId: 43114, fee: coins(50n) },
  59144: { wireId: 59144, fee: coins(1n) },
  [SOLANA]: { wireId: 7565164, fee: 15_000_000n },
}

export const isServed = (chainId: ChainId): boolean => PINNED[chainId] !== undefined

export const toWireChain = (chainId: ChainId): number => PINNED[chainId]?.wireId ?? 0

/** Null for the number of a chain that is not served. */
export const fromWireChain = (wire: bigint): ChainId | null =>
  CHAIN_IDS.find((chainId) => isServed(chainId) && BigInt(toWireChain(chainId)) === wire) ?? null

/** The protocol's share of the input: `globalTransferFeeBps` as published. The hash of an order uses the amount net of it. */
export const PROTOCOL_FEE_BPS = 4

/** The contracts that a payload may call or allow. */
export const contractsOf = ({ sources, solanaSources, forwarders }: Pinned): VenueProfile['contracts'] =>
  Object.fromEntries(
    CHAIN_IDS.filter(isServed).map((id) => [id, id === SOLANA ? solanaSources : [...sources(id), ...forwarders(id)]]),
  )

/** An asset in deBridge's notation. Our mint for native SOL is wrapped SOL there, and is never sent. */
export const toWireToken = (asset: Asset): string => {
  if (!isNative(asset)) return asset.address
  return asset.chainId === SOLANA ? SYSTEM_PROGRAM : ZERO_EVM_ADDRESS
}

/** An address as 20 or 32 bytes, in lower case. */
export const bytesOf = (chainId: ChainId, address: string): Hex =>
  chainId === SOLANA ? hexOf(base58.decode(address)) : (address.toLowerCase() as Hex)

/** The address of these bytes on a chain; null when invalid. */
export const addressOfBytes = (chainId: ChainId, bytes: Hex): Address | null => {
  if (isEvmChainId(chainId)) return parseEvmAddress(bytes.toLowerCase())
  const isKey = chainId === SOLANA && bytes.length === 66
  return isKey ? (base58.encode(Buffer.from(bytes.slice(2), 'hex')) as Address) : null
}

/** The asset of these bytes on a chain: zero is the coin. Null also for wrapped SOL, which the service does not support. */
export const assetOfBytes = (chainId: ChainId, bytes: Hex): Asset | null => {
  const address = addressOfBytes(chainId, bytes)
  if (address === null) return null
  if (/^0x0+$/.test(bytes)) return nativeAsset(chainId)
  return isNative({ chainId, address }) ? null : { chainId, address }
}

const wordBytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex.replace(/^0x/, '').padStart(64, '0'), 'hex'))

/** Accounts of a source program: `DlnSrc` of @debridge-finance/solana-utils 4.5.2. */
export const solanaAccounts = (program: Address) => {
  const pda = (seed: string, ...more: readonly Uint8Array[]) => solanaProgramAddress(program, [utf8ToBytes(seed), ...more])
  return {
    state: () => pda('STATE'),
    orderState: (orderId: Hex) => pda('GIVE_ORDER_STATE', wordBytes(orderId)),
    orderWallet: (orderId: Hex) => pda('GIVE_ORDER_WALLET', wordBytes(orderId)),
    nativeSender: (takeChainId: bigint) => pda('AUTHORIZED_NATIVE_SENDER', wordBytes(takeChainId.toString(16))),
    nonceMaster: (maker: Address) => pda('NONCE', base58.decode(maker)),
    feeWallet: (mint: Address) => pda('FEE_LEDGER_WALLET', base58.decode(mint)),
  } as const
}
