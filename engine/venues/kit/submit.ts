import { VenueError } from '../venueError.ts'

/**
 * Posts what may be posted again. Once it is filled the balance is gone, or its quote is used: the order that an earlier post
 * placed is refused for that, and stands all the same where the venue knows it.
 */
export const postOnce = async (post: () => Promise<void>, isKnown: () => Promise<boolean>): Promise<void> => {
  try {
    await post()
  } catch (error) {
    const isRefused = error instanceof VenueError && error.isDecline
    if (!isRefused || !(await isKnown())) throw error
  }
}
