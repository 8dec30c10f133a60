import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import { parseAbi } from 'abitype'
import { encodeCall, hashStruct } from '../../chains/evm/evmCodec.ts'
import { ASSOCIATED_TOKEN_PROGRAM, associatedTokenAddress, SYSTEM_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, isNative, isSameAsset, nativeAsset, parseAsset } from '../../core/asset.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, type Ecosystem, ecosystemOf, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

const evm = (raw: string): Address => addressOf('evm', raw)

const DEPOSITORY = evm('0x4cd00e387622c35bddb9b4c962c136462338bc31')
const DEPOSITORY_LONDON = evm('0x59916da825d2d2ec1bf878d71c88826f6633ecca')

/** The depository program on Solana. Source: packages/solana-vm of relayprotocol/relay-depository. */
export const SOLANA_DEPOSITORY = addressOf('solana', '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2')

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

/** The published names of chains in orders. */
export const PINNED_NAMES: ReadonlyMap<string, ChainId> = new Map(CHAIN_IDS.map((chainId) => [PINNED[chainId].name, chainId]))

/** Relay's solver: only it may fill an order, and its transactions decide that an order was filled or refunded. */
export const SOLVER = evm('0xf70da97812cb96acdf810712aa562db8dfa3dbef')

/** The chain where every published order pays the solver; no document allows another. */
export const SOLVER_CHAIN = 8453

