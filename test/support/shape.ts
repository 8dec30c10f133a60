/** Texts longer than this are told by their kinds of words alone. */
const WORD_MAX = 32

const kindOf = (run: string): string => (/^[0-9]+$/.test(run) ? '9' : /^[a-z]+$/i.test(run) ? 'a' : 'x')

/** Codes that are other ones every time: UUIDs, tokens, hashes. */
const CODE = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{33,}/gi

/** A name, as enumerations have it, stands for itself; else numbers, words and codes stand for any others, the signs between them for themselves. */
const textShape = (text: string): string => {
  if (text.length <= WORD_MAX && /^[a-z]+([_-][a-z]+)*$/i.test(text)) return text
  if (/^0[0-9]+$/.test(text)) return '09'
  const skeleton = text.replaceAll(CODE, 'x').replaceAll(/[0-9a-z]+/gi, kindOf)
  return skeleton.replaceAll(/([ax9] )+/g, 'a ')
}

const valueShape = (value: unknown): string => {
  if (Array.isArray(value)) return `[${[...new Set(value.map(valueShape))].toSorted().join()}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, held]) => `${textShape(name)}:${valueShape(held)}`)
      .toSorted()
      .join()}}`
  if (typeof value === 'string') return JSON.stringify(textShape(value))
  if (typeof value === 'number') return `${value < 0 ? '-' : ''}${Number.isInteger(value) ? 9 : 9.9}`
  return String(value)
}

/** What a text has in common with others that are made of the same parts: fields, types, names, and the make of its strings. */
export const shapeOf = (text: string): string => {
  try {
    return valueShape(JSON.parse(text))
  } catch {
    return JSON.stringify(textShape(text))
  }
}
