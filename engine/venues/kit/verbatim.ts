const isSpace = (letter: string | undefined): boolean => letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t'

const afterSpace = (json: string, at: number): number => {
  let next = at
  while (isSpace(json[next])) next += 1
  return next
}

/** The place after the string that begins at `at`. */
export const afterString = (json: string, at: number): number => {
  let next = at + 1
  while (next < json.length && json[next] !== '"') next += json[next] === '\\' ? 2 : 1
  return next + 1
}

/** The place after the value that begins at `at`. */
const afterValue = (json: string, at: number): number => {
  let depth = 0
  let next = at
  while (next < json.length) {
    const letter = json[next]
    if (letter === '"') next = afterString(json, next)
    else if (depth === 0 && (letter === ',' || letter === '}' || letter === ']' || isSpace(letter))) return next
    else {
      if (letter === '{' || letter === '[') depth += 1
      if (letter === '}' || letter === ']') depth -= 1
      next += 1
    }
    if (depth === 0 && (letter === '"' || letter === '}' || letter === ']')) return next
  }
  return next
}

/** For two members of one name the last, like `JSON.parse`. */
const memberOf = (json: string, name: string): string | null => {
  let found: string | null = null
  let at = afterSpace(json, 0)
  if (json[at] !== '{') return null
  at = afterSpace(json, at + 1)
  while (json[at] === '"') {
    const nameEnd = afterString(json, at)
    const start = afterSpace(json, afterSpace(json, nameEnd) + 1)
    const end = afterValue(json, start)
    if (JSON.parse(json.slice(at, nameEnd)) === name) found = json.slice(start, end)
    at = afterSpace(json, end)
    if (json[at] === ',') at = afterSpace(json, at + 1)
  }
  return found
}

/**
 * The exact text of one member of a JSON text, by the names that lead to it; null without such a member. Serializing again could
 * change numbers beyond 2^53, escapes and the order of members.
 */
export const verbatim = (json: string, path: readonly string[]): string | null =>
  path.reduce<string | null>((text, name) => (text === null ? null : memberOf(text, name)), json)
