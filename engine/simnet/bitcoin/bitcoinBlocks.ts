import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { dataScript, pushScript } from '../../chains/bitcoin/bitcoinScripts.ts'
import type { BitcoinCodec, BitcoinOutput, BitcoinTransaction } from './bitcoinCodec.ts'
import { COIN } from './bitcoinRules.ts'

export type Block = {
  readonly hash: string
  readonly height: number
  readonly version: number
  /** Unix seconds. */
  readonly time: number
  readonly previousHash: string
  readonly merkleRoot: string
  readonly nonce: number
  readonly bits: number
  /** Median of its own time and those of the ten blocks before it, unix seconds. */
  readonly medianTime: number
  readonly size: number
  readonly weight: number
  /** The coinbase first. */
  readonly txids: readonly string[]
}

/** What a block is made of; fees and subsidy go to `payee`. */
export type BlockPlan = {
  readonly height: number
  readonly time: number
  readonly medianTime: number
  readonly previousHash: string
  readonly transactions: readonly BitcoinTransaction[]
  readonly payouts: readonly BitcoinOutput[]
}

const HALVING_BLOCKS = 210_000
const VERSION = 0x2000_0000
/** The easiest there is, as on regtest: nobody here has the machines for a harder one. */
const BITS = 0x207f_ffff
const HEADER_BYTES = 80
const NULL_HASH = '0'.repeat(64)
const LAST_INDEX = 0xffff_ffff
const WITNESS_RESERVED = new Uint8Array(32)
const COMMITMENT_HEADER = hexToBytes('aa21a9ed')
/** Signature operations aside, what Bitcoin Core leaves for the coinbase. */
export const BLOCK_WEIGHT_FOR_TRANSACTIONS = 3_996_000

const doubleSha = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes))
const reversed = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes).reverse()
const shown = (hash: Uint8Array): string => bytesToHex(reversed(hash))

/** Satoshi created by a block. */
export const subsidyAt = (height: number): bigint => (50n * COIN) >> BigInt(Math.floor(height / HALVING_BLOCKS))

/** Satoshi created by all blocks up to and including this one. */
export const issuedUpTo = (height: number): bigint => {
  let [total, first] = [0n, 0]
  while (first <= height) {
    const blocks = Math.min(height + 1 - first, HALVING_BLOCKS)
    total += subsidyAt(first) * BigInt(blocks)
    first += HALVING_BLOCKS
  }
  return total
}

const merkleRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
  let level = leaves
  while (level.length > 1) {
    const above: Uint8Array[] = []
    for (let at = 0; at < level.length; at += 2) {
      const left = level[at] ?? WITNESS_RESERVED
      above.push(doubleSha(concatBytes(left, level[at + 1] ?? left)))
    }
    level = above
  }
  return level[0] ?? WITNESS_RESERVED
}

const littleEndian = (value: number): Uint8Array => {
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  // The highest bit is the sign.
  if ((bytes.at(-1) ?? 0) > 127) bytes.push(0)
  return Uint8Array.from(bytes)
}

const coinbaseOf = ({ height, transactions, payouts }: BlockPlan, codec: BitcoinCodec): BitcoinTransaction => {
  const leaves = [WITNESS_RESERVED, ...transactions.map(({ wtxid }) => reversed(hexToBytes(wtxid)))]
  const commitment = doubleSha(concatBytes(merkleRoot(leaves), WITNESS_RESERVED))
  return codec.encode({
    version: 2,
    lockTime: 0,
    inputs: [
      {
        txid: NULL_HASH,
        vout: LAST_INDEX,
        // BIP34: the height comes first, which also makes every coinbase another transaction.
        scriptSig: pushScript(littleEndian(height), utf8ToBytes('simnet')),
        sequence: LAST_INDEX,
        witness: [WITNESS_RESERVED],
      },
    ],
    outputs: [...payouts, { value: 0n, script: dataScript(concatBytes(COMMITMENT_HEADER, commitment)) }],
  })
}

const headerOf = ({ time, previousHash }: BlockPlan, root: Uint8Array): { readonly hash: string; readonly nonce: number } => {
  const header = new Uint8Array(HEADER_BYTES)
  const view = new DataView(header.buffer)
  view.setUint32(0, VERSION, true)
  header.set(reversed(hexToBytes(previousHash)), 4)
  header.set(root, 36)
  view.setUint32(68, time, true)
  view.setUint32(72, BITS, true)
  for (let nonce = 0; ; nonce++) {
    view.setUint32(76, nonce, true)
    const hash = doubleSha(header)
    // The target is 7fffff followed by zeros: below it is every hash that begins with less than 7f.
    if ((hash[31] ?? 0) < 0x7f) return { hash: shown(hash), nonce }
  }
}

/** Makes a block with its coinbase and real proof of (hardly any) work. */
export const makeBlock = (
  plan: BlockPlan,
  codec: BitcoinCodec,
): { readonly block: Block; readonly coinbase: BitcoinTransaction } => {
  const coinbase = coinbaseOf(plan, codec)
  const all = [coinbase, ...plan.transactions]
  const root = merkleRoot(all.map(({ txid }) => reversed(hexToBytes(txid))))
  const countBytes = all.length < 0xfd ? 1 : 3
  const sum = (sizeOf: (transaction: BitcoinTransaction) => number) => all.reduce((total, each) => total + sizeOf(each), 0)
  const block = {
    ...headerOf(plan, root),
    height: plan.height,
    version: VERSION,
    time: plan.time,
    previousHash: plan.previousHash,
    merkleRoot: shown(root),
    bits: BITS,
    medianTime: plan.medianTime,
    size: HEADER_BYTES + countBytes + sum(({ size }) => size),
    weight: (HEADER_BYTES + countBytes) * 4 + sum(({ weight }) => weight),
    txids: all.map(({ txid }) => txid),
  }
  return { block, coinbase }
}
