import { parseJson } from '../kit/loopbackServer.ts'
import type { EvmChains } from './evmChains.ts'
import { answerPruned } from './evmPruning.ts'

const BROADCASTS: readonly unknown[] = [
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sendRawTransactionSync',
  'eth_sendTransactionSync',
]

type Call = { readonly id?: unknown; readonly method?: unknown }
type Answer = { readonly id?: unknown; readonly result?: unknown }

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : [value as T])

/** Hashes of the transactions this exchange put on the chain. */
const broadcastHashes = (body: string, answer: string): readonly string[] => {
  if (!body.includes('eth_send')) return []
  const sent = listOf<Call | null>(parseJson(body)).filter((call) => BROADCASTS.includes(call?.method))
  const answers = listOf<Answer | null>(parseJson(answer))
  return sent.flatMap((call) => {
    const result = answers.find((candidate) => candidate?.id === call?.id)?.result
    // The synchronous forms (EIP-7966) answer with the receipt.
    const hash = typeof result === 'object' && result !== null && 'transactionHash' in result ? result.transactionHash : result
    return typeof hash === 'string' ? [hash] : []
  })
}

/** What an endpoint needs: `statesKept` is how many of the latest blocks it still has the state of, null for all there are. */
type EvmEndpoint = {
  readonly chains: EvmChains
  readonly observe: (chainId: number, txHash: string) => Promise<void>
  readonly statesKept: number | null
}

/**
 * The JSON-RPC endpoint of an EVM chain: everything goes to the chain's node as it came, and a transaction that was
 * broadcast is reported before its sender hears of it.
 */
export const answerEvm = async (
  { chains, observe, statesKept }: EvmEndpoint,
  chainId: number,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> => {
  const forward = (asked: string) => chains.forward(chainId, asked, asked.includes('eth_send'))
  const rpc = (method: string, params: readonly unknown[]) => chains.rpc(chainId, method, params)
  const textOf = async (asked: string) => (await forward(asked)).text
  const answer =
    statesKept === null
      ? await forward(body)
      : { status: 200, text: await answerPruned(body, { rpc, forward: textOf, kept: statesKept }) }
  for (const hash of broadcastHashes(body, answer.text)) await observe(chainId, hash)
  return answer
}
