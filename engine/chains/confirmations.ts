import type { ChainId } from '../core/chain.ts'

/**
 * When money counts as arrived. `blocks`: under so many, its own among them. `sequenced`: one sequencer makes the blocks, and
 * only its failure removes one. One block that two endpoints show alike, or so many blocks, count. `pastFinality`: the chain
 * calls the next block final too; where the node has no `finalized` tag, under so many blocks. `commitment`: Solana's
 * `confirmed`, the only level that is read.
 */
export type ConfirmationRule =
  | { readonly kind: 'blocks' | 'sequenced' | 'pastFinality'; readonly blocks: number }
  | { readonly kind: 'commitment' }

type Row = ConfirmationRule & {
  /** The chain's own documentation of its blocks. */
  readonly source: string
}

const SEQUENCED = { kind: 'sequenced', blocks: 2 } as const

const OP_STACK = { ...SEQUENCED, source: 'https://docs.optimism.io/op-stack/transactions/transaction-finality' } as const
const ARBITRUM_STACK = {
  ...SEQUENCED,
  source: 'https://docs.arbitrum.io/how-arbitrum-works/reference/finality-and-reorgs',
} as const

/** One row per chain. */
export const CONFIRMATIONS = {
  // Two blocks on top: forks of more than one or two slots have been incidents of the whole network.
  1: { kind: 'blocks', blocks: 3, source: 'https://ethereum.org/developers/docs/consensus-mechanisms/pos' },
  10: OP_STACK,
  // Block n is final by block n + 2 where two thirds of the validators vote; two more for where they are late.
  56: { kind: 'blocks', blocks: 5, source: 'https://docs.bnbchain.org/bnb-smart-chain/developers/json_rpc/bsc-api-list/' },
  130: OP_STACK,
  // Milestones make blocks final every few seconds.
  137: {
    kind: 'blocks',
    blocks: 5,
    source: 'https://github.com/maticnetwork/Polygon-Improvement-Proposals/blob/main/PIPs/PIP-11.md',
  },
  // `latest` is only proposed: final two blocks later.
  143: { kind: 'pastFinality', blocks: 4, source: 'https://docs.monad.xyz/monad-arch/consensus/block-states' },
  324: { ...SEQUENCED, source: 'https://docs.zksync.io/zksync-protocol/rollup/finality' },
  480: OP_STACK,
  999: { kind: 'pastFinality', blocks: 2, source: 'https://hyperliquid.gitbook.io/hyperliquid-docs/hyperevm' },
  4663: ARBITRUM_STACK,
  8453: OP_STACK,
  42161: ARBITRUM_STACK,
  43114: { kind: 'pastFinality', blocks: 2, source: 'https://build.avax.network/docs/nodes/chain-configs/c-chain' },
  59144: { ...SEQUENCED, source: 'https://docs.linea.build/network/overview/transaction-finality' },
  [-1]: { kind: 'blocks', blocks: 1, source: 'https://developer.bitcoin.org/devguide/payment_processing.html' },
  [-2]: { kind: 'commitment', source: 'https://solana.com/docs/rpc#configuring-state-commitment' },
} as const satisfies Readonly<Record<ChainId, Row>>

/** The rule of a chain, unless the operator set a number of blocks. */
export const confirmationRule = (chainId: ChainId, given: { readonly [chainId in ChainId]?: number }): ConfirmationRule => {
  const blocks = given[chainId]
  return blocks === undefined ? CONFIRMATIONS[chainId] : { kind: 'blocks', blocks }
}
