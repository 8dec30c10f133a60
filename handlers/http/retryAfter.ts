const WINDOW_MS = 1_000
/** Nobody is sent away for longer: what there is too much of now may be over by then. */
export const RETRY_AFTER_SECONDS_MAX = 10

type Window = { served: number; refused: number }

/**
 * How long a refused caller is asked to wait. Whoever asks again once a second is served, on average, after as many seconds as
 * there are requests to one that is served: as was counted over the last second or two. Drawn evenly from one second to that
 * many, so that those who were refused together do not come back together.
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
