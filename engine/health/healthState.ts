/**
 * Why the service is not as it should be. `starting`, `draining`: it does not take requests yet, or not any more. `store`:
 * its records cannot be written. `venues`: none would be asked for a quote, or none can be reached. `descriptors`: the process can open nothing.
 * `clock`: most chains show that the time of this machine is wrong. These make it unable to work; the others leave it work to do. `venue`: one is in trouble. `chain`: none of the
 * endpoints of one answers. `facilitator`: no call can be paid.
 */
export type Problem = 'starting' | 'draining' | 'store' | 'venues' | 'descriptors' | 'clock' | 'venue' | 'chain' | 'facilitator'

/** How the service is, as far as is known. */
export type HealthState = {
  /** Whether requests should be sent here. */
  readonly ready: boolean
  /** Whether anything that callers count on is out of order. */
  readonly degraded: boolean
  readonly problems: readonly Problem[]
}

/** What keeps requests away. Not a chain: it is the same one for every instance, and the other routes go on. */
const DISABLING: readonly Problem[] = ['starting', 'draining', 'store', 'venues', 'descriptors', 'clock']

/** What callers do not notice by itself. */
const PHASES: readonly Problem[] = ['starting', 'draining']

/** Those that keep requests away. */
export const causesIn = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter((problem) => DISABLING.includes(problem))

export const stateOf = (problems: readonly Problem[]): HealthState => ({
  ready: causesIn(problems).length === 0,
  degraded: problems.some((problem) => !PHASES.includes(problem)),
  problems,
})
