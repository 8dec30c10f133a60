import { sumOf } from '../../kit/deposits.ts'
import { decimalText } from './decimalText.ts'
import { type Channel, SWAP_MS, type Swap } from './orders.ts'
import { DURATIONS } from './views.ts'

const STAGES = ['RECEIVING', 'SWAPPING', 'SENDING', 'SENT'] as const

/** The raw status at a moment. */
const statusAt = ({ end, fate, refunds, paid, confirmedAt, settleMs }: Swap, isSeen: boolean, now: number): string => {
  if (end?.ends === 'filled' || refunds.length > 0) return 'COMPLETED'
  if (end) return end.ends === 'unheardOf' ? 'REVIEWING' : 'FAILED'
  const [payment] = paid
  if (!payment || !isSeen) return 'WAITING'
  const since = settleMs > 0 ? confirmedAt : payment.at
  if (since === null) return 'RECEIVING'
  const stage = STAGES[Math.min(STAGES.length - 1, Math.floor(((now - since) * STAGES.length) / SWAP_MS))] ?? 'RECEIVING'
  // A price that is missed is tried for as long as was asked.
  return fate?.ends === 'refunded' && stage !== 'RECEIVING' ? 'SWAPPING' : stage
}

const DIGITS = 20

/** As `getPriceFromPriceX128` of chainflip-sdk-monorepo writes it: twenty digits after the point, then shifted by the decimals. */
const priceText = ({ minPriceX128, input, output }: Swap): string =>
  decimalText((minPriceX128 * 10n ** BigInt(DIGITS)) >> 128n, DIGITS + output.decimals - input.decimals)

const BLOCK_INDEX = '9100201-412'

const depositOf = ({ paid, end }: Swap, stage: string, now: number) => {
  const [payment] = paid
  if (!payment) return {}
  const reason = { name: end?.reason ?? '', message: 'The deposit was ignored' }
  const failure = { failedAt: now, failedBlockIndex: BLOCK_INDEX, mode: 'DEPOSIT_IGNORED', reason }
  // Until it is witnessed its confirmations are told.
  const seen = stage === 'RECEIVING' ? { txConfirmations: 0 } : { witnessedAt: payment.at }
  const facts = { amount: sumOf(paid).toString(), txRef: payment.txHash, ...seen }
  return { deposit: { ...facts, ...(end?.ends === 'failed' && { failure }) } }
}

const egressBody = (amount: bigint, txRef: string | null, at: number) => {
  const scheduled = { amount: amount.toString(), scheduledAt: at, scheduledBlockIndex: BLOCK_INDEX }
  return txRef === null ? scheduled : { ...scheduled, txRef, witnessedAt: at }
}

/** Of no transaction: what is named where nothing was sent. */
const INVENTED = `0x${'ee'.repeat(32)}`

const egressesOf = ({ end, fate, refunds }: Swap, stage: string, now: number) => {
  const [refund] = refunds
  if (end?.ends === 'filled') return { swapEgress: egressBody(end.amount, end.txHash ?? INVENTED, now) }
  if (refund) return { refundEgress: egressBody(refund.amount, refund.txHash, now) }
  const isSending = stage === 'SENDING' || stage === 'SENT'
  return isSending && fate?.ends === 'filled' ? { swapEgress: egressBody(fate.amount, null, now) } : {}
}

/** From when it is swapped on. Fees are in none of these numbers. */
const swapOf = ({ paid, end, fate }: Swap, stage: string) => {
  if (stage === 'WAITING' || stage === 'RECEIVING') return {}
  const isSwapped = ['SENDING', 'SENT', 'COMPLETED'].includes(stage) && (end ?? fate)?.ends === 'filled'
  const [input, output] = [sumOf(paid), (end ?? fate)?.amount ?? 0n]
  const told = (amount: bigint, isSo: boolean) => (isSo ? amount : 0n).toString()
  return {
    swap: {
      originalInputAmount: input.toString(),
      remainingInputAmount: told(input, !isSwapped),
      swappedInputAmount: told(input, isSwapped),
      swappedIntermediateAmount: '0',
      swappedOutputAmount: told(output, isSwapped),
    },
  }
}

const channelBody = ({ id, openedAt, address, expiresAt, expected }: Channel, now: number) => ({
  id,
  createdAt: openedAt,
  depositAddress: address,
  srcChainExpiryBlock: '964700',
  estimatedExpiryTime: expiresAt,
  expectedDepositAmount: expected.toString(),
  isExpired: now > expiresAt,
  openedThroughBackend: true,
})

/** In blocks, as a node of the State Chain tells them: witness safety margins, and one. */
const CONFIRMATIONS: { readonly [chain: string]: number } = { Ethereum: 2, Arbitrum: 1, Bsc: 2, Bitcoin: 2, Solana: 1 }

/** GET /v2/swaps/{id}. `isSeen`: its payment is on its chain. */
export const statusBody = (swap: Swap, channel: Channel | null, isSeen: boolean, now: number) => {
  const { src, dest, recipient, refundTo, retryBlocks } = swap
  const state = statusAt(swap, isSeen, now)
  return {
    state,
    srcAsset: src.asset,
    srcChain: src.chain,
    destAsset: dest.asset,
    destChain: dest.chain,
    destAddress: recipient,
    ...(swap.paid.length > 0 && { swapId: '902663' }),
    ...(channel && { depositChannel: channelBody(channel, now) }),
    ...depositOf(swap, state, now),
    ...swapOf(swap, state),
    ...egressesOf(swap, state, now),
    fees: [],
    brokers: [],
    fillOrKillParams: {
      refundAddress: refundTo,
      minPrice: priceText(swap),
      retryDurationBlocks: retryBlocks,
      maxOraclePriceSlippage: null,
    },
    estimatedDurationSeconds: SWAP_MS / 1_000,
    estimatedDurationsSeconds: DURATIONS,
    srcChainRequiredBlockConfirmations: CONFIRMATIONS[src.chain] ?? null,
    lastStatechainUpdateAt: now,
  }
}
