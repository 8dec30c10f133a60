import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { equalBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keyHashScript, programOf, pushesOf, pushScript, scriptTypeOf } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'

/** The digests that signatures of one input sign, by the rules before segwit, of BIP143 and of BIP341. */
export type SignatureHashes = {
  legacy(script: Uint8Array, hashType: number): Uint8Array
  v0(script: Uint8Array, hashType: number): Uint8Array
  v1(hashType: number): Uint8Array
}

/** What an input brings to spend an output. */
export type Unlocking = { readonly scriptSig: Uint8Array; readonly witness: readonly Uint8Array[] }

/** https://github.com/bitcoin/bitcoin/blob/master/src/script/script_error.cpp */
const FAULT = {
  falseTop: 'Script evaluated without error but finished with a false/empty top stack element',
  equalVerify: 'Script failed an OP_EQUALVERIFY operation',
  nullFail: 'Signature must be zero for failed CHECK(MULTI)SIG operation',
  cleanStack: 'Stack size must be exactly one after execution',
  stackSize: 'Operation not valid with the current stack size',
  minimalData: 'Data push larger than necessary',
  hashType: 'Signature hash type missing or not understood',
  der: 'Non-canonical DER signature',
  highS: 'Non-canonical signature: S value is unnecessarily high',
  publicKey: 'Public key is neither compressed or uncompressed',
  uncompressed: 'Using non-compressed keys in segwit',
  emptyWitness: 'Witness program was passed an empty witness',
  programMismatch: 'Witness program hash mismatch',
  malleated: 'Witness requires empty scriptSig',
  malleatedP2sh: 'Witness requires only-redeemscript scriptSig',
  unexpectedWitness: 'Witness provided for non-witness script',
  schnorrSize: 'Invalid Schnorr signature size',
  schnorrHashType: 'Invalid Schnorr signature hash type',
  schnorr: 'Invalid Schnorr signature',
} as const

const unsupported = (what: string): string => `${what} cannot be spent on the offline network`

const HASH_TYPES: readonly (number | undefined)[] = [0x01, 0x02, 0x03, 0x81, 0x82, 0x83]
const SIGHASH_DEFAULT = 0x00
const ANNEX = 0x50

const isCompressed = (key: Uint8Array): boolean => key.length === 33 && (key[0] === 0x02 || key[0] === 0x03)
const isUncompressed = (key: Uint8Array): boolean => key.length === 65 && key[0] === 0x04

const readDer = (der: Uint8Array): InstanceType<typeof secp256k1.Signature> | null => {
  try {
    const signature = secp256k1.Signature.fromBytes(der, 'der')
    return equalBytes(signature.toBytes('der'), der) ? signature : null
  } catch {
    // Thrown for all that is not DER.
    return null
  }
}

