import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bech32m } from '@scure/base'
import { keccakHex } from '../../chains/evm/evmCodec.ts'
import { solanaProgramAddress } from '../../chains/solana/solanaProgramAddress.ts'
import { type Address, addressOf } from '../../core/address.ts'
import { BITCOIN, isEvmChainId, SOLANA } from '../../core/chain.ts'
import { SOLANA_VAULT_PROGRAM, type WireAsset, wireChainOf } from './published.ts'

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
