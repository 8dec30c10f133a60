import type { Artifacts } from '../contracts/artifacts.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimClock } from '../kit/world.ts'
import { type AnvilNode, type GenesisAccount, startAnvil } from './anvilNode.ts'
import { createEvmBlockTime, type EvmBlockTime } from './evmBlockTime.ts'
import { tokenAccounts } from './evmTokens.ts'

/** How a chain makes blocks and how soon they are final. */
type EvmRate = {
  readonly blockMs: number
  /** In blocks: `safe` is one epoch behind the latest block, `finalized` two. 0: every block is final at once. */
  readonly epochBlocks: number
}

/**
 * A rollup is final when Ethereum is, in a quarter of an hour or more: later than full nodes keep state (128 blocks), and
 * here within one jump of the clock (BLOCKS_PER_JUMP_MAX).
 */
const ROLLUP_EPOCH = 120

/** The two seconds of the OP Stack and others. https://docs.optimism.io/stack/transactions/transaction-finality */
const ROLLUP: EvmRate = { blockMs: 2_000, epochBlocks: ROLLUP_EPOCH }

/** Chains that differ from it. */
const RATES: { readonly [chainId: string]: EvmRate } = {
  // Two epochs of 32 slots. https://ethereum.org/en/developers/docs/consensus-mechanisms/pos
  1: { blockMs: 12_000, epochBlocks: 32 },
  // https://docs.bnbchain.org/announce/fermi-bsc: BEP-619; BEP-126 makes a block final two blocks later.
  56: { blockMs: 450, epochBlocks: 1 },
  // PIP-11: milestones, some blocks behind. https://github.com/maticnetwork/Polygon-Improvement-Proposals
  137: { blockMs: 2_000, epochBlocks: 2 },
  // https://docs.monad.xyz/monad-arch/consensus/block-states: proposed is `latest`, voted `safe`, finalized the one before.
  143: { blockMs: 400, epochBlocks: 1 },
  // https://docs.zksync.io/zk-stack/concepts/blocks
  324: { blockMs: 1_000, epochBlocks: ROLLUP_EPOCH },
  // https://hyperliquid.gitbook.io/hyperliquid-docs/hyperevm/dual-block-architecture: the small blocks; HyperBFT finalizes each.
  999: { blockMs: 1_000, epochBlocks: 0 },
  // https://www.ankr.com/docs/rpc-service/chains/chains-api/robinhood
  4663: { blockMs: 100, epochBlocks: ROLLUP_EPOCH },
  // https://docs.arbitrum.io/arbitrum-essentials/arbitrum-vs-ethereum/block-numbers-and-time
  42161: { blockMs: 250, epochBlocks: ROLLUP_EPOCH },
  // https://build.avax.network/docs/rpcs/c-chain/rpc: what is accepted is final.
  43114: { blockMs: 2_000, epochBlocks: 0 },
}

const rateOf = (chainId: number): EvmRate => RATES[chainId] ?? ROLLUP

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
