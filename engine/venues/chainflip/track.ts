import { type Address, parseAddress } from '../../core/address.ts'
import { parseAmount } from '../../core/amount.ts'
import { ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SwapState, SwapStatus, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { isOneOf, NOT_FOUND, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { ChainflipClient } from './client.ts'
import { wireAssetOf } from './protocol.ts'
import { type SwapReport, type TrackingCarry, trackingCarry } from './wire.ts'

/** Only a channel's id identifies it, and only our record of the execution has the id. */
const UNTOLD: SwapStatus = swapStatus('unknown', null)

/** `StateV2` in packages/swap/src/routes/v2/swap.ts of chainflip-sdk-monorepo, 2026-08-21. */
export const RAW_STATUSES = ['WAITING', 'RECEIVING', 'SWAPPING', 'SENDING', 'SENT', 'COMPLETED', 'FAILED'] as const

const isRawStatus = isOneOf(RAW_STATUSES)

/** A rejected deposit is owed until its refund is witnessed. After any other failure it is lost, or held until claimed. */
const afterFailure = ({ deposit, refundEgress }: SwapReport): SwapState => {
  if (deposit?.failure?.mode !== 'DEPOSIT_REJECTED') return 'failed'
  return refundEgress?.witnessedAt ? 'refunded' : 'expired'
}

const stateOf = (report: SwapReport): SwapState => {
  const { state, depositChannel, swapEgress, refundEgress } = report
  if (!isRawStatus(state)) return 'unknown'
  switch (state) {
    case 'WAITING':
      return depositChannel?.isExpired === true ? 'failed' : 'pending'
    case 'RECEIVING':
      return 'processing'
    case 'SWAPPING':
    case 'SENDING':
    case 'SENT':
      return refundEgress && !swapEgress ? 'expired' : 'processing'
    case 'COMPLETED':
      if (swapEgress) return 'success'
      return refundEgress ? 'refunded' : 'processing'
    case 'FAILED':
      return afterFailure(report)
  }
}

const toWord = (report: SwapReport): VenueWord => {
  const { state: raw, deposit, swapEgress, refundEgress } = report
  const state = stateOf(report)
  const named = deposit?.txRef ? { paidBy: [deposit.txRef] } : {}
  const refundedAmount = parseAmount(refundEgress?.amount)
  const returned = refundedAmount === null ? {} : { refundedAmount }
  const refundTx = refundEgress?.txRef ?? null
  if (state === 'success') {
    const known = { deliveredAmount: parseAmount(swapEgress?.amount), txHash: swapEgress?.txRef ?? null }
    return { ...swapStatus(state, raw, known), ...named, ...returned, ...(refundEgress && { refundTx }) }
  }
  const known = state === 'refunded' || state === 'expired' ? { txHash: refundTx } : {}
  return { ...swapStatus(state, raw, known), ...named, ...returned }
}

/** Whether the report is about the built swap. */
const isSameSwap = (report: SwapReport, { order, binding }: ExecutedSwap, carry: TrackingCarry): boolean => {
  const [input, output] = [wireAssetOf(order.input), wireAssetOf(order.output)]
  const isParty = (text: string | null | undefined, party: Address, chainId: typeof order.input.chainId) =>
    text == null || parseAddress(ecosystemOf(chainId), text) === party
  return (
    report.srcChain === input?.chain &&
    report.srcAsset === input.symbol &&
    report.destChain === output?.chain &&
    report.destAsset === output.symbol &&
    isParty(report.destAddress, binding.recipient, order.output.chainId) &&
    isParty(report.fillOrKillParams?.refundAddress, binding.refundTo, order.input.chainId) &&
    (carry.channelId === null || report.depositChannel?.id.toLowerCase() === carry.channelId.toLowerCase())
  )
}

const MINUTE_MS = 60_000
/** More than ten in a minute block all answers for ten: apiLimits of the same, `notFoundRateLimit`. Our address may be shared. */
const STRANGERS_MAX = 6

/** Counts requests by names that the venue does not recognise. */
const createStrangers = (clock: Clock) => {
  let at: readonly number[] = []
  return {
    add: () => {
      at = [...at, clock.now()]
    },
    areMany: () => {
      at = at.filter((each) => clock.now() - each < MINUTE_MS)
      return at.length >= STRANGERS_MAX
    },
  }
}

/** The name to ask by: a channel's id, or the transaction that called the vault. Null for a ref of another swap. */
const nameOf = (ref: string, { order, execution }: ExecutedSwap, carry: TrackingCarry): string | null => {
  const { chainId } = order.input
  if (carry.channelId === null) return parseTransactionId(chainId, ref)
  return parseAddress(ecosystemOf(chainId), ref) === execution.venueRef ? carry.channelId : null
}

/** Follows a channel by its id, and a vault call by its transaction. */
export const createTracker = ({ client, clock }: { client: Pick<ChainflipClient, 'swap'>; clock: Clock }): StatusTracker => {
  const strangers = createStrangers(clock)
  return {
    track: async (ref, { executed }, signal) => {
      if (executed === null) return UNTOLD
      const carry = trackingCarry.read(executed.execution.carry)
      const name = nameOf(ref, executed, carry)
      if (name === null || strangers.areMany()) return NOT_FOUND
      const report = await client.swap(name, signal)
      if (report === null) strangers.add()
      return report && isSameSwap(report, executed, carry) ? toWord(report) : NOT_FOUND
    },
  }
}
