import type { TrackedSwap } from '../../engine/core/answers.ts'
import type { components } from '../../generated/api.d.ts'

type ApiSwapStatus = components['schemas']['SwapStatus']
type ApiPayment = components['schemas']['Payment']

/** Venues' statuses have any length; the contract's is bounded. */
const VENUE_STATUS_LENGTH_MAX = 256

const toPayment = ({ kind, chainId, token, amount, txHash, isFinal }: TrackedSwap['payments'][number]): ApiPayment => ({
  kind,
  chainId,
  token,
  ...(amount !== null && { amount: amount.toString() }),
  txHash,
  final: isFinal,
})

export const toSwapStatus = ({
  state,
  venue,
  isTracked,
  venueStatus,
  deliveredAmount,
  txHash,
  payments,
}: TrackedSwap): ApiSwapStatus => ({
  status: state,
  venue,
  ...(!isTracked && { tracking: 'unavailable' }),
  ...(isTracked && venueStatus !== null && { venueStatus: venueStatus.slice(0, VENUE_STATUS_LENGTH_MAX) }),
  // The status itself shows a missing delivery, never an amount of zero.
  ...(deliveredAmount !== null && deliveredAmount > 0n && { deliveredAmount: deliveredAmount.toString() }),
  ...(txHash !== null && { txHash }),
  ...(payments.length > 0 && { payments: payments.map(toPayment) }),
})
