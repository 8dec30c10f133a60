import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stateOf } from '../../../../engine/health/healthState.ts'
import { createMetrics } from '../../../../engine/observe/metrics/createMetrics.ts'
import { projectRoot } from '../../../../scripts/contract/document.ts'
import { lacks } from '../../../support/needs.ts'
import { promtool } from '../../../support/prometheus.ts'

const read = (file: string): string => readFileSync(join(projectRoot, 'operations', file), 'utf8')

const [alerts, cases, runbook, dashboard] = [
  read('alerts.yml'),
  read('alerts.test.yml'),
  read('RUNBOOK.md'),
  read('dashboard.json'),
]

const all = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

const ALERTS = all(alerts, /- alert: (\w+)/g)

/** Every name of a metric in a text, the lines of histograms by the histogram's. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(all(text, /\b((?:swap|process|nodejs)_[a-z0-9_]+)/g).map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
]

const told = async (): Promise<ReadonlySet<string>> => {
  const metrics = createMetrics({ venues: [], operations: [], network: 'simnet', health: () => stateOf([]) })
  return new Set(all((await metrics.page()).text, /^# TYPE (\S+)/gm))
}

/** A rule that fires for every series that it is about: each comparison with a number holds, and nothing is absent or left out. */
const withoutBounds = (rule: string): string =>
  rule
    .replaceAll(/(==|!=|[<>]=?)( bool)? [\d.e]+/g, '>=$2 -Inf')
    .replace(/unless([^>]*)>= -Inf/, 'unless$1> Inf')
    .replace('absent(', '(')

describe('the operator’s alerts', () => {
  it('name metrics that there are', async () => {
    const known = await told()
    expect(metricsIn(alerts).length).toBeGreaterThan(20)
    expect(metricsIn(alerts).filter((name) => !known.has(name))).toEqual([])
    expect(metricsIn(cases).filter((name) => !known.has(name))).toEqual([])
  })

  it('each have a page of the runbook of four parts, and no page is without its alert [ops-alerts-fire]', () => {
    expect(all(runbook, /^## (\w+)$/gm)).toEqual(ALERTS)
    expect(all(alerts, /runbook: operations\/RUNBOOK\.md#(\w+)/g)).toEqual(ALERTS.map((name) => name.toLowerCase()))
    for (const part of ['Severity', 'Means', 'Check', 'Do'])
      expect(all(runbook, new RegExp(`^- \\*\\*(${part})\\*\\*: .{10,}$`, 'gm')), part).toHaveLength(ALERTS.length)
  })

  it('each have a case in which it fires', () => {
    const fired = cases.split(/^ {2}- name: (?=Swap)/m).slice(1)
    const named = fired.map((one) => /^\w+/.exec(one)?.[0])
    expect([...new Set(named)]).toEqual(ALERTS)
    expect(fired.map((one) => /alertname: (\w+)\n +exp_alerts:\n +- exp_labels/.exec(one)?.[1])).toEqual(named)
  })
})

describe('the dashboard', () => {
  it('shows metrics that there are', async () => {
    const known = await told()
    expect(metricsIn(dashboard).length).toBeGreaterThan(40)
    expect(metricsIn(dashboard).filter((name) => !known.has(name))).toEqual([])
  })

  it('shows every metric of ours [ops-alerts-fire]', async () => {
    const ours = [...(await told())].filter((name) => name.startsWith('swap_'))
    expect(ours.filter((name) => !metricsIn(dashboard).includes(name))).toEqual([])
  })

  it('is one that Grafana can take: panels with ids, places and questions of their own', () => {
    const { panels } = JSON.parse(dashboard) as {
      readonly panels: readonly { readonly id: number; readonly type: string; readonly targets?: readonly { expr: string }[] }[]
    }
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { type, targets = [] } of panels) if (type !== 'row') expect(targets.length).toBeGreaterThan(0)
  })
})

describe.skipIf(lacks('promtool'))("by Prometheus' own tool", () => {
  it('every alert fires by its cause, and none where all is well [ops-alerts-fire]', () => {
    const { code, said } = promtool(['test', 'rules', join(projectRoot, 'operations/alerts.test.yml')])
    expect(said).toContain('SUCCESS')
    expect(code).toBe(0)
  })

  it('every alert would fire where all is well, were it not for its bounds', () => {
    const folder = mkdtempSync(join(tmpdir(), 'swap-alerts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'alerts.yml'), alerts.replaceAll(/(?<=- alert: .+\n +expr: ).+/g, withoutBounds))
    writeFileSync(join(folder, 'alerts.test.yml'), cases.split(/^ {2}- name: Swap/m, 1).join())
    const { said } = promtool(['test', 'rules', join(folder, 'alerts.test.yml')])
    expect([...new Set(all(said, /alertname="(\w+)"/g))].toSorted()).toEqual(ALERTS.toSorted())
  })
})
