import type { Observe } from '../observe/observe.ts'
import { causesIn, type HealthState, type Problem, stateOf } from './healthState.ts'

/** Where the process is between its start and its end, and how it is. */
export interface Lifecycle {
  /** As it is now; a change of readiness is told to the log by whoever sees it first. */
  state(): HealthState
  /** It takes requests from here on. `problems`: what is wrong, as it is known whenever it is asked. */
  serving(problems: () => readonly Problem[]): void
  /** It was asked to end. Nothing takes that back. */
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
