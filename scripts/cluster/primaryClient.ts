import type { SharedCounts } from '../../engine/core/sharedCounts.ts'
import type { SharedStandings, Told } from '../../engine/shared/sharedStandings.ts'
import type { FromWorker, Question, Reply, ToWorker } from './messages.ts'

/** The maximum wait for an answer. The other process is on this machine, and may be busy. */
const DEADLINE_MS = 250

export type Primary = { readonly counts: SharedCounts; readonly standings: SharedStandings }

/** Reads and writes the shared state in the primary process. Without an answer each worker uses its own state. */
export const createPrimaryClient = (
  send: (message: FromWorker) => void,
  onMessage: (take: (message: ToWorker) => void) => void,
): Primary => {
  const waiting = new Map<number, (reply: Reply) => void>()
  let count = 0
  onMessage((message) => {
    if (message.kind === 'reply') waiting.get(message.id)?.(message.reply)
  })

  const ask = (question: Question): Promise<Reply> =>
    new Promise((resolve) => {
      count += 1
      const id = count
      const end = (reply: Reply): void => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(reply)
      }
      const timer = setTimeout(() => setImmediate(() => end(null)), DEADLINE_MS)
      waiting.set(id, end)
      send({ kind: 'question', id, question })
    })

  return {
    counts: {
      count: async (key) => (await ask({ ask: 'count', key })) as Awaited<ReturnType<SharedCounts['count']>>,
      look: async (key) => (await ask({ ask: 'look', key })) as Awaited<ReturnType<SharedCounts['look']>>,
      giveBack: async (key) => (await ask({ ask: 'giveBack', key })) as number | null,
      enter: async (key, member, limit) => (await ask({ ask: 'enter', key, member, limit })) as boolean | null,
      leave: async (key, member) => void (await ask({ ask: 'leave', key, member })),
    },
    standings: { exchange: async (changes) => (await ask({ ask: 'exchange', changes })) as readonly Told[] | null },
  }
}
