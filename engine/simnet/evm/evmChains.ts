import type { SimCall, SimEvm, SimReceipt } from '../kit/world.ts'
import { type AnvilNode, AnvilRpcError, asRevert, EvmRevert } from './anvilNode.ts'
import { createEvmNodes, type EvmNodesOptions } from './evmNodes.ts'
import { addBalance } from './evmTokens.ts'
import { landTransaction, readBalance, readReceipt, TREASURY, transferCall } from './evmTransactions.ts'

type Grant = Parameters<SimEvm['fund']>[0]

/** The EVM chains of the offline network: a node each, started when first needed. Nobody is told of what happens here. */
export interface EvmChains extends Pick<SimEvm, 'rpc' | 'call' | 'balance' | 'receipt'> {
  /** Hands on a raw JSON-RPC body and gives the raw answer. `sends`: there is a transaction in it. */
  forward(chainId: number, body: string, sends: boolean): Promise<{ readonly status: number; readonly text: string }>
  /** Gives a holder more of a token known there, out of nothing. RangeError beyond what a balance can hold. */
  faucet(grant: Grant): Promise<void>
  /** As SimEvm.send. */
  land(call: SimCall): Promise<SimReceipt>
  /** As SimEvm.transfer. */
  pay(payment: Parameters<SimEvm['transfer']>[0]): Promise<string>
  /** Takes the last blocks off a chain and puts empty ones there. RangeError where there are not so many, or no such transaction. */
  reorg(chainId: number, wish: EvmReorg): Promise<EvmUndone>
  /** The chains whose nodes run. */
  started(): readonly number[]
  close(): Promise<void>
}

/** What is gone: so many blocks, and the transactions in them. */
export type EvmUndone = { readonly depth: number; readonly dropped: readonly string[] }

/** A reorganisation: so many blocks, or those from the one of a transaction on. */
export type EvmReorg = { readonly depth: number } | { readonly txHash: string }

const depthOf = async (node: AnvilNode, wish: EvmReorg, height: number): Promise<number> => {
  if ('depth' in wish) return wish.depth
  const receipt = await readReceipt(node, wish.txHash)
  if (!receipt) throw new RangeError('there is no such transaction')
  return height - receipt.blockNumber + 1
}

const undoBlocks = async (node: AnvilNode, wish: EvmReorg): Promise<EvmUndone> => {
  const height = Number(await node.rpc('eth_blockNumber', []))
  const depth = await depthOf(node, wish, height)
  if (depth > height) throw new RangeError(`is more than the ${height} blocks there are`)
  const heights = Array.from({ length: depth }, (_, index) => `0x${(height - index).toString(16)}`)
  const blocks = await Promise.all(heights.map((number) => node.rpc('eth_getBlockByNumber', [number, false])))
  try {
    await node.rpc('anvil_reorg', [depth, []])
  } catch (error) {
    // The node knows the state before them no more.
    throw error instanceof AnvilRpcError ? new RangeError(`is further back than can be undone: ${depth} blocks`) : error
  }
  return { depth, dropped: blocks.flatMap((block) => (block as { transactions: readonly string[] }).transactions) }
}

export const createEvmChains = (options: EvmNodesOptions): EvmChains => {
  const { tokens, clock } = options
  const { runningAt, nodeAt, started, close } = createEvmNodes(options)
  const alone = async <T>(chainId: number, work: (node: AnvilNode) => Promise<T>): Promise<T> => {
    const { node, time } = await runningAt(chainId)
    return time.alone(() => work(node))
  }

  const knownToken = (chainId: number, token: string) => {
    const known = tokens.find(chainId, token)
    if (!known) throw new Error(`no token ${token} on chain ${chainId}`)
    return known
  }
  const faucet: EvmChains['faucet'] = async ({ chainId, token, holder, amount }) => {
    const known = knownToken(chainId, token)
    return alone(chainId, (node) => addBalance(node, known, holder, amount))
  }
  const call: EvmChains['call'] = async ({ chainId, value = 0n, ...rest }) => {
    const node = await nodeAt(chainId)
    try {
      // As of the next block: the latest may be some seconds old. A call pays no base fee.
      const time = `0x${Math.floor(clock.now() / 1_000).toString(16)}`
      return (await node.rpc('eth_call', [
        { ...rest, value: `0x${value.toString(16)}` },
        'latest',
        {},
        { time, baseFee: '0x0' },
      ])) as string
    } catch (error) {
      throw asRevert(error)
    }
  }
  const land = (wish: SimCall) => alone(wish.chainId, (node) => landTransaction(node, wish))

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
    forward: async (chainId, body, sends) =>
      sends ? alone(chainId, (node) => node.forward(body)) : (await nodeAt(chainId)).forward(body),
    call,
    balance: async (chainId, token, owner) => readBalance(await nodeAt(chainId), knownToken(chainId, token), owner),
    receipt: async (chainId, txHash) => readReceipt(await nodeAt(chainId), txHash),
    faucet,
    land,
    pay,
    reorg: async (chainId, wish) => {
      const { node, time } = await runningAt(chainId)
      return time.undoing(() => undoBlocks(node, wish))
    },
    started,
    close,
  }
}

/** The chains as venues use them: what one does there, all of them hear of before it goes on. */
export const evmForVenues = (chains: EvmChains, observe: (chainId: number, txHash: string) => Promise<void>): SimEvm => ({
  rpc: chains.rpc,
  call: chains.call,
  balance: chains.balance,
  receipt: chains.receipt,
  fund: chains.faucet,
  transfer: async (payment) => {
    const txHash = await chains.pay(payment)
    await observe(payment.chainId, txHash)
    return txHash
  },
  send: async (call) => {
    const receipt = await chains.land(call)
    await observe(call.chainId, receipt.txHash)
    return receipt
  },
})
