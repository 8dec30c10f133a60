import { systemClock } from '../../engine/core/clock.ts'
import { createBreaker } from '../../engine/net/breaker.ts'
import { createMemoryBreakerState } from '../../engine/net/breakerState.ts'
import { type CallLimits, createCallBudget } from '../../engine/net/callBudget.ts'
import { createAnswerBook } from '../../engine/venues/answerBook.ts'
import { type GuardedVenue, guard } from '../../engine/venues/guard.ts'
import type { Venue } from '../../engine/venues/venue.ts'

const NO_LIMITS: CallLimits = {
  perSecond: null,
  perMinute: null,
  missesPerMinute: null,
  statusPerMinute: null,
  statusMissesPerMinute: null,
  coverStatus: false,
}

const breakerOf = (name: string) =>
  createBreaker({
    name,
    state: createMemoryBreakerState(),
    failuresMax: 5,
    cutsMax: 8,
    openMs: 15_000,
    onChange: () => undefined,
  })

/** A venue behind a door of its own, without limits. */
export const guardedVenue = (venue: Venue): GuardedVenue =>
  guard(venue, {
    isEnabled: true,
    breaker: breakerOf(venue.profile.id),
    statusBreaker: breakerOf(`${venue.profile.id}.track`),
    reportHealth: () => undefined,
    answers: createAnswerBook({
      venue: venue.profile.id,
      now: systemClock.now,
      observe: () => undefined,
      keepSample: () => undefined,
      onChange: () => undefined,
    }),
    budget: createCallBudget(NO_LIMITS, systemClock),
    clock: systemClock,
    monotonic: systemClock.now,
  })
