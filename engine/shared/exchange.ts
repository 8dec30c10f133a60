import { randomBytes } from 'node:crypto'
import { type BreakerState, isShareKey, type Standing, sharedKeys } from '../net/breakerState.ts'
import { mergeResults } from '../net/sharedResults.ts'
import type { Change, SharedStandings, Told, ToldStanding } from './sharedStandings.ts'

/** The maximum length of a breaker's row. */
const ROW_MAX = 8
/** Attempts of one exchange: a change is written again at once when another process was first. */
const TURNS_MAX = 3

/** `mark`: the last mark that was read. `changes`: local changes since the last successful write. */
type Known = { mark: string; changes: number }

const mergeRows = (there: readonly string[], here: readonly string[]) => [...new Set([...there, ...here])].slice(-ROW_MAX)

/** Combines failures that two processes recorded at the same time. */
const merge = (key: string, here: Standing, there: ToldStanding, restsUntil: number | null): Standing => {
  const names = new Set([...Object.keys(there.rows), ...Object.keys(here.rows)])
  const join = isShareKey(key) ? mergeResults : mergeRows
  const rows = Object.fromEntries([...names].map((name) => [name, join(there.rows[name] ?? [], here.rows[name] ?? [])]))
  const rests = [here.restsUntil, restsUntil].filter((until) => until !== null)
  return { rows, countedAt: here.countedAt, restsUntil: rests.length === 0 ? null : Math.max(...rests) }
}

export type Exchange = {
  /** Reads what other processes write of a far side. */
  follow(name: string): void
  /** Marks a key as changed here. */
  changed(key: string): void
  /** Writes local changes, and copies the changes of other processes. False: the exchange failed. Never rejects. */
  exchange(): Promise<boolean>
}

/** Keeps a local copy equal to the state that processes share. */
export const createExchange = (standings: SharedStandings, copy: BreakerState, now: () => number): Exchange => {
  const known = new Map<string, Known>()
  const followed = new Set<string>()
  const id = randomBytes(6).toString('base64url')
  let count = 0

  const knownOf = (key: string): Known => {
    const found = known.get(key) ?? { mark: '', changes: 0 }
    known.set(key, found)
    return found
  }

  const changeOf = ([key, { mark: on }]: [string, Known]): Change => {
    count += 1
    const standing = copy.get(key)
    const restsMs = standing === null || standing.restsUntil === null ? null : Math.max(0, standing.restsUntil - now())
    return { key, on, mark: `${id}.${count}`, standing: standing && { rows: standing.rows, restsMs } }
  }

  /** Applies a change that another process wrote since the last exchange. */
  const take = (mine: Known, { key, mark, standing }: Told): void => {
    mine.mark = mark
    const here = copy.get(key)
    const restsUntil = standing === null || standing.restsMs === null ? null : now() + standing.restsMs
    if (mine.changes === 0) copy.set(key, standing && { rows: standing.rows, countedAt: here?.countedAt ?? 0, restsUntil })
    // A local answer outweighs failures that other processes recorded before they read it.
    else if (here !== null && standing !== null) copy.set(key, merge(key, here, standing, restsUntil))
  }

  return {
    follow: (name) => {
      for (const key of sharedKeys(name)) followed.add(key)
    },
    changed: (key) => {
      knownOf(key).changes += 1
    },
    exchange: async () => {
      let isWritten = false
      for (let turn = 0; turn < TURNS_MAX && !isWritten; turn += 1) {
        const changes = [...known].filter(([, mine]) => mine.changes > 0).map(changeOf)
        const sent = new Map(changes.map((change) => [change.key, { mark: change.mark, changes: knownOf(change.key).changes }]))
        const all = await standings.exchange(changes, [...followed])
        if (all === null) return false
        const there = new Set<string>()
        for (const told of all) {
          there.add(told.key)
          const mine = knownOf(told.key)
          const own = sent.get(told.key)
          if (own?.mark === told.mark) {
            mine.mark = told.mark
            mine.changes -= own.changes
          } else if (mine.mark !== told.mark) take(mine, told)
        }
        // Writes fields again that the store has lost.
        for (const [key, mine] of known) {
          if (there.has(key)) continue
          mine.mark = ''
          if (copy.get(key) !== null && mine.changes === 0) mine.changes = 1
        }
        isWritten = [...sent].every(([key, { mark }]) => knownOf(key).mark === mark)
      }
      return true
    },
  }
}
