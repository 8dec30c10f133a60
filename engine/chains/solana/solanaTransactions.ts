import { SOLANA } from '../../core/chain.ts'
import type { Json } from '../../core/json.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { ChainError } from '../chains.ts'
import { chainEndpoints, type RpcUrls } from '../endpoints/chainEndpoints.ts'
import type { EndpointHealth } from '../endpoints/endpointHealth.ts'
import { askInOrder, EndpointError, type Endpoints, endpointErrorOf } from '../endpoints/endpoints.ts'
import { createJsonRpc } from '../endpoints/jsonRpc.ts'
import { SIMULATION } from './solanaTransaction.ts'

/** Why the chain would not run a transaction. `alreadyProcessed`: it ran it before. */
export type SolanaRefusalReason = 'blockhashExpired' | 'insufficientFunds' | 'alreadyProcessed' | 'failed'

export type SolanaRefusal = {
  readonly reason: SolanaRefusalReason
  /** The chain's own TransactionError: https://docs.rs/solana-transaction-error/latest/solana_transaction_error/enum.TransactionError.html */
  readonly error: Json
}

export type SendOutcome =
  | { readonly isAccepted: true }
  /** `mayBeSent`: an earlier endpoint may have accepted the transaction. */
  | { readonly isAccepted: false; readonly refusal: SolanaRefusal; readonly mayBeSent: boolean }

/** The state of a transaction at a node, at any age. */
export type SolanaLanding = {
  /** Its result in a block that most of the network has confirmed; null while it is in no such block. */
  readonly outcome: 'succeeded' | 'failed' | null
  /** That block can no longer be rolled back. */
  readonly isFinal: boolean
  /** How far the node that answered has come. */
  readonly seenSlot: number
}

/** The latest block that can no longer be rolled back. */
export type SolanaFinality = { readonly slot: number; readonly height: number }

/** Trying, sending and finding Solana transactions. Every call throws ChainError only and honours its signal. */
export interface SolanaTransactions {
  /** Runs an unsigned transaction without keeping what it does, on a fresh blockhash; null when it would succeed. */
  simulate(base64: string, signal: AbortSignal): Promise<SolanaRefusal | null>
  /** Sends a signed transaction, after the node's own preflight. A ChainError leaves open whether it was sent. */
  send(base64: string, signal: AbortSignal): Promise<SendOutcome>
  landing(txHash: string, signal: AbortSignal): Promise<SolanaLanding>
  /** False once no block can include a transaction built on it. */
  isBlockhashValid(blockhash: string, signal: AbortSignal): Promise<boolean>
  finality(signal: AbortSignal): Promise<SolanaFinality>
  /** The first slot whose transactions can still be looked up. */
  firstSlot(signal: AbortSignal): Promise<number>
}

const malformed = (method: string): ChainError =>
  new ChainError('unreachable', SOLANA, `Solana: ${method} was answered with something else`)

const isObject = (value: unknown): value is { readonly [name: string]: unknown } => typeof value === 'object' && value !== null

const valueIn = (method: string, result: unknown): unknown => {
  if (!isObject(result) || !('value' in result)) throw malformed(method)
  return result['value']
}

const wholeIn = (method: string, value: unknown): number => {
  if (!Number.isSafeInteger(value)) throw malformed(method)
  return value as number
}

/** Programs of tokens and of the system answer 1 when an account holds too little; Anchor 3012 when the account is missing. */
const LACKS_FUNDS: ReadonlySet<unknown> = new Set([1, 3012])

const FUNDS_ERRORS: ReadonlySet<unknown> = new Set(['AccountNotFound', 'InsufficientFundsForFee', 'InsufficientFundsForRent'])

const instructionErrorLacksFunds = (error: unknown): boolean => {
  if (!Array.isArray(error)) return false
  const cause = error[1] as unknown
  return cause === 'InsufficientFunds' || (isObject(cause) && LACKS_FUNDS.has(cause['Custom']))
}

const reasonOf = (error: unknown): SolanaRefusalReason => {
  if (error === 'BlockhashNotFound') return 'blockhashExpired'
  if (error === 'AlreadyProcessed') return 'alreadyProcessed'
  if (FUNDS_ERRORS.has(error)) return 'insufficientFunds'
  if (!isObject(error)) return 'failed'
  const isShort = 'InsufficientFundsForRent' in error || instructionErrorLacksFunds(error['InstructionError'])
  return isShort ? 'insufficientFunds' : 'failed'
}

const ERROR_LENGTH_MAX = 256

/** A TransactionError is a word or a small object; any other value came from elsewhere and is not shown. */
const toRefusal = (error: unknown): SolanaRefusal => {
  const isSmall = (typeof error === 'string' || isObject(error)) && JSON.stringify(error).length <= ERROR_LENGTH_MAX
  return { reason: reasonOf(error), error: isSmall ? (error as Json) : null }
}

/** https://github.com/anza-xyz/agave/blob/master/rpc-client-types/src/custom_error.rs */
const PREFLIGHT_FAILURE = -32_002

