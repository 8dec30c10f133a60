/** Text that a spreadsheet runs as a formula: https://owasp.org/www-community/attacks/CSV_Injection. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/** An apostrophe precedes text that a spreadsheet would run as a formula, except numbers. */
const field = (value: string | number | bigint | null): string => {
  const text = value === null ? '' : String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export type CsvRow = readonly (string | number | bigint | null)[]

const line = (row: CsvRow): string => `${row.map(field).join(',')}\r\n`

/** https://www.rfc-editor.org/rfc/rfc4180, with a header line: a line at a time. */
export async function* csvOf(head: readonly string[], rows: AsyncIterable<CsvRow> | Iterable<CsvRow>): AsyncGenerator<string> {
  yield line(head)
  for await (const row of rows) yield line(row)
}
