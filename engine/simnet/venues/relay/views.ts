import type { SimToken } from '../../kit/tokens.ts'
import { currencyBody, type Network } from './networks.ts'
import { FILL_MS, REORGED, type RelayRequest } from './requests.ts'

const STAGE_MS = 2_000
const NOTHING = 'N/A'

const endStatusOf = ({ end, refunds }: RelayRequest): string | null => {
  switch (end?.ends) {
    case undefined:
      return null
    case 'filled':
      return 'success'
    // Too little to be sent back, it stays where it is.
    case 'refunded':
      return refunds.length > 0 ? 'refund' : 'failure'
    case 'failed':
      return 'failure'
    case 'unheardOf':
      return 'reviewing'
  }
}

/** The raw status at a moment. */
const statusAt = (entry: RelayRequest, now: number): string => {
  const { paid, fate, confirmedAt, request, supersededBy } = entry
  const ended = endStatusOf(entry)
  if (ended !== null) return ended
  // It stays what it was when it was handed over.
  if (supersededBy !== null) return 'pending'
  const [payment] = paid
  if (!payment) return 'waiting'
  const isBitcoin = request.origin.vm === 'bvm'
  if (isBitcoin && confirmedAt === null) return 'pending'
  const elapsed = now - (isBitcoin && confirmedAt !== null ? confirmedAt : payment.at)
  // A fill that does not work is tried again and again.
  if (elapsed >= FILL_MS) return fate?.ends === 'refunded' ? 'delayed' : 'submitted'
  if (isBitcoin || elapsed >= 2 * STAGE_MS) return 'submitted'
  return elapsed >= STAGE_MS ? 'pending' : 'depositing'
}

const deliveredBy = ({ end }: RelayRequest) => (end?.ends === 'filled' && end.txHash !== null ? [end.txHash] : [])

/** Why nothing went back, where a refund was due or nobody can make one. */
const refundFailureOf = ({ end, fate }: RelayRequest, status: string): string => {
  if (status !== 'failure' || end?.reason === REORGED) return NOTHING
  return fate?.ends === 'refunded' ? 'AMOUNT_TOO_LOW_TO_REFUND' : 'MANUAL_REFUND_REQUIRED'
}

/** GET /intents/status/v3. */
export const statusBody = (entry: RelayRequest, now: number) => {
  const { paid, end, refunds, request, createdAt } = entry
  const status = statusAt(entry, now)
  return {
    status,
    details: status === 'pending' ? 'Could not fill request (will retry)' : '',
    inTxHashes: paid.slice(0, 1).map(({ txHash }) => txHash),
    txHashes: end?.ends === 'refunded' ? refunds.map(({ txHash }) => txHash) : deliveredBy(entry),
    updatedAt: now,
    originChainId: request.origin.id,
    destinationChainId: request.destination.id,
    quoteCreatedAt: createdAt,
    failReason: end?.reason ?? NOTHING,
    refundFailReason: refundFailureOf(entry, status),
  }
}

const amountBody = (network: Network, token: SimToken, amount: bigint) => ({
  currency: currencyBody(network, token),
  amount: amount.toString(),
})

/** One request of GET /requests/v3. */
export const requestBody = (entry: RelayRequest, now: number) => {
  const { requestId, request, quoted, depositAddress, paid, end } = entry
  const { origin, destination, input, output, amount, user, recipient, refundTo } = request
  const delivered = deliveredBy(entry)
  const legs = (paidIn: bigint, delivery: bigint) => ({
    origin: { inputCurrency: amountBody(origin, input, paidIn) },
    destination: { outputCurrency: amountBody(destination, output, delivery) },
  })
  return {
    id: requestId,
    status: statusAt(entry, now),
    user,
    recipient,
    refundTo,
    supersededByRequestId: entry.supersededBy,
    depositAddress: depositAddress === null ? null : { address: depositAddress, type: 'open', depositor: user },
    data: {
      inTxs: paid.slice(0, 1).map(({ txHash }) => ({ txHash, chainId: origin.id })),
      outTxs: delivered.map((txHash) => ({ txHash, chainId: destination.id })),
      route: { quoted: legs(amount, quoted.expected), actual: delivered.length > 0 ? legs(amount, end?.amount ?? 0n) : null },
    },
  }
}
