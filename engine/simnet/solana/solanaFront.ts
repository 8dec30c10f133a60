import { parseJson } from '../kit/loopbackServer.ts'
import type { SolanaChain } from './solanaChain.ts'
import { RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }

/** Writes 64-bit numbers, such as lamports, with all their digits. */
const { rawJSON } = JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }

const answerOne = async (chain: SolanaChain, call: Call | null | undefined): Promise<unknown> => {
  const head = { jsonrpc: '2.0', id: call?.id ?? null }
  if (typeof call?.method !== 'string') return { ...head, error: { code: RPC_CODE.invalidRequest, message: 'Invalid request' } }
  try {
    return { ...head, result: await chain.call(call.method, Array.isArray(call.params) ? call.params : []) }
  } catch (error) {
    if (!(error instanceof SolanaRpcError)) throw error
    const { code, message, data } = error
    return { ...head, error: { code, message, data } }
  }
}

/** The JSON-RPC endpoint of the offline Solana, for single calls and batches. Returns the text of the answer. */
export const answerSolana = async (chain: SolanaChain, body: string): Promise<string> => {
  const parsed = parseJson(body)
  const isBatch = Array.isArray(parsed)
  const answers: unknown[] = []
  for (const call of (isBatch ? parsed : [parsed]) as readonly (Call | undefined)[]) answers.push(await answerOne(chain, call))
  return JSON.stringify(isBatch ? answers : answers[0], (_, value: unknown) =>
    typeof value === 'bigint' ? rawJSON(value.toString()) : value,
  )
}
