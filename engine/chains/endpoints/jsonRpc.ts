import { type HttpClient, HttpError, type HttpResponse } from '../../net/httpClient.ts'
import { ChainError } from '../chains.ts'
import { type Attempt, askInOrder, EndpointError, type Endpoints, endpointErrorOf, TooMuch } from './endpoints.ts'
import { keepsOldState } from './publicEndpoints.ts'

/** The node ran the call and it failed there: an answer about the chain, not trouble with the node. */
export class CallReverted extends Error {
  override readonly name: string = 'CallReverted'
}

/** A contract returned more than the caller reads: the caller treats it as a revert. */
export class AnswerTooLarge extends CallReverted {
  override readonly name = 'AnswerTooLarge'
}

export type RpcOptions = {
  /** Larger answers are thrown away, and count as refused. Left out: those larger than the client takes. */
  readonly bytesMax?: number
  /** The read goes to another endpoint than the one at this URL. */
  readonly except?: string
  /** True for a read of the newest block: its reader passes that block's time to `sawHead` of the answer. */
  readonly isHead?: boolean
}

/** `url`: of the endpoint that answered. It may hold a key: never show it. `sawHead`: see EndpointTry. */
export type RpcAnswer = { readonly result: unknown; readonly url: string; sawHead(at: number): boolean }

/** JSON-RPC to the endpoints of one chain. */
export interface JsonRpc {
  /**
   * The result of a read, which several endpoints may have run, or one of them twice: see askInOrder. Throws CallReverted,
   * or ChainError when no endpoint answers.
   */
  call(method: string, params: readonly unknown[], signal: AbortSignal, options?: RpcOptions): Promise<unknown>
  /** As `call`, with the endpoint that answered. */
  ask(method: string, params: readonly unknown[], signal: AbortSignal, options?: RpcOptions): Promise<RpcAnswer>
}

type RpcError = { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }

/** geth's code for a revert; other nodes use -32000 and the like for this and for everything else, so their words must do. */
const REVERT_CODE = 3
const REVERT_WORDS =
  /revert|invalid opcode|opcode .{0,40}not defined|invalid jump|out of gas|stack (under|over)flow|VM execution error/i

/** A node's own message comes first; the rest may be megabytes of a contract's text. */
const WORDS_LENGTH_MAX = 1_000

const says = (message: unknown, words: RegExp): boolean =>
  typeof message === 'string' && words.test(message.slice(0, WORDS_LENGTH_MAX))

const isRevert = ({ code, message, data }: RpcError): boolean =>
  code === REVERT_CODE || (typeof data === 'string' && data.startsWith('0x')) || says(message, REVERT_WORDS)

/**
 * A limit is -32005 by https://eips.ethereum.org/EIPS/eip-1474, which on Solana means that the node is behind; an internal error
 * is -32603. Gateways use HTTP status numbers or codes of their own, so their messages decide.
 */
const LIMIT_CODE = -32_005
const LIMIT_WORDS = /(rate|usage).?limit|request (rate|limit)|requests limit|too many req|compute units|quota|throughput/i

/**
 * Nodes that search no logs, or fewer blocks, may answer with the code of a limit: https://github.com/bnb-chain/bsc/issues/1215.
 * The message of a request limit names it.
 */
const isRangeRefusal = (method: string, { code, message }: RpcError): boolean =>
  method === 'eth_getLogs' && !isTroubleStatus(Number(code)) && (code === LIMIT_CODE || says(message, /limit exceeded/i))

/**
 * The node does not keep the data, or will not search so much at once. Nodes use any code for that, those of limits and of
 * internal errors among them.
 */
const DECLINE_WORDS =
  /missing trie node|header not found|prun(ed|ing)|archive|historical|proof window|state[^.]{0,40}(unavailable|not available|discarded)|block range|more than \d{1,9} results|too many (blocks|results|logs)|response size/i

/** A refusal for the size of the result, whatever the range. */
const RESULT_WORDS = /\d{3} results|max(imum)? results|too many (results|logs)|response size/i

const isTroubleCode = (code: unknown): boolean =>
  typeof code === 'number' && (code === LIMIT_CODE || code === -32_603 || isTroubleStatus(code))

const isTrouble = (method: string, status: number, error: RpcError): boolean => {
  const { code, message } = error
  const isCode = isTroubleCode(code) && !isRangeRefusal(method, error)
  return says(message, LIMIT_WORDS) || ((isTroubleStatus(status) || isCode) && !says(message, DECLINE_WORDS))
}

/** A key that is rejected or unpaid is as bad as a node that is down. */
const isTroubleStatus = (status: number): boolean =>
  [401, 402, 403, 404, 429].includes(status) || (status >= 500 && status <= 599)

/** The request was too large for this endpoint; a smaller one is not. */
const PAYLOAD_TOO_LARGE = 413

const readResult = (method: string, { status, text }: HttpResponse): unknown => {
  const fault = (what: string): EndpointError =>
    status === PAYLOAD_TOO_LARGE ? new TooMuch(`HTTP ${status}`) : new EndpointError('unreachable', `HTTP ${status}${what}`)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw fault(' with a body that is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw fault(', not JSON-RPC')
  const { result, error } = body as { result?: unknown; error?: RpcError | null }
  if (error !== undefined && error !== null) {
    if (isRevert(error)) throw new CallReverted('the call reverts')
    // Other fields of the error could hold anything.
    const what = `the node refused: code ${typeof error.code === 'number' ? error.code : 'unknown'}`
    if (isTrouble(method, status, error)) throw new EndpointError('unreachable', what)
    throw says(error.message, RESULT_WORDS) ? new TooMuch(what) : new EndpointError('refused', what)
  }
  if (result === undefined || status < 200 || status > 299) throw fault(' without a result')
  return result
}

/** The methods that read state. The last of their parameters is the block. */
const STATE_METHODS = ['eth_call', 'eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_getTransactionCount']

/** Single calls only: some public endpoints refuse batches. */
export const createJsonRpc = (http: HttpClient, endpoints: Endpoints): JsonRpc => {
  const ask: JsonRpc['ask'] = async (method, params, signal, { bytesMax, except, isHead = false } = {}) => {
    const { chainId } = endpoints
    if (STATE_METHODS.includes(method) && params.at(-1) !== 'latest' && !keepsOldState(chainId)) {
      const refused = new EndpointError('refused', 'its nodes keep no old state')
      throw new ChainError('unreachable', chainId, `chain ${chainId}: ${refused.message}`, refused)
    }
    const attempt: Attempt<RpcAnswer> = async (url, attemptSignal, sawHead) => {
      const json = { jsonrpc: '2.0', id: 1, method, params }
      const request = {
        method: 'POST',
        url,
        json,
        signal: attemptSignal,
        ...(bytesMax === undefined ? {} : { bytesMax }),
      } as const
      const response = await http.send(request).catch((error: unknown) => {
        // Only a contract can make an answer this large, and every node would give the same.
        if (error instanceof HttpError && error.failure === 'tooLarge' && method === 'eth_call')
          throw new AnswerTooLarge('the answer is too large')
        throw endpointErrorOf(error)
      })
      return { result: readResult(method, response), url, sawHead }
    }
    return askInOrder(endpoints, signal, attempt, { except, isHead })
  }
  return { ask, call: async (...question) => (await ask(...question)).result }
}
