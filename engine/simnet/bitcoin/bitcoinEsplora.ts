import { bytesToHex } from '@noble/hashes/utils.js'
import { addressOfScript, scriptOfAddress, scriptTypeOf } from '../../chains/bitcoin/bitcoinScripts.ts'
import type { BitcoinOutput } from './bitcoinCodec.ts'
import type { BitcoinLedger, Block, LedgerTransaction } from './bitcoinLedger.ts'

/** An answer of Esplora: a text as it is, everything else as JSON. */
export type EsploraAnswer = { readonly status: number; readonly body: unknown }

type Route = (ledger: BitcoinLedger, ...parts: readonly string[]) => EsploraAnswer

const MEMPOOL_PAGE = 50
const CHAIN_PAGE = 25
const HASH = /^[0-9a-f]{64}$/i

const ok = (body: unknown): EsploraAnswer => ({ status: 200, body })
const missing = (what: string): EsploraAnswer => ({ status: 404, body: `${what} not found` })
const bad = (reason: string): EsploraAnswer => ({ status: 400, body: reason })

/** The JSON of Esplora. Values are numbers: every amount of satoshi fits exactly. https://github.com/Blockstream/esplora/blob/master/API.md */
const statusView = (block: Block | null) =>
  block ? { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time } : { confirmed: false }

const outputView = ({ script, value }: BitcoinOutput) => {
  const address = addressOfScript(script)
  return {
    scriptpubkey: bytesToHex(script),
    scriptpubkey_type: scriptTypeOf(script),
    ...(address === null ? {} : { scriptpubkey_address: address }),
    value: Number(value),
  }
}

const transactionView = (ledger: BitcoinLedger, transaction: LedgerTransaction) => {
  const { txid, version, lockTime, inputs, outputs, spent, size, weight, fee } = transaction
  const vin = inputs.map((input, index) => {
    const output = spent[index]
    return {
      txid: input.txid,
      vout: input.vout,
      prevout: output ? outputView(output) : null,
      scriptsig: bytesToHex(input.scriptSig),
      witness: input.witness.map((item) => bytesToHex(item)),
      is_coinbase: output === undefined,
      sequence: input.sequence,
    }
  })
  const status = statusView(ledger.blockOf(txid))
  return { txid, version, locktime: lockTime, vin, vout: outputs.map(outputView), size, weight, fee: Number(fee), status }
}

const blockView = ({ hash, height, time, medianTime, previousHash, txids }: Block) => ({
  id: hash,
  height,
  timestamp: time,
  mediantime: medianTime,
  previousblockhash: previousHash,
  tx_count: txids.length,
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

const withHash =
  (answer: (ledger: BitcoinLedger, hash: string) => EsploraAnswer): Route =>
  (ledger, hash = '') =>
    HASH.test(hash) ? answer(ledger, hash.toLowerCase()) : bad('Invalid hex string')

const withTransaction = (answer: (ledger: BitcoinLedger, transaction: LedgerTransaction) => unknown): Route =>
  withHash((ledger, txid) => {
    const transaction = ledger.find(txid)
    return transaction ? ok(answer(ledger, transaction)) : missing('Transaction')
  })

/** The history of an address: unconfirmed transactions and confirmed ones, both latest first. */
type History = {
  readonly address: string
  readonly script: Uint8Array
  readonly unconfirmed: readonly LedgerTransaction[]
  readonly confirmed: readonly LedgerTransaction[]
}

const historyOf = (ledger: BitcoinLedger, address: string, script: Uint8Array): History => {
  const all = ledger.history(script)
  const placed = all.flatMap((transaction) => {
    const block = ledger.blockOf(transaction.txid)
    return block ? { transaction, height: block.height, index: block.txids.indexOf(transaction.txid) } : []
  })
  return {
    address,
    script,
    unconfirmed: all.filter(({ txid }) => !ledger.blockOf(txid)).toReversed(),
    confirmed: placed.toSorted((a, b) => b.height - a.height || b.index - a.index).map(({ transaction }) => transaction),
  }
}

const withAddress =
  (answer: (ledger: BitcoinLedger, history: History, lastSeen?: string) => unknown): Route =>
  (ledger, address = '', lastSeen) => {
    const script = scriptOfAddress(address)
    return script ? ok(answer(ledger, historyOf(ledger, address, script), lastSeen)) : bad('Invalid Bitcoin address')
  }

const views = (ledger: BitcoinLedger, transactions: readonly LedgerTransaction[]) =>
  transactions.map((transaction) => transactionView(ledger, transaction))

const chainPage = ({ confirmed }: History, lastSeen?: string): readonly LedgerTransaction[] => {
  const after = confirmed.findIndex(({ txid }) => txid === lastSeen?.toLowerCase()) + 1
  return confirmed.slice(after, after + CHAIN_PAGE)
}

const ROUTES: readonly (readonly [pattern: RegExp, route: Route])[] = [
  [/^\/blocks\/tip\/height$/, (ledger) => ok(String(ledger.tip().height))],
  [/^\/blocks\/tip\/hash$/, (ledger) => ok(ledger.tip().hash)],
  [
    /^\/block-height\/([0-9]{1,9})$/,
    (ledger, height) => {
      const block = ledger.blockAt(Number(height))
      return block ? ok(block.hash) : missing('Block')
    },
  ],
  [
    /^\/block\/([^/]+)$/,
    withHash((ledger, hash) => {
      const block = ledger.blockByHash(hash)
      return block ? ok(blockView(block)) : missing('Block')
    }),
  ],
  [/^\/tx\/([^/]+)$/, withTransaction(transactionView)],
  [/^\/tx\/([^/]+)\/hex$/, withTransaction((_, { hex }) => hex)],
  [/^\/tx\/([^/]+)\/status$/, withHash((ledger, txid) => ok(statusView(ledger.blockOf(txid))))],
  [
    /^\/address\/([^/]+)$/,
    withAddress((_, { address, script, confirmed, unconfirmed }) => {
      const [chain, mempool] = [confirmed, unconfirmed].map((part) => statsOf(bytesToHex(script), part))
      return { address, chain_stats: chain, mempool_stats: mempool }
    }),
  ],
  [
    /^\/address\/([^/]+)\/txs$/,
    withAddress((ledger, history) => views(ledger, [...history.unconfirmed.slice(0, MEMPOOL_PAGE), ...chainPage(history)])),
  ],
  [
    /^\/address\/([^/]+)\/txs\/chain(?:\/([^/]+))?$/,
    withAddress((ledger, history, lastSeen) => views(ledger, chainPage(history, lastSeen))),
  ],
  [
    /^\/address\/([^/]+)\/utxo$/,
    withAddress((ledger, { script }) =>
      ledger
        .unspent(script)
        .map(({ txid, vout, value }) => ({ txid, vout, status: statusView(ledger.blockOf(txid)), value: Number(value) })),
    ),
  ],
]

/** Answers `GET path`; null where the offline Esplora has no such endpoint. */
export const readEsplora = (ledger: BitcoinLedger, path: string): EsploraAnswer | null => {
  for (const [pattern, route] of ROUTES) {
    const match = pattern.exec(path)
    if (match) return route(ledger, ...match.slice(1).filter((part) => part !== undefined))
  }
  return null
}
