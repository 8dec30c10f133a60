import { styleText } from 'node:util'

/** The output of a command, for programs and for people. */
export type Output = {
  /** Printed by `--json` as it is, bigints as text. */
  readonly data: object
  readonly lines: readonly string[]
  /** The command succeeded, and its result is a failure: the exit code reports it. */
  readonly isFailed?: true
}

/** An output that is too long for memory, in pieces. */
export type Streamed = { readonly json: AsyncIterable<string>; readonly text: AsyncIterable<string> }

/** Coloured where standard output is a terminal that takes it, and NO_COLOR is not set. */
export const paint = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout })

/** Escapes control characters and bidi marks in external text, such as contacts and texts of venues. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)

/** Epoch ms to the second, in UTC. */
export const timeOf = (at: number | null): string => (at === null ? '-' : `${new Date(at).toISOString().slice(0, 19)}Z`)

export const writeBigint = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** `requestsPerMinute` as `requests per minute`, and `createdAt` as `created`. */
const wordsOf = (name: string): string => name.replace(/At$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** A value as text: `-` for nothing. Fields named `at`, and those that end with `At`, `From` or `Until`, are times. */
export const cellOf = (value: unknown, name = ''): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'number' && /(^at|At|From|Until)$/.test(name)) return timeOf(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return printable(String(value))
  const fields = Object.entries(value).map(([field, inner]) => `${wordsOf(field)} ${cellOf(inner, field)}`)
  return printable(Array.isArray(value) ? JSON.stringify(value, writeBigint) : fields.join(', '))
}

/** A table of these fields without borders, or the sentence that there is nothing. Columns have the width of their widest cell. */
export const tableOf = <Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
  empty: string,
): readonly string[] => {
  if (rows.length === 0) return [empty]
  const head = names.map((name) => wordsOf(name).toUpperCase())
  const cells = rows.map((row) => names.map((name) => cellOf(row[name], name)))
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const lineOf = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return [paint('bold', lineOf(head).trimEnd()), ...cells.map((row) => lineOf(row).trimEnd())]
}

/** The fields of one object, one per line. */
export const fieldsOf = (fields: object): readonly string[] => {
  const width = Math.max(...Object.keys(fields).map((name) => wordsOf(name).length))
  return Object.entries(fields).map(([name, value]) => `${paint('bold', wordsOf(name).padEnd(width))}  ${cellOf(value, name)}`)
}

/** Reads one row more than a page has, which shows whether there is a next page. */
export const readPage = async <Row>(
  limit: number,
  read: (limit: number) => Promise<readonly Row[]>,
): Promise<{ readonly rows: readonly Row[]; readonly last: Row | null }> => {
  const found = await read(limit + 1)
  const rows = found.slice(0, limit)
  return { rows, last: found.length > limit ? (rows.at(-1) ?? null) : null }
}

/** A page of a list. `next` is the option that continues, and its value; null on the last page. */
export const pageOf = <Row extends object>(
  name: string,
  rows: readonly Row[],
  next: { readonly [option in 'after' | 'before']?: string | number | null },
  columns: readonly (keyof Row & string)[],
): Output => {
  const more = Object.entries(next).flatMap(([option, value]) => (value === null ? [] : [`More: --${option} ${value}`]))
  return { data: { [name]: rows, ...next }, lines: [...tableOf(rows, columns, `No ${name}.`), ...more] }
}

const CLEAR_LINE = '\r\u001b[2K'

/** Shows the progress of long work in one line of standard error; nothing where that is no terminal. */
export const createProgress = (what: string) => {
  const { isTTY } = process.stderr
  return {
    at: (done: number, all: number | null): void => {
      if (isTTY) process.stderr.write(`${CLEAR_LINE}${what} ${done}${all === null ? '' : ` of ${all}`}`)
    },
    end: (): void => {
      if (isTTY) process.stderr.write(CLEAR_LINE)
    },
  }
}
