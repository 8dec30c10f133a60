import { scriptOfAddress } from '../../chains/bitcoin/bitcoinScripts.ts'
import type { BitcoinLedger } from './bitcoinLedger.ts'
import type { LedgerTransaction } from './bitcoinState.ts'
import {
  addressView,
  blockView,
  mempoolView,
  outspendView,
  transactionStatus,
  transactionView,
  unspentView,
} from './bitcoinViews.ts'

/** An answer of Esplora: a text as it is, everything else as JSON. */
export type EsploraAnswer = { readonly status: number; readonly body: unknown }

type Route = (ledger: BitcoinLedger, ...parts: readonly string[]) => EsploraAnswer

const MEMPOOL_PAGE = 50
const CHAIN_PAGE = 25
const HASH = /^[0-9a-f]{64}$/i

const found = (body: unknown): EsploraAnswer => ({ status: 200, body })
const missing = (what: string): EsploraAnswer => ({ status: 404, body: `${what} not found` })
const bad = (reason: string): EsploraAnswer => ({ status: 400, body: reason })

/** The words of electrs for what it cannot read. https://github.com/Blockstream/electrs/blob/new-index/src/rest.rs */
const withHash =
  (answer: (ledger: BitcoinLedger, hash: string, ...rest: readonly string[]) => EsploraAnswer): Route =>
  (ledger, hash = '', ...rest) =>
    HASH.test(hash) ? answer(ledger, hash.toLowerCase(), ...rest) : bad('Invalid hex string')

const withTransaction = (
  answer: (ledger: BitcoinLedger, transaction: LedgerTransaction, ...rest: readonly string[]) => unknown,
): Route =>
  withHash((ledger, txid, ...rest) => {
    const transaction = ledger.find(txid)
    return transaction ? found(answer(ledger, transaction, ...rest)) : missing('Transaction')
  })

const withScript =
  (answer: (ledger: BitcoinLedger, script: Uint8Array, address: string, ...rest: readonly string[]) => unknown): Route =>
  (ledger, address = '', ...rest) => {
    const script = scriptOfAddress(address)
    return script ? found(answer(ledger, script, address, ...rest)) : bad('Invalid Bitcoin address')
  }

const unconfirmed = (ledger: BitcoinLedger, script: Uint8Array): readonly LedgerTransaction[] =>
  ledger.history(script).filter(({ txid }) => !ledger.blockOf(txid))

/** Latest first. */
const confirmed = (ledger: BitcoinLedger, script: Uint8Array): readonly LedgerTransaction[] => {
  const placed = ledger.history(script).flatMap((transaction) => {
    const block = ledger.blockOf(transaction.txid)
    return block ? { transaction, height: block.height, index: block.txids.indexOf(transaction.txid) } : []
  })
  return placed.toSorted((a, b) => b.height - a.height || b.index - a.index).map(({ transaction }) => transaction)
}

const mempoolPage = (ledger: BitcoinLedger, script: Uint8Array) => unconfirmed(ledger, script).toReversed().slice(0, MEMPOOL_PAGE)

const chainPage = (ledger: BitcoinLedger, script: Uint8Array, lastSeen?: string) => {
  const all = confirmed(ledger, script)
  const after = all.findIndex(({ txid }) => txid === lastSeen?.toLowerCase()) + 1
  return all.slice(after, after + CHAIN_PAGE)
}

const viewed = (ledger: BitcoinLedger, transactions: readonly LedgerTransaction[]) =>
  transactions.map((transaction) => transactionView(ledger, transaction))

const blockHashAt: Route = (ledger, height = '') => {
  if (!/^[0-9]{1,9}$/.test(height)) return bad('Invalid number')
  const block = ledger.blockAt(Number(height))
  return block ? found(block.hash) : missing('Block')
}

const withBlock = (answer: (block: NonNullable<ReturnType<BitcoinLedger['blockByHash']>>) => unknown): Route =>
  withHash((ledger, hash) => {
    const block = ledger.blockByHash(hash)
    return block ? found(answer(block)) : missing('Block')
  })

const outspend: Route = withTransaction((ledger, { txid }, vout = '') => outspendView(ledger, { txid, vout: Number(vout) }))

const ROUTES: readonly (readonly [pattern: RegExp, route: Route])[] = [
  [/^\/blocks\/tip\/height$/, (ledger) => found(String(ledger.tip().height))],
  [/^\/blocks\/tip\/hash$/, (ledger) => found(ledger.tip().hash)],
  [/^\/block-height\/([^/]+)$/, blockHashAt],
  [/^\/block\/([^/]+)$/, withBlock(blockView)],
  [/^\/block\/([^/]+)\/txids$/, withBlock(({ txids }) => txids)],
  [/^\/tx\/([^/]+)$/, withTransaction(transactionView)],
  [/^\/tx\/([^/]+)\/hex$/, withTransaction((_, { hex }) => hex)],
  [/^\/tx\/([^/]+)\/status$/, withHash((ledger, txid) => found(transactionStatus(ledger, txid)))],
  [/^\/tx\/([^/]+)\/outspend\/([0-9]{1,9})$/, outspend],
  [
    /^\/tx\/([^/]+)\/outspends$/,
    withTransaction((ledger, { txid, outputs }) => outputs.map((_, vout) => outspendView(ledger, { txid, vout }))),
  ],
  [/^\/address\/([^/]+)$/, withScript((ledger, script, address) => addressView(ledger, address, script))],
  [
    /^\/address\/([^/]+)\/txs$/,
    withScript((ledger, script) => viewed(ledger, [...mempoolPage(ledger, script), ...chainPage(ledger, script)])),
  ],
  [
    /^\/address\/([^/]+)\/txs\/chain(?:\/([^/]+))?$/,
    withScript((ledger, script, _, lastSeen) => viewed(ledger, chainPage(ledger, script, lastSeen))),
  ],
  [/^\/address\/([^/]+)\/txs\/mempool$/, withScript((ledger, script) => viewed(ledger, mempoolPage(ledger, script)))],
  [/^\/address\/([^/]+)\/utxo$/, withScript(unspentView)],
  [/^\/mempool$/, (ledger) => found(mempoolView(ledger))],
  [/^\/mempool\/txids$/, (ledger) => found(ledger.mempool().map(({ txid }) => txid))],
]

/** Answers `GET path`; null where Esplora has no such endpoint. */
export const readEsplora = (ledger: BitcoinLedger, path: string): EsploraAnswer | null => {
  for (const [pattern, route] of ROUTES) {
    const match = pattern.exec(path)
    if (match) return route(ledger, ...match.slice(1).filter((part) => part !== undefined))
  }
  return null
}
