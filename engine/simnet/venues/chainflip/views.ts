import type { World } from '../../kit/world.ts'
import { decimalText } from './decimalText.ts'
import { ASSETS, OTHER_NAMES, takesVaultSwaps } from './networks.ts'
import { SWAP_MS } from './orders.ts'
import { type Price, priceOf, type Question } from './pricing.ts'

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

/** Of the parts of a swap, in seconds. */
export const DURATIONS = { deposit: 12, swap: 6, egress: 6 }

const DIGITS = 20

/** Of what is swapped, before it is sent, in whole units: `getSwapPrice` of chainflip-sdk-monorepo. */
const priceText = ({ bought, swapped }: Price, { input, output }: Question): string =>
  decimalText((bought * 10n ** BigInt(DIGITS + input.decimals)) / (swapped * 10n ** BigInt(output.decimals)), DIGITS)

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
      fee('INGRESS', src, price.ingress),
      fee('NETWORK', stable, price.network),
      ...(brokerBps > 0 ? [fee('BROKER', stable, price.broker)] : []),
      fee('EGRESS', dest, price.egress),
    ],
    poolInfo: [],
    estimatedPrice: priceText(price, question),
    estimatedDurationsSeconds: DURATIONS,
    estimatedDurationSeconds: (SWAP_MS / 1_000) * (isBitcoin ? 40 : 1),
    recommendedSlippageTolerancePercent: 1,
    recommendedRetryDurationMinutes: isBitcoin ? 30 : 5,
    lowLiquidityWarning: false,
    // Left out where it is not.
    ...(isVaultSwap && { isVaultSwap }),
  }
}
