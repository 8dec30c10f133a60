import { setTimeout as sleep } from 'node:timers/promises'
import type { Lives } from './lives.ts'
import type { ClassName, Moment, Point } from './points.ts'

/** What a life is to die of. */
export type Plan = { readonly name: ClassName; readonly death: Point | Moment }

/** Between those who use the service and the one who kills it: it dies while what was planned is under way. */
export type Desk = {
  /** What is planned, and whether somebody works on it. */
  plan(plan: Plan): void
  /** The job that is to be done first, once. */
  takeWanted(): ClassName | null
  /** Does a step; the death that was planned for it is set right before. */
  step<T>(name: ClassName, work: () => Promise<T>): Promise<T>
  /** Resolves when the step that was planned is over. */
  readonly over: Promise<void>
}

/** What follows an answer, such as giving up a reservation, is within it. */
const GRACE_MS = 100

export const createDesk = (lives: Lives): Desk => {
  let planned: Plan | null = null
  let [isTaken, isBegun] = [false, false]
  let over = Promise.withResolvers<void>()

  const begin = async ({ death }: Plan): Promise<void> => {
    isBegun = true
    const life = lives.current()
    // Beside others it may not serve yet.
    await life?.url.catch(() => null)
    if (death.on === 'time') setTimeout(() => life?.kill(), death.ms)
    else await life?.order({ dieAt: death })
  }

  return {
    plan: (plan) => {
      planned = plan
      isTaken = false
      isBegun = false
      over = Promise.withResolvers<void>()
    },
    takeWanted: () => {
      if (planned === null || isTaken) return null
      isTaken = true
      return planned.name
    },
    step: async (name, work) => {
      const plan = planned
      if (plan?.name !== name || isBegun) return work()
      await begin(plan)
      try {
        return await work()
      } finally {
        await sleep(GRACE_MS)
        if (planned === plan) over.resolve()
      }
    },
    get over() {
      return over.promise
    },
  }
}
