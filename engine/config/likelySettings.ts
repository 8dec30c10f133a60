/** Names of other programs that are near one of ours: npm, log libraries and shells set this one. */
const USUAL: readonly string[] = ['LOGLEVEL']

/** Two edits are half of `HOST` or `PORT`: `PGHOST`, `DBPORT` and `REPORT` are names of their own. */
const LENGTH_MIN = 6
const EDITS_MAX = 2

/** How many characters must be added, removed or replaced to turn one text into the other (Levenshtein). */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The settings that a variable is likely meant to be: the nearest ones within two edits. Empty where none is near. */
export const likelySettings = (key: string, settings: Iterable<string>): readonly string[] => {
  if (key.length < LENGTH_MIN || USUAL.includes(key)) return []
  const near = [...settings]
    .filter(({ length }) => length >= LENGTH_MIN && Math.abs(length - key.length) <= EDITS_MAX)
    .map((setting) => ({ setting, distance: editDistance(key, setting) }))
    .filter(({ distance }) => distance <= EDITS_MAX)
  const nearest = Math.min(...near.map(({ distance }) => distance))
  return near.filter(({ distance }) => distance === nearest).map(({ setting }) => setting)
}
