import { bytesToHex } from '@noble/hashes/utils.js'
import { addressOfScript, asmOf, pushesOf, scriptTypeOf } from '../../chains/bitcoin/bitcoinScripts.ts'
import type { Block } from './bitcoinBlocks.ts'
import type { BitcoinInput, BitcoinOutput } from './bitcoinCodec.ts'
import type { Outpoint } from './bitcoinCoins.ts'
import type { BitcoinLedger } from './bitcoinLedger.ts'
import type { LedgerTransaction } from './bitcoinState.ts'

/**
 * The JSON of Esplora. Values are numbers there: all the satoshi there can be fit exactly.
 * https://github.com/Blockstream/esplora/blob/master/API.md
 */
const statusView = (block: Block | null) =>
  block ? { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time } : { confirmed: false }

export const transactionStatus = (ledger: BitcoinLedger, txid: string) => statusView(ledger.blockOf(txid))

const outputView = ({ script, value }: BitcoinOutput) => {
  const address = addressOfScript(script)
  return {
    scriptpubkey: bytesToHex(script),
    scriptpubkey_asm: asmOf(script),
    scriptpubkey_type: scriptTypeOf(script),
    ...(address === null ? {} : { scriptpubkey_address: address }),
    value: Number(value),
  }
}

const inputView = (input: BitcoinInput, spent: BitcoinOutput | undefined) => {
  const { txid, vout, scriptSig, sequence, witness } = input
  const redeemScript = spent && scriptTypeOf(spent.script) === 'p2sh' ? pushesOf(scriptSig)?.at(-1) : undefined
  return {
    txid,
    vout,
    prevout: spent ? outputView(spent) : null,
    scriptsig: bytesToHex(scriptSig),
    scriptsig_asm: asmOf(scriptSig),
    ...(witness.length > 0 ? { witness: witness.map((item) => bytesToHex(item)) } : {}),
    is_coinbase: spent === undefined,
    sequence,
    ...(redeemScript ? { inner_redeemscript_asm: asmOf(redeemScript) } : {}),
  }
}

export const transactionView = (ledger: BitcoinLedger, transaction: LedgerTransaction) => ({
  txid: transaction.txid,
  version: transaction.version,
  locktime: transaction.lockTime,
  vin: transaction.inputs.map((input, index) => inputView(input, transaction.spent[index])),
  vout: transaction.outputs.map(outputView),
  size: transaction.size,
  weight: transaction.weight,
  fee: Number(transaction.fee),
  status: transactionStatus(ledger, transaction.txid),
})

export const outspendView = (ledger: BitcoinLedger, outpoint: Outpoint) => {
  const spender = ledger.spender(outpoint)
  return spender ? { spent: true, ...spender, status: transactionStatus(ledger, spender.txid) } : { spent: false }
}

export const blockView = ({ hash, time, txids, merkleRoot, previousHash, medianTime, ...block }: Block) => ({
  id: hash,
  height: block.height,
  version: block.version,
  timestamp: time,
  tx_count: txids.length,
  size: block.size,
  weight: block.weight,
  merkle_root: merkleRoot,
  previousblockhash: previousHash,
  mediantime: medianTime,
  nonce: block.nonce,
  bits: block.bits,
  difficulty: 0,
})

const statsOf = (script: string, transactions: readonly LedgerTransaction[]) => {
  const own = (outputs: readonly BitcoinOutput[]) => outputs.filter((output) => bytesToHex(output.script) === script)
  const sum = (outputs: readonly BitcoinOutput[]) => Number(outputs.reduce((total, { value }) => total + value, 0n))
  const funded = transactions.flatMap(({ outputs }) => own(outputs))
  const spent = transactions.flatMap((transaction) => own(transaction.spent))
  return {
    funded_txo_count: funded.length,
    funded_txo_sum: sum(funded),
    spent_txo_count: spent.length,
    spent_txo_sum: sum(spent),
    tx_count: transactions.length,
  }
}

export const addressView = (ledger: BitcoinLedger, address: string, script: Uint8Array) => {
  const history = ledger.history(script)
  const statsWhere = (isConfirmed: boolean) =>
    statsOf(
      bytesToHex(script),
      history.filter(({ txid }) => (ledger.blockOf(txid) !== null) === isConfirmed),
    )
  return { address, chain_stats: statsWhere(true), mempool_stats: statsWhere(false) }
}

export const unspentView = (ledger: BitcoinLedger, script: Uint8Array) =>
  ledger.unspent(script).map(({ txid, vout, value }) => ({
    txid,
    vout,
    status: transactionStatus(ledger, txid),
    value: Number(value),
  }))

/** Rates with fractions, high to low, each with the virtual bytes that pay it. */
export const mempoolView = (ledger: BitcoinLedger) => {
  const waiting = ledger.mempool()
  const vsizes = new Map<number, number>()
  for (const { fee, vsize } of waiting) {
    const rate = Number((fee * 1_000n) / BigInt(vsize)) / 1_000
    vsizes.set(rate, (vsizes.get(rate) ?? 0) + vsize)
  }
  return {
    count: waiting.length,
    vsize: waiting.reduce((total, { vsize }) => total + vsize, 0),
    total_fee: Number(waiting.reduce((total, { fee }) => total + fee, 0n)),
    fee_histogram: [...vsizes].toSorted(([a], [b]) => b - a),
  }
}
