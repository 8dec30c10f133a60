import { type ChainEvidenceOptions, createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { createSearchCalls } from '../../../engine/chains/evm/searchCalls.ts'
import { CHAIN_IDS, type ChainId } from '../../../engine/core/chain.ts'
import { parseTransactionId, type TransactionId } from '../../../engine/core/transactionId.ts'
import { type HttpClient, HttpError, type HttpResponse } from '../../../engine/net/httpClient.ts'
import { pause } from '../../../engine/net/pause.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'

/** What a node says by method, or Esplora by path: the answer itself, or what gives it by the parameters. */
export type Answers = { readonly [question: string]: unknown }

class Trouble {
  readonly code: number | null
  readonly message: string
  constructor(code: number | null, message: string) {
    this.code = code
    this.message = message
  }
}

/** The node is well, and does not answer this. */
export const refuses = (message: string, code = -32_000) => new Trouble(code, message)
/** The connection breaks. */
export const resets = new Trouble(null, 'no answer (ECONNRESET)')

export type Question = {
  readonly host: string
  readonly asked: string
  readonly params: readonly unknown[]
  readonly bytesMax?: number | undefined
}

export const idOf = (chainId: ChainId, text: string): TransactionId => {
  const id = parseTransactionId(chainId, text)
  if (id === null) throw new TypeError(`not a transaction id: ${text}`)
  return id
}

/** Evidence of all chains over the same endpoints, in memory, by host in order of preference. */
export const evidenceOver = (nodes: { [host: string]: Answers }, options: Partial<ChainEvidenceOptions> = {}) => {
  const asked: Question[] = []
  const events: EngineEvent[] = []
  /** `jumped`: of what `at` shows, the ms that have not passed. `answerMs`: how long an answer takes, by the timers. */
  const clock = { at: 2_000_000_000_000, jumped: 0, answerMs: 0, now: () => clock.at }
  const searchCalls = createSearchCalls(() => clock.at - clock.jumped)
  const reply = (host: string, question: string, params: readonly unknown[], bytesMax?: number): unknown => {
    asked.push({ host, asked: question, params, bytesMax })
    const answer = nodes[host]?.[question]
    const given = typeof answer === 'function' ? (answer as (...params: readonly unknown[]) => unknown)(...params) : answer
    if (given === resets) throw new HttpError('unreachable', resets.message)
    return given
  }
  const http: HttpClient = {
    send: async ({ method, url, json, bytesMax, signal }): Promise<HttpResponse> => {
      if (clock.answerMs > 0) await pause(clock.answerMs, signal)
      if (signal?.aborted) throw new HttpError('aborted', 'cut')
      const { hostname, pathname } = new URL(url)
      if (method === 'GET') {
        const found = reply(hostname, pathname, [])
        const text = typeof found === 'string' ? found : JSON.stringify(found ?? 'not found')
        return { status: found === undefined ? 404 : 200, headers: {}, text }
      }
      const call = json as { readonly method: string; readonly params: readonly unknown[] }
      const found = reply(hostname, call.method, call.params, bytesMax)
      const error = found === undefined ? { code: -32_601, message: 'method not found' } : found instanceof Trouble ? found : null
      const body = error ? { error: { code: error.code, message: error.message } } : { result: found }
      return { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) }
    },
    close: async () => undefined,
  }
  const urls = Object.keys(nodes).map((host) => `https://${host}`)
  const rpcUrls = Object.fromEntries(CHAIN_IDS.map((chainId) => [chainId, urls]))
  const health = createEndpointHealth({ clock, observe: (event) => events.push(event) })
  return { evidence: createChainEvidence({ rpcUrls, http, health, clock, searchCalls, ...options }), asked, clock, nodes, events }
}

export const patient = (): AbortSignal => AbortSignal.timeout(20_000)

/** True for a chain that could not be read, which is no answer. */
export const isUnreadable = (reading: Promise<unknown>): Promise<boolean> =>
  reading.then(
    () => false,
    (error: unknown) => {
      if (error instanceof ChainError) return true
      throw error
    },
  )
