const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
/** The two kinds of brackets differ in this bit only. */
const BRACE_BIT = 0x20
const OPENING = 0x7b
const CLOSING = 0x7d

export type JsonBounds = {
  /** Levels of nested objects and lists. */
  readonly depthMax: number
  /** Members of objects and lists, all levels together. An empty object or list counts as one more member. */
  readonly valuesMax: number
}

/**
 * Returns a scanner of one JSON text. The scanner takes the UTF-8 bytes in pieces, in order. It returns the bound that the text
 * exceeds so far; null while the text is within bounds. Its memory is constant, whatever the text.
 */
export const createJsonScan = ({ depthMax, valuesMax }: JsonBounds) => {
  let depth = 0
  let values = 1
  let isInString = false
  /** 1 where the previous piece ended with a backslash: the first byte of the next one is escaped. */
  let escaped = 0
  return (bytes: Uint8Array): 'depth' | 'values' | null => {
    const end = bytes.length
    let at = escaped
    escaped = 0
    for (; at < end; at += 1) {
      if (isInString) {
        while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
        isInString = at >= end
        escaped = Math.max(0, at - end)
        continue
      }
      const byte = bytes[at] as number
      if (byte === QUOTE) isInString = true
      else if (byte === COMMA) values += 1
      else if ((byte | BRACE_BIT) === OPENING) {
        depth += 1
        values += 1
        if (depth > depthMax) return 'depth'
      } else if ((byte | BRACE_BIT) === CLOSING) depth -= 1
    }
    return values > valuesMax ? 'values' : null
  }
}