/** The program whose memo has the order id on Solana: MEMO_PROGRAM_ID of @solana/spl-memo, by which the oracle finds it. */
export const MEMO_PROGRAM = addressOf('solana', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** The venue's own bitcoin addresses, which identify no order: its present and past depositories, and its solver. */
export const SHARED_BITCOIN_ADDRESSES: readonly Address[] = [
  BITCOIN_DEPOSITORY,
  addressOf('bitcoin', '1KT3zCYUrmQxjcveUNs1Rs7WcXDcPQZ4av'),
  addressOf('bitcoin', 'bc1qdqqsq6y7csd0cr3ye45h9lv8ydh777j2wehgl6'),
  addressOf('bitcoin', 'bc1qq2mvrp4g3ugd424dw4xv53rgsf8szkrv853jrc'),
]

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
export const spelled = (chainId: ChainId, text: string): string => (isEvmChainId(chainId) ? text.toLowerCase() : text)

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

/**
 * RelayDepository.sol. Its other `depositErc20`, without an amount, takes the whole allowance, and is rejected. Source:
 * packages/ethereum-vm of relayprotocol/relay-depository.
 */
const DEPOSIT_ERC20 = parseAbi(['function depositErc20(address depositor, address token, uint256 amount, bytes32 id)'])
const DEPOSIT_NATIVE = parseAbi(['function depositNative(address depositor, bytes32 id) payable'])

type Deposit = { readonly asset: Asset; readonly amount: bigint }

/** The call that pays an order, credited to `payer`. */
export const depositCall = ({ asset, amount }: Deposit, payer: string, id: string): Promise<Hex> =>
  isNative(asset)
    ? encodeCall(DEPOSIT_NATIVE, 'depositNative', [payer, id])
    : encodeCall(DEPOSIT_ERC20, 'depositErc20', [payer, asset.address, amount, id])

/** Of `DepositNative` and `DepositToken`. Source: programs/relay-depository of the same. */
export const SOLANA_DEPOSIT = { native: '0d9e0ddf5fd51c06', token: '0b9c60da27a3b413' }
/** Discriminator, amount, id. */
export const SOLANA_DEPOSIT_BYTES = 8 + 8 + 32

/** The accounts of a deposit, in their places. `tokenProgram` owns the mint. */
export const solanaDepositAccounts = (
  program: Address,
  asset: Asset,
  payer: Address,
  tokenProgram: Address,
): readonly Address[] => {
  // The depository's state, and the vault with the deposits.
  const pda = (seed: string): Address => solanaProgramAddress(program, [utf8ToBytes(seed)])
  const [state, vault] = [pda('relay_depository'), pda('vault')]
  const holdings = () => [payer, vault].map((owner) => associatedTokenAddress(owner, asset.address, tokenProgram))
  const ofToken = isNative(asset) ? [] : [asset.address, ...holdings(), tokenProgram, ASSOCIATED_TOKEN_PROGRAM]
  return [state, payer, payer, vault, ...ofToken, SYSTEM_PROGRAM]
}

/** RelayDepository.sol: none of its fields are indexed. Source: packages/ethereum-vm of relayprotocol/relay-depository. */
export const TOKENS_DEPOSITED = 'RelayErc20Deposit(address,address,uint256,bytes32)'
export const COINS_DEPOSITED = 'RelayNativeDeposit(address,uint256,bytes32)'
/** RelayRouterV3.sol, likewise, and unchanged in 3.2. Source: src/v3 of relayprotocol/relay-periphery. */
export const COINS_SENT = 'SolverNativeTransfer(address,uint256)'

const fields = (text: string) =>
  text.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

/** The types of an order's hash: src/order of relayprotocol/relay-protocol-sdk. */
const ORDER_TYPES = {
  Order: fields('string version, string solverChainId, address solver, uint256 salt, Input[] inputs, Output output, Fee[] fees'),
  Input: fields('InputPayment payment, InputRefund[] refunds'),
  InputPayment: fields('string chainId, bytes currency, uint256 amount, uint256 weight'),
  InputRefund: fields('string chainId, bytes recipient, bytes currency, uint256 minimumAmount, uint32 deadline, bytes extraData'),
  Output: fields('string chainId, OutputPayment[] payments, uint32 deadline, bytes[] calls, bytes extraData'),
  OutputPayment: fields('bytes recipient, bytes currency, uint256 minimumAmount, uint256 expectedAmount'),
  Fee: fields('string recipientChainId, bytes recipient, string currencyChainId, bytes currency, uint256 amount'),
}

/**
 * The byte before Bitcoin addresses of the old kinds. Since 2026 it is one that no segwit version has, which keeps the kinds
 * apart; before that there was no byte. HubAddressCodec.sol of relayprotocol/relay-settlement.
 */
const OLD_KIND_PREFIXES = [[0xff], []] as const

const bitcoinBytes = (address: string, prefix: readonly number[]): Uint8Array => {
  if (/^[13]/.test(address)) return Uint8Array.of(...prefix, ...base58.decode(address).slice(0, -4))
  const lower = address.toLowerCase() as `${string}1${string}`
  const { words } = lower.startsWith('bc1q') ? bech32.decode(lower, 90) : bech32m.decode(lower, 90)
  return Uint8Array.of(words[0] ?? 0, ...bech32.fromWords(words.slice(1)))
}

/** An address as the bytes that the order's hash uses: src/utils.ts, `encodeAddress`. Throws when it is invalid. */
const addressBytes = (chainName: string, address: string, { chainOf, prefix }: Spelling): Hex => {
  switch (ecosystemOf(chainOf(chainName))) {
    case 'evm':
      return address.toLowerCase() as Hex
    case 'solana':
      return `0x${bytesToHex(base58.decode(address))}`
    case 'bitcoin':
      return `0x${bytesToHex(bitcoinBytes(address, prefix))}`
  }
}

type ChainOf = (name: string) => ChainId
type Spelling = { readonly chainOf: ChainOf; readonly prefix: readonly number[] }
type Part = { readonly [field: string]: unknown }
type Names = { readonly [field: string]: string }

/** A part of an order with its addresses as bytes, each of the chain beside it, or else above it. */
const inBytes = (part: Part, spelling: Spelling, chainAbove = ''): Part => {
  const { chainId = chainAbove, recipientChainId = chainId, currencyChainId = chainId } = part as Names
  const chains: Names = { recipient: recipientChainId, currency: currencyChainId }
  const encode = (value: unknown, chain: string | undefined): unknown => {
    if (Array.isArray(value)) return value.map((each) => encode(each, chain))
    if (typeof value === 'object') return inBytes(value as Part, spelling, chainId)
    return chain === undefined ? value : addressBytes(chain, String(value), spelling)
  }
  return Object.fromEntries(Object.entries(part).map(([field, value]) => [field, encode(value, chains[field])]))
}

/**
 * The ids of an order: its EIP-712 struct hash, without a domain. With an address of Bitcoin's old kinds there are two, today's
 * first. Throws for an address that is invalid, and what `chainOf` throws for a name.
 */
export const orderIds = async (order: Part, chainOf: ChainOf): Promise<readonly Hex[]> => {
  const plain = { ...order, solver: String(order['solver']).toLowerCase() }
  const idOf = async (prefix: readonly number[]) => hashStruct(ORDER_TYPES, 'Order', inBytes(plain, { chainOf, prefix }))
  return [...new Set(await Promise.all(OLD_KIND_PREFIXES.map(idOf)))]
}
