import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bech32m } from '@scure/base'
import { parseAbi } from 'abitype'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { hexOf } from '../../chains/solana/borsh.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { type Asset, isSameAsset, NATIVE, NATIVE_SOL } from '../../core/asset.ts'
import { BITCOIN, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'

const evm = (raw: string): Address => addressOf('evm', raw)

/** One chain in Chainflip's notation. */
type WireChain = {
  /** The name in requests and answers, and in the ids of deposit channels. */
  readonly name: string
  /** The number in calls of the vault contract. */
  readonly contractId: number
  /** The contract that wallets call, and that deploys the fetchers of deposits; null on a chain without one. */
  readonly vault: Address | null
}

/** Ids of @chainflip/utils 2.3.3; vaults of the mainnet chain specification of chainflip-backend, 2026-08-21. */
export const WIRE_CHAINS = {
  1: { name: 'Ethereum', contractId: 1, vault: evm('0xF5e10380213880111522dd0efD3dbb45b9f62Bcc') },
  56: { name: 'Bsc', contractId: 8, vault: evm('0x79001a5e762f3bEFC8e5871b42F6734e00498920') },
  42161: { name: 'Arbitrum', contractId: 4, vault: evm('0x79001a5e762f3bEFC8e5871b42F6734e00498920') },
  [BITCOIN]: { name: 'Bitcoin', contractId: 3, vault: null },
  [SOLANA]: { name: 'Solana', contractId: 5, vault: null },
} as const satisfies { readonly [chainId in ChainId]?: WireChain }

export type ServedChainId = keyof typeof WIRE_CHAINS

export const isServedChain = (chainId: ChainId): chainId is ServedChainId & ChainId => chainId in WIRE_CHAINS

/** Null for a chain without Chainflip. */
export const wireChainOf = (chainId: ChainId): WireChain | null => (isServedChain(chainId) ? WIRE_CHAINS[chainId] : null)

/** Owns the deposit addresses of Solana. */
export const SOLANA_VAULT_PROGRAM = addressOf('solana', 'AusZPVXPoUM8QJJ2SL4KwvRGCQ22cDg6Y4rg7EvFrxi7')
/** Pays SOL out. */
export const SOLANA_VAULT = addressOf('solana', '3tJ67qa2GDfvv2wcMYNUfN5QBZrFpTwcU8ASZKMvCTVU')

export type WireAsset = {
  readonly asset: Asset
  readonly chain: string
  /** In requests and answers. */
  readonly symbol: string
  /** In `/api/networkInfo`. */
  readonly name: string
  readonly decimals: number
  /** In calls of the vault contract. */
  readonly contractId: number
  /**
   * Of an EVM chain: keccak256 of the code that deploys a deposit address. It has 1,114 bytes with the hash 0x69071c9f…734c81d,
   * followed by the token's address as a word. `state-chain/chains/src/eth/deposit_address.rs` of chainflip-backend, 2026-08-21.
   */
  readonly depositCodeHash: Hex | null
}

/** Keccak256 of the code that deploys a deposit address of a token. */
const DEPOSIT_CODE_HASHES: { readonly [token: string]: Hex } = {
  [NATIVE]: '0xe90bf83533981276d50deaebb5f14dd57d3ab72c3a030e66b023bce46f259f4c',
  '0x826180541412D574cf1336d22c0C0a287822678A': '0x5bb0b25f5702f19924e60a65cdd34efa7ec0f85a469a70fe587873e198f24a40',
  '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': '0x5a34f22940ed950cd6e4e970ad9cec1b2951a060ef42d58282ac996a9e20fc75',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7': '0xcf6197f4e8a9a20cf43210f968d82bfb622265edfc7990b5fc340a57416d5c8a',
  '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599': '0xeac2f146b16e34b05345f2eff8100efda97759c25160365269a848d12c4b6647',
  '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf': '0xccfd6bad1b070e3fe2d227dd5738c2a4228ed82bd192c5f9d1e86b904218c03d',
  '0xaf88d065e77c8cC2239327C5EDb3A432268e5831': '0x2f30284886514030c4f1ce01820717261baea6b3fddc48be7b0f67bb5a4296cf',
  '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9': '0x63c74d8b335ef4818bf2ba4e554c5ed1cd4ef04029dfd30c3444efd5b060e587',
  '0x55d398326f99059fF775485246999027B3197955': '0xe955f79f20b01ae33de54b8657f8af4b1b67235c9d94a4c7195557cc67bd4017',
}

type Row = readonly [token: string, symbol: string, name: string, decimals: number, contractId: number]

/** The catalogue is closed. Tokens: packages/shared/src/consts.ts of chainflip-sdk-monorepo, 2026-08-21; ids: @chainflip/utils 2.3.3. */
const ROWS: { readonly [chainId in ServedChainId]: readonly Row[] } = {
  1: [
    [NATIVE, 'ETH', 'Eth', 18, 1],
    ['0x826180541412D574cf1336d22c0C0a287822678A', 'FLIP', 'Flip', 18, 2],
    ['0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 'Usdc', 6, 3],
    ['0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 'Usdt', 6, 8],
    ['0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC', 'Wbtc', 8, 14],
    ['0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf', 'CBBTC', 'Cbbtc', 8, 21],
  ],
  42161: [
    [NATIVE, 'ETH', 'ArbEth', 18, 6],
    ['0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 'ArbUsdc', 6, 7],
    ['0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', 'USDT', 'ArbUsdt', 6, 15],
  ],
  56: [
    [NATIVE, 'BNB', 'Bnb', 18, 19],
    ['0x55d398326f99059fF775485246999027B3197955', 'USDT', 'BscUsdt', 18, 20],
  ],
  [BITCOIN]: [[NATIVE, 'BTC', 'Btc', 8, 5]],
  [SOLANA]: [
    [NATIVE_SOL, 'SOL', 'Sol', 9, 9],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 'SolUsdc', 6, 10],
    ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 'SolUsdt', 6, 16],
  ],
}

const toAsset = (chainId: ServedChainId, [token, symbol, name, decimals, contractId]: Row): WireAsset => {
  // Bitcoin's marker has the spelling of the EVM chains.
  const address = addressOf(chainId === SOLANA ? 'solana' : 'evm', token)
  const { name: chain, vault } = WIRE_CHAINS[chainId]
  const depositCodeHash = vault === null ? null : (DEPOSIT_CODE_HASHES[address] ?? null)
  return { asset: { chainId, address }, chain, symbol, name, decimals, contractId, depositCodeHash }
}

const SERVED_CHAINS = [1, 56, 42161, BITCOIN, SOLANA] as const satisfies readonly ServedChainId[]

export const WIRE_ASSETS: readonly WireAsset[] = SERVED_CHAINS.flatMap((chainId) =>
  ROWS[chainId].map((row) => toAsset(chainId, row)),
)

/** Null for an asset without Chainflip. */
export const wireAssetOf = (asset: Asset): WireAsset | null => WIRE_ASSETS.find((each) => isSameAsset(each.asset, asset)) ?? null

export const wireAssetNamed = (chain: string, symbol: string): WireAsset | null =>
  WIRE_ASSETS.find((each) => each.chain === chain && each.symbol === symbol) ?? null

/** By the ids in a vault call. */
export const wireAssetNumbered = (dstChain: number, dstToken: number): WireAsset | null =>
  WIRE_ASSETS.find(({ asset, contractId }) => contractId === dstToken && wireChainOf(asset.chainId)?.contractId === dstChain) ??
  null

/** One block of the State Chain, ms. `SECONDS_PER_BLOCK` of chainflip-backend. */
export const STATE_CHAIN_BLOCK_MS = 6_000

/** IVault.sol of chainflip-eth-contracts 1.4.1. Its other calls carry a message to a contract, and are not used here. */
export const X_SWAP_NATIVE = parseAbi([
  'function xSwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, bytes cfParameters) payable',
])
export const X_SWAP_TOKEN = parseAbi([
  'function xSwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, bytes cfParameters)',
])
/** The events of these calls. `sender`: the caller, which may be a wallet's own contract. */
export const SWAP_NATIVE = parseAbi([
  'event SwapNative(uint32 dstChain, bytes dstAddress, uint32 dstToken, uint256 amount, address indexed sender, bytes cfParameters)',
])
export const SWAP_TOKEN = parseAbi([
  'event SwapToken(uint32 dstChain, bytes dstAddress, uint32 dstToken, address srcToken, uint256 amount, address indexed sender, bytes cfParameters)',
])

/*
 * The protocol derives the address of a channel from its number, which thus proves the address without the venue. Source:
 * deposit_address.rs of state-chain/chains/src/{eth,btc}, and sol_prim::address_derivation, chainflip-backend, 2026-08-21.
 */

/** CREATE2: the vault deploys the fetcher of the deposit, with the number of the channel as salt. */
const onEvm = (channel: bigint, vault: Address, codeHash: string): Address => {
  const salt = channel.toString(16).padStart(64, '0')
  const hash = keccakHex(`0xff${vault.slice(2).toLowerCase()}${salt}${codeHash.slice(2)}`)
  return addressOf('evm', `0x${hash.slice(-40)}`)
}

const onSolana = (channel: bigint, program: Address): Address => {
  const number = new Uint8Array(8)
  new DataView(number.buffer).setBigUint64(0, channel, true)
  return solanaProgramAddress(program, [new TextEncoder().encode('channel'), number])
}

const OP = { DROP: 0x75, CHECKSIG: 0xac, PUSHNUM_1: 0x51, PUSH_32: 0x20 } as const
const LEAF_VERSION = 0xc0
/** A point without a known key: only the script can spend from the address. */
const INTERNAL_KEY = new Uint8Array(32).fill(0xee)
const CHANNELS_MAX = 2n ** 32n

/** The shortest push of a number, with its lowest byte first. */
const pushOf = (number: bigint): Uint8Array => {
  if (number <= 16n) return Uint8Array.of(OP.PUSHNUM_1 - 1 + Number(number))
  const digits = number.toString(16)
  const bytes = hexToBytes(digits.padStart(digits.length + (digits.length % 2), '0')).toReversed()
  // The highest bit is the sign.
  const isSigned = (bytes.at(-1) ?? 0) >= 0x80
  const signed = isSigned ? concatBytes(bytes, Uint8Array.of(0)) : bytes
  return concatBytes(Uint8Array.of(signed.length), signed)
}

/** P2TR with one leaf, which only the vault's key can spend: https://bips.dev/341 */
const onBitcoin = (channel: bigint, vaultKey: Uint8Array): Address => {
  const script = concatBytes(pushOf(channel), Uint8Array.of(OP.DROP, OP.PUSH_32), vaultKey, Uint8Array.of(OP.CHECKSIG))
  const leaf = schnorr.utils.taggedHash('TapLeaf', Uint8Array.of(LEAF_VERSION, script.length), script)
  const tweak = BigInt(`0x${bytesToHex(schnorr.utils.taggedHash('TapTweak', INTERNAL_KEY, leaf))}`)
  const internal = schnorr.utils.lift_x(BigInt(`0x${bytesToHex(INTERNAL_KEY)}`))
  const output = internal.add(secp256k1.Point.BASE.multiply(tweak))
  const program = schnorr.utils.pointToBytes(output)
  return addressOf('bitcoin', bech32m.encode('bc', [1, ...bech32m.toWords(program)]))
}

/** The key of Bitcoin's vault, from the vault's own address (not a channel's). Null for an address of another kind. */
export const vaultKeyOf = (address: string): Uint8Array | null => {
  try {
    const { prefix, words } = bech32m.decode(address as `${string}1${string}`, 90)
    const program = bech32m.fromWords(words.slice(1))
    return prefix === 'bc' && words[0] === 1 && program.length === 32 ? program : null
  } catch {
    return null
  }
}

/** `<block>-<chain>-<number>`. */
export const channelNumber = (id: string): bigint => BigInt(id.slice(id.lastIndexOf('-') + 1))

/** The address of a channel for an asset, by a vault or on Solana a program; null for an invalid number, vault or key. */
export const depositAddressOf = (
  { asset: { chainId }, depositCodeHash }: WireAsset,
  channel: bigint,
  vaultKey: Uint8Array | null,
  vault: Address | null = wireChainOf(chainId)?.vault ?? null,
): Address | null => {
  if (channel < 1n || channel >= (chainId === BITCOIN ? CHANNELS_MAX : 2n ** 64n)) return null
  if (chainId === BITCOIN) return vaultKey && onBitcoin(channel, vaultKey)
  if (chainId === SOLANA) return onSolana(channel, vault ?? SOLANA_VAULT_PROGRAM)
  return isEvmChainId(chainId) && vault && depositCodeHash ? onEvm(channel, vault, depositCodeHash) : null
}

/**
 * Parameters of a vault call for the State Chain, from a wallet on an EVM chain: SCALE, `VersionedCfParameters` in
 * state-chain/chains/src/cf_parameters.rs of chainflip-backend, 2026-08-21.
 */
export type CfParameters = {
  /** Blocks of the State Chain in which it retries the swap before it refunds. */
  readonly retryBlocks: number
  readonly refundTo: Address
  /** Smallest units of the output for one of the input, times 2^128. */
  readonly minPriceX128: bigint
  readonly broker: { readonly account: Hex; readonly bps: number }
  readonly boostBps: number
}

const VERSION_1 = 1
/** Without options: every other field would be one of them. */
const BYTES = 96

const little = (bytes: Uint8Array): bigint => BigInt(hexOf(bytes.toReversed()))

/**
 * Reads parameters of version 1 to their last byte. Null for other versions, and for more than a plain swap. Such extras are a
 * call on refund, a bound by an oracle's price, a swap in parts, or affiliate fees.
 */
export const readCfParameters = (parameters: Hex): CfParameters | null => {
  const bytes = hexToBytes(parameters.slice(2))
  if (bytes.length !== BYTES || bytes[0] !== VERSION_1) return null
  const [refundCall, oracleBound, parts, boostBps = 0] = bytes.slice(57, 61)
  const affiliates = bytes[95]
  if (refundCall !== 0 || oracleBound !== 0 || parts !== 0 || affiliates !== 0) return null
  return {
    retryBlocks: Number(little(bytes.slice(1, 5))),
    refundTo: addressOf('evm', hexOf(bytes.slice(5, 25))),
    minPriceX128: little(bytes.slice(25, 57)),
    boostBps,
    broker: { account: hexOf(bytes.slice(61, 93)), bps: Number(little(bytes.slice(93, 95))) },
  }
}
