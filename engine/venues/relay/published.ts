import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, nativeAsset, parseAsset } from '../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, type Ecosystem, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import { addressIn } from '../kit/addresses.ts'
import { type AddressesByChain, type ChainNames, chainNames } from '../kit/settings.ts'
import type { VenueProfile } from '../venue.ts'
import { rejected } from '../venueError.ts'

const evm = (raw: string): Address => addressOf('evm', raw)

const DEPOSITORY = evm('0x4cd00e387622c35bddb9b4c962c136462338bc31')
const DEPOSITORY_LONDON = evm('0x59916da825d2d2ec1bf878d71c88826f6633ecca')

/** The depository program on Solana. Source: packages/solana-vm of relayprotocol/relay-depository. */
export const SOLANA_DEPOSITORY = addressOf('solana', '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2')

/** The two accounts of a depository program: its state, and the vault with the deposits. */
export const solanaDepositoryAccounts = (program: Address) => {
  const pda = (seed: string): Address => solanaProgramAddress(program, [new TextEncoder().encode(seed)])
  return { state: pda('relay_depository'), vault: pda('vault') }
}

type Pinned = {
  /** Relay's own number of the chain. */
  readonly wireId: number
  /** The chain's name in orders; a setting adds others. */
  readonly name: string
  /** The contract that a wallet on that chain pays. */
  readonly depository: Address
  /** The contracts whose events prove a delivery in the chain's coin, newest first; empty without such contracts. */
  readonly routers: readonly Address[]
}

