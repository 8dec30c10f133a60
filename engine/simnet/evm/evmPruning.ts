import { parseJson } from '../kit/loopbackServer.ts'

/** Where a call of state names its block, among its parameters. */
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

/** What go-ethereum keeps: https://github.com/ethereum/go-ethereum/blob/master/core/blockchain.go (TriesInMemory). */
export const STATES_OF_A_FULL_NODE = 128

type Call = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown }
type Header = { readonly number: string; readonly stateRoot: string }
type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

const headerOf = async (block: unknown, rpc: Rpc): Promise<Header | null> => {
  const { blockHash, blockNumber } = (block ?? {}) as { readonly blockHash?: unknown; readonly blockNumber?: unknown }
  const [method, named] = blockHash
    ? ['eth_getBlockByHash', blockHash]
    : ['eth_getBlockByNumber', blockNumber ?? block ?? 'latest']
  // What names no block, the node itself refuses.
  return (await rpc(method, [named, false]).catch(() => null)) as Header | null
}

const refusal = (id: unknown, { stateRoot }: Header) => ({
  jsonrpc: '2.0',
  id: id ?? null,
  error: {
    code: -32_000,
    message: `missing trie node ${stateRoot.slice(2)} (path ) state ${stateRoot} is not available, not found`,
  },
})

const answerOf = async (call: Call | null, rpc: Rpc, kept: number): Promise<object | null> => {
  const place = BLOCK_AT[String(call?.method)]
  if (place === undefined) return null
  const header = await headerOf(Array.isArray(call?.params) ? call.params[place] : undefined, rpc)
  if (!header) return null
  const behind = Number(await rpc('eth_blockNumber', [])) - Number(header.number)
  return behind < kept ? null : refusal(call?.id, header)
}

/** The body as a node answers it that has thrown away the state of all but the latest blocks; the rest is asked of `forward`. */
export const answerPruned = async (
  body: string,
  { rpc, forward, kept }: { readonly rpc: Rpc; readonly forward: (body: string) => Promise<string>; readonly kept: number },
): Promise<string> => {
  const parsed = parseJson(body)
  if (!Array.isArray(parsed)) {
    const refused = await answerOf(parsed as Call | null, rpc, kept)
    return refused ? JSON.stringify(refused) : forward(body)
  }
  const refused = await Promise.all((parsed as readonly Call[]).map((call) => answerOf(call, rpc, kept)))
  const others = parsed.filter((_, index) => refused[index] === null)
  const answers = others.length > 0 ? (JSON.parse(await forward(JSON.stringify(others))) as readonly unknown[]) : []
  return JSON.stringify([...refused.filter((answer) => answer !== null), ...answers])
}
