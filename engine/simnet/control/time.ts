import type { Control } from './controls.ts'
import { readFields, readInteger } from './fields.ts'

const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000

/**
 * Moves time forward, for the venues, the chains and whoever shares the network's clock, and lets the venues do on the way
 * what falls due.
 */
export const advanceClock: Control = async ({ clock, schedule }, body) => {
  const fields = readFields(body, ['advanceMs'])
  const ms = readInteger(fields, 'advanceMs', { min: 1, max: TEN_YEARS_MS })
  await clock.asOneJump(() => schedule.advance(ms))
  return { now: clock.now() }
}
