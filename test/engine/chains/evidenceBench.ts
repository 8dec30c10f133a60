import { afterEach, beforeEach, vi } from 'vitest'
import { type ChainEvidenceOptions, createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createChains } from '../../../engine/chains/createChains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { createSearchCalls } from '../../../engine/chains/evm/searchCalls.ts'
import { createSolanaTransactions } from '../../../engine/chains/solana/solanaTransactions.ts'
import { CHAIN_IDS, type ChainId } from '../../../engine/core/chain.ts'
import { parseTransactionId, type TransactionId } from '../../../engine/core/transactionId.ts'
import { type HttpClient, HttpError, type HttpResponse } from '../../../engine/net/httpClient.ts'
import { pause } from '../../../engine/net/pause.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'

/** One request: the method of JSON-RPC, or the path of Esplora. */
export type Call = {
  readonly host: string
  readonly method: string
  readonly params: readonly unknown[]
  readonly bytesMax?: number | undefined
  readonly signal: AbortSignal
}

/** How an endpoint answers one request. */
export type Endpoint = (call: Call, signal: AbortSignal) => HttpResponse | Promise<HttpResponse>
/** The result of each method or path: the value itself, or a function of the parameters. */
export type Answers = { readonly [method: string]: unknown }

/** An answer of a healthy node that refuses this call. */
export const refuses = (message: string, code = -32_000) => ({ error: { code, message } })
const isRefusal = (found: unknown): found is object => typeof found === 'object' && found !== null && 'error' in found

/** The connection breaks: an endpoint, or an answer to one method. */
export const resets = (): never => {
  throw new HttpError('unreachable', 'no answer (ECONNRESET)', new Error('connect to secret.example'))
}

export const answersTooMuch = (): never => {
  throw new HttpError('tooLarge', 'more than 1048576 bytes')
}

/** Accepts the request, and never answers. */
export const hangs: Endpoint = (_call, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new HttpError('aborted', 'cut at the deadline')), { once: true })
  })

export const says =
  (body: unknown, status = 200): Endpoint =>
  () => ({ status, headers: {}, text: typeof body === 'string' ? body : JSON.stringify(body) })

const answerOf = (answers: Answers, { method, params }: Call): HttpResponse => {
  let found = answers[method]
  while (typeof found === 'function') found = (found as (...given: readonly unknown[]) => unknown)(...params)
  if (method.startsWith('/')) {
    const text = typeof found === 'string' ? found : JSON.stringify(found ?? 'not found')
    return { status: found === undefined ? 404 : 200, headers: {}, text }
  }
  const answer = found === undefined ? refuses('method not found', -32_601) : isRefusal(found) ? found : { result: found }
  return { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }) }
}

export const idOf = (chainId: ChainId, text: string): TransactionId => {
  const id = parseTransactionId(chainId, text)
  if (id === null) throw new TypeError(`not a transaction id: ${text}`)
  return id
}

export const DEADLINE_MS = 3_000

export type Nodes = { [host: string]: Answers | Endpoint }

/** All reads of all chains over the same endpoints in memory, by host in order of preference; each URL holds a key. */
export const benchOver = (nodes: Nodes, options: Partial<ChainEvidenceOptions> = {}) => {
  const asked: Call[] = []
  const events: EngineEvent[] = []
  /** `jumped`: the part of `at`, ms, that did not pass. `answerMs`: how long an answer takes, by the timers. */
  const clock = { at: 2_000_000_000_000, jumped: 0, answerMs: 0, now: () => clock.at }
  const http: HttpClient = {
    send: async ({ method: verb, url, json, bytesMax, signal }) => {
      if (clock.answerMs > 0) await pause(clock.answerMs, signal)
      const { hostname: host, pathname } = new URL(url)
      const rpc = verb === 'GET' ? { method: pathname.replace('/v3/secret-key', ''), params: [] } : (json as Call)
      const call = { host, method: rpc.method, params: rpc.params, bytesMax, signal }
      asked.push(call)
      const node = nodes[host]
      if (signal.aborted) throw new HttpError('aborted', 'cut before it was sent')
      if (!node) throw new HttpError('unreachable', 'no answer (ENOTFOUND)')
      return typeof node === 'function' ? node(call, signal) : answerOf(node, call)
    },
    close: async () => undefined,
  }
  const urls = Object.keys(nodes).map((host) => `https://${host}/v3/secret-key`)
  const rpcUrls = Object.fromEntries(CHAIN_IDS.map((chainId) => [chainId, urls]))
  const health = createEndpointHealth({ clock, observe: (event) => events.push(event) })
  const parts = { rpcUrls, http, health, clock, deadlineMs: DEADLINE_MS, ...options }
  const searchCalls = createSearchCalls(() => clock.at - clock.jumped)
  return {
    evidence: createChainEvidence({ searchCalls, ...parts }),
    chains: createChains(parts),
    solana: createSolanaTransactions(parts),
    asked,
    events,
    clock,
    nodes,
    hosts: (from = 0) => asked.slice(from).map(({ host }) => host),
    lags: () =>
      events.flatMap((event) => (event.event === 'chain.lag' ? `${event.endpoint} ${event.lagging ? 'lags' : 'is well'}` : [])),
  }
}

export const never = (): AbortSignal => new AbortController().signal

/** The outcome of a read: its value, or why the chain could not answer. */
export const outcome = <T>(reading: Promise<T>): Promise<T | string> =>
  reading.catch((error: unknown) => (error instanceof ChainError ? error.failure : String(error)))

/** In each test of a file, timers stand still until the test moves them; the turns of the event loop go on. */
export const stopTimers = (): void => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())
}

/** One turn of the event loop: everything that was started is sent. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets faked time pass, and the event loop turn as often as a deadline grants it. */
export const pass = async (ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= 50) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 50))
    await turn()
    await turn()
  }
}

/** The outcome of a read for which so much faked time passes. */
export const outcomeAfter = async <T>(ms: number, reading: Promise<T>): Promise<T | string> => {
  const ended = outcome(reading)
  await pass(ms)
  return ended
}
