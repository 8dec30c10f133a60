import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { promtool, seriesOf } from '../../support/prometheus.ts'

/** The page of metrics before an outage and in it; null where there was no answer. */
export type Scrapes = { readonly before: string | null; readonly after: string | null }

type Tried = { readonly outage: string; readonly alert: string; readonly scrapes: Scrapes | undefined }

const RULES = join(projectRoot, 'operations/alerts.yml')
const RULES_TEXT = readFileSync(RULES, 'utf8')

/** Minutes: of peace, and of the outage as long as it takes until the slowest alert. */
const [PEACE, LASTING] = [10, 45]

const keyOf = ({ name, labels }: ReturnType<typeof seriesOf>[number]): string => {
  const all = Object.entries({ ...labels, job: 'swap', instance: 'one' })
  return `${name}{${all.map(([label, value]) => `${label}="${value}"`).join(',')}}`
}

/** The series of a page that the rules name. */
const valuesOf = (page: string | null): ReadonlyMap<string, number> => {
  const named = page === null ? [] : seriesOf(page).filter(({ name }) => RULES_TEXT.includes(name))
  return new Map(named.map((one) => [keyOf(one), one.value]))
}

/** What Prometheus would have stored: a value of each minute. */
const storedOf = ({ before, after }: Scrapes) => {
  const [first, last] = [valuesOf(before), valuesOf(after)]
  const up = { series: 'up{job="swap",instance="one"}', values: `1x${PEACE} ${after === null ? 0 : 1}x${LASTING}` }
  const shown = [...last].map(([series, value]) => ({
    series,
    values: `${first.get(series) ?? '_'}x${PEACE} ${value}x${LASTING}`,
  }))
  return [up, ...shown.filter(({ values }) => !/NaN|Inf/.test(values))]
}

const testOf = ({ outage, alert, scrapes = { before: null, after: null } }: Tried) => ({
  interval: '1m',
  input_series: storedOf(scrapes),
  promql_expr_test: [
    {
      expr: `count(max_over_time(ALERTS{alertname="${alert}",alertstate="firing"}[${LASTING}m])) > bool 0 # ${outage}`,
      eval_time: `${PEACE + LASTING}m`,
      exp_samples: [{ labels: '{}', value: 1 }],
    },
  ],
})

/** Evaluates the rules for what was scraped. Promtool ends with 0 where all alerts fire, else it reports those that do not. */
export const silentAlerts = (tried: readonly Tried[], folder: string) => {
  const path = join(folder, 'outages.json')
  writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: tried.map(testOf) }))
  return promtool(['test', 'rules', path])
}
