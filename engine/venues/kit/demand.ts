import { failing } from '../../core/failing.ts'
import { checkId, rejected } from '../venueError.ts'

/** Rejects an answer: the error says `what` is wrong and names every check that fails. The id is that of the first one. */
export const demand = (what: string, checks: { readonly [name: string]: boolean }): void => {
  const problems = failing(checks)
  if (problems.length > 0) throw rejected(checkId(problems[0] ?? ''), `${what}: ${problems.join(', ')}`)
}
