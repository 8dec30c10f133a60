import { type HttpClient, HttpError, type HttpResponse } from '../net/httpClient.ts'
import { askInOrder, EndpointError, type Endpoints, endpointErrorOf } from './endpoints.ts'

/** The node ran the call and it failed there: an answer about the chain, not trouble with the node. */
export class CallReverted extends Error {
  override readonly name = 'CallReverted'
}

/** JSON-RPC to the endpoints of one chain. */
export interface JsonRpc {
  /** The result of a call. Throws CallReverted, or ChainError when no endpoint answers. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>
}

type RpcError = { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }

/** geth's code for a revert; other nodes use -32000 and the like for this and for everything else, so their words must do. */
const REVERT_CODE = 3
const REVERT_WORDS =
  /revert|invalid opcode|opcode .*not defined|invalid jump|out of gas|stack (under|over)flow|VM execution error/i

const isRevert = ({ code, message, data }: RpcError): boolean =>
  code === REVERT_CODE ||
  (typeof data === 'string' && data.startsWith('0x')) ||
  (typeof message === 'string' && REVERT_WORDS.test(message))

const readResult = ({ status, text }: HttpResponse): unknown => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new EndpointError('unreachable', `HTTP ${status} with a body that is not JSON`, cause)
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new EndpointError('unreachable', `HTTP ${status}, not JSON-RPC`)
  const { result, error } = body as { result?: unknown; error?: RpcError | null }
  if (error !== undefined && error !== null) {
    if (isRevert(error)) throw new CallReverted('the call reverts')
    throw new EndpointError('unreachable', `the node refused: code ${String(error.code)}`)
  }
  if (result === undefined || status < 200 || status > 299)
    throw new EndpointError('unreachable', `HTTP ${status} without a result`)
  return result
}

/** Single calls only: some public endpoints refuse batches. */
export const createJsonRpc = (http: HttpClient, endpoints: Endpoints): JsonRpc => ({
  call: (method, params, signal) =>
    askInOrder(endpoints, signal, async (url, attemptSignal) => {
      const json = { jsonrpc: '2.0', id: 1, method, params }
      const response = await http.send({ method: 'POST', url, json, signal: attemptSignal }).catch((error: unknown) => {
        // Only a contract can make an answer this large, and every node would give the same.
        if (error instanceof HttpError && error.failure === 'tooLarge' && method === 'eth_call')
          throw new CallReverted('the answer is too large')
        throw endpointErrorOf(error)
      })
      return readResult(response)
    }),
})
