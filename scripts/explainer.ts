import { setTimeout as rest } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Store } from '../engine/store/store.ts'

/** SQLite answers while all else stands still: so long at a time it may be asked, and then callers have four times as long. */
const TURN_MS = 4
const REST = 4
/** A database elsewhere is waited for, which holds up nobody. */
const REST_MS_MAX = 100

/** Has work stop now and then, over all that is given to it. */
const createPace = () => {
  let isWorking = false
  let from = 0
  let worked = 0
  return {
    begin: (): void => {
      isWorking = true
      from = performance.now()
    },
    end: (): void => {
      isWorking = false
      worked += performance.now() - from
    },
    /** To be awaited before each step. */
    step: async (): Promise<void> => {
      const due = worked + (isWorking ? performance.now() - from : 0)
      if (due < TURN_MS) return
      await rest(Math.min(due * REST, REST_MS_MAX))
      worked = 0
      from = performance.now()
    },
  }
}

/** The same, whose every call waits for that first. */
const paced = <Part extends object>(part: Part, before: () => Promise<void>): Part =>
  new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return async (...given: readonly unknown[]): Promise<unknown> => {
        await before()
        return Reflect.apply(value, target, given)
      }
    },
  })

/** What `npm run operator -- explain <id>` tells from the records, for the operator's page; at a pace that callers do not feel. */
export const createExplainer = () => {
  const pace = createPace()
  let records: Store | null = null
  return {
    /** From now on these are asked. */
    over: (store: Store): void => {
      records = {
        ...store,
        swaps: paced(store.swaps, pace.step),
        operator: paced(store.operator, pace.step),
        payments: paced(store.payments, pace.step),
        ledger: paced(store.ledger, pace.step),
        broadcasts: paced(store.broadcasts, pace.step),
      }
    },
    /** Line by line; null: nothing is known of it. To be asked for one at a time. */
    explain: async (id: string): Promise<readonly string[] | 'starting' | null> => {
      if (records === null) return 'starting'
      const [{ explain }, { OperatorError }] = await Promise.all([
        import('./operator/explain/explain.ts'),
        import('./operator/operatorError.ts'),
      ])
      pace.begin()
      try {
        return (await explain({ store: records }, id, {})).lines.map(stripVTControlCharacters)
      } catch (error) {
        if (error instanceof OperatorError && error.kind === 'notFound') return null
        throw error
      } finally {
        pace.end()
      }
    },
  }
}
