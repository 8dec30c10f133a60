import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32m } from '@scure/base'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf } from '../../../core/address.ts'
import { type ChainId, ecosystemOf } from '../../../core/chain.ts'
import { littleEndian } from '../../kit/anchor.ts'
import { type CfAsset, vaultOn } from './networks.ts'

export const VAULT_PROGRAM = addressOf('solana', 'AusZPVXPoUM8QJJ2SL4KwvRGCQ22cDg6Y4rg7EvFrxi7')

/** `INTERNAL_PUBKEY` of state-chain/chains/src/btc/deposit_address.rs. */
const INTERNAL = secp256k1.Point.fromHex(`02${'ee'.repeat(32)}`)
const LEAF_VERSION = 0xc0

const OP_DROP = 0x75
const OP_CHECKSIG = 0xac

const taggedHash = (tag: string, bytes: Uint8Array): Uint8Array => {
  const hash = sha256(utf8ToBytes(tag))
  return sha256(concatBytes(hash, hash, bytes))
}

/** A number as scripts push it: in as few bytes as there may be, the highest bit being its sign. */
const pushed = (number: number): Uint8Array => {
  if (number <= 16) return Uint8Array.of(number === 0 ? 0 : 0x50 + number)
  const bytes: number[] = []
  for (let rest = number; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0)
  return Uint8Array.of(bytes.length, ...bytes)
}

const taprootAddress = (key: Uint8Array): string => bech32m.encode('bc', [1, ...bech32m.toWords(key)])

/** A script that the vault's key spends, under a key that nobody has. */
const scriptAddress = (number: number, vaultKey: Uint8Array): string => {
  const leaf = Uint8Array.of(...pushed(number), OP_DROP, vaultKey.length, ...vaultKey, OP_CHECKSIG)
  const leafHash = taggedHash('TapLeaf', Uint8Array.of(LEAF_VERSION, leaf.length, ...leaf))
  const tweak = taggedHash('TapTweak', Uint8Array.of(...Array<number>(32).fill(0xee), ...leafHash))
  const output = INTERNAL.add(secp256k1.Point.BASE.multiply(BigInt(`0x${bytesToHex(tweak)}`)))
  return taprootAddress(output.toBytes(true).slice(1))
}

/** EIP-1014. */
const contractAddress = (vault: string, number: number, codeHash: string): string => {
  const salt = number.toString(16).padStart(64, '0')
  const hash = keccak_256(hexToBytes(`ff${vault.slice(2).toLowerCase()}${salt}${codeHash}`))
  return addressOf('evm', `0x${bytesToHex(hash.slice(12))}`)
}

/** The address of a channel, as the protocol makes it: by the vault's CREATE2, of the vault's program, or a script for its key. */
export const channelAddress = async ({ chainId, codeHash }: CfAsset, number: number, vaultKey: Uint8Array): Promise<string> => {
  switch (ecosystemOf(chainId as ChainId)) {
    case 'evm':
      return contractAddress(vaultOn(chainId) ?? '', number, codeHash)
    case 'solana':
      return solanaProgramAddress(VAULT_PROGRAM, [Buffer.from('channel'), littleEndian(8, BigInt(number))])
    case 'bitcoin':
      return scriptAddress(number, vaultKey)
  }
}

/** The vault's own address in bitcoin, which pays its key as it is. */
export const vaultAddress = (vaultKey: Uint8Array): string => taprootAddress(vaultKey)
