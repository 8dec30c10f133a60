import { untilAborted, withDeadline } from '../net/deadline.ts'
import { VenueError } from '../venues/venueError.ts'

/**
 * One call to a venue after the quote. Ends at the deadline, even for a venue that ignores its signal, and throws
 * VenueError only, whatever its adapter throws.
 */
export const callWithin = async <T>(ms: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  try {
    return await withDeadline(ms, (signal) => untilAborted(call(signal), signal))
  } catch (error) {
    if (error instanceof VenueError) throw error
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new VenueError('timeout', `no answer within ${ms} ms`, { cause: error })
    throw new VenueError('badResponse', 'the adapter failed', { cause: error })
  }
}

/** What `callWithin` threw, for those who catch it. Anything else is a defect of ours and is thrown on. */
export const venueErrorIn = (error: unknown): VenueError => {
  if (error instanceof VenueError) return error
  throw error
}
