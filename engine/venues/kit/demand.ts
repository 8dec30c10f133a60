import { checkId, rejected } from '../venueError.ts'

/**
 * Rejects an answer: the error states `what` is wrong and names every check that fails. Its id and value are those of the first
 * failed check. A check is a boolean, or a boolean with the value that it judges.
 */
export const demand = (
  what: string,
  checks: { readonly [name: string]: boolean | readonly [isRight: boolean, value: unknown] },
): void => {
  const wrong = Object.entries(checks).filter(([, check]) => !(Array.isArray(check) ? check[0] : check))
  const problems = wrong.map(([name]) => name)
  const [first] = wrong
  if (first === undefined) return
  const text = `${what}: ${problems.join(', ')}`
  throw rejected(checkId(first[0]), text, Array.isArray(first[1]) ? first[1][1] : text)
}
