/** One line of the report: what was measured, beside what, and whether it reaches its goal. */
export type Figure = {
  readonly name: string
  /** The ratio or difference, with its unit. */
  readonly measured: string
  /** The absolute numbers behind it. */
  readonly absolute: string
  /** Null: told for orientation, nothing was promised. */
  readonly goal: { readonly text: string; readonly isMet: boolean } | null
}

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export const formatRate = (perSecond: number): string => whole.format(perSecond)

export const atLeast = (value: number, goal: number): Figure['goal'] => ({ text: `>= ${goal.toFixed(2)}`, isMet: value >= goal })

export const atMost = (value: number, goal: number, unit = ''): Figure['goal'] => ({
  text: `<= ${goal}${unit}`,
  isMet: value <= goal,
})

const COLUMNS = ['figure', 'measured', 'goal', '', 'absolute'] as const

const cellsOf = ({ name, measured, goal, absolute }: Figure): readonly string[] => [
  name,
  measured,
  goal?.text ?? '',
  goal ? (goal.isMet ? 'ok' : 'below') : '',
  absolute,
]

/** The figures as a table of plain text. */
export const formatFigures = (figures: readonly Figure[]): string => {
  const rows = [COLUMNS, ...figures.map(cellsOf)]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const [header = '', ...body] = lines
  return [header, '-'.repeat(Math.max(...lines.map((line) => line.length))), ...body].join('\n')
}
