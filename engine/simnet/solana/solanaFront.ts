import { parseJson } from '../kit/loopbackServer.ts'
import type { SolanaChain } from './solanaChain.ts'
import { RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }

/** A number of any size, as it is written in JSON: lamports and amounts are 64 bits wide. */
const rawJson = (JSON as typeof JSON & { readonly rawJSON: (text: string) => unknown }).rawJSON

const answerText = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (typeof value === 'bigint' ? rawJson(value.toString()) : value))

const refusal = (id: unknown, code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: data === undefined ? { code, message } : { code, message, data },
})

const answerOne = async (chain: SolanaChain, call: Call | null | undefined): Promise<unknown> => {
  const id = call?.id ?? null
  if (typeof call?.method !== 'string') return refusal(id, RPC_CODE.invalidRequest, 'Invalid request')
  try {
    return { jsonrpc: '2.0', id, result: await chain.call(call.method, Array.isArray(call.params) ? call.params : []) }
  } catch (error) {
    if (!(error instanceof SolanaRpcError)) throw error
    return refusal(id, error.code, error.message, error.data)
  }
}

/** The JSON-RPC endpoint of the offline Solana, single calls and batches. */
export const answerSolana = async (
  chain: SolanaChain,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  const parsed = parseJson(body)
  if (parsed === undefined) return { status: 200, text: answerText(refusal(null, RPC_CODE.parseError, 'Parse error')) }
  if (!Array.isArray(parsed) || parsed.length === 0)
    return { status: 200, text: answerText(await answerOne(chain, parsed as Call | null)) }
  const answers: unknown[] = []
  for (const call of parsed as readonly Call[]) answers.push(await answerOne(chain, call))
  return { status: 200, text: answerText(answers) }
}
