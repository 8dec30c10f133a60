const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = 0x20
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** An open object or list. */
type Open = {
  /** The count of each key, after unescaping; null in a list. */
  readonly keys: Map<string, number> | null
  /** The current position: the last key, or the index. */
  at: string | number
}

/** The index of the quote that ends the string from `start`. */
const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

/** In valid JSON only a key precedes a colon. */
const isKey = (text: string, end: number): boolean => {
  let i = end + 1
  while (text.charCodeAt(i) <= SPACE) i += 1
  return text.charCodeAt(i) === COLON
}

const unescaped = (quoted: string): string => (quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1))

/**
 * The paths of all repeated keys in objects of the text, each path once. The text must be valid JSON. JSON.parse uses the last
 * value, other readers the first: a proxy may have checked another value than the service uses. One pass without recursion, so
 * length and depth cost little.
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
