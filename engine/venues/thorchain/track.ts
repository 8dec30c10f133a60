import { parseAddress } from '../../core/address.ts'
import { type ChainId, ecosystemOf, isEvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import { NOT_FOUND, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import type { ThorNode } from './client.ts'
import { LATE_MS } from './memoless.ts'
import { toWireHash } from './protocol.ts'
import { codeOf } from './published.ts'
import { type TxStatus, trackingCarry } from './wire.ts'

const fromWireHash = (chainId: ChainId, hash: string): TransactionId | null =>
  parseTransactionId(chainId, isEvmChainId(chainId) ? `0x${hash}` : hash)

type Leg = NonNullable<TxStatus['out_txs']>[number]

/** Replaces the hash of the network's own internal payments. */
const NO_TRANSACTION = /^0*$/

const isPaidTo = (
  { chain, to_address: to = '' }: Pick<Leg, 'chain' | 'to_address'>,
  chainId: ChainId,
  address: string,
): boolean => chain === codeOf({ chainId }) && parseAddress(ecosystemOf(chainId), to) === address

/** The furthest stage, by its name. */
const stageOf = ({ stages }: TxStatus): string => {
  const { outbound_signed: signed, outbound_delay: delayed, swap_finalised: swapped, inbound_finalised: paid } = stages
  if (signed?.completed) return 'outbound_signed'
  if (delayed?.completed) return 'outbound_delay'
  if (swapped?.completed) return 'swap_finalised'
  return paid?.completed ? 'inbound_finalised' : 'inbound_observed'
}

const isSeen = ({ stages: { inbound_observed: observed } }: TxStatus): boolean =>
  observed.completed === true || observed.started === true || (observed.final_count ?? 0) > 0

/** The network's report on a known payment. A refund counts as one, whatever its stages. */
const wordOf = (status: TxStatus, { order, binding }: ExecutedSwap): VenueWord => {
  const { input, output } = order
  const [out, planned] = [status.out_txs ?? [], status.planned_out_txs ?? []]
  const isOf = ({ memo = '' }: Leg, kind: 'OUT' | 'REFUND') => memo.startsWith(`${kind}:`)
  const sent = out.filter(({ id = '' }) => !NO_TRANSACTION.test(id))
  const delivery = sent.find((leg) => isOf(leg, 'OUT') && isPaidTo(leg, output.chainId, binding.recipient))
  const refund = sent.find((leg) => isOf(leg, 'REFUND') && isPaidTo(leg, input.chainId, binding.refundTo))
  const isOwed = planned.some((leg) => leg.refund === true) || out.some((leg) => isOf(leg, 'REFUND'))
  const refundTx = refund === undefined ? null : fromWireHash(input.chainId, refund.id ?? '')
  const stage = stageOf(status)
  if (delivery !== undefined && status.stages.outbound_signed?.completed !== false)
    return { ...swapStatus('success', stage, { txHash: fromWireHash(output.chainId, delivery.id ?? '') }), refundTx }
  if (refundTx !== null && delivery === undefined) return swapStatus('refunded', 'refund', { txHash: refundTx })
  if (isOwed && delivery === undefined) return swapStatus('expired', 'refund')
  return swapStatus('processing', stage)
}

/** How long after its price expired a deposit may still be pending at the network: until its call expires. */
const UNSEEN_MS_MAX = 3_600_000

const unseen = ({ offer: { expiresAt } }: ExecutedSwap, now: number): VenueWord =>
  expiresAt !== null && now < expiresAt + UNSEEN_MS_MAX ? swapStatus('pending', null) : NOT_FOUND

/** The state of a memo that expired unused: later payments are returned. The chain shows whether there was a payment. */
const unused = ({ deadlineAt = null }: ExecutedSwap, now: number): VenueWord =>
  swapStatus(deadlineAt !== null && now > deadlineAt + LATE_MS ? 'expired' : 'pending', null)

/** Follows a deposit by its transaction. A deposit without a memo is found by the transaction that used the registered memo. */
export const createTracker = (node: Pick<ThorNode, 'status' | 'registration'>, clock: Clock): StatusTracker => {
  const ofPayment = async (hash: string, executed: ExecutedSwap, signal: AbortSignal): Promise<VenueWord | null> => {
    const status = await node.status(hash, signal)
    return isSeen(status) ? wordOf(status, executed) : null
  }

  /** `known`: payments that the chain showed. An expired registration does not show whether a transaction used it. */
  const ofDeposit = async (
    hash: string,
    { executed, known, signal }: { executed: ExecutedSwap; known: readonly TransactionId[]; signal: AbortSignal },
  ): Promise<VenueWord> => {
    const kept = await node.registration(hash, signal)
    const { chainId } = executed.order.input
    const used = (kept?.used_by_txs ?? []).flatMap((text) => fromWireHash(chainId, toWireHash(text)) ?? [])
    const paidBy = kept === null ? known : used
    const last = paidBy.at(-1)
    if (last === undefined) return kept === null ? swapStatus('pending', null) : unused(executed, clock.now())
    return { ...((await ofPayment(toWireHash(last), executed, signal)) ?? swapStatus('processing', 'inbound_observed')), paidBy }
  }

  return {
    track: async (ref, { order, executed, paidBy: known = [] }, signal) => {
      if (executed === null) return NOT_FOUND
      const { payload, carry } = executed.execution
      const { registration } = trackingCarry.read(carry)
      if (payload.executionType === 'DEPOSIT') {
        const isOwn = parseAddress(ecosystemOf(order.input.chainId), ref) === payload.deposit.address
        return isOwn && registration !== null ? ofDeposit(registration, { executed, known, signal }) : NOT_FOUND
      }
      const hash = parseTransactionId(order.input.chainId, ref)
      return hash === null ? NOT_FOUND : ((await ofPayment(toWireHash(hash), executed, signal)) ?? unseen(executed, clock.now()))
    },
  }
}