/** Of the oracle's file as well; no user is asked to pay it. */
const BITCOIN_DEPOSITORY = addressOf('bitcoin', 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu')
/**
 * Router 3.2, which Relay uses since 26 October 2026, and router 3, which stays live. Each has one CREATE2 address, and another
 * on chains older than Cancun. Sources: changelog of docs.relay.link, October 2026; deployments/v3 of
 * relayprotocol/relay-periphery. There zkSync has the common router (the `Zero-ZkEvm` column of the documents is Zero Network).
 */
const ROUTERS = [evm('0x0729e2a4716d9f7dd17858d5d504426d228697f7'), evm('0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f')]
const ROUTERS_LONDON = [evm('0x6328ea02d28131e58b28e55c6258258a30d90e05'), evm('0x9ef6d3c2f60d7b9008d74cab1fc0f899c957c819')]

const on = (wireId: number, name: string): Pinned => ({ wireId, name, depository: DEPOSITORY, routers: ROUTERS })

/**
 * Names never come from `GET /chains`: a false name there could fill an order on another chain than the requested one. Source of
 * names and depositories: configs/chains.mainnets.prod.json of relayprotocol/relay-protocol-oracle, 2026-07-23.
 */
export const PINNED: { readonly [chainId in ChainId]: Pinned } = {
  1: on(1, 'ethereum'),
  10: on(10, 'optimism'),
  56: on(56, 'bnb'),
  130: on(130, 'unichain'),
  137: on(137, 'polygon'),
  143: on(143, 'monad'),
  324: on(324, 'zksync'),
  480: on(480, 'worldchain'),
  999: on(999, 'hyperevm'),
  4663: on(4663, 'robinhood'),
  8453: on(8453, 'base'),
  42161: on(42161, 'arbitrum'),
  43114: on(43114, 'avalanche'),
  59144: { wireId: 59144, name: 'linea', depository: DEPOSITORY_LONDON, routers: ROUTERS_LONDON },
  [BITCOIN]: { wireId: 8253038, name: 'bitcoin', depository: BITCOIN_DEPOSITORY, routers: [] },
  [SOLANA]: { wireId: 792703809, name: 'solana', depository: SOLANA_DEPOSITORY, routers: [] },
}

const PINNED_NAMES: ChainNames = new Map(CHAIN_IDS.map((chainId) => [PINNED[chainId].name, chainId]))
export const [CHAIN_NAMES, chainNamesIn] = chainNames('CHAIN_NAMES', 'newer names of chains in orders', PINNED_NAMES)

/** The routers of a chain, with the operator's. */
export const routersOn = (chainId: ChainId, extra: AddressesByChain): readonly Address[] => [
  ...PINNED[chainId].routers,
  ...(extra[chainId] ?? []),
]

/** The depositories of a chain, with the operator's. */
export const depositoriesOn = (chainId: ChainId, extra: AddressesByChain): readonly Address[] => [
  PINNED[chainId].depository,
  ...(extra[chainId] ?? []),
]

/** The chain of a name in an order. Throws VenueError('rejected') for an unsupported chain. */
export const chainNamed = (name: string, names: ChainNames): ChainId => {
  const chainId = names.get(name)
  if (chainId === undefined) throw rejected('chainName', `relay: chain ${name} (VENUE_RELAY_CHAIN_NAMES adds names)`, name)
  return chainId
}

/** Relay's solver: only it may fill an order, and its transactions decide that an order was filled or refunded. */
export const SOLVER = evm('0xf70da97812cb96acdf810712aa562db8dfa3dbef')

/** The chain where every published order pays the solver; no document allows another. */
export const SOLVER_CHAIN = 8453

/** The step of a swap on the origin chain. Source: ids of `steps` in @relayprotocol/relay-sdk 7.0.3. */
export const SWAP_STEP = 'swap'

/** The program whose memo has the order id on Solana: MEMO_PROGRAM_ID of @solana/spl-memo, by which the oracle finds it. */
export const MEMO_PROGRAM = addressOf('solana', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** The venue's own bitcoin addresses, which identify no order: its present and past depositories, and its solver. */
export const SHARED_BITCOIN_ADDRESSES: readonly Address[] = [
  BITCOIN_DEPOSITORY,
  addressOf('bitcoin', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av'),
  addressOf('bitcoin', 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6'),
  addressOf('bitcoin', 'bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc'),
]

/** The contracts that a payload may call or allow. A deposit in bitcoin goes to a separate address. */
export const contractsWith = (extra: AddressesByChain): VenueProfile['contracts'] =>
  Object.fromEntries(
    CHAIN_IDS.filter((chainId) => chainId !== BITCOIN).map((chainId) => [chainId, depositoriesOn(chainId, extra)]),
  )

export const toWireChain = (chainId: ChainId): number => PINNED[chainId].wireId

/** The placeholder for a chain's native coin. https://docs.relay.link/references/api/api_resources/supported-chains */
const NATIVE_CURRENCY = {
  evm: ZERO_EVM_ADDRESS,
  solana: '11111111111111111111111111111111',
  bitcoin: 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8',
} as const

/** An asset in Relay's notation. Our mint for native SOL is wrapped SOL there, and is never sent. */
export const toCurrency = ({ chainId, address }: Asset): string =>
  isNative({ chainId, address }) ? NATIVE_CURRENCY[ecosystemOf(chainId)] : address

/** Relay writes EVM addresses in any letter case. */
const spelled = (chainId: ChainId, text: string): string => (isEvmChainId(chainId) ? text.toLowerCase() : text)

/** An address in Relay's spelling. Throws VenueError('badResponse') naming `what` it was for. */
export const spelledIn = (chainId: ChainId, text: string, what: string): Address =>
  addressIn(chainId, spelled(chainId, text), what)

/** The asset of a currency; null for an invalid one, and for wrapped SOL, which the service does not support. */
export const fromCurrency = (chainId: ChainId, currency: string): Asset | null => {
  const text = spelled(chainId, currency)
  if (text === NATIVE_CURRENCY[ecosystemOf(chainId)]) return nativeAsset(chainId)
  const asset = parseAsset(chainId, text)
  return asset === null || isNative(asset) ? null : asset
}

type Named = { readonly chainId?: number | null; readonly address?: string | null }

/** Whether a currency of Relay is the asset; false for an incomplete name. */
export const isNamed = ({ chainId: wireId, address }: Named, asset: Asset): boolean => {
  const named = wireId === toWireChain(asset.chainId) ? fromCurrency(asset.chainId, address ?? '') : null
  return named !== null && isSameAsset(named, asset)
}

/** Wallets that the vendor's own SDK uses for prices. */
export const STAND_INS: { readonly [ecosystem in Ecosystem]: string } = {
  evm: '0x000000000000000000000000000000000000dead',
  solana: 'CbKGgVKLJFb8bBrf58DnAkdryX6ubewVytn7X957YwNr',
  bitcoin: '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
}
