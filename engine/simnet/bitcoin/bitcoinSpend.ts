import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { equalBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keyHashScript, programOf, pushesOf, scriptTypeOf } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'

/** The digests that signatures of one input sign, by the rules before segwit, of BIP143 and of BIP341. */
type SignatureHashes = {
  legacy(script: Uint8Array, hashType: number): Uint8Array
  v0(script: Uint8Array, hashType: number): Uint8Array
  v1(hashType: number): Uint8Array
}

type Bytes = Uint8Array | undefined
type Unlocking = { readonly scriptSig: Uint8Array; readonly witness: readonly Uint8Array[] }

const SIGHASH_DEFAULT = 0x00
const PUSH_KEY = 33
const OP_CHECKSIG = 0xac

/** Whether the key signed; a signature ends in the type of its hash. Bytes that are no signature or key have no signer. */
const isSigned = (signature: Bytes, key: Bytes, digestOf: (hashType: number) => Uint8Array): boolean => {
  const hashType = signature?.at(-1)
  if (!signature || !key || hashType === undefined) return false
  try {
    return secp256k1.verify(signature.slice(0, -1), digestOf(hashType), key, { prehash: false, format: 'der' })
  } catch {
    return false
  }
}

const isSchnorrSigned = (signature: Bytes, key: Uint8Array, digestOf: (hashType: number) => Uint8Array): boolean => {
  if (!signature) return false
  try {
    return schnorr.verify(signature.slice(0, 64), digestOf(signature[64] ?? SIGHASH_DEFAULT), key)
  } catch {
    return false
  }
}

const isHash160 = (key: Bytes, hash: Uint8Array): boolean => key !== undefined && equalBytes(hash160(key), hash)

/** BIP143: the script code of a key hash is that of P2PKH. */
const unlocksKeyHash = ([signature, key]: Unlocking['witness'], hash: Uint8Array, { v0 }: SignatureHashes): boolean =>
  isHash160(key, hash) && isSigned(signature, key, (hashType) => v0(keyHashScript(hash), hashType))

/** Of P2WSH, a script that requires the signature of one key. */
const unlocksScriptHash = ([signature, script]: Unlocking['witness'], hash: Uint8Array, { v0 }: SignatureHashes): boolean => {
  if (!script || !equalBytes(sha256(script), hash)) return false
  const isOneKey = script.length === PUSH_KEY + 2 && script[0] === PUSH_KEY && script.at(-1) === OP_CHECKSIG
  return isOneKey && isSigned(signature, script.slice(1, -1), (hashType) => v0(script, hashType))
}

/**
 * Whether an input may spend an output with this script: P2PKH, P2WPKH, P2SH-P2WPKH, P2WSH of one key, and the key path of
 * P2TR.
 */
export const isUnlocked = ({ scriptSig, witness }: Unlocking, script: Uint8Array, hashes: SignatureHashes): boolean => {
  const program = programOf(script) ?? new Uint8Array()
  const pushes = pushesOf(scriptSig) ?? []
  switch (scriptTypeOf(script)) {
    case 'p2pkh':
      return isHash160(pushes[1], program) && isSigned(pushes[0], pushes[1], (hashType) => hashes.legacy(script, hashType))
    case 'p2sh': {
      const [redeem] = pushes
      const isNested = redeem !== undefined && isHash160(redeem, program) && scriptTypeOf(redeem) === 'v0_p2wpkh'
      return isNested && unlocksKeyHash(witness, redeem.slice(2), hashes)
    }
    case 'v0_p2wpkh':
      return unlocksKeyHash(witness, program, hashes)
    case 'v0_p2wsh':
      return unlocksScriptHash(witness, program, hashes)
    case 'v1_p2tr':
      return witness.length === 1 && isSchnorrSigned(witness[0], program, hashes.v1)
    default:
      return false
  }
}
