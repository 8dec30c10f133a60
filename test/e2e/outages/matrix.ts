import { readFileSync } from 'node:fs'

/** One row of the page on outages: what the service shows, and how soon, in seconds. */
export type Row = {
  readonly outage: string
  readonly health: string
  readonly ready: string
  readonly reasons: readonly string[]
  /** The name of the rule. */
  readonly alert: string
  readonly toldS: number
  readonly wellS: number
}

const PAGE = new URL('../../../engine/health/README.md', import.meta.url)

const secondsOf = (text: string): number => {
  const [, seconds] = /^(\d+) s$/.exec(text) ?? []
  if (seconds === undefined) throw new Error(`not a number of seconds: ${text}`)
  return Number(seconds)
}

const readRow = (line: string): Row => {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
  if (cells.length !== 7) throw new Error(`not a row of seven: ${line}`)
  const [outage = '', health = '', ready = '', reasons = '', alert = '', told = '', well = ''] = cells
  const split = reasons === '' ? [] : reasons.split(', ')
  return { outage, health, ready, reasons: split, alert, toldS: secondsOf(told), wellS: secondsOf(well) }
}

/** The table of the page. */
export const readMatrix = (): readonly Row[] => {
  const [, table = ''] = /<!-- outages -->\n([\s\S]*?)<!-- \/outages -->/.exec(readFileSync(PAGE, 'utf8')) ?? []
  const [, , ...rows] = table.trim().split('\n')
  return rows.map(readRow)
}
