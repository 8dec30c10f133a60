import { parseJson } from '../kit/loopbackServer.ts'
import type { EvmChains } from './evmChains.ts'

const BROADCASTS: readonly unknown[] = [
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransactionSync',
]

/** The parameter that names the block of a call of state. */
const BLOCK_AT: { readonly [method: string]: number } = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }
type Answer = { readonly id?: unknown; readonly result?: unknown }
type Header = { readonly number: string; readonly stateRoot: string }
type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : [value as T])

/** Hashes of the transactions that this exchange broadcast. */
const broadcastHashes = (body: string, answer: string): readonly string[] => {
  if (!body.includes('eth_send')) return []
  const sent = listOf<Call | null>(parseJson(body)).filter((call) => BROADCASTS.includes(call?.method))
  const answers = listOf<Answer | null>(parseJson(answer))
  return sent.flatMap((call) => {
    const result = answers.find((candidate) => candidate?.id === call?.id)?.result
    // The synchronous forms (EIP-7966) return the receipt.
    const hash = typeof result === 'object' && result !== null && 'transactionHash' in result ? result.transactionHash : result
    return typeof hash === 'string' ? [hash] : []
  })
}

/** The block of a call of state; null for other calls, and for blocks that the node itself rejects. */
const headerOf = async ({ method, params }: Call, rpc: Rpc): Promise<Header | null> => {
  const place = BLOCK_AT[String(method)]
  if (place === undefined) return null
  const block = Array.isArray(params) ? (params[place] as unknown) : undefined
  const { blockHash, blockNumber } = (block ?? {}) as { readonly blockHash?: unknown; readonly blockNumber?: unknown }
  const read = blockHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  return (await rpc(read, [blockHash ?? blockNumber ?? block ?? 'latest', false]).catch(() => null)) as Header | null
}

/** The error for a call of a state that the node no longer has; null for all other calls. */
const prunedAnswer = async (call: Call | null, rpc: Rpc, kept: number): Promise<object | null> => {
  const header = call && (await headerOf(call, rpc))
  if (!header || Number(await rpc('eth_blockNumber', [])) - Number(header.number) < kept) return null
  const { stateRoot } = header
  const message = `missing trie node ${stateRoot.slice(2)} (path ) state ${stateRoot} is not available, not found`
  return { jsonrpc: '2.0', id: call?.id ?? null, error: { code: -32_000, message } }
}

type Forward = (body: string) => Promise<{ readonly status: number; readonly text: string }>

/** Answers as a node that has the state of its latest blocks only; `forward` answers all other calls. */
const answerPruned = async (body: string, { rpc, forward, kept }: { rpc: Rpc; forward: Forward; kept: number }) => {
  const parsed = parseJson(body)
  const calls = listOf<Call | null>(parsed)
  const refused = await Promise.all(calls.map((call) => prunedAnswer(call, rpc, kept)))
  if (refused.every((answer) => answer === null)) return forward(body)
  const others = calls.filter((_, index) => refused[index] === null)
  const answers = others.length > 0 ? (JSON.parse((await forward(JSON.stringify(others))).text) as readonly unknown[]) : []
  const all = [...refused.filter((answer) => answer !== null), ...answers]
  return { status: 200, text: JSON.stringify(Array.isArray(parsed) ? all : all[0]) }
}

/** What an endpoint needs. `statesKept`: the number of latest blocks with state; null for all. */
type EvmEndpoint = {
  readonly chains: EvmChains
  readonly observe: (chainId: number, txHash: string) => Promise<void>
  readonly statesKept: number | null
}

/** The JSON-RPC endpoint of an EVM chain: its node answers each call. A broadcast transaction is reported before its sender learns of it. */
export const answerEvm = async (
  { chains, observe, statesKept }: EvmEndpoint,
  chainId: number,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  const forward: Forward = (asked) => chains.forward(chainId, asked, asked.includes('eth_send'))
  const rpc: Rpc = (method, params) => chains.rpc(chainId, method, params)
  const answer = statesKept === null ? await forward(body) : await answerPruned(body, { rpc, forward, kept: statesKept })
  for (const hash of broadcastHashes(body, answer.text)) await observe(chainId, hash)
  return answer
}
