import { createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Json } from '../../engine/core/json.ts'
import { PAGE_MAX } from './arguments.ts'
import { type CsvRow, csvOf } from './csv.ts'
import type { Streamed, Told } from './printing.ts'
import { createProgress } from './progress.ts'
import type { Session } from './session.ts'

export type CsvExport = {
  readonly head: readonly string[]
  readonly rows: AsyncIterable<CsvRow>
  /** The file to write; absent: standard output. */
  readonly to: string | undefined
  /** Further fields of the JSON document. */
  readonly fields: { readonly [name: string]: Json }
}

/** One JSON document, whose text is written as it comes. */
async function* asJson(fields: CsvExport['fields'], csv: AsyncIterable<string>, rowsOf: () => number): AsyncGenerator<string> {
  yield '{\n'
  for (const [name, value] of Object.entries(fields)) yield `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`
  yield '  "csv": "'
  for await (const line of csv) yield JSON.stringify(line).slice(1, -1)
  yield `",\n  "rows": ${rowsOf()}\n}\n`
}

/** Streams any number of rows. Requests confirmation before it replaces a file. */
export const exportCsv = async ({ confirm }: Session, { head, rows, to, fields }: CsvExport): Promise<Told | Streamed> => {
  // On standard output the rows themselves show the progress.
  const progress = to === undefined ? null : createProgress('rows')
  let count = 0
  const counted = async function* (): AsyncGenerator<CsvRow> {
    progress?.at(0, null)
    for await (const row of rows) {
      count += 1
      if (count % PAGE_MAX === 0) progress?.at(count, null)
      yield row
    }
    progress?.end()
  }
  const csv = csvOf(head, counted())
  if (to === undefined) return { text: csv, json: asJson(fields, csv, () => count) }
  if (existsSync(to)) await confirm(`${to} is there already. Overwrite it?`)
  await pipeline(csv, createWriteStream(to, { mode: 0o600 }))
  return { data: { ...fields, rows: count, file: to }, lines: [`${count} rows are in ${to}.`] }
}
