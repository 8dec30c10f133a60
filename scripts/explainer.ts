import { setTimeout as rest } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Store } from '../engine/store/store.ts'

/** SQLite blocks the event loop: after this many ms of work, callers get `REST` times as long. */
const TURN_MS = 4
const REST = 4
/** The longest pause, ms: waiting for a remote database does not block the event loop. */
const REST_MS_MAX = 100

/** Pauses work at intervals, across all its steps. */
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
    /** Await before each step. */
    step: async (): Promise<void> => {
      const due = worked + (isWorking ? performance.now() - from : 0)
      if (due < TURN_MS) return
      await rest(Math.min(due * REST, REST_MS_MAX))
      worked = 0
      from = performance.now()
    },
  }
}

/** The same part, whose every call first awaits `before`. */
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

/** The output of `npm run operator -- explain <id>` from the records, for the operator's page. Its pace does not slow callers. */
export const createExplainer = () => {
  const pace = createPace()
  let records: Store | null = null
  return {
    /** Sets the records to read. */
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
    /** Explains an id in lines; null if no record has it. Call for one id at a time. */
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
