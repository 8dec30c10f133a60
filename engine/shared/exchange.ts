import { randomBytes } from 'node:crypto'
import { type BreakerState, isOfAll, isShareKey, type Standing } from '../net/breakerState.ts'
import { mergeResults } from '../net/sharedResults.ts'
import type { Change, SharedStandings, Told, ToldStanding } from './sharedStandings.ts'

/** What all met has no more keys than there are venues; anything beyond that is none of ours. */
const KEYS_MAX = 1_000
/** As long as the rows of a breaker get. */
const ROW_MAX = 8
/** So often a change is written again at once when another process was first. */
const TURNS_MAX = 3

/** `mark`: what was last read. `changes`: how often it was changed here since it was last told. */
type Known = { mark: string; changes: number }

const mergeRows = (there: readonly string[], here: readonly string[]) => [...new Set([...there, ...here])].slice(-ROW_MAX)

/** Trouble that two met at once is trouble of both. */
const merge = (key: string, here: Standing, there: ToldStanding, restsUntil: number | null): Standing => {
  const names = new Set([...Object.keys(there.rows), ...Object.keys(here.rows)])
  const join = isShareKey(key) ? mergeResults : mergeRows
  const rows = Object.fromEntries([...names].map((name) => [name, join(there.rows[name] ?? [], here.rows[name] ?? [])]))
  const rests = [here.restsUntil, restsUntil].filter((until) => until !== null)
  return { rows, countedAt: here.countedAt, restsUntil: rests.length === 0 ? null : Math.max(...rests) }
}

export type Exchange = {
  /** Something was changed here. */
  changed(key: string): void
  /** Tells what was changed here, and puts into the copy what was changed elsewhere. False: that could not be done. Never rejects. */
  exchange(): Promise<boolean>
}

/** Keeps a copy level with what processes know together. */
export const createExchange = (standings: SharedStandings, copy: BreakerState, now: () => number): Exchange => {
  const known = new Map<string, Known>()
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

  /** What another process wrote since this one last looked. */
  const take = (mine: Known, { key, mark, standing }: Told): void => {
    mine.mark = mark
    const here = copy.get(key)
    const restsUntil = standing === null || standing.restsMs === null ? null : now() + standing.restsMs
    if (mine.changes === 0) copy.set(key, standing && { rows: standing.rows, countedAt: here?.countedAt ?? 0, restsUntil })
    // An answer here proves more than what others met before they knew of it.
    else if (here !== null && standing !== null) copy.set(key, merge(key, here, standing, restsUntil))
  }

  return {
    changed: (key) => {
      knownOf(key).changes += 1
    },
    exchange: async () => {
      let isWritten = false
      for (let turn = 0; turn < TURNS_MAX && !isWritten; turn += 1) {
        const changes = [...known].filter(([, mine]) => mine.changes > 0).map(changeOf)
        const sent = new Map(changes.map((change) => [change.key, { mark: change.mark, changes: knownOf(change.key).changes }]))
        const all = await standings.exchange(changes)
        if (all === null || all.length > KEYS_MAX) return false
        const there = new Set<string>()
        for (const told of all.filter(({ key }) => isOfAll(key))) {
          there.add(told.key)
          const mine = knownOf(told.key)
          const own = sent.get(told.key)
          if (own?.mark === told.mark) {
            mine.mark = told.mark
            mine.changes -= own.changes
          } else if (mine.mark !== told.mark) take(mine, told)
        }
        // What was forgotten there is told once more.
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
