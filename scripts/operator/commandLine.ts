import { type Command, InvalidArgumentError } from 'commander'
import type { Environment } from '../../engine/config/config.ts'
import type { Output, Streamed } from './printing.ts'
import type { Session } from './session.ts'

/** Runs the work of the commands and prints the results. */
export type Tool = {
  /** Runs work on the records of the service. */
  run(command: Command, work: (session: Session) => Promise<Output | Streamed>): Promise<void>
  /** Runs work on the environment only, which may be invalid. */
  runApart(command: Command, work: (env: Environment) => Promise<Output | Streamed>): Promise<void>
}

type Adder<From> = (
  parent: Command,
  usage: string,
  what: string,
  work: (from: From, ...given: never[]) => Promise<Output | Streamed>,
) => Command

/** Adds a command below `parent`. `work` receives the session or the environment, the arguments, and the options. */
export type Add = { readonly onRecords: Adder<Session>; readonly apart: Adder<Environment> }

export const createAdd = ({ run, runApart }: Tool): Add => {
  const adderOf =
    <From>(runner: (command: Command, work: (from: From) => Promise<Output | Streamed>) => Promise<void>): Adder<From> =>
    (parent, usage, what, work) => {
      const command = parent.command(usage).description(what)
      // Commander passes the command last.
      return command.action((...given) => runner(command, (from) => work(from, ...(given.slice(0, -1) as never[]))))
    }
  return { onRecords: adderOf(run), apart: adderOf(runApart) }
}

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

/** Parses the id of a row. */
export const rowId = wholeNumber(1, Number.MAX_SAFE_INTEGER)

export const PAGE_MAX = 500

/** The options of a list of partners, oldest first. */
export type AfterOptions = { readonly limit: number; readonly after?: string }
/** The options of a list of rows, newest first. */
export type BeforeOptions = { readonly limit: number; readonly before?: number }

const withLimit = (command: Command): Command => command.option('--limit <n>', 'rows per page', wholeNumber(1, PAGE_MAX), 50)

export const pagedByPartner = (command: Command): Command =>
  withLimit(command).option('--after <partner>', 'continue after this partner')

export const pagedByRow = (command: Command): Command =>
  withLimit(command).option('--before <row>', 'continue below this row', rowId)
