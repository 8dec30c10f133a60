import type { Binding, Execution, PayloadClaims } from '../core/execution.ts'
import type { ExecutedSwap, SealedOffer } from '../core/swap.ts'
import { untilAborted, withDeadline } from '../net/deadline.ts'
import type { ObserveRequest } from '../observe/observe.ts'
import type { SignedPayload, StatusTracker, Venue, VenueProfile } from './venue.ts'
import { VenueError } from './venueError.ts'

/** What a call of a venue knows of the request it is made for. */
export type Calling = { readonly observe: ObserveRequest }

/**
 * A venue as the engine calls it: the same verbs, each under its deadline. Every one of them throws VenueError only,
 * whatever the adapter throws and even where it ignores its signal, and tells the log of its failure.
 */
export interface GuardedVenue {
  readonly profile: VenueProfile
  /** False: it is given no new swaps. Those it has are followed all the same. */
  readonly isEnabled: boolean
  /** The venue itself, for the race and the price lists, which still guard their own calls. */
  readonly venue: Venue
  execute(sealed: SealedOffer, binding: Binding, calling: Calling): Promise<Execution>
  /** See Venue.decode. Asks nothing of the venue but lists it publishes, and so tells nothing of its health. */
  decode(execution: Execution): Promise<PayloadClaims>
  readonly submitter: {
    submit(swap: ExecutedSwap, signed: SignedPayload, calling: Calling): Promise<{ readonly statusRef: string }>
  } | null
  readonly tracker: {
    track(ref: string, swap: Parameters<StatusTracker['track']>[1], calling: Calling): ReturnType<StatusTracker['track']>
  } | null
}

/**
 * How long each call may take, in ms. Building may ask the venue for a fresh price and a deposit address; a decoder may
 * read the venue's published lists, and reads them from memory as a rule.
 */
const DEADLINES_MS = { execute: 10_000, submit: 10_000, track: 8_000, decode: 5_000 } as const

const callWithin = async <T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  try {
    return await withDeadline(ms, (signal) => untilAborted(call(signal), signal))
  } catch (error) {
    if (error instanceof VenueError) throw error
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new VenueError('timeout', `no answer within ${ms} ms`, { cause: error })
    throw new VenueError('badResponse', 'the adapter failed', { cause: error })
  }
}

/** The one door to a venue. */
export const guard = (venue: Venue, { isEnabled }: { readonly isEnabled: boolean }): GuardedVenue => {
  const { profile, submitter, tracker } = venue

  const call = async <T>(
    name: 'execute' | 'submit' | 'track',
    { observe }: Calling,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    try {
      return await callWithin(DEADLINES_MS[name], work)
    } catch (error) {
      if (error instanceof VenueError)
        observe({ event: 'venue.failed', venue: profile.id, call: name, kind: error.kind, reason: error.message })
      throw error
    }
  }

  return {
    profile,
    isEnabled,
    venue,
    execute: (sealed, binding, calling) => call('execute', calling, (signal) => venue.execute(sealed, binding, signal)),
    decode: (execution) => callWithin(DEADLINES_MS.decode, () => venue.decode(execution)),
    submitter: submitter && {
      submit: (swap, signed, calling) => call('submit', calling, (signal) => submitter.submit(swap, signed, signal)),
    },
    tracker: tracker && {
      track: (ref, swap, calling) => call('track', calling, (signal) => tracker.track(ref, swap, signal)),
    },
  }
}
