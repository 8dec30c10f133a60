import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { stateOf } from '../../../../engine/health/healthState.ts'
import { createMetrics } from '../../../../engine/observe/metrics/createMetrics.ts'
import { projectRoot } from '../../../../scripts/contract/document.ts'
import { lacks } from '../../../support/needs.ts'
import { promtool } from '../../../support/prometheus.ts'

const read = (file: string): string => readFileSync(join(projectRoot, 'operations', file), 'utf8')
const all = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

const [alerts, cases, runbook] = [read('alerts.yml'), read('alerts.test.yml'), read('RUNBOOK.md')]
const dashboard = read('dashboard.json')
const ALERTS = all(alerts, /- alert: (\w+)/g)

/** The metrics that a text names; the series of a histogram count as the histogram. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(all(text, /\b((?:swap|process|nodejs)_[a-z0-9_]+)/g).map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
]

it('operations: alerts, their cases and the dashboard name existing metrics, and the dashboard shows every metric of the service [ops-alerts-fire]', async () => {
  const metrics = createMetrics({ venues: [], operations: [], network: 'simnet', health: () => stateOf([]) })
  const known = all((await metrics.page()).text, /^# TYPE (\S+)/gm)
  const [inAlerts, inCases, inDashboard] = [alerts, cases, dashboard].map(metricsIn) as [string[], string[], string[]]
  expect(inAlerts.length).toBeGreaterThan(20)
  expect(inDashboard.length).toBeGreaterThan(40)
  expect([...inAlerts, ...inCases, ...inDashboard].filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => name.startsWith('swap_') && !inDashboard.includes(name))).toEqual([])
})

it('operations: each alert has a runbook entry of four parts and a case in which it fires, and no entry is without its alert [ops-alerts-fire]', () => {
  expect(all(runbook, /^## (\w+)$/gm)).toEqual(ALERTS)
  expect(all(alerts, /runbook: operations\/RUNBOOK\.md#(\w+)/g)).toEqual(ALERTS.map((name) => name.toLowerCase()))
  for (const part of ['Severity', 'Means', 'Check', 'Do'])
    expect(all(runbook, new RegExp(`^- \\*\\*(${part})\\*\\*: .{10,}$`, 'gm')), part).toHaveLength(ALERTS.length)
  const fired = cases.split(/^ {2}- name: (?=Swap)/m).slice(1)
  const names = fired.map((one) => /^\w+/.exec(one)?.[0])
  expect([...new Set(names)]).toEqual(ALERTS)
  expect(fired.map((one) => /alertname: (\w+)\n +exp_alerts:\n +- exp_labels/.exec(one)?.[1])).toEqual(names)
})

it.skipIf(lacks('promtool'))(
  'operations: promtool finds that each alert fires by its cause and stays silent while all is well [ops-alerts-fire]',
  () => {
    const { code, said } = promtool(['test', 'rules', join(projectRoot, 'operations/alerts.test.yml')])
    expect(said).toContain('SUCCESS')
    expect(code).toBe(0)
  },
)
