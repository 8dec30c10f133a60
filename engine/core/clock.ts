/** The only source of time in the engine. Epoch milliseconds. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Whether less than `ms` have passed since `at`, epoch ms. False for a future `at`: a clock that was set back ends all waits. */
export const isWithin = (ms: number, at: number, now: number): boolean => now >= at && now - at < ms
