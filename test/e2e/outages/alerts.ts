import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promtool, seriesOf } from '../../support/prometheus.ts'

/** The page of metrics before an outage and in it; null where there was no answer. */
export type Scrapes = { readonly before: string | null; readonly after: string | null }

const RULES = fileURLToPath(new URL('../../../operations/alerts.yml', import.meta.url))

/** Minutes: of peace, and of the outage as long as it takes until the slowest alert. */
const PEACE = 10
const LASTING = 45

const WORDS_MAX = 2_000

type Tried = { readonly outage: string; readonly alert: string; readonly scrapes: Scrapes | undefined }

const keyOf = ({ name, labels }: ReturnType<typeof seriesOf>[number]): string => {
  const all = Object.entries({ ...labels, job: 'swap', instance: 'one' })
  return `${name}{${all.map(([label, value]) => `${label}="${value}"`).join(',')}}`
}

const valuesOf = (page: string | null): ReadonlyMap<string, number> =>
  new Map((page === null ? [] : seriesOf(page)).map((one) => [keyOf(one), one.value]))

/** What Prometheus would have stored: a value of each minute. */
const storedOf = ({ before, after }: Scrapes) => {
  const [first, last] = [valuesOf(before), valuesOf(after)]
  const up = { series: 'up{job="swap",instance="one"}', values: `1x${PEACE} ${after === null ? 0 : 1}x${LASTING}` }
  const told = [...last].map(([series, value]) => ({
    series,
    values: `${first.get(series) ?? '_'}x${PEACE} ${value}x${LASTING}`,
  }))
  return [up, ...told.filter(({ values }) => !/NaN|Inf/.test(values))]
}

const testOf = ({ alert, scrapes }: Tried) => ({
  interval: '1m',
  input_series: storedOf(scrapes ?? { before: null, after: null }),
  promql_expr_test: [
    {
      expr: `count(max_over_time(ALERTS{alertname="${alert}",alertstate="firing"}[${LASTING}m])) > bool 0`,
      eval_time: `${PEACE + LASTING}m`,
      exp_samples: [{ labels: '{}', value: 1 }],
    },
  ],
})

/** The outages whose alert fires by promtool, and its output for the others. */
export const firing = (tried: readonly Tried[]): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'swap-alerts-'))
  const path = join(folder, 'outages.json')
  const judge = (these: readonly Tried[]) => {
    writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: these.map(testOf) }))
    return promtool(['test', 'rules', path])
  }
  const told = ({ alert, outage }: Tried): string => `${alert}: ${outage}`
  try {
    const scraped = tried.filter(({ scrapes }) => scrapes !== undefined)
    if (judge(scraped).code === 0) return scraped.map(told)
    return scraped.map((one) => {
      const { code, said } = judge([one])
      return code === 0 ? told(one) : `nothing: ${one.outage}: ${said.slice(0, WORDS_MAX)}`
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