const isSignedBy = (signature: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean => {
  try {
    return secp256k1.verify(signature, digest, key, { prehash: false, format: 'der' })
  } catch {
    // Thrown for a key that is no point of the curve: nobody signed with it.
    return false
  }
}

const ecdsaFault = (signature: Uint8Array, key: Uint8Array, digestOf: (hashType: number) => Uint8Array): string | null => {
  if (signature.length === 0) return FAULT.falseTop
  const der = signature.slice(0, -1)
  const hashType = signature.at(-1)
  const parsed = readDer(der)
  if (!parsed) return FAULT.der
  if (parsed.hasHighS()) return FAULT.highS
  if (hashType === undefined || !HASH_TYPES.includes(hashType)) return FAULT.hashType
  if (!isCompressed(key) && !isUncompressed(key)) return FAULT.publicKey
  return isSignedBy(der, digestOf(hashType), key) ? null : FAULT.nullFail
}

const keyHashFault = ({ scriptSig, witness }: Unlocking, script: Uint8Array, hashes: SignatureHashes): string | null => {
  const pushes = pushesOf(scriptSig) ?? []
  const [signature, key, ...rest] = pushes
  if (!signature || !key) return FAULT.stackSize
  if (!equalBytes(pushScript(...pushes), scriptSig)) return FAULT.minimalData
  if (rest.length > 0) return FAULT.cleanStack
  if (!equalBytes(hash160(key), programOf(script) ?? new Uint8Array())) return FAULT.equalVerify
  const fault = ecdsaFault(signature, key, (hashType) => hashes.legacy(script, hashType))
  return fault ?? (witness.length > 0 ? FAULT.unexpectedWitness : null)
}

const witnessKeyHashFault = (witness: Unlocking['witness'], program: Uint8Array, hashes: SignatureHashes): string | null => {
  const [signature, key] = witness
  if (witness.length === 0) return FAULT.emptyWitness
  if (!signature || !key || witness.length !== 2) return FAULT.programMismatch
  if (!equalBytes(hash160(key), program)) return FAULT.equalVerify
  if (!isCompressed(key)) return FAULT.uncompressed
  // BIP143: the script code of a key hash is that of P2PKH.
  return ecdsaFault(signature, key, (hashType) => hashes.v0(keyHashScript(program), hashType))
}

const PUSH_KEY = 33
const OP_CHECKSIG = 0xac
/** A script that asks for the signature of one key. */
const isOneKey = (script: Uint8Array): boolean =>
  script.length === PUSH_KEY + 2 && script[0] === PUSH_KEY && script.at(-1) === OP_CHECKSIG

const witnessScriptHashFault = (witness: Unlocking['witness'], program: Uint8Array, hashes: SignatureHashes): string | null => {
  const [signature, ...rest] = witness
  const script = witness.at(-1)
  if (!script) return FAULT.emptyWitness
  if (!equalBytes(sha256(script), program)) return FAULT.programMismatch
  if (!isOneKey(script)) return unsupported('a P2WSH output with another script than one key’s')
  if (!signature || rest.length === 0) return FAULT.stackSize
  if (rest.length > 1) return FAULT.cleanStack
  const key = script.slice(1, -1)
  if (!isCompressed(key)) return FAULT.uncompressed
  return ecdsaFault(signature, key, (hashType) => hashes.v0(script, hashType))
}

const scriptHashFault = ({ scriptSig, witness }: Unlocking, script: Uint8Array, hashes: SignatureHashes): string | null => {
  const redeemScript = pushesOf(scriptSig)?.at(-1)
  if (!redeemScript) return FAULT.stackSize
  if (!equalBytes(hash160(redeemScript), programOf(script) ?? new Uint8Array())) return FAULT.falseTop
  if (scriptTypeOf(redeemScript) !== 'v0_p2wpkh') return unsupported('a P2SH output with another redeem script than P2WPKH')
  if (!equalBytes(pushScript(redeemScript), scriptSig)) return FAULT.malleatedP2sh
  return witnessKeyHashFault(witness, redeemScript.slice(2), hashes)
}

const SIGHASH_SINGLE = 0x03

const schnorrFault = (signature: Uint8Array, key: Uint8Array, hashes: SignatureHashes, hasOwnOutput: boolean): string | null => {
  if (signature.length !== 64 && signature.length !== 65) return FAULT.schnorrSize
  const hashType = signature[64] ?? SIGHASH_DEFAULT
  if (signature.length === 65 && !HASH_TYPES.includes(hashType)) return FAULT.schnorrHashType
  // BIP341: without an output of the same index there is nothing SIGHASH_SINGLE could sign.
  if ((hashType & SIGHASH_SINGLE) === SIGHASH_SINGLE && !hasOwnOutput) return FAULT.schnorrHashType
  return schnorr.verify(signature.slice(0, 64), hashes.v1(hashType), key) ? null : FAULT.schnorr
}

const taprootFault = (
  witness: Unlocking['witness'],
  key: Uint8Array,
  hashes: SignatureHashes,
  hasOwnOutput: boolean,
): string | null => {
  const [signature, ...rest] = witness
  if (!signature) return FAULT.emptyWitness
  if (rest.at(-1)?.[0] === ANNEX) return unsupported('a P2TR output with an annex')
  if (rest.length > 0) return unsupported('a P2TR output by its script path')
  return schnorrFault(signature, key, hashes, hasOwnOutput)
}

/**
 * Why this input may not spend an output with this script; null when it may. `hasOwnOutput`: the transaction has an
 * output of the input's index.
 */
export const spendFault = (
  input: Unlocking,
  script: Uint8Array,
  hashes: SignatureHashes,
  hasOwnOutput: boolean,
): string | null => {
  const type = scriptTypeOf(script)
  const program = programOf(script) ?? new Uint8Array()
  const isNative = type === 'v0_p2wpkh' || type === 'v0_p2wsh' || type === 'v1_p2tr'
  if (isNative && input.scriptSig.length > 0) return FAULT.malleated
  switch (type) {
    case 'p2pkh':
      return keyHashFault(input, script, hashes)
    case 'p2sh':
      return scriptHashFault(input, script, hashes)
    case 'v0_p2wpkh':
      return witnessKeyHashFault(input.witness, program, hashes)
    case 'v0_p2wsh':
      return witnessScriptHashFault(input.witness, program, hashes)
    case 'v1_p2tr':
      return taprootFault(input.witness, program, hashes, hasOwnOutput)
    default:
      return unsupported(`an output of type ${type}`)
  }
}
