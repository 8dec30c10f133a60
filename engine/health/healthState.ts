/**
 * Why the service is not well. `starting`, `draining`: it does not take requests yet, or has stopped taking them. `store`: its
 * records cannot be written. `venues`: all enabled venues rest, or none can be reached. `descriptors`: the process can open no
 * file or connection. `clock`: most chains show that the time of this machine is wrong. These make it unable to work. With the
 * others it continues. `venue`: one is in trouble. `chain`: no endpoint of one answers. `facilitator`: no call can be paid.
 */
export type Problem = 'starting' | 'draining' | 'store' | 'venues' | 'descriptors' | 'clock' | 'venue' | 'chain' | 'facilitator'

/** The state of the service, as far as it is known. */
export type HealthState = {
  /** Whether requests should be sent here. */
  readonly ready: boolean
  /** Whether anything that callers need has a problem. */
  readonly degraded: boolean
  readonly problems: readonly Problem[]
}

/** Problems that make this instance not ready. Chain outages are excluded: they affect every instance. */
const DISABLING: readonly Problem[] = ['starting', 'draining', 'store', 'venues', 'descriptors', 'clock']

/** Phases of the process: they are no reason to call it degraded. */
const PHASES: readonly Problem[] = ['starting', 'draining']

/** The problems that make this instance not ready. */
export const causesIn = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter((problem) => DISABLING.includes(problem))

export const stateOf = (problems: readonly Problem[]): HealthState => ({
  ready: causesIn(problems).length === 0,
  degraded: problems.some((problem) => !PHASES.includes(problem)),
  problems,
})
