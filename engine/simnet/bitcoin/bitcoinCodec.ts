import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { Transaction } from 'bitcoinjs-lib'
import { keyHashScript } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'
import { type SignatureHashes, spendFault } from './bitcoinSpend.ts'

export type BitcoinInput = {
  /** Of the transaction spent from, as explorers spell it. */
  readonly txid: string
  readonly vout: number
  readonly scriptSig: Uint8Array
  readonly sequence: number
  readonly witness: readonly Uint8Array[]
}

/** Value in satoshi. */
export type BitcoinOutput = { readonly value: bigint; readonly script: Uint8Array }

export type BitcoinDraft = {
  readonly version: number
  readonly lockTime: number
  readonly inputs: readonly BitcoinInput[]
  readonly outputs: readonly BitcoinOutput[]
}

export type BitcoinTransaction = BitcoinDraft & {
  readonly hex: string
  readonly txid: string
  readonly wtxid: string
  /** In bytes, with and without the witnesses. */
  readonly size: number
  readonly strippedSize: number
  readonly weight: number
  /** Virtual bytes, rounded up. */
  readonly vsize: number
}

/** Transactions of Bitcoin: their wire format, hashes and signatures, by bitcoinjs-lib. */
export interface BitcoinCodec {
  /** Null when the text is not the canonical hex of one transaction. */
  decode(hex: string): BitcoinTransaction | null
  encode(draft: BitcoinDraft): BitcoinTransaction
  /** Signs every input, each of which spends a P2WPKH output of this key. `spent` are those outputs, in order. */
  signed(draft: BitcoinDraft, spent: readonly BitcoinOutput[], secretKey: Uint8Array): BitcoinTransaction
  /**
   * Why an input may not spend its output, in bitcoind's words; null when script and signature are right. `spent` are
   * the outputs of all inputs, in order. P2PKH, P2WPKH, P2SH-P2WPKH and the key path of P2TR are judged; every other
   * script is at fault.
   */
  spendFault(transaction: BitcoinTransaction, index: number, spent: readonly BitcoinOutput[]): string | null
}

const HEX = /^([0-9a-f]{2})+$/
const SIGHASH_ALL = 0x01

const reversed = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes).reverse()

const read = (transaction: Transaction): BitcoinTransaction => {
  const strippedSize = transaction.byteLength(false)
  return {
    version: transaction.version,
    lockTime: transaction.locktime,
    inputs: transaction.ins.map(({ hash, index, script, sequence, witness }) => ({
      txid: bytesToHex(reversed(hash)),
      vout: index,
      scriptSig: script,
      sequence,
      witness,
    })),
    outputs: transaction.outs.map(({ value, script }) => ({ value, script })),
    hex: transaction.toHex(),
    txid: transaction.getId(),
    wtxid: bytesToHex(reversed(transaction.getHash(true))),
    size: transaction.byteLength(true),
    strippedSize,
    weight: transaction.weight(),
    vsize: transaction.virtualSize(),
  }
}

const hashesOf = (transaction: Transaction, index: number, spent: readonly BitcoinOutput[]): SignatureHashes => ({
  legacy: (script, hashType) => transaction.hashForSignature(index, script, hashType),
  v0: (script, hashType) => transaction.hashForWitnessV0(index, script, spent[index]?.value ?? 0n, hashType),
  v1: (hashType) =>
    transaction.hashForWitnessV1(
      index,
      spent.map(({ script }) => script),
      spent.map(({ value }) => value),
      hashType,
    ),
})

/** Loads bitcoinjs-lib, which takes a moment: to be called when first needed. */
export const createBitcoinCodec = async (): Promise<BitcoinCodec> => {
  const { Transaction: Wire } = await import('bitcoinjs-lib')

  const toWire = ({ version, lockTime, inputs, outputs }: BitcoinDraft): Transaction => {
    const wire = new Wire()
    wire.version = version
    wire.locktime = lockTime
    for (const { txid, vout, sequence, scriptSig, witness } of inputs) {
      const index = wire.addInput(reversed(hexToBytes(txid)), vout, sequence, scriptSig)
      wire.setWitness(index, [...witness])
    }
    for (const { script, value } of outputs) wire.addOutput(script, value)
    return wire
  }

  return {
    decode: (raw) => {
      const hex = raw.trim().toLowerCase()
      if (!HEX.test(hex)) return null
      try {
        const transaction = read(Wire.fromHex(hex))
        return transaction.hex === hex ? transaction : null
      } catch {
        // The library throws for every malformed text, with errors of many kinds.
        return null
      }
    },
    encode: (draft) => read(toWire(draft)),
    signed: (draft, spent, secretKey) => {
      const wire = toWire(draft)
      const publicKey = secp256k1.getPublicKey(secretKey, true)
      const scriptCode = keyHashScript(hash160(publicKey))
      draft.inputs.forEach((_, index) => {
        const digest = hashesOf(wire, index, spent).v0(scriptCode, SIGHASH_ALL)
        const signature = secp256k1.sign(digest, secretKey, { prehash: false, format: 'der' })
        wire.setWitness(index, [concatBytes(signature, Uint8Array.of(SIGHASH_ALL)), publicKey])
      })
      return read(wire)
    },
    spendFault: (transaction, index, spent) => {
      const [input, output] = [transaction.inputs[index], spent[index]]
      if (!input || !output) throw new RangeError(`there is no input ${index} with its output`)
      return spendFault(input, output.script, hashesOf(toWire(transaction), index, spent), index < transaction.outputs.length)
    },
  }
}
