import { systemClock } from '../../engine/core/clock.ts'
import { createBreaker } from '../../engine/net/breaker.ts'
import { createMemoryBreakerState } from '../../engine/net/breakerState.ts'
import { type CallLimits, createCallBudget } from '../../engine/net/callBudget.ts'
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

/** A venue behind a door of its own, without limits. */
export const guardedVenue = (venue: Venue): GuardedVenue =>
  guard(venue, {
    isEnabled: true,
    breaker: createBreaker({
      name: venue.profile.id,
      state: createMemoryBreakerState(),
      failuresMax: 5,
      cutsMax: 8,
      openMs: 15_000,
      onChange: () => undefined,
    }),
    budget: createCallBudget(NO_LIMITS, systemClock),
    clock: systemClock,
  })
