import { StoreError } from './storeError.ts'

/** Runs work one after the other, in the order in which it came. Who waits longer than that for its turn has StoreError. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export const createTurns = (patienceMs: number): InTurn => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let isTooLate = false
    const timer = setTimeout(() => {
      isTooLate = true
      reject(new StoreError('the store failed: a transaction keeps the database locked'))
    }, patienceMs)
    const turn = last.then(async () => {
      clearTimeout(timer)
      if (isTooLate) return
      await work().then(resolve, reject)
    })
    last = turn
    return promise
  }
}
