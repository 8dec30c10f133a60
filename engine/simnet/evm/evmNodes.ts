import type { Artifacts } from '../contracts/artifacts.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimClock } from '../kit/world.ts'
import { type AnvilNode, type GenesisAccount, startAnvil } from './anvilNode.ts'
import { createEvmBlockTime, type EvmBlockTime } from './evmBlockTime.ts'
import { rateOf } from './evmRates.ts'
import { tokenAccounts } from './evmTokens.ts'

/** The contracts of a venue on a chain. */
export type ContractsOf = (chainId: number, artifacts: Artifacts) => Promise<readonly GenesisAccount[]>

export type EvmNodesOptions = {
  readonly clock: SimClock
  readonly tokens: SimTokens
  readonly artifacts: Artifacts
  /** What the venues have on the chains. */
  readonly contracts?: readonly ContractsOf[]
}

/** The accounts of a chain before its first transaction. Throws where two contracts have one address. */
const genesisOf = async (
  chainId: number,
  { tokens, contracts = [], artifacts }: EvmNodesOptions,
): Promise<readonly GenesisAccount[]> => {
  const own = tokens.all.filter((token) => token.chainId === chainId)
  const accounts = (await Promise.all([tokenAccounts(own, artifacts), ...contracts.map((of) => of(chainId, artifacts))])).flat()
  const taken = new Set<string>()
  for (const { address } of accounts) {
    if (taken.has(address.toLowerCase())) throw new Error(`two contracts at ${address} of chain ${chainId}`)
    taken.add(address.toLowerCase())
  }
  return accounts
}

export type EvmNode = { readonly node: AnvilNode; readonly time: EvmBlockTime }

/** The node of every chain, started when first needed. */
export interface EvmNodes {
  runningAt(chainId: number): Promise<EvmNode>
  /** The node, with every block that is due. */
  nodeAt(chainId: number): Promise<AnvilNode>
  /** The chains whose nodes have started. */
  started(): readonly number[]
  close(): Promise<void>
}

export const createEvmNodes = (options: EvmNodesOptions): EvmNodes => {
  const { clock } = options
  const nodes = new Map<number, Promise<EvmNode>>()
  const started = new Set<number>()
  let isClosed = false

  const start = async (chainId: number): Promise<EvmNode> => {
    const accounts = await genesisOf(chainId, options)
    const startedAtMs = clock.now()
    const { blockMs, epochBlocks } = rateOf(chainId)
    const node = await startAnvil({ chainId, timestampMs: startedAtMs, accounts, epochBlocks })
    try {
      // Otherwise it prints every call for nobody.
      await node.rpc('anvil_setLoggingEnabled', [false])
      return { node, time: await createEvmBlockTime(node, clock, { startedAtMs, blockMs }) }
    } catch (error) {
      await node.stop()
      throw error
    }
  }

  const runningAt = (chainId: number): Promise<EvmNode> => {
    if (isClosed) return Promise.reject(new Error('the offline network is closed'))
    const running = nodes.get(chainId)
    if (running) return running
    const starting = start(chainId)
    nodes.set(chainId, starting)
    // A node that did not start, or ended by itself, is started afresh by the next call.
    const forget = () => {
      if (nodes.get(chainId) !== starting) return
      nodes.delete(chainId)
      started.delete(chainId)
    }
    starting.then(({ node }) => {
      started.add(chainId)
      void node.gone.then(forget)
    }, forget)
    return starting
  }

  return {
    runningAt,
    nodeAt: async (chainId: number): Promise<AnvilNode> => {
      const { node, time } = await runningAt(chainId)
      await time.follow()
      return node
    },
    started: () => [...started],
    close: async (): Promise<void> => {
      isClosed = true
      const results = await Promise.allSettled([...nodes.values()])
      await Promise.all(results.map((result) => (result.status === 'fulfilled' ? result.value.node.stop() : undefined)))
      nodes.clear()
      started.clear()
    },
  }
}
