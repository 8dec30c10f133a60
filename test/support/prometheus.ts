import { execFileSync } from 'node:child_process'

/** One line of what Prometheus reads. */
export type Series = { readonly name: string; readonly labels: { readonly [name: string]: string }; readonly value: number }

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g

/** All series of a scrape. Its syntax is promtool's to judge. */
export const seriesOf = (text: string): readonly Series[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? []
      const pairs = [...labels.matchAll(LABEL)].map(([, label = '', of = '']) => [label, of] as const)
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })

/** What the series of a name that bear these labels come to; null where there is none. */
export const sumOf = (series: readonly Series[], name: string, labels: Series['labels'] = {}): number | null => {
  const found = series.filter(
    (one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0)
}

/** Runs Prometheus' own tool; what it says, and its exit code. */
export const promtool = (args: readonly string[], input = ''): { readonly code: number; readonly said: string } => {
  try {
    return { code: 0, said: execFileSync('promtool', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }) }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number | null; stdout: string; stderr: string }
    return { code: status ?? -1, said: `${stdout}${stderr}` }
  }
}
