/** What a spreadsheet takes for a formula: https://owasp.org/www-community/attacks/CSV_Injection. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/** Text that would be run is set off by an apostrophe; a number is none. */
const field = (value: string | number | bigint | null): string => {
  const text = value === null ? '' : String(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export type CsvRow = readonly (string | number | bigint | null)[]

/** https://www.rfc-editor.org/rfc/rfc4180, with a header line. */
export const csvOf = (head: readonly string[], rows: readonly CsvRow[]): string =>
  [head, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
