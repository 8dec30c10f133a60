import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'

/** Throws VenueError('badResponse') saying `what` is wrong, and naming every check that does not hold. */
export const demand = (what: string, checks: { readonly [name: string]: boolean }): void => {
  const problems = failing(checks)
  if (problems.length > 0) throw new VenueError('badResponse', `${what}: ${problems.join(', ')}`)
}
