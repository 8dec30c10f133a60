import { secp256k1 } from '@noble/curves/secp256k1.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import type { Transaction } from 'bitcoinjs-lib'
import { keyHashScript } from '../../chains/bitcoin/bitcoinScripts.ts'
import { hash160 } from '../../chains/bitcoin/hash160.ts'
import { isUnlocked } from './bitcoinSpend.ts'

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

export type BitcoinTransaction = {
  readonly version: number
  readonly lockTime: number
  readonly inputs: readonly BitcoinInput[]
  readonly outputs: readonly BitcoinOutput[]
  readonly hex: string
  readonly txid: string
  readonly size: number
  readonly weight: number
}

/** A coin that a payment spends, with its output. */
export type SpentCoin = BitcoinOutput & { readonly txid: string; readonly vout: number }

/** Transactions of Bitcoin: their wire format, hashes and signatures, by bitcoinjs-lib. */
export interface BitcoinCodec {
  /** Null when the text is not the canonical hex of one transaction. */
  decode(hex: string): BitcoinTransaction | null
  /** A transaction that creates coins, as the first one of a chain. */
  coinbase(outputs: readonly BitcoinOutput[]): BitcoinTransaction
  /** A payment that spends P2WPKH coins of this key. */
  signed(coins: readonly SpentCoin[], outputs: readonly BitcoinOutput[], secretKey: Uint8Array): BitcoinTransaction
  /** Whether the script and the signature of an input are valid. `spent` are the outputs of all inputs, in order. */
  isUnlocked(transaction: BitcoinTransaction, index: number, spent: readonly BitcoinOutput[]): boolean
}

const HEX = /^([0-9a-f]{2})+$/
const SIGHASH_ALL = 0x01

const reversed = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes).reverse()

const read = (transaction: Transaction): BitcoinTransaction => ({
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
  size: transaction.byteLength(true),
  weight: transaction.weight(),
})

/** Loads bitcoinjs-lib, which takes a moment: to be called when first needed. */
export const createBitcoinCodec = async (): Promise<BitcoinCodec> => {
  const { Transaction: Wire } = await import('bitcoinjs-lib')

  return {
    decode: (raw) => {
      const hex = raw.trim().toLowerCase()
      if (!HEX.test(hex)) return null
      try {
        const transaction = read(Wire.fromHex(hex))
        return transaction.hex === hex ? transaction : null
      } catch {
        // The library throws errors of many kinds for malformed texts.
        return null
      }
    },
    coinbase: (outputs) => {
      const wire = new Wire()
      wire.addInput(new Uint8Array(32), 0xffff_ffff)
      for (const { script, value } of outputs) wire.addOutput(script, value)
      return read(wire)
    },
    signed: (coins, outputs, secretKey) => {
      const wire = new Wire()
      wire.version = 2
      for (const { txid, vout } of coins) wire.addInput(reversed(hexToBytes(txid)), vout)
      for (const { script, value } of outputs) wire.addOutput(script, value)
      const publicKey = secp256k1.getPublicKey(secretKey, true)
      const scriptCode = keyHashScript(hash160(publicKey))
      for (const [index, { value }] of coins.entries()) {
        const digest = wire.hashForWitnessV0(index, scriptCode, value, SIGHASH_ALL)
        const signature = secp256k1.sign(digest, secretKey, { prehash: false, format: 'der' })
        wire.setWitness(index, [concatBytes(signature, Uint8Array.of(SIGHASH_ALL)), publicKey])
      }
      return read(wire)
    },
    isUnlocked: ({ hex, inputs }, index, spent) => {
      const [input, output] = [inputs[index], spent[index]]
      if (!input || !output) throw new RangeError(`there is no input ${index} with its output`)
      const wire = Wire.fromHex(hex)
      const [scripts, values] = [spent.map(({ script }) => script), spent.map(({ value }) => value)]
      return isUnlocked(input, output.script, {
        legacy: (script, hashType) => wire.hashForSignature(index, script, hashType),
        v0: (script, hashType) => wire.hashForWitnessV0(index, script, output.value, hashType),
        v1: (hashType) => wire.hashForWitnessV1(index, scripts, values, hashType),
      })
    },
  }
}
