/** How a chain makes blocks and how soon they are final. */
export type EvmRate = {
  readonly blockMs: number
  /** In blocks: `safe` is one epoch behind the latest block, `finalized` two. 0: every block is final at once. */
  readonly epochBlocks: number
}

/** Two epochs of 32 slots. https://ethereum.org/en/developers/docs/consensus-mechanisms/pos */
const ETHEREUM_EPOCH = 32
/**
 * A rollup is final when Ethereum is, in a quarter of an hour or more: later than full nodes keep state (128 blocks), and
 * here within one jump of the clock (BLOCKS_PER_JUMP_MAX).
 */
const ROLLUP_EPOCH = 120

const RATES: { readonly [chainId: string]: EvmRate } = {
  // https://ethereum.org/en/developers/docs/blocks
  1: { blockMs: 12_000, epochBlocks: ETHEREUM_EPOCH },
  // https://docs.optimism.io/stack/transactions/transaction-finality: the OP Stack's two seconds, here and for 130, 480, 8453.
  10: { blockMs: 2_000, epochBlocks: ROLLUP_EPOCH },
  // https://docs.bnbchain.org/announce/fermi-bsc: BEP-619; BEP-126 makes a block final two blocks later.
  56: { blockMs: 450, epochBlocks: 1 },
  // https://www.quicknode.com/docs/unichain/flashblocks/overview
  130: { blockMs: 2_000, epochBlocks: ROLLUP_EPOCH },
  // PIP-11: milestones, some blocks behind. https://github.com/maticnetwork/Polygon-Improvement-Proposals
  137: { blockMs: 2_000, epochBlocks: 2 },
  // https://docs.monad.xyz/monad-arch/consensus/block-states: proposed is `latest`, voted `safe`, finalized the one before.
  143: { blockMs: 400, epochBlocks: 1 },
  // https://docs.zksync.io/zk-stack/concepts/blocks
  324: { blockMs: 1_000, epochBlocks: ROLLUP_EPOCH },
  480: { blockMs: 2_000, epochBlocks: ROLLUP_EPOCH },
  // https://hyperliquid.gitbook.io/hyperliquid-docs/hyperevm/dual-block-architecture: the small blocks; HyperBFT finalizes each.
  999: { blockMs: 1_000, epochBlocks: 0 },
  // https://www.ankr.com/docs/rpc-service/chains/chains-api/robinhood
  4663: { blockMs: 100, epochBlocks: ROLLUP_EPOCH },
  8453: { blockMs: 2_000, epochBlocks: ROLLUP_EPOCH },
  // https://docs.arbitrum.io/arbitrum-essentials/arbitrum-vs-ethereum/block-numbers-and-time
  42161: { blockMs: 250, epochBlocks: ROLLUP_EPOCH },
  // https://build.avax.network/docs/rpcs/c-chain/rpc: what is accepted is final.
  43114: { blockMs: 2_000, epochBlocks: 0 },
  // https://docs.linea.build/network/overview/transaction-finality: about a second; its operators' page says two.
  59144: { blockMs: 2_000, epochBlocks: ROLLUP_EPOCH },
}

export const rateOf = (chainId: number): EvmRate => {
  const rate = RATES[chainId]
  if (!rate) throw new RangeError(`chain ${chainId} has no rate`)
  return rate
}
