import type { SimTokens } from '../tokens.ts'
import type { SimClock, SimEvm } from '../world.ts'
import { type AnvilNode, startAnvil } from './anvilNode.ts'
import { addBalance, installTokens } from './evmTokens.ts'

/** The EVM chains of the offline network: a node each, started when first needed. */
export interface EvmChains extends SimEvm {
  /** Hands on a raw JSON-RPC body and gives the raw answer. */
  forward(chainId: number, body: string): Promise<{ readonly status: number; readonly text: string }>
  /** Gives a holder more of a token known there, out of nothing. */
  faucet(grant: {
    readonly chainId: number
    readonly token: string
    readonly holder: string
    readonly amount: bigint
  }): Promise<void>
  /** Brings every started node to the network's time, with a block at it. */
  followClock(): Promise<void>
  close(): Promise<void>
}

export const createEvmChains = ({ clock, tokens }: { readonly clock: SimClock; readonly tokens: SimTokens }): EvmChains => {
  const nodes = new Map<number, Promise<AnvilNode>>()
  const grants = new Map<number, Promise<void>>()
  let isClosed = false

  const start = async (chainId: number): Promise<AnvilNode> => {
    const node = await startAnvil(chainId, clock.now())
    try {
      await installTokens(
        node,
        tokens.all.filter((token) => token.chainId === chainId),
      )
    } catch (error) {
      await node.stop()
      throw error
    }
    return node
  }

  const nodeOf = (chainId: number): Promise<AnvilNode> => {
    if (isClosed) return Promise.reject(new Error('the offline network is closed'))
    const running = nodes.get(chainId)
    if (running) return running
    const starting = start(chainId)
    nodes.set(chainId, starting)
    // A node that did not start, or ended by itself, is started afresh by the next call.
    const forget = () => {
      if (nodes.get(chainId) === starting) nodes.delete(chainId)
    }
    starting.then((node) => node.gone.then(forget), forget)
    return starting
  }

  const faucet: EvmChains['faucet'] = ({ chainId, token, holder, amount }) => {
    const known = tokens.find(chainId, token)
    if (!known) return Promise.reject(new Error(`no such token on chain ${chainId}`))
    const grant = (grants.get(chainId) ?? Promise.resolve()).then(async () =>
      addBalance(await nodeOf(chainId), known, holder, amount),
    )
    // The next grant waits for this one, whatever became of it: whoever asked for it hears of the failure.
    grants.set(
      chainId,
      grant.catch(() => undefined),
    )
    return grant
  }

  const followClock = async (): Promise<void> => {
    const seconds = Math.floor(clock.now() / 1_000)
    await Promise.all(
      [...nodes.values()].map(async (starting) => {
        const node = await starting
        await node.rpc('evm_setTime', [seconds])
        await node.rpc('evm_mine', [])
      }),
    )
  }

  const close = async (): Promise<void> => {
    isClosed = true
    const results = await Promise.allSettled([...nodes.values()])
    await Promise.all(results.map((result) => (result.status === 'fulfilled' ? result.value.stop() : undefined)))
    nodes.clear()
  }

  return {
    rpc: async (chainId, method, params) => (await nodeOf(chainId)).rpc(method, params),
    forward: async (chainId, body) => (await nodeOf(chainId)).forward(body),
    faucet,
    followClock,
    close,
  }
}
