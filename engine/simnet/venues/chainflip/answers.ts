import { WIRE_ASSETS } from '../../../venues/chainflip/protocol.ts'
import { sumOf } from '../../kit/deposits.ts'
import { formatUnits } from '../../kit/dollars.ts'
import type { World } from '../../kit/world.ts'
import { priceOf, type Question, tokenOf, vaultFor } from './pricing.ts'
import { type Channel, SWAP_MS, type Swap } from './swaps.ts'

/** The answers of the backend, with the fields that the types of its SDK require. */

/** GET /api/networkInfo. */
export const networkBody = ({ tokens }: World, isHalted: boolean) => ({
  assets: WIRE_ASSETS.map((asset) => {
    const isServed = !isHalted && tokenOf(tokens, asset) !== null
    return {
      asset: asset.name,
      vaultSwapDepositsEnabled: isServed && vaultFor(asset) !== null,
      depositChannelDepositsEnabled: isServed,
      depositChannelCreationEnabled: isServed,
      egressEnabled: isServed,
      boostDepositsEnabled: asset.name === 'Btc',
      livePriceProtectionEnabled: isServed,
    }
  }),
  cfBrokerCommissionBps: 15,
})

const DURATIONS = { deposit: 12, swap: 6, egress: 6 }
const DIGITS = 20

/** One row of GET /v2/quote. */
export const quoteBody = ({ market }: World, question: Question) => {
  const { src, dest, input, output, amount, isVaultSwap } = question
  const { ingress, egress, swapped, bought, delivered } = priceOf(market, question)
  const named = ({ chain, symbol }: typeof src) => ({ chain, asset: symbol })
  const fee = (type: string, of: typeof src, taken: bigint) => ({ type, ...named(of), amount: taken.toString() })
  const isBitcoin = src.chain === 'Bitcoin' || dest.chain === 'Bitcoin'
  const price = (bought * 10n ** BigInt(DIGITS + input.decimals)) / (swapped * 10n ** BigInt(output.decimals))
  return {
    type: 'REGULAR',
    srcAsset: named(src),
    destAsset: named(dest),
    depositAmount: amount.toString(),
    egressAmount: delivered.toString(),
    includedFees: [fee('INGRESS', src, ingress), fee('EGRESS', dest, egress)],
    poolInfo: [],
    estimatedPrice: formatUnits(price, DIGITS),
    estimatedDurationsSeconds: DURATIONS,
    estimatedDurationSeconds: (SWAP_MS / 1_000) * (isBitcoin ? 40 : 1),
    recommendedSlippageTolerancePercent: 1,
    recommendedRetryDurationMinutes: isBitcoin ? 30 : 5,
    lowLiquidityWarning: false,
    // Absent for a deposit.
    ...(isVaultSwap && { isVaultSwap }),
  }
}

const STAGES = ['RECEIVING', 'SWAPPING', 'SENDING', 'SENT'] as const

/** The raw status at a moment. */
const stateAt = ({ end, fate, refunds, paid, confirmedAt, settleMs }: Swap, isSeen: boolean, now: number): string => {
  if (end?.ends === 'filled' || refunds.length > 0) return 'COMPLETED'
  if (end) return end.ends === 'unheardOf' ? 'REVIEWING' : 'FAILED'
  const [payment] = paid
  if (!payment || !isSeen) return 'WAITING'
  const since = settleMs > 0 ? confirmedAt : payment.at
  if (since === null) return 'RECEIVING'
  const stage = STAGES[Math.min(STAGES.length - 1, Math.floor(((now - since) * STAGES.length) / SWAP_MS))] ?? 'RECEIVING'
  // The network retries a missed price for the requested blocks.
  return fate?.ends === 'refunded' && stage !== 'RECEIVING' ? 'SWAPPING' : stage
}

const BLOCK_INDEX = '9100201-412'

const depositBody = ({ paid, end }: Swap, state: string, now: number) => {
  const [payment] = paid
  if (!payment) return {}
  const reason = { name: end?.reason ?? '', message: 'The deposit was ignored' }
  const failure = { failedAt: now, failedBlockIndex: BLOCK_INDEX, mode: 'DEPOSIT_IGNORED', reason }
  const witnessed = state === 'RECEIVING' ? { txConfirmations: 0 } : { witnessedAt: payment.at }
  const deposit = { amount: sumOf(paid).toString(), txRef: payment.txHash, ...witnessed }
  return { deposit: { ...deposit, ...(end?.ends === 'failed' && { failure }) } }
}

/** The hash that a claim of a delivery names. */
const INVENTED = `0x${'ee'.repeat(32)}`

const egressBodies = ({ end, fate, refunds: [refund] }: Swap, state: string, now: number) => {
  const egress = (amount: bigint, txRef: string | null) => ({
    ...{ amount: amount.toString(), scheduledAt: now, scheduledBlockIndex: BLOCK_INDEX },
    ...(txRef !== null && { txRef, witnessedAt: now }),
  })
  if (end?.ends === 'filled') return { swapEgress: egress(end.amount, end.txHash ?? INVENTED) }
  if (refund) return { refundEgress: egress(refund.amount, refund.txHash) }
  const isSending = (state === 'SENDING' || state === 'SENT') && fate?.ends === 'filled'
  return isSending ? { swapEgress: egress(fate.amount, null) } : {}
}

const swapBody = ({ paid }: Swap, state: string) => {
  const amount = sumOf(paid).toString()
  const amounts = { originalInputAmount: amount, remainingInputAmount: '0', swappedInputAmount: amount }
  const swap = { ...amounts, swappedIntermediateAmount: '0', swappedOutputAmount: '0' }
  return state === 'WAITING' || state === 'RECEIVING' ? {} : { swap }
}

const channelBody = ({ id, openedAt, address, expiresAt, expected }: Channel, now: number) => ({
  ...{ id, createdAt: openedAt, depositAddress: address, srcChainExpiryBlock: '964700', estimatedExpiryTime: expiresAt },
  ...{ expectedDepositAmount: expected.toString(), isExpired: now > expiresAt, openedThroughBackend: true },
})

/** GET /v2/swaps/{id}. `isSeen`: the payment is on its chain. */
export const statusBody = (swap: Swap, isSeen: boolean, now: number) => {
  const { channel, src, dest, input, output, recipient, refundTo, retryBlocks, minPriceX128 } = swap
  const state = stateAt(swap, isSeen, now)
  // `getPriceFromPriceX128` of chainflip-sdk-monorepo: 20 digits of smallest units, in whole units.
  const minPrice = formatUnits((minPriceX128 * 10n ** BigInt(DIGITS)) >> 128n, DIGITS + output.decimals - input.decimals)
  return {
    state,
    ...{ srcAsset: src.symbol, srcChain: src.chain, destAsset: dest.symbol, destChain: dest.chain, destAddress: recipient },
    ...(swap.paid.length > 0 && { swapId: '902663' }),
    ...(channel && { depositChannel: channelBody(channel, now) }),
    ...depositBody(swap, state, now),
    ...swapBody(swap, state),
    ...egressBodies(swap, state, now),
    fees: [],
    brokers: [],
    fillOrKillParams: { refundAddress: refundTo, minPrice, retryDurationBlocks: retryBlocks, maxOraclePriceSlippage: null },
    estimatedDurationSeconds: SWAP_MS / 1_000,
    estimatedDurationsSeconds: DURATIONS,
    srcChainRequiredBlockConfirmations: 1,
    lastStatechainUpdateAt: now,
  }
}
