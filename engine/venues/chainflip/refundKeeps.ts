import { NATIVE } from '../../core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { RefundKeeps } from '../venue.ts'
import { wireAssetOf } from './protocol.ts'
import { evidence } from './wire.ts'

/**
 * A refund returns the unswapped amount, less the network's cost of sending it: https://docs.chainflip.io, "Refunds". That cost
 * follows the fees of the chain. These bounds are our own: two transfers at a price that is seldom exceeded. In wei, lamports and
 * satoshi.
 */
const COINS: { readonly [chainId in ChainId]?: bigint } = {
  1: 4n * 10n ** 15n,
  56: 2n * 10n ** 15n,
  42161: 5n * 10n ** 14n,
  [BITCOIN]: 20_000n,
  [SOLANA]: 5_000_000n,
}

/** The same for a token, in whole units: dollars, FLIP, and wrapped bitcoin. */
const wholeUnits = (symbol: string, chainId: ChainId): readonly [count: bigint, of: bigint] => {
  if (symbol.endsWith('BTC')) return [2n, 10_000n]
  return chainId === 1 ? [10n, 1n] : [1n, 1n]
}

/** Includes the ingress fee, and is never more than half of the input. */
export const refundKeeps = ({ order: { input, inputAmount }, execution }: ExecutedSwap): RefundKeeps => {
  const asset = wireAssetOf(input)
  const [count, of] = wholeUnits(asset?.symbol ?? '', input.chainId)
  const isCoin = input.address === NATIVE || asset?.symbol === 'SOL'
  const sending = isCoin ? (COINS[input.chainId] ?? 0n) : (count * 10n ** BigInt(asset?.decimals ?? 0)) / of
  const taken = sending + BigInt(evidence.readOrNull(execution.evidence)?.ingress ?? 0)
  const half = inputAmount / 2n
  return { amount: taken < half ? taken : half, bps: 0 }
}
