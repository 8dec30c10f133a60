import type { Observe } from '../observe/observe.ts'
import { causesIn, type HealthState, type Problem, stateOf } from './healthState.ts'

/** The phase of the process between its start and its end, and its health. */
export interface Lifecycle {
  /** The state now. The first read after a change of readiness logs the change. */
  state(): HealthState
  /** The service takes requests from now on. `problems`: returns the problems at the time of each call. */
  serving(problems: () => readonly Problem[]): void
  /** The process was asked to end. This cannot be undone. */
  draining(): void
}

export const createLifecycle = (observe: Observe): Lifecycle => {
  let find: () => readonly Problem[] = () => ['starting']
  let isDraining = false
  let wasReady = false
  return {
    state: () => {
      const state = stateOf(isDraining ? ['draining', ...find().filter((problem) => problem !== 'starting')] : find())
      const { ready, problems } = state
      if (ready !== wasReady) observe({ event: 'service.readiness', ready, cause: causesIn(problems), problems })
      wasReady = ready
      return state
    },
    serving: (problems) => {
      find = problems
    },
    draining: () => {
      isDraining = true
    },
  }
}
