const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = 0x20
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** An object or a list that is not closed yet. */
type Open = {
  /** How often each key was given, after unescaping; null in a list. */
  readonly keys: Map<string, number> | null
  /** Where we are in it: the last key, or the index. */
  at: string | number
}

/** The index of the quote that ends the string begun at `start`. */
const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

/** In valid JSON only a key is followed by a colon. */
const isKey = (text: string, end: number): boolean => {
  let i = end + 1
  while (text.charCodeAt(i) <= SPACE) i += 1
  return text.charCodeAt(i) === COLON
}

const unescaped = (quoted: string): string => (quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1))

/**
 * The ways to every key that an object of the text gives more than once, each way once. The text must be valid JSON.
 * JSON.parse keeps the last value, other readers the first: what a proxy has checked need not be what we would act on.
 * Goes over the text once and calls nothing per level, so that neither length nor depth is a burden.
 */
export const repeatedKeys = (text: string): readonly (readonly string[])[] => {
  const found: (readonly string[])[] = []
  const open: Open[] = []
  const note = (key: string): void => {
    const current = open.at(-1)
    if (!current?.keys) return
    const times = (current.keys.get(key) ?? 0) + 1
    current.keys.set(key, times)
    current.at = key
    if (times === 2) found.push(open.map(({ at }) => String(at)))
  }
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      const end = endOfString(text, i)
      if (isKey(text, end)) note(unescaped(text.slice(i, end + 1)))
      i = end
    } else if (code === COMMA) {
      const current = open.at(-1)
      if (typeof current?.at === 'number') current.at += 1
    } else if (code === OPEN_OBJECT) open.push({ keys: new Map(), at: '' })
    else if (code === OPEN_LIST) open.push({ keys: null, at: 0 })
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) open.pop()
  }
  return found
}
