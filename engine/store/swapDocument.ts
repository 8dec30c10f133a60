import type { ExecutedSwap } from '../core/swap.ts'

/** Marks a bigint written as text. Text that starts with it by itself gets another one in front. */
const MARK = '$'

const write = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return `${MARK}${value}`
  return typeof value === 'string' && value.startsWith(MARK) ? `${MARK}${value}` : value
}

const read = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return value
  const text = value.slice(MARK.length)
  return text.startsWith(MARK) ? text : BigInt(text)
}

/** Serialises a swap to JSON, with bigints as `"$123"`. Strings that start with `$` are escaped, so they round-trip. */
export const writeDocument = (swap: ExecutedSwap): string => JSON.stringify(swap, write)

export const readDocument = (text: string): ExecutedSwap => JSON.parse(text, read) as ExecutedSwap
