import type { Chains } from '../../chains/chains.ts'
import type { CallContext } from '../../core/caller.ts'
import { invalidRequest, type SwapError } from '../../errors.ts'
import { createSingleFlight } from '../../net/singleFlight.ts'
import type { Observe } from '../../observe/observe.ts'
import type { QuoteSeal } from '../../quoting/seal.ts'
import type { SwapRecord, SwapStore } from '../../store/swaps.ts'
import type { SignatureSubmitter, SignedPayload, Venue } from '../../venues/venue.ts'
import { callWithin, venueErrorIn } from '../callWithin.ts'
import { sandboxStatusRef } from '../sandbox.ts'
import { venueFailure } from '../venueFailure.ts'
import { matchSignature, type Signatures } from './matchSignature.ts'

export type SubmitPorts = {
  readonly venues: ReadonlyMap<string, Venue>
  readonly chains: Chains
  readonly seal: QuoteSeal
  readonly swaps: SwapStore
  readonly observe: Observe
}

export type SubmitSignatureRequest = { readonly quoteToken: string } & Signatures

type Submitted = { readonly statusRef: string; readonly venue: string }

const SUBMIT_DEADLINE_MS = 10_000

/** How many orders that could not be recorded are remembered until they are. */
const UNRECORDED_MAX = 1_000

const notSignable = (venue: string): SwapError =>
  invalidRequest([{ path: 'quoteToken', reason: `was won by ${venue} with an execution that takes no signature` }])

/**
 * Forwards a signed order to its venue. The signature is first proved to be the sender's over exactly what /execute
 * handed out. Repeating it answers with the same statusRef and opens no second order.
 */
export const createSubmitSignature = ({ venues, chains, seal, swaps, observe }: SubmitPorts) => {
  const once = createSingleFlight<Submitted>()
  /** What the venue said to swaps whose record failed: the next post must not be the venue's second. */
  const unrecorded = new Map<number, string>()

  const forward = async (
    submitter: SignatureSubmitter,
    record: SwapRecord,
    signed: SignedPayload,
    requestId: string,
  ): Promise<string> => {
    const { venue } = record.swap.offer
    try {
      const { statusRef } = await callWithin(SUBMIT_DEADLINE_MS, (signal) => submitter.submit(record.swap, signed, signal))
      return statusRef
    } catch (error) {
      const failure = venueErrorIn(error)
      observe({ event: 'venue.failed', requestId, venue, call: 'submit', kind: failure.kind, reason: failure.message })
      throw venueFailure(venue, failure, 'Post the same signature again: it never opens a second order.')
    }
  }

  /** The venue has the order whether or not that can be written down; a disk in trouble must not hide it. */
  const remember = async (id: number, statusRef: string, requestId: string): Promise<void> => {
    try {
      await swaps.setSubmitted(id, statusRef)
      unrecorded.delete(id)
    } catch (error) {
      observe({ event: 'store.failed', requestId, reason: error instanceof Error ? error.message : String(error) })
      if (unrecorded.size < UNRECORDED_MAX) unrecorded.set(id, statusRef)
    }
  }

  const submit = async (
    submitter: SignatureSubmitter,
    record: SwapRecord,
    signed: SignedPayload,
    requestId: string,
  ): Promise<string> => {
    const { id, quoteId, ref, submittedAt, postingAt } = record
    if (submittedAt !== null && ref !== null) return ref
    const known = unrecorded.get(id)
    // Before anything leaves: a store that cannot be written now would lose what the venue says.
    if (known === undefined && postingAt === null) await swaps.setPosting(id)
    const statusRef = known ?? (await forward(submitter, record, signed, requestId))
    await remember(id, statusRef, requestId)
    if (known === undefined) observe({ event: 'signature.submitted', requestId, quoteId, venue: record.swap.offer.venue })
    return statusRef
  }

  return async (request: SubmitSignatureRequest, { requestId }: CallContext): Promise<Submitted> => {
    const quote = await seal.open(request.quoteToken)
    const { venue, executionType } = quote.offer
    const submitter = venues.get(venue)?.submitter ?? null
    if (executionType !== 'SIGNATURE' || submitter === null) throw notSignable(venue)
    if (quote.order.sandbox) return { statusRef: sandboxStatusRef(quote.id), venue }
    return once(`${quote.id}|${request.signature}|${request.approvalSignature}`, async () => {
      const { record, signed } = await matchSignature(chains, await swaps.ofQuote(quote.id), request)
      return { statusRef: await submit(submitter, record, signed, requestId), venue }
    })
  }
}
