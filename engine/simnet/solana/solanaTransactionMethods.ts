import { base58 } from '@scure/base'
import { accountView, readStyle } from './solanaAccountView.ts'
import type { SolanaBlocks } from './solanaBlocks.ts'
import type { SolanaExecution } from './solanaExecution.ts'
import type { SolanaFailure } from './solanaFailure.ts'
import type { LandedTransaction, SolanaLedger } from './solanaLedger.ts'
import { memosOf } from './solanaMemos.ts'
import {
  type CallOptions,
  confirmedCommitmentOf,
  readFlag,
  readKey,
  readList,
  readOptions,
  readSignature,
  readWhole,
} from './solanaParams.ts'
import { isFullySigned, prepareSolana, type SolanaPrepared } from './solanaPrepare.ts'
import { inSlot, type SolanaMethods } from './solanaReadMethods.ts'
import { invalidParams, RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'
import { innerInstructionsView, readTransactionEncoding, returnDataView, transactionView } from './solanaTransactionView.ts'
import { NOTHING_RAN, type SolanaVm, type VmOutcome } from './solanaVm.ts'
import { withBlockhash } from './solanaWire.ts'

type Parts = {
  readonly vm: SolanaVm
  readonly blocks: SolanaBlocks
  readonly ledger: SolanaLedger
  readonly execution: SolanaExecution
  /** Told before the sender gets its answer. */
  readonly onLanded: (landed: LandedTransaction) => Promise<void>
}

const SIGNATURES_MAX = 256
const HISTORY_MAX = 1_000
/** Of a block that is not final yet. */
const CONFIRMATIONS_MAX = 31
/** How far back a node knows statuses without looking into its history: https://solana.com/docs/rpc/http/getsignaturestatuses */
const RECENT_SLOTS = 300
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const readWireBytes = (value: unknown, { encoding = 'base58' }: CallOptions): Buffer => {
  if (typeof value !== 'string') throw invalidParams(`Invalid params: invalid type: ${typeof value}, expected a string.`)
  if (encoding === 'base64') {
    if (!BASE64.test(value)) throw invalidParams('invalid base64 encoding: InvalidByte')
    return Buffer.from(value, 'base64')
  }
  if (encoding !== 'base58') throw invalidParams(`unsupported encoding: ${String(encoding)}. Supported encodings: base58, base64`)
  try {
    return Buffer.from(base58.decode(value))
  } catch {
    throw invalidParams('invalid base58 encoding: InvalidCharacter')
  }
}

const demandSigned = (transaction: SolanaPrepared): void => {
  if (!isFullySigned(transaction))
    throw new SolanaRpcError(RPC_CODE.signatureVerification, 'Transaction signature verification failure')
}

const simulationView = (outcome: VmOutcome) => ({
  err: outcome.failure?.json ?? null,
  logs: outcome.logs,
  accounts: null,
  unitsConsumed: outcome.unitsConsumed,
  returnData: returnDataView(outcome),
  innerInstructions: null,
  replacementBlockhash: null,
})

/** Runs a transaction without keeping what it did. */
const simulate = (execution: SolanaExecution, transaction: SolanaPrepared): VmOutcome => {
  const failure: SolanaFailure | null = execution.refusal(transaction)
  return failure ? { ...NOTHING_RAN, failure } : execution.simulate(transaction)
}

const demandPreflight = (execution: SolanaExecution, transaction: SolanaPrepared): void => {
  demandSigned(transaction)
  const outcome = simulate(execution, transaction)
  if (outcome.failure)
    throw new SolanaRpcError(
      RPC_CODE.preflightFailure,
      `Transaction simulation failed: ${outcome.failure.text}`,
      simulationView(outcome),
    )
}

/** https://solana.com/docs/rpc/http/simulatetransaction */
const simulateMethod = ({ vm, blocks, execution }: Parts, [value, config]: readonly unknown[]) => {
  const options = readOptions(config, blocks.tip())
  const isReplaced = readFlag(options, 'replaceRecentBlockhash')
  const isVerified = readFlag(options, 'sigVerify')
  if (isReplaced && isVerified) throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
  const sent = prepareSolana(readWireBytes(value, options), vm.account)
  const replacement = isReplaced ? blocks.latest() : null
  const transaction = replacement ? { ...sent, wire: withBlockhash(sent.wire, replacement.blockhash) } : sent
  if (isVerified) demandSigned(transaction)
  const outcome = simulate(execution, transaction)
  const wish = (options.accounts ?? null) as CallOptions | null
  const style = wish && readStyle(wish, 'base64')
  const accounts =
    wish &&
    style &&
    readList(wish.addresses, transaction.keys.length).map((key) => {
      const address = readKey(key)
      return outcome.failure ? null : accountView(outcome.accounts.get(address) ?? vm.account(address), style, vm.account)
    })
  const innerInstructions = readFlag(options, 'innerInstructions') ? innerInstructionsView(outcome, transaction.keys, true) : null
  return inSlot(blocks, { ...simulationView(outcome), accounts, innerInstructions, replacementBlockhash: replacement })
}

/** How sure a landed transaction is: a count of confirmations while it is not final. */
const standingOf = (blocks: SolanaBlocks, { slot }: LandedTransaction) =>
  slot <= blocks.slotAt('finalized')
    ? { confirmations: null, confirmationStatus: 'finalized' }
    : { confirmations: Math.min(blocks.tip() - slot, CONFIRMATIONS_MAX), confirmationStatus: 'confirmed' }

const statusView = (blocks: SolanaBlocks, landed: LandedTransaction) => {
  const { slot, outcome } = landed
  const failure = outcome.failure?.json ?? null
  const { confirmations, confirmationStatus } = standingOf(blocks, landed)
  return { slot, confirmations, err: failure, status: failure === null ? { Ok: null } : { Err: failure }, confirmationStatus }
}

const historyView = (blocks: SolanaBlocks, landed: LandedTransaction) => {
  const memos = memosOf(landed.wire.message).map((memo) => `[${Buffer.byteLength(memo)}] ${memo}`)
  return {
    signature: landed.signature,
    slot: landed.slot,
    err: landed.outcome.failure?.json ?? null,
    memo: memos.length === 0 ? null : memos.join('; '),
    blockTime: landed.blockTime,
    confirmationStatus: standingOf(blocks, landed).confirmationStatus,
  }
}

const historyMethods = ({ blocks, ledger }: Parts): SolanaMethods => ({
  getSignatureStatuses: ([signatures, config]) => {
    const isSearching = readFlag(readOptions(config, blocks.tip()), 'searchTransactionHistory')
    const oldest = isSearching ? 0 : blocks.tip() - RECENT_SLOTS
    const found = readList(signatures, SIGNATURES_MAX).map((signature) => ledger.find(readSignature(signature)))
    return inSlot(
      blocks,
      found.map((landed) => (landed && landed.slot >= oldest ? statusView(blocks, landed) : null)),
    )
  },
  getTransaction: ([signature, config]) => {
    const options = typeof config === 'string' ? { encoding: config } : readOptions(config, blocks.tip())
    const encoding = readTransactionEncoding(options.encoding ?? 'json')
    const max = options.maxSupportedTransactionVersion ?? null
    const maxVersion = max === null ? null : readWhole(max, 'maxSupportedTransactionVersion', 255)
    const seen = blocks.slotAt(confirmedCommitmentOf(options))
    const landed = ledger.find(readSignature(signature))
    return landed && landed.slot <= seen ? transactionView(landed, { encoding, maxVersion }) : null
  },
  getSignaturesForAddress: ([address, config]) => {
    const options = readOptions(config, blocks.tip())
    const { limit = HISTORY_MAX, before, until } = options
    const most = readWhole(limit, 'limit', HISTORY_MAX)
    const seen = blocks.slotAt(confirmedCommitmentOf(options))
    const all = ledger.naming(readKey(address)).filter(({ slot }) => slot <= seen)
    const from = before == null ? 0 : all.findIndex(({ signature }) => signature === readSignature(before)) + 1
    const to = until == null ? -1 : all.findIndex(({ signature }) => signature === readSignature(until))
    return all
      .slice(from, to === -1 ? undefined : to)
      .slice(0, most)
      .map((landed) => historyView(blocks, landed))
  },
})

/** What can be done with transactions, and asked of those that landed. */
export const solanaTransactionMethods = (parts: Parts): SolanaMethods => {
  const { vm, blocks, execution, onLanded } = parts
  return {
    ...historyMethods(parts),
    simulateTransaction: (params) => simulateMethod(parts, params),
    /** https://solana.com/docs/rpc/http/sendtransaction: without preflight the signature comes back whatever becomes of it. */
    sendTransaction: async ([value, config]) => {
      const options = readOptions(config, blocks.tip())
      const transaction = prepareSolana(readWireBytes(value, options), vm.account)
      if (!readFlag(options, 'skipPreflight')) demandPreflight(execution, transaction)
      const canLand = isFullySigned(transaction) && execution.refusal(transaction) === null
      const landed = canLand ? execution.land(transaction) : null
      if (landed) await onLanded(landed)
      return transaction.signature
    },
  }
}
