import { isNative } from '../../core/asset.ts'
import { BITCOIN, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { RefundKeeps } from '../venue.ts'

/**
 * "The gas cost of processing the refund transaction is deducted from the refunded amount", and no more fees:
 * https://docs.relay.link/references/api/api_core_concepts/refunds and features/deposit-addresses. No document states an amount.
 * These bounds are our own: two transfers' worth of the network's fee at a price that is seldom exceeded. In wei, lamports and
 * satoshi; the deposit addresses of 2026 took about 1,300 satoshi for a transaction.
 */
const GWEI = 10n ** 9n
const GAS = 100_000n
const at = (gwei: bigint): bigint => GAS * gwei * GWEI
const NETWORK_FEE: { readonly [chainId in ChainId]: bigint } = {
  1: at(20n),
  10: at(1n),
  56: at(3n),
  130: at(1n),
  137: at(500n),
  143: at(200n),
  324: at(1n),
  480: at(1n),
  999: at(10n),
  4663: at(1n),
  8453: at(1n),
  42161: at(1n),
  43114: at(50n),
  59144: at(1n),
  [BITCOIN]: 10_000n,
  // Includes the account that a token may need, which costs 0.00204 SOL.
  [SOLANA]: 2_500_000n,
}

/** For a token, whose price in coins is unknown. Ethereum's fee was two cents in the venue's answer of February 2026. */
const shareOfToken = (chainId: ChainId): number => {
  if (chainId === 1) return 500
  return isEvmChainId(chainId) ? 100 : 200
}

/** The most that a refund may lack; for coins at most half. A smaller deposit may be used up, and then stays owed. */
export const refundKeeps = ({ order: { input, inputAmount } }: ExecutedSwap): RefundKeeps => {
  if (!isNative(input)) return { amount: 0n, bps: shareOfToken(input.chainId) }
  const fee = NETWORK_FEE[input.chainId]
  return { amount: fee < inputAmount / 2n ? fee : inputAmount / 2n, bps: 0 }
}
