import { decodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from 'viem'
import { type HttpClient, HttpError, type HttpRequest, type HttpResponse } from '../../../engine/net/httpClient.ts'

/** What is asked of a contract. */
export type Read = { readonly to: string; readonly data: string }
type EthCall = Read & { readonly from?: string }
export type RpcCall = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/** What a contract returns; null when it reverts. */
export type Contracts = (read: Read) => string | null

export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const AGGREGATE3 = '0x82ad56cb'

/** The calls inside an `eth_call` of Multicall3, as viem reads them; null when it is no such call. */
export const batchIn = ({ method, params }: RpcCall): readonly Read[] | null => {
  const [{ data }] = params as readonly [EthCall]
  if (method !== 'eth_call' || !data.startsWith(AGGREGATE3)) return null
  const { args } = decodeFunctionData({ abi: multicall3Abi, data: data as Hex })
  return (args[0] as readonly { target: string; allowFailure: boolean; callData: Hex }[]).map(
    ({ target, allowFailure, callData }) => {
      if (!allowFailure) throw new Error('one call that fails would take the others with it')
      return { to: target, data: callData }
    },
  )
}

/** What Multicall3 returns when each of its calls returned that. */
export const batchResult = (answers: readonly (string | null)[]): string =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName: 'aggregate3',
    result: answers.map((answer) => ({ success: answer !== null, returnData: (answer ?? '0x') as Hex })),
  })

/** The JSON-RPC answer of an honest node to an `eth_call` of contracts that do as told. */
export const answerCall = (call: RpcCall, contracts: Contracts): { readonly [field: string]: unknown } => {
  const batch = batchIn(call)
  const result = batch ? batchResult(batch.map(contracts)) : contracts(call.params[0] as EthCall)
  const outcome = result === null ? { error: { code: 3, message: 'execution reverted', data: '0x' } } : { result }
  return { jsonrpc: '2.0', id: call.id, ...outcome }
}

/** How an endpoint answers one request. */
export type Endpoint = (call: RpcCall, signal: AbortSignal) => HttpResponse | Promise<HttpResponse>

export const says =
  (body: unknown, status = 200): Endpoint =>
  () => ({ status, headers: {}, text: typeof body === 'string' ? body : JSON.stringify(body) })

export const has =
  (contracts: Contracts): Endpoint =>
  (call) => ({ status: 200, headers: {}, text: JSON.stringify(answerCall(call, contracts)) })

export const resets: Endpoint = () => {
  throw new HttpError('unreachable', 'no answer (ECONNRESET)', new Error('connect to secret.example'))
}

export const answersTooMuch: Endpoint = () => {
  throw new HttpError('tooLarge', 'more than 1048576 bytes')
}

/** Accepts, and never answers; stops when told to. */
export const hangs: Endpoint = (_call, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new HttpError('aborted', 'cut at the deadline')), { once: true })
  })

export type Sent = { readonly host: string; readonly call: RpcCall; readonly signal: AbortSignal }

/** HTTP in memory: endpoints by host name, and every request in the order it was sent. */
export type FakeHttp = HttpClient & { readonly endpoints: { [host: string]: Endpoint }; readonly sent: Sent[] }

export const createFakeHttp = (endpoints: { [host: string]: Endpoint }): FakeHttp => {
  const sent: Sent[] = []
  return {
    endpoints,
    sent,
    send: async ({ url, json, signal }: HttpRequest) => {
      const host = new URL(url).hostname
      const call = json as RpcCall
      sent.push({ host, call, signal })
      const endpoint = endpoints[host]
      if (!endpoint) throw new HttpError('unreachable', 'no answer (ENOTFOUND)')
      if (signal.aborted) throw new HttpError('aborted', 'cut before it was sent')
      return endpoint(call, signal)
    },
    close: async () => undefined,
  }
}

export const word = (value: bigint): string => value.toString(16).padStart(64, '0')

export const abiString = (text: Buffer | string): string => {
  const hex = Buffer.from(text).toString('hex')
  return `0x${word(32n)}${word(BigInt(hex.length / 2))}${hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')}`
}

export const NAME = '0x06fdde03'
export const SYMBOL = '0x95d89b41'
export const DECIMALS = '0x313ce567'
export const ALLOWANCE = '0xdd62ed3e'

/** What a token says of itself, by function; what it does not have reverts. */
export const USD_COIN: { readonly [selector: string]: string } = {
  [NAME]: abiString('USD Coin'),
  [SYMBOL]: abiString('USDC'),
  [DECIMALS]: `0x${word(6n)}`,
}

export const byFunction =
  (answers: { readonly [selector: string]: string | undefined }): Contracts =>
  ({ data }) =>
    answers[data.slice(0, 10)] ?? null
