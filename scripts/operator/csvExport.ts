import { createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Json } from '../../engine/core/json.ts'
import { PAGE_MAX } from './commandLine.ts'
import { createProgress, type Output, type Streamed } from './printing.ts'
import type { Session } from './session.ts'

/** Text that a spreadsheet runs as a formula: https://owasp.org/www-community/attacks/CSV_Injection. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

type CsvRow = readonly (string | number | bigint | null)[]

/** An apostrophe precedes text that a spreadsheet would run as a formula, except numbers. */
const fieldOf = (value: CsvRow[number]): string => {
  const text = value === null ? '' : String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const lineOf = (row: CsvRow): string => `${row.map(fieldOf).join(',')}\r\n`

/** https://www.rfc-editor.org/rfc/rfc4180, with a header line: a line at a time. */
export async function* csvOf(head: readonly string[], rows: AsyncIterable<CsvRow> | Iterable<CsvRow>): AsyncGenerator<string> {
  yield lineOf(head)
  for await (const row of rows) yield lineOf(row)
}

/** All rows of a list, newest first, page by page. */
export async function* eachRow<Row extends { readonly id: number }>(
  read: (page: { readonly beforeId: number | null; readonly limit: number }) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let beforeId: number | null = null; ; ) {
    const page: readonly Row[] = await read({ beforeId, limit: PAGE_MAX })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE_MAX) return
    beforeId = last.id
  }
}

type CsvExport<Row extends object> = {
  readonly rows: AsyncIterable<Row>
  /** The header line. */
  readonly head: string
  /** The fields of a row, in the order of the header. Those whose name ends with `At` are times. */
  readonly names: readonly (keyof Row & string)[]
  /** The file to write; absent: standard output. */
  readonly to: string | undefined
  /** Further fields of the JSON document. */
  readonly fields?: { readonly [name: string]: Json }
}

const fieldIn = <Row extends object>(row: Row, name: keyof Row & string): CsvRow[number] => {
  const value = row[name] as CsvRow[number]
  return typeof value === 'number' && name.endsWith('At') ? new Date(value).toISOString() : value
}

/** One JSON document, whose text is written as it comes. */
async function* asJson(fields: object, csv: AsyncIterable<string>, countRows: () => number): AsyncGenerator<string> {
  yield '{\n'
  for (const [name, value] of Object.entries(fields)) yield `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
  yield '  "csv": "'
  for await (const line of csv) yield JSON.stringify(line).slice(1, -1)
  yield `",\n  "rows": ${countRows()}\n}\n`
}

/** Streams any number of rows. Requests confirmation before it replaces a file. */
export const exportCsv = async <Row extends object>(
  { confirm }: Session,
  { rows, head, names, to, fields = {} }: CsvExport<Row>,
): Promise<Output | Streamed> => {
  // On standard output the rows themselves show the progress.
  const progress = to === undefined ? null : createProgress('rows')
  let count = 0
  const counted = async function* (): AsyncGenerator<CsvRow> {
    progress?.at(0, null)
    for await (const row of rows) {
      count += 1
      if (count % PAGE_MAX === 0) progress?.at(count, null)
      yield names.map((name) => fieldIn(row, name))
    }
    progress?.end()
  }
  const csv = csvOf(head.split(','), counted())
  if (to === undefined) return { text: csv, json: asJson(fields, csv, () => count) }
  if (existsSync(to)) await confirm(`${to} is there already. Overwrite it?`)
  await pipeline(csv, createWriteStream(to, { mode: 0o600 }))
  return { data: { ...fields, rows: count, file: to }, lines: [`${count} rows are in ${to}.`] }
}
