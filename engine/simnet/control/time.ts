import type { Control } from './controls.ts'
import { readFields, readInteger } from './fields.ts'

const TEN_YEARS_MS = 10 * 365 * 24 * 3_600_000

/** Moves time forward, for the venues, the chains and whoever shares the network's clock. */
export const advanceClock: Control = async ({ clock, evm }, body) => {
  const fields = readFields(body, ['advanceMs'])
  clock.advance(readInteger(fields, 'advanceMs', { min: 1, max: TEN_YEARS_MS }))
  await evm.followClock()
  return { now: clock.now() }
}
