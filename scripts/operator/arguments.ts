import { InvalidArgumentError } from 'commander'

/** Parses a whole number in a range. Commander reports an invalid one. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }

/** Parses a whole number in a range, or a word that removes the number. */
export const numberOr =
  (word: string, least: number, most: number) =>
  (text: string): number | null =>
    text === word ? null : wholeNumber(least, most)(text)

const UNITS_MS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads an age such as `90m`, as milliseconds. */
export const age = (text: string): number => {
  const [, count, unit] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? []
  const ms = UNITS_MS[unit ?? '']
  if (count === undefined || ms === undefined)
    throw new InvalidArgumentError('It must be a number with s, m, h or d, such as 90m.')
  return Number(count) * ms
}

/** Parses one of the given words. */
export const oneOf =
  <const T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text)
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`)
    return found
  }

/** Parses a list of the given words, separated by commas. */
export const someOf =
  <const T extends string>(words: readonly T[]) =>
  (text: string): readonly T[] =>
    text.split(',').map((part) => oneOf(words)(part.trim()))

/** The largest id of a row. */
export const ID_MAX = Number.MAX_SAFE_INTEGER

export const PAGE_MAX = 500