type RpcAnswer = {
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly data?: { readonly err?: unknown } | null } | null
}

const parsed = (text: string): RpcAnswer | null => {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : null
  } catch {
    return null
  }
}

type Sender = { readonly http: HttpClient; readonly endpoints: Endpoints; readonly base64: string; readonly signal: AbortSignal }

/**
 * https://solana.com/docs/rpc/http/sendtransaction. The next endpoint is asked when one gives no usable answer: the same
 * signed transaction can land only once, however many nodes have it.
 */
const sendInOrder = async ({ http, endpoints, base64, signal }: Sender): Promise<SendOutcome> => {
  let mayBeSent = false
  const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false }
  const json = { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [base64, options] }
  const attempt = async (url: string, attemptSignal: AbortSignal): Promise<SendOutcome> => {
    const response = await http.send({ method: 'POST', url, json, signal: attemptSignal }).catch((error: unknown) => {
      mayBeSent = true
      throw endpointErrorOf(error)
    })
    const { result, error = null } = parsed(response.text) ?? {}
    const failure = error?.code === PREFLIGHT_FAILURE ? (error.data?.err ?? null) : null
    if (failure !== null) return { isAccepted: false, refusal: toRefusal(failure), mayBeSent }
    if (typeof result === 'string') return { isAccepted: true }
    // Only a preflight proves that a transaction was not sent, and it states why: gateways use its code for other things.
    mayBeSent = true
    const isWell = response.status >= 200 && response.status <= 299 && error !== null
    const code = typeof error?.code === 'number' ? `, code ${error.code}` : ''
    throw new EndpointError(isWell ? 'refused' : 'unreachable', `sendTransaction: HTTP ${response.status}${code}`)
  }
  return askInOrder(endpoints, signal, attempt, { isRepeatable: false })
}

type Status = { readonly err?: unknown; readonly confirmations?: unknown; readonly confirmationStatus?: unknown }

const landingOf = (status: Status | null, seenSlot: number): SolanaLanding => {
  if (status === null) return { outcome: null, isFinal: false, seenSlot }
  const { err, confirmations, confirmationStatus } = status
  // Without a level, a rooted block is one without a count of confirmations.
  const level = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed')
  // A block that is only processed may still be on a fork that dies.
  if (level !== 'confirmed' && level !== 'finalized') return { outcome: null, isFinal: false, seenSlot }
  return { outcome: err === null ? 'succeeded' : 'failed', isFinal: level === 'finalized', seenSlot }
}

export type SolanaTransactionsOptions = {
  readonly rpcUrls: RpcUrls
  readonly http: HttpClient
  /** Shared with the other reads of the same endpoints. */
  readonly health: EndpointHealth
  /** For one call, all its endpoints together. */
  readonly deadlineMs?: number
}

const DEADLINE_MS = 4_000

export const createSolanaTransactions = ({
  rpcUrls,
  http,
  health,
  deadlineMs = DEADLINE_MS,
}: SolanaTransactionsOptions): SolanaTransactions => {
  const endpoints = chainEndpoints(rpcUrls, health, deadlineMs)(SOLANA)
  const rpc = createJsonRpc(http, endpoints)
  const ask = async (method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> => {
    try {
      return await rpc.call(method, params, signal)
    } catch (error) {
      // Solana has no reverts: an apparent revert is a node's error.
      throw error instanceof ChainError ? error : malformed(method)
    }
  }
  return {
    simulate: async (base64, signal) => {
      const method = 'simulateTransaction'
      const value = valueIn(method, await ask(method, [base64, SIMULATION], signal))
      if (!isObject(value) || !('err' in value)) throw malformed(method)
      return value['err'] === null ? null : toRefusal(value['err'])
    },
    send: (base64, signal) => sendInOrder({ http, endpoints, base64, signal }),
    landing: async (txHash, signal) => {
      const method = 'getSignatureStatuses'
      const result = await ask(method, [[txHash], { searchTransactionHistory: true }], signal)
      const value = valueIn(method, result)
      const [status] = Array.isArray(value) ? (value as readonly (Status | null)[]) : [undefined]
      if (status === undefined || (status !== null && !('err' in status))) throw malformed(method)
      return landingOf(status, wholeIn(method, (result as { context?: { slot?: unknown } }).context?.slot))
    },
    isBlockhashValid: async (blockhash, signal) => {
      const method = 'isBlockhashValid'
      const value = valueIn(method, await ask(method, [blockhash, { commitment: 'confirmed' }], signal))
      if (typeof value !== 'boolean') throw malformed(method)
      return value
    },
    finality: async (signal) => {
      const method = 'getEpochInfo'
      const info = await ask(method, [{ commitment: 'finalized' }], signal)
      if (!isObject(info)) throw malformed(method)
      return { slot: wholeIn(method, info['absoluteSlot']), height: wholeIn(method, info['blockHeight']) }
    },
    firstSlot: async (signal) => {
      const method = 'getFirstAvailableBlock'
      return wholeIn(method, await ask(method, [], signal))
    },
  }
}
