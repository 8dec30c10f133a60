import { InvalidArgumentError } from 'commander'

/** Reads a whole number in a range; commander tells what is wrong with it. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }

/** The same, or a word that takes the number away. */
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

/** Reads one of some words. */
export const oneOf =
  <const T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text)
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`)
    return found
  }

/** Reads some of these words, separated by commas. */
export const someOf =
  <const T extends string>(words: readonly T[]) =>
  (text: string): readonly T[] =>
    text.split(',').map((part) => oneOf(words)(part.trim()))

/** The largest number a row goes by. */
export const ID_MAX = Number.MAX_SAFE_INTEGER

export const PAGE_MAX = 500
