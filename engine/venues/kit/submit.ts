import { VenueError } from '../venueError.ts'

/**
 * Posts a signed order, which may be a repetition. After a fill, balance or quote are used up, so the venue refuses the repeated
 * order. The first post still counts where the venue has the order.
 */
export const postOnce = async (post: () => Promise<void>, isKnown: () => Promise<boolean>): Promise<void> => {
  try {
    await post()
  } catch (error) {
    const isRefused = error instanceof VenueError && error.isDecline
    if (!isRefused || !(await isKnown())) throw error
  }
}
