import type { SimCall, SimEvm, SimReceipt } from '../kit/world.ts'
import { createEvmNodes, type EvmNode, type EvmNodesOptions } from './evmNodes.ts'
import { asRevert, EvmRevert } from './evmRevert.ts'
import { addBalance } from './evmTokens.ts'
import { landTransaction, readBalance, readReceipt, TREASURY, transferCall } from './evmTransactions.ts'

type Grant = Parameters<SimEvm['fund']>[0]

/** The EVM chains of the offline network: a node each, started when first needed. Nobody is told of what happens here. */
export interface EvmChains extends Pick<SimEvm, 'rpc' | 'call' | 'balance' | 'receipt'> {
  /** Hands on a raw JSON-RPC body and gives the raw answer. */
  forward(chainId: number, body: string): Promise<{ readonly status: number; readonly text: string }>
  /** Gives a holder more of a token known there, out of nothing. RangeError beyond what a balance can hold. */
  faucet(grant: Grant): Promise<void>
  /** As SimEvm.send. */
  land(call: SimCall): Promise<SimReceipt>
  /** As SimEvm.transfer. */
  pay(payment: Parameters<SimEvm['transfer']>[0]): Promise<string>
  /** Takes the last blocks off a chain and puts empty ones there; gives the transactions that are gone. RangeError when there are fewer. */
  reorg(chainId: number, depth: number): Promise<readonly string[]>
  /** Brings every started node to the network's time, with a block at it. */
  followClock(): Promise<void>
  close(): Promise<void>
}

/** Runs the work for one chain in the order it came, each after the one before, whatever became of that. */
const createTurns = () => {
  const last = new Map<number, Promise<unknown>>()
  return <T>(chainId: number, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(chainId) ?? Promise.resolve()).then(work)
    last.set(
      chainId,
      turn.catch(() => undefined),
    )
    return turn
  }
}

const reorgNode = async ({ node, time }: EvmNode, depth: number): Promise<readonly string[]> => {
  const height = Number(await node.rpc('eth_blockNumber', []))
  if (depth > height) throw new RangeError(`is more than the ${height} blocks there are`)
  const heights = Array.from({ length: depth }, (_, index) => `0x${(height - index).toString(16)}`)
  const blocks = await Promise.all(heights.map((number) => node.rpc('eth_getBlockByNumber', [number, false])))
  await node.rpc('anvil_reorg', [depth, []])
  await time.restart()
  return blocks.flatMap((block) => (block as { transactions: readonly string[] }).transactions)
}

export const createEvmChains = (options: EvmNodesOptions): EvmChains => {
  const { tokens } = options
  const { runningAt, nodeAt, followClock, close } = createEvmNodes(options)
  const inTurn = createTurns()

  const knownToken = (chainId: number, token: string) => {
    const known = tokens.find(chainId, token)
    if (!known) throw new Error(`no token ${token} on chain ${chainId}`)
    return known
  }
  const faucet: EvmChains['faucet'] = async ({ chainId, token, holder, amount }) => {
    const known = knownToken(chainId, token)
    return inTurn(chainId, async () => addBalance(await nodeAt(chainId), known, holder, amount))
  }
  const call: EvmChains['call'] = async ({ chainId, value = 0n, ...rest }) => {
    const node = await nodeAt(chainId)
    try {
      return (await node.rpc('eth_call', [{ ...rest, value: `0x${value.toString(16)}` }, 'latest'])) as string
    } catch (error) {
      throw asRevert(error)
    }
  }
  const land = (wish: SimCall) => inTurn(wish.chainId, async () => landTransaction(await nodeAt(wish.chainId), wish))

  const pay: EvmChains['pay'] = async ({ chainId, token, to, amount, by = {} }) => {
    const known = knownToken(chainId, token)
    await faucet({ chainId, token, holder: TREASURY, amount })
    const payment = { ...transferCall(known, to, amount), ...by }
    await call(payment)
    const { txHash, status } = await land(payment)
    if (status === 'reverted') throw new EvmRevert(`the transfer ${txHash} reverted`, null)
    return txHash
  }

  return {
    rpc: async (chainId, method, params) => (await nodeAt(chainId)).rpc(method, params),
    forward: async (chainId, body) => (await nodeAt(chainId)).forward(body),
    call,
    balance: async (chainId, token, owner) => readBalance(await nodeAt(chainId), knownToken(chainId, token), owner),
    receipt: async (chainId, txHash) => readReceipt(await nodeAt(chainId), txHash),
    faucet,
    land,
    pay,
    reorg: (chainId, depth) => inTurn(chainId, async () => reorgNode(await runningAt(chainId), depth)),
    followClock,
    close,
  }
}
