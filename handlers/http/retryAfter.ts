const WINDOW_MS = 1_000
/** The longest wait: an overload may be over by then. */
export const RETRY_AFTER_SECONDS_MAX = 10

type Window = { served: number; refused: number }

/**
 * The wait of a refused caller. A caller that retries once a second waits, on average, as many seconds as there are requests per
 * served one. The counts cover the last second or two. The wait is random from one second to that number, so that callers refused
 * together return apart.
 */
export const createRetryAfter = (now: () => number, random: () => number) => {
  let startedAt = now()
  let [last, current]: [Window, Window] = [
    { served: 0, refused: 0 },
    { served: 0, refused: 0 },
  ]

  const roll = (): Window => {
    const passed = now() - startedAt
    if (passed < WINDOW_MS) return current
    last = passed < 2 * WINDOW_MS ? current : { served: 0, refused: 0 }
    current = { served: 0, refused: 0 }
    startedAt += passed - (passed % WINDOW_MS)
    return current
  }

  return {
    served: (): void => {
      roll().served += 1
    },
    refused: (): void => {
      roll().refused += 1
    },
    seconds: (): number => {
      const sofar = roll()
      const served = last.served + sofar.served
      const asked = served + last.refused + sofar.refused
      const most = Math.min(RETRY_AFTER_SECONDS_MAX, Math.ceil(asked / Math.max(1, served)))
      return 1 + Math.floor(random() * most)
    },
  }
}
