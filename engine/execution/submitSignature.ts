import type { Chains } from '../chains/chains.ts'
import { ChainError } from '../chains/chains.ts'
import type { CallContext } from '../core/caller.ts'
import type { Hex } from '../core/execution.ts'
import { invalidRequest, SwapError } from '../errors.ts'
import { withDeadline } from '../net/deadline.ts'
import type { Observe } from '../observe/observe.ts'
import type { QuoteTokens, SealedQuote } from '../quoting/quoteToken.ts'
import type { SwapRecord, SwapStore } from '../store/swaps.ts'
import type { SignatureSubmitter, SignedPayload, Venue } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'
import { sandboxStatusRef } from './sandbox.ts'
import { createSingleFlight } from './singleFlight.ts'
import { venueFailure } from './venueFailure.ts'
import { verifySignature } from './verifySignature.ts'

export type SubmitPorts = {
  readonly venues: ReadonlyMap<string, Venue>
  readonly chains: Chains
  readonly tokens: QuoteTokens
  readonly swaps: SwapStore
  readonly observe: Observe
}

export type SubmitSignatureRequest = { readonly quoteToken: string; readonly signature: Hex; readonly approvalSignature: Hex | null }

type Submitted = { readonly statusRef: string; readonly venue: string }

const SUBMIT_DEADLINE_MS = 10_000

const notSignable = (venue: string): SwapError =>
  invalidRequest([{ path: 'quoteToken', reason: `was won by ${venue} with an execution that takes no signature` }])

/**
 * Forwards a signed order to its venue. The signature is first proved to be the sender's over exactly what /execute
 * handed out. Repeating it answers with the same statusRef and opens no second order.
 */
export const createSubmitSignature = ({ venues, chains, tokens, swaps, observe }: SubmitPorts) => {
  const once = createSingleFlight<Submitted>()

  const schemeOf = async (record: SwapRecord, signature: Hex, part: 'typedData' | 'approvalData'): Promise<SignedPayload['scheme'] | null> => {
    const { payload } = record.swap.execution
    const typedData = payload.executionType === 'SIGNATURE' ? payload[part] : null
    if (payload.executionType !== 'SIGNATURE' || typedData === null) return null
    const query = { payload: { ...payload, typedData }, signer: record.swap.order.sender, signature }
    try {
      return await withDeadline(SUBMIT_DEADLINE_MS, (signal) => verifySignature(chains, query, signal))
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const text = 'The signature is no ordinary one, and the chain could not be reached to ask the wallet contract. Nothing was submitted; post it again.'
      throw new SwapError('INTERNAL', text, { details: { retryable: true }, cause: error })
    }
  }

  /** One quote may have been executed for several recipients: the signature itself says which one is meant. */
  const findSigned = async (quote: SealedQuote, request: SubmitSignatureRequest): Promise<{ record: SwapRecord; signed: SignedPayload }> => {
    const records = await swaps.ofQuote(quote.id)
    if (records.length === 0) throw invalidRequest([{ path: 'quoteToken', reason: 'has not been executed: call /execute first and sign what it returns' }])
    for (const record of records) {
      const scheme = await schemeOf(record, request.signature, 'typedData')
      if (scheme === null) continue
      await requireApproval(record, request.approvalSignature)
      return { record, signed: { signature: request.signature, approvalSignature: request.approvalSignature, scheme } }
    }
    throw invalidRequest([{ path: 'signature', reason: "is not the sender's signature over the typedData that /execute returned" }])
  }

  const requireApproval = async (record: SwapRecord, approvalSignature: Hex | null): Promise<void> => {
    const { payload } = record.swap.execution
    if (payload.executionType !== 'SIGNATURE' || payload.approvalData === null) return
    const reason = approvalSignature === null ? 'is required: /execute returned approvalData' : "is not the sender's signature over approvalData"
    if (approvalSignature === null || (await schemeOf(record, approvalSignature, 'approvalData')) === null)
      throw invalidRequest([{ path: 'approvalSignature', reason }])
  }

  const forward = async (submitter: SignatureSubmitter, record: SwapRecord, signed: SignedPayload, requestId: string): Promise<string> => {
    const { venue } = record.swap.offer
    try {
      const { statusRef } = await withDeadline(SUBMIT_DEADLINE_MS, (signal) => submitter.submit(record.swap, signed, signal))
      return statusRef
    } catch (error) {
      const failure = error instanceof VenueError ? error : new VenueError('badResponse', 'the adapter failed', { cause: error })
      observe({ event: 'venue.failed', requestId, venue, call: 'submit', kind: failure.kind, reason: failure.message })
      throw venueFailure(venue, failure, 'Post the same signature again: it never opens a second order.')
    }
  }

  return async (request: SubmitSignatureRequest, { requestId }: CallContext): Promise<Submitted> => {
    const quote = await tokens.open(request.quoteToken)
    const { venue, executionType } = quote.offer
    const submitter = venues.get(venue)?.submitter ?? null
    if (executionType !== 'SIGNATURE' || submitter === null) throw notSignable(venue)
    if (quote.order.sandbox) return { statusRef: sandboxStatusRef(quote.id), venue }
    return once(`${quote.id}|${request.signature}`, async () => {
      const { record, signed } = await findSigned(quote, request)
      if (record.submittedAt !== null && record.ref !== null) return { statusRef: record.ref, venue }
      const statusRef = await forward(submitter, record, signed, requestId)
      await swaps.setSubmitted(record.id, statusRef)
      observe({ event: 'signature.submitted', requestId, quoteId: quote.id, venue })
      return { statusRef, venue }
    })
  }
}
