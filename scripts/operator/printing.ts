import { styleText } from 'node:util'

/** The output of a command, for programs and for people. */
export type Told = {
  /** Printed by `--json` as it is, bigints as text. */
  readonly data: object
  readonly lines: readonly string[]
  /** The command succeeded, and its result is a failure: the exit code reports it. */
  readonly isFailed?: true
}

/** An output that is too long for memory, in pieces. */
export type Streamed = { readonly json: AsyncIterable<string>; readonly text: AsyncIterable<string> }

type Style = Parameters<typeof styleText>[0]

/** Coloured where standard output is a terminal that takes it, and NO_COLOR is not set. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout })

/** Escapes control characters and bidi marks in external text, such as contacts and texts of venues. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) => `\\u{${(mark.codePointAt(0) ?? 0).toString(16)}}`)

/** Epoch ms to the second, in UTC. */
export const timeOf = (at: number | null): string => (at === null ? '-' : `${new Date(at).toISOString().slice(0, 19)}Z`)

/** `-` for nothing. */
export const cellOf = (value: string | number | bigint | null): string =>
  value === null || value === '' ? '-' : printable(String(value))

/** A table without borders, whose columns have the width of their widest cell. */
export const tableOf = (
  head: readonly string[],
  rows: readonly (readonly (string | number | bigint | null)[])[],
): readonly string[] => {
  const cells = rows.map((row) => row.map(cellOf))
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('bold', lineOf(head)), ...cells.map(lineOf)]
}

/** The fields of one object, one per line. */
export const fieldsOf = (
  fields: readonly (readonly [name: string, value: string | number | bigint | null])[],
): readonly string[] => {
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${paint('bold', name.padEnd(width))}  ${cellOf(value)}`)
}

/** A list with its headline, or the sentence that there is nothing. */
export const listOf = (lines: readonly string[], empty: string): readonly string[] => (lines.length <= 1 ? [empty] : lines)

export const writeBigint = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

export const jsonOf = (data: object): string => JSON.stringify(data, writeBigint, 2)
