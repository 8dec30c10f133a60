import { checkPins, describePin } from '../../../engine/venues/checkPins.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { never } from './calls.ts'

/** What a venue pins and publishes otherwise, one line each. Throws where a source cannot be read. */
export const pinDifferences = async (venue: Venue): Promise<readonly string[]> => {
  const checks = await checkPins(venue, never())
  const failures = checks.flatMap(({ source, failure }) => (failure === null ? [] : [`${source}: ${failure}`]))
  if (failures.length > 0) throw new Error(failures.join('; '))
  return checks.flatMap(({ differences }) => differences.map(describePin))
}
