import type { ChainEvidence } from '../../chains/chainEvidence.ts'
import type { SwapStatus } from '../../core/swapStatus.ts'
import { SwapError } from '../../errors.ts'
import type { CallContext } from '../../observe/callContext.ts'
import type { SealedQuote } from '../../quoting/seal.ts'
import type { PayoutClaimStore } from '../../store/payoutClaims.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import { VenueError } from '../../venues/venueError.ts'
import { requireEvidence } from './requireEvidence.ts'

export type AskTrackerPorts = {
  /** `trustVenues`: their word is all there is. */
  readonly evidence: ChainEvidence | 'trustVenues'
  readonly payoutClaims: PayoutClaimStore
}

/**
 * A claim of success that falls short of what the quote guaranteed is no success: the money's place is then unknown,
 * and the swap stays open with the venue's own words beside it.
 */
const doubtShortDelivery = (status: SwapStatus, { offer }: SealedQuote): SwapStatus => {
  const least = offer.slippage?.guaranteedMin ?? null
  const isShort =
    status.state === 'success' && status.deliveredAmount !== null && least !== null && status.deliveredAmount < least
  return isShort ? { ...status, state: 'processing' } : status
}

/** `isHearsay`: the chain could not be read, so that it is the venue's word alone: true for now, and nothing to keep. */
export type Told = { readonly status: SwapStatus; readonly isHearsay: boolean }

type Asked = { readonly quote: SealedQuote; readonly record: SwapRecord | null; readonly context: CallContext }

const payeeOf = ({ output }: SealedQuote['order'], recipient: string): string =>
  `${output.chainId}:${output.address}:${recipient}`

/** What was claimed before, and the chain did not bear out, is not true because the chain cannot be read now. */
const isRefuted = (claimed: SwapStatus, record: SwapRecord | null): boolean =>
  record?.status.state === 'processing' && claimed.state === 'success' && record.status.venueStatus === claimed.venueStatus

/**
 * Asks a venue where a swap stands, and holds its answer against the quote and the chains. While the venue is out of
 * reach, what was last seen is the answer; where nothing was, the venue's trouble is thrown.
 */
export const createAskTracker = ({ evidence, payoutClaims }: AskTrackerPorts) => {
  const believe = async (claimed: SwapStatus, { quote, record, context: { observe } }: Asked): Promise<Told> => {
    const { order, offer } = quote
    // Without our own record nobody knows who was bound last, nor when: only a recipient named with the quote can be looked for.
    const isUnknown = record === null && (claimed.state !== 'success' || order.unnamed.includes('recipient'))
    if (evidence === 'trustVenues' || isUnknown) return { status: claimed, isHearsay: false }
    const swap = record?.swap ?? { order, offer, binding: order }
    const payee = payeeOf(order, swap.binding.recipient)
    let isHearsay = false
    const status = await requireEvidence(
      claimed,
      { ...swap, executedAt: record?.createdAt ?? 0 },
      {
        evidence,
        reportUnread: ({ chainId, message }) => {
          isHearsay = true
          observe({ event: 'chain.unread', chainId, what: 'evidence', reason: message })
        },
        owedToOthers: (txHash, least) =>
          recordedOr(observe, 0n, () =>
            record ? payoutClaims.claim({ swapId: record.id, txHash, payee, least }) : payoutClaims.owed(txHash, payee),
          ),
      },
    )
    return isHearsay && record && isRefuted(claimed, record) ? { status: record.status, isHearsay: false } : { status, isHearsay }
  }

  return async (tracker: NonNullable<GuardedVenue['tracker']>, ref: string, asked: Asked): Promise<Told> => {
    const { quote, record, context } = asked
    const { order, offer } = quote
    try {
      const claimed = await tracker.track(ref, { order, offer, executed: record?.swap ?? null }, context)
      return await believe(doubtShortDelivery(claimed, quote), asked)
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      // What was last seen is still the best there is to say, while the venue is out of reach.
      if (record && (record.status.venueStatus !== null || record.isFollowed)) return { status: record.status, isHearsay: false }
      // Whatever the venue says, the swap is what it is: neither a fresh quote nor another field would help.
      throw new SwapError('INTERNAL', `${offer.venue} could not tell now. Ask again.`, {
        details: { venue: offer.venue, kind: error.kind, retryable: true },
        cause: error,
      })
    }
  }
}
