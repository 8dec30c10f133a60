import type { Chains } from '../../chains/chains.ts'
import { invalidRequest, type SwapError } from '../../errors.ts'
import { createSingleFlight } from '../../net/singleFlight.ts'
import { bindSwap, type CallContext, markOf } from '../../observe/callContext.ts'
import type { QuoteSeal } from '../../quoting/seal.ts'
import { recordedOr } from '../../store/recordedOr.ts'
import type { Store } from '../../store/store.ts'
import type { SwapRecord } from '../../store/swaps.ts'
import type { GuardedVenue } from '../../venues/guard.ts'
import type { SignedPayload } from '../../venues/venue.ts'
import { VenueError } from '../../venues/venueError.ts'
import { isLookedAfter } from '../lookedAfter.ts'
import { sandboxStatusRef } from '../sandbox.ts'
import { venueFailure } from '../venueFailure.ts'
import type { VenuePlaces } from '../venuePlaces.ts'
import { matchSignature, type Signatures } from './matchSignature.ts'

export type SubmitPorts = {
  readonly venues: ReadonlyMap<string, GuardedVenue>
  readonly chains: Chains
  readonly seal: QuoteSeal
  readonly store: Pick<Store, 'swaps' | 'transaction'>
  readonly places: VenuePlaces
}

export type SubmitSignatureRequest = { readonly quoteToken: string } & Signatures

type Submitter = NonNullable<GuardedVenue['submitter']>

type Submitted = { readonly statusRef: string; readonly venue: string }

/** The maximum of remembered orders whose record failed. */
const UNRECORDED_MAX = 1_000

const notSignable = (venue: string): SwapError =>
  invalidRequest([{ path: 'quoteToken', reason: `was won by ${venue} with an execution that takes no signature` }])

/**
 * Forwards a signed order to its venue, after proving that the sender signed what /execute returned. A repeated call returns the
 * same statusRef and opens no second order.
 */
export const createSubmitSignature = ({ venues, chains, seal, store, places }: SubmitPorts) => {
  const { swaps } = store
  const once = createSingleFlight<Submitted>()
  /** Per swap rather than per signature: a key's signature has two forms. */
  const onceOfSwap = createSingleFlight<string>()
  /** Venue responses whose record failed: the next post must not call the venue again. */
  const unrecorded = new Map<number, string>()

  const forward = async (
    submitter: Submitter,
    { swap }: SwapRecord,
    signed: SignedPayload,
    context: CallContext,
  ): Promise<string> => {
    try {
      return (await submitter.submit(swap, signed, context)).statusRef
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      throw venueFailure(swap.offer.venue, error, 'Post the same signature again: it never opens a second order.')
    }
  }

  const remember = async (id: number, statusRef: string, { observe }: CallContext): Promise<void> => {
    const isRecorded = await recordedOr(observe, false, async () => {
      await swaps.setSubmitted(id, statusRef)
      return true
    })
    if (isRecorded) unrecorded.delete(id)
    else if (unrecorded.size < UNRECORDED_MAX) unrecorded.set(id, statusRef)
  }

  /** Settlement reads a signed order first from now on: it may be filled at any time. */
  const reserve = (record: SwapRecord): Promise<void> =>
    store.transaction(async (parts) => {
      await parts.swaps.setPosting(record.id)
      if (isLookedAfter(record)) await parts.settlement.hasten({ swapId: record.id, isPaid: true })
    })

  const submit = async (
    submitter: Submitter,
    record: SwapRecord,
    signed: SignedPayload,
    context: CallContext,
  ): Promise<string> => {
    const { id, ref, submittedAt, postingAt } = record
    if (submittedAt !== null && ref !== null) return ref
    const known = unrecorded.get(id)
    // Before the venue call: a store that cannot write now would lose the response.
    if (known === undefined && postingAt === null) await reserve(record)
    const statusRef = known ?? (await forward(submitter, record, signed, context))
    await remember(id, statusRef, context)
    if (known === undefined) context.observe({ event: 'signature.submitted', venue: record.swap.offer.venue, ref: statusRef })
    return statusRef
  }

  return async (request: SubmitSignatureRequest, context: CallContext): Promise<Submitted> => {
    const quote = seal.open(request.quoteToken)
    const { venue, executionType } = quote.offer
    const { submitter = null, profile } = venues.get(venue) ?? {}
    if (executionType !== 'SIGNATURE' || submitter === null || !profile) throw notSignable(venue)
    if (quote.order.sandbox) return { statusRef: sandboxStatusRef(quote.id), venue }
    const submitOnce = () =>
      once(`${quote.id}|${request.signature}|${request.approvalSignature}`, async () => {
        const { record, signed } = await matchSignature({ chains, profile }, await swaps.ofQuote(quote.id), request)
        const own = bindSwap(context, markOf(record))
        const statusRef = await onceOfSwap(`${record.id}`, () => submit(submitter, record, signed, own))
        return { statusRef, venue }
      })
    return places.within(venue, submitOnce)
  }
}
