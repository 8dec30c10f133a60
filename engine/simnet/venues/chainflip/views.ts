import type { World } from '../../kit/world.ts'
import { ASSETS, OTHER_NAMES, takesVaultSwaps } from './networks.ts'
import { SWAP_MS } from './orders.ts'
import { priceOf, type Question } from './pricing.ts'

const switches = (name: string, isServed: boolean, hasVaultSwaps: boolean) => ({
  asset: name,
  vaultSwapDepositsEnabled: hasVaultSwaps,
  depositChannelDepositsEnabled: isServed,
  depositChannelCreationEnabled: isServed,
  egressEnabled: isServed,
  boostDepositsEnabled: name === 'Btc',
  livePriceProtectionEnabled: isServed,
})

/** GET /api/networkInfo. */
export const networkBody = (isHalted: boolean) => ({
  assets: [
    ...ASSETS.map((asset) => switches(asset.name, !isHalted, !isHalted && takesVaultSwaps(asset))),
    ...OTHER_NAMES.map((name) => switches(name, false, false)),
  ],
  cfBrokerCommissionBps: 15,
})

/** One element of GET /v2/quote. */
export const quoteBody = (question: Question, world: World) => {
  const { src, dest, amount, isVaultSwap, brokerBps } = question
  const price = priceOf(question, world.market)
  const fee = (type: string, { chain, asset }: { chain: string; asset: string }, taken: bigint) => ({
    ...{ type, chain, asset, amount: taken.toString() },
  })
  const stable = { chain: 'Ethereum', asset: 'USDC' }
  const isBitcoin = src.chain === 'Bitcoin' || dest.chain === 'Bitcoin'
  return {
    type: 'REGULAR',
    srcAsset: { chain: src.chain, asset: src.asset },
    destAsset: { chain: dest.chain, asset: dest.asset },
    depositAmount: amount.toString(),
    egressAmount: price.delivered.toString(),
    ...(src.asset !== 'USDC' && dest.asset !== 'USDC' && { intermediateAmount: price.between.toString() }),
    includedFees: [
      ...(price.ingress > 0n ? [fee('INGRESS', src, price.ingress)] : []),
      fee('NETWORK', stable, price.network),
      ...(brokerBps > 0 ? [fee('BROKER', stable, price.broker)] : []),
      fee('EGRESS', dest, price.egress),
    ],
    poolInfo: [],
    estimatedPrice: '1',
    estimatedDurationsSeconds: { deposit: 12, swap: 6, egress: 6 },
    estimatedDurationSeconds: (SWAP_MS / 1_000) * (isBitcoin ? 40 : 1),
    recommendedSlippageTolerancePercent: 1,
    recommendedRetryDurationMinutes: isBitcoin ? 30 : 5,
    lowLiquidityWarning: false,
    // Left out where it is not.
    ...(isVaultSwap && { isVaultSwap }),
  }
}
