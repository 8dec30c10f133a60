import { toAmount } from '../../core/amount.ts'
import type { Clock } from '../../core/clock.ts'
import type { Offer } from '../../core/offer.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SwapState, VenueWord } from '../../core/swapStatus.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { isOneOf, NOT_FOUND, swapStatus } from '../kit/track.ts'
import type { StatusTracker } from '../venue.ts'
import { transactionIdOf } from './calls.ts'
import type { LifiClient } from './client.ts'
import { callOf } from './decode.ts'
import { toWireChain } from './published.ts'
import type { WireStatus } from './wire.ts'

/** How long after its price expired a swap may still be missing in LI.FI's records. */
const UNSEEN_MS_MAX = 300_000

const unseen = ({ expiresAt }: Offer, now: number): VenueWord =>
  swapStatus(expiresAt !== null && now < expiresAt + UNSEEN_MS_MAX ? 'pending' : 'not_found', 'NOT_FOUND')

/** https://docs.li.fi/introduction/user-flows-and-examples/status-tracking, and @lifi/types 18.4.0. */
const STATUSES = ['NOT_FOUND', 'INVALID', 'PENDING', 'DONE', 'FAILED'] as const
const isStatus = isOneOf(STATUSES)

/** The input was not taken yet. Every other substatus of a pending swap means that it was. */
const WAITING = ['WAIT_SOURCE_CONFIRMATIONS', 'INTENT_AWAITING_FUNDS'] as const
const isWaiting = isOneOf(WAITING)

const ofPending = (substatus: string): SwapState => {
  if (substatus === 'REFUND_IN_PROGRESS') return 'expired'
  return isWaiting(substatus) ? 'pending' : 'processing'
}

/** Only one kind of DONE is a success: others delivered another token, or refunded the input. */
const ofDone = (substatus: string): SwapState => {
  if (substatus === 'COMPLETED') return 'success'
  if (substatus === 'REFUNDED') return 'refunded'
  return substatus === 'PARTIAL' ? 'processing' : 'unknown'
}

const stateOf = ({ status, substatus }: WireStatus): SwapState => {
  if (!isStatus(status)) return 'unknown'
  switch (status) {
    case 'NOT_FOUND':
      return 'not_found'
    case 'INVALID':
      return 'unknown'
    case 'PENDING':
      return ofPending(substatus ?? '')
    case 'DONE':
      return ofDone(substatus ?? '')
    case 'FAILED':
      return 'failed'
  }
}

const rawOf = ({ status, substatus }: WireStatus): string => (substatus ? `${status}:${substatus}` : status)

/** The report on a swap that is proved to be ours. */
const toWord = (told: WireStatus, { order }: ExecutedSwap): VenueWord => {
  const { sending, receiving } = told
  const state = stateOf(told)
  const raw = rawOf(told)
  const paidBy = [sending?.txHash].filter((hash) => hash !== undefined && hash !== null)
  const at = receiving?.txHash ?? null
  const isOn = (chainId: typeof order.input.chainId) => receiving?.chainId === toWireChain(chainId)
  if (state === 'success') {
    // Without a delivery a reported success is not proved.
    if (at === null || !isOn(order.output.chainId)) return { ...swapStatus('processing', raw), paidBy }
    const { amount = null } = receiving ?? {}
    return {
      ...swapStatus(state, raw, { deliveredAmount: amount === null ? null : toAmount(BigInt(amount)), txHash: at }),
      paidBy,
    }
  }
  if (state === 'refunded') return { ...swapStatus(state, raw, { txHash: isOn(order.input.chainId) ? at : null }), paidBy }
  return { ...swapStatus(state, raw), paidBy }
}

export type TrackerPorts = { readonly clock: Clock; readonly client: Pick<LifiClient, 'status'> }

/** Follows a swap to another chain by its payment. Within one chain that transaction alone decides the outcome. */
export const createTracker = ({ clock, client }: TrackerPorts): StatusTracker => ({
  track: async (text, { order, offer, executed }, signal) => {
    const { input, output } = order
    const txHash = parseTransactionId(input.chainId, text)
    if (txHash === null || executed === null) return NOT_FOUND
    const query = { txHash, fromChain: String(toWireChain(input.chainId)), toChain: String(toWireChain(output.chainId)) }
    const own = transactionIdOf(await callOf(executed.execution))
    const isOther = ({ transactionId = null }: WireStatus) => transactionId !== null && transactionId.toLowerCase() !== own
    const first = await client.status(query, signal)
    // The answer covers one swap only, even if the transaction made several.
    const told = isOther(first) ? await client.status({ ...query, transactionId: own }, signal) : first
    if (told.status === 'NOT_FOUND') return isOther(first) ? NOT_FOUND : unseen(offer, clock.now())
    return isOther(told) ? NOT_FOUND : toWord(told, executed)
  },
})
