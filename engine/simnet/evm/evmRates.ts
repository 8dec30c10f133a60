/** How a chain makes blocks and how soon they are final. */
export type EvmRate = {
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

export const rateOf = (chainId: number): EvmRate => RATES[chainId] ?? ROLLUP
