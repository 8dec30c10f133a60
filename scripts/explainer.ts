import { stripVTControlCharacters } from 'node:util'
import type { Store } from '../engine/store/store.ts'

/** What `npm run operator -- explain <id>` tells from the records, for the operator's page. */
export const createExplainer = () => {
  let records: Store | null = null
  return {
    /** From now on these are asked. */
    over: (store: Store): void => {
      records = store
    },
    /** Line by line; null: nothing is known of it. */
    explain: async (id: string): Promise<readonly string[] | 'starting' | null> => {
      if (records === null) return 'starting'
      const [{ explain }, { OperatorError }] = await Promise.all([
        import('./operator/explain/explain.ts'),
        import('./operator/operatorError.ts'),
      ])
      try {
        return (await explain({ store: records }, id, {})).lines.map(stripVTControlCharacters)
      } catch (error) {
        if (error instanceof OperatorError && error.kind === 'notFound') return null
        throw error
      }
    },
  }
}
