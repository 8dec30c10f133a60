import { parseJson } from '../loopbackServer.ts'
import { type SolanaChain, SolanaRpcError } from './solanaChain.ts'

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }

const answerOne = (chain: SolanaChain, call: Call | null | undefined): unknown => {
  const id = call?.id ?? null
  if (typeof call?.method !== 'string') return { jsonrpc: '2.0', id, error: { code: -32_600, message: 'Invalid request' } }
  try {
    return { jsonrpc: '2.0', id, result: chain.call(call.method, Array.isArray(call.params) ? call.params : []) }
  } catch (error) {
    if (!(error instanceof SolanaRpcError)) throw error
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
  }
}

/** The JSON-RPC endpoint of the offline Solana, single calls and batches. */
export const answerSolana = (chain: SolanaChain, body: string): { readonly status: number; readonly text: string } => {
  const parsed = parseJson(body)
  const answer = Array.isArray(parsed)
    ? parsed.map((call: Call) => answerOne(chain, call))
    : answerOne(chain, parsed as Call | undefined)
  return { status: 200, text: JSON.stringify(answer) }
}
