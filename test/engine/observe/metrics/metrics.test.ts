import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { publicEndpoints } from '../../../../engine/chains/endpoints/publicEndpoints.ts'
import type { VenueHealth } from '../../../../engine/core/answers.ts'
import type { ChainId } from '../../../../engine/core/chain.ts'
import type { ErrorCode } from '../../../../engine/errors.ts'
import { stateOf } from '../../../../engine/health/healthState.ts'
import { createMetrics, type Installation } from '../../../../engine/observe/metrics/createMetrics.ts'
import { PROBLEM_NAMES } from '../../../../engine/observe/metrics/labels.ts'
import type { AnyEvent, VenueCall, VenueOutcome } from '../../../../engine/observe/observe.ts'
import type { Backlog, OpenSwaps } from '../../../../engine/store/operatorReads.ts'
import { projectRoot } from '../../../../scripts/contract/document.ts'
import { lacks } from '../../../support/needs.ts'
import { promtool, seriesOf, sumOf } from '../../../support/prometheus.ts'

const NOTHING: Backlog = {
  looks: { open: 0, due: 0, oldestDueAt: null, abandoned: 0 },
  oldestUnseenAt: null,
  deliveries: { due: 0, oldestDueAt: null, unfinished: 0 },
  leases: [],
  backedUpAt: null,
  passedAt: null,
}

const START_AT = 1_000_000

const open = (records: Partial<Installation['records']> = {}, dataDir = tmpdir()) => {
  const venues: VenueHealth[] = []
  const clockNow = { isCompared: true }
  const metrics = createMetrics({
    venues: ['relay', 'across', 'cow'],
    operations: ['quote', 'execute'],
    network: 'simnet',
    health: () => stateOf([]),
  })
  metrics.watch({
    venuesEnabled: ['relay', 'across'],
    rpcUrls: { 1: ['http://a.example', 'http://b.example'] },
    records: { openSwaps: async () => [], backlog: async () => NOTHING, ...records },
    dataDir,
    healthWatch: { venues: () => venues, isClockCompared: () => clockNow.isCompared },
    rooms: () => [{ room: 'quotes', underWay: 3, waiting: 2, max: 64 }],
    clock: { now: () => START_AT },
  })
  const scrape = async () => seriesOf((await metrics.page()).text)
  return { ...metrics, scrape, venues, clockNow }
}

const request = (operationId: string | null, status: number | null, ms: number, code?: string): AnyEvent => ({
  event: 'request',
  requestId: 'r',
  method: 'POST',
  path: `/${operationId}`,
  operationId,
  status,
  ms,
  tier: 'anonymous',
  ...(code !== undefined && { code: code as ErrorCode }),
})

const call = (venue: string, outcome: string, { call: of = 'quote', kind }: { call?: string; kind?: string } = {}): AnyEvent => ({
  event: 'venue.call',
  requestId: 'r',
  venue,
  call: of as VenueCall,
  outcome: outcome as VenueOutcome,
  elapsedMs: 120,
  ...(kind !== undefined && { kind }),
})

/** Series of a scrape: name, labels, sum; null where the series is absent. */
type Rows = readonly (readonly [name: string, labels: string, sum: number | null])[]

const expectSeries = async ({ scrape }: ReturnType<typeof open>, rows: Rows) => {
  const series = await scrape()
  for (const [name, labels, expected] of rows) {
    const sum = sumOf(series, name, Object.fromEntries(new URLSearchParams(labels)))
    expect([name, labels, sum === null ? null : Number(sum.toFixed(9))]).toEqual([name, labels, expected])
  }
}

const backlog: Backlog = {
  ...NOTHING,
  looks: { open: 5, due: 2, oldestDueAt: START_AT - 7_000, abandoned: 1 },
  oldestUnseenAt: START_AT - 8_000,
  backedUpAt: START_AT - 9_000,
  passedAt: START_AT,
}
const openSwaps = async (): Promise<readonly OpenSwaps[]> => [{ state: 'processing', count: 3, oldestAt: START_AT - 90_000 }]

describe('metrics', () => {
  it('count requests, refusals, calls of venues and their durations by their labels', async () => {
    const metrics = open()
    for (const event of [
      request('quote', 200, 40),
      request('quote', 404, 900, 'NO_LIQUIDITY'),
      request('quote', null, 10),
      { ...request('quote', 500, 10, 'INTERNAL'), isOutage: true },
      { event: 'connections.refused', limit: 'address', reason: '' },
      { event: 'proxy.untrusted', peer: 'private' },
      call('relay', 'offer'),
      call('relay', 'failure', { call: 'execute', kind: 'badResponse' }),
      call('relay', 'skipped', { kind: 'rateLimited' }),
      call('relay', 'skipped'),
      call('relay', 'unwilling'),
      call('relay', 'answer', { call: 'track' }),
      { ...call('relay', 'answer', { call: 'track' }), waitedMs: 1_500 },
    ] as readonly AnyEvent[])
      metrics.observe(event)
    await expectSeries(metrics, [
      ['swap_requests_total', 'operation=quote&status=2xx', 1],
      ['swap_requests_total', 'operation=quote&status=gone', 1],
      ['swap_request_errors_total', 'operation=quote', 2],
      ['swap_request_errors_total', 'operation=quote&code=NO_LIQUIDITY', 1],
      ['swap_request_errors_total', 'operation=quote&code=OUTAGE', 1],
      ['swap_request_duration_seconds_count', 'operation=quote', 4],
      ['swap_request_duration_seconds_sum', 'operation=quote', 0.96],
      ['swap_connections_refused_total', 'limit=address', 1],
      ['swap_proxy_untrusted_requests_total', 'peer=private', 1],
      ['swap_venue_calls_total', 'venue=relay&call=quote&outcome=offer', 1],
      ['swap_venue_errors_total', 'venue=relay&call=execute&kind=badResponse', 1],
      ['swap_venue_calls_left_out_total', 'venue=relay&why=limit', 1],
      ['swap_venue_calls_left_out_total', 'venue=relay&why=breaker', 1],
      // Calls that were not sent have no duration, and calls that did not wait no wait.
      ['swap_venue_call_duration_seconds_count', 'venue=relay&call=quote', 1],
      ['swap_venue_limiter_wait_seconds_sum', 'venue=relay', 1.5],
      ['swap_requests_under_way', 'room=quotes', 3],
    ])
  })

  it('show until it recovers that a venue fails and at which calls, and that the clock is not compared', async () => {
    const metrics = open()
    const calls = { failing: ['quote', 'status'], rejecting: [] }
    metrics.venues.push({ id: 'relay', name: 'Relay', trouble: 'failing', off: null, ...calls })
    metrics.clockNow.isCompared = false
    metrics.observe({ event: 'venue.health', venue: 'relay', healthy: false, reason: 'failing' })
    await expectSeries(metrics, [
      ['swap_venue_healthy', 'venue=relay', 0],
      ['swap_venue_healthy', 'venue=across', 1],
      ['swap_venue_failing', 'venue=relay&call=quote', 1],
      ['swap_venue_failing', 'venue=relay&call=status', 1],
      ['swap_venue_enabled', 'venue=cow', 0],
      ['swap_clock_compared', '', 0],
    ])
    metrics.venues.pop()
    metrics.clockNow.isCompared = true
    metrics.observe({ event: 'venue.health', venue: 'relay', healthy: true, reason: null })
    await expectSeries(metrics, [
      ['swap_venue_healthy', 'venue=relay', 1],
      ['swap_venue_failing', '', null],
      ['swap_clock_compared', '', 1],
    ])
  })

  it('omit unknown figures, and are 0 for events that have not happened [ops-metrics-bounded]', async () => {
    await expectSeries(open({}, '/nowhere'), [
      ['swap_data_dir_free_bytes', '', null],
      ['swap_last_backup_timestamp_seconds', '', 0],
      ['swap_ledger_balanced', '', null],
      ['swap_settlement_last_pass_timestamp_seconds', '', null],
      ['swap_contract_mismatches_total', '', 0],
      ['swap_chain_endpoint_healthy', 'chain=1', 2],
      // The public endpoints of a chain without a setting: an alert on all of them needs a series for each.
      ['swap_chain_endpoint_healthy', 'chain=8453', publicEndpoints(8453).length],
      ['swap_build_info', '', 1],
      // The share of quotes without an offer needs the number of those with one from the start.
      ['swap_quotes_total', '', 0],
    ])
  })

  it('show open swaps, their age, and the lag of settlement', async () => {
    await expectSeries(open({ openSwaps, backlog: async () => backlog }), [
      ['swap_open_swaps', 'state=processing', 3],
      ['swap_open_swap_oldest_age_seconds', 'state=processing', 90],
      ['swap_settlement_due', '', 2],
      ['swap_settlement_lag_seconds', '', 7],
      ['swap_unseen_payment_oldest_age_seconds', '', 8],
      ['swap_last_backup_timestamp_seconds', '', START_AT / 1_000 - 9],
      ['swap_settlement_last_pass_timestamp_seconds', '', START_AT / 1_000],
      ['swap_store_readable', '', 1],
    ])
  })

  it('omit figures of records that cannot be read, because a wrong 0 would mean that all is well [ops-metrics-bounded]', async () => {
    const metrics = open({ openSwaps: () => Promise.reject(new Error('locked')) })
    await expectSeries(metrics, [
      ['swap_store_readable', '', 0],
      ['swap_open_swaps', '', null],
      ['swap_settlement_lag_seconds', '', null],
      ['swap_last_backup_timestamp_seconds', '', null],
    ])
    expect(sumOf(await metrics.scrape(), 'swap_data_dir_free_bytes')).toBeGreaterThan(0)
  })

  it('show a late event loop to every scrape', async () => {
    const { scrape } = open()
    const worst = async () => sumOf(await scrape(), 'nodejs_eventloop_lag_max_seconds') ?? 0
    // A delay is between two turns: the histogram must have seen one.
    await expect.poll(worst).toBeGreaterThan(0)
    const until = performance.now() + 300
    while (performance.now() < until);
    await expect.poll(worst).toBeGreaterThan(0.2)
    for (let read = 0; read < 3; read += 1) expect(await worst()).toBeGreaterThan(0.2)
  })

  it('have no series for made-up venues, paths, codes, chains, networks or states [ops-metrics-bounded]', async () => {
    const { observe, scrape } = open()
    const flood = (from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        const name = `made-up-${index}`
        const chainId = (1_000_000 + index) as ChainId
        const swap = { requestId: 'r', quoteId: name, venue: name }
        observe(request(name, 400 + (index % 200), 1, name))
        observe(call(name, name, { call: name, kind: name }))
        observe({ event: 'venue.health', venue: name, healthy: false, reason: null })
        observe({ event: 'venue.off', venue: name, reason: '' })
        observe({ event: 'chain.unread', requestId: 'r', chainId, what: name, reason: name })
        observe({ event: 'chain.health', chainId, endpoint: index, endpoints: index, healthy: true, reason: null })
        observe({ event: 'swap.executed', ...swap, executionType: name as 'DEPOSIT', repeated: false })
        observe({ event: 'swap.ended', ...swap, state: name as 'failed', elapsedMs: 1 })
        observe({ event: 'payment.charged', requestId: 'r', network: name, outcome: 'settled' })
        observe({ event: 'webhook.sent', partnerId: name, eventId: index, httpStatus: index, failure: null })
      }
    }
    const ours = async () => (await scrape()).filter(({ name }) => name.startsWith('swap_'))
    flood(0, 1_000)
    const few = await ours()
    flood(1_000, 5_000)
    const many = await ours()
    expect(many.length).toBe(few.length)
    expect(many.filter(({ labels }) => Object.values(labels).some((value) => value.startsWith('made-up')))).toEqual([])
    expect(sumOf(many, 'swap_requests_total', { operation: 'other' })).toBe(5_000)
  })
})

const read = (file: string): string => readFileSync(join(projectRoot, 'operations', file), 'utf8')
const all = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

const [alerts, cases, runbook] = [read('alerts.yml'), read('alerts.test.yml'), read('RUNBOOK.md')]
const dashboard = read('dashboard.json')
const problemsOfPage = read('../handlers/monitor/page/browser/problems.js')
const ALERTS = all(alerts, /- alert: (\w+)/g)

/** The metrics that a text names; the series of a histogram count as the histogram. */
const metricsIn = (text: string): readonly string[] => [
  ...new Set(all(text, /\b((?:swap|process|nodejs)_[a-z0-9_]+)/g).map((name) => name.replace(/_(bucket|sum|count)$/, ''))),
]

it('operations: alerts, their cases and the dashboard name existing metrics, and the dashboard shows every metric of the service [ops-alerts-fire]', async () => {
  const known = all((await open().page()).text, /^# TYPE (\S+)/gm)
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

it("operations: the operator's page has words for each problem, and names alerts of the runbook alone", () => {
  const hasWords = (problem: string) => new RegExp(`^  ${problem}: \\{|=== '${problem}'`, 'm').test(problemsOfPage)
  expect(PROBLEM_NAMES.filter((problem) => !hasWords(problem))).toEqual([])
  const named = all(problemsOfPage, /'(Swap\w+)'/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((alert) => !ALERTS.includes(alert))).toEqual([])
})

it.skipIf(lacks('promtool'))(
  'operations: promtool finds that each alert fires by its cause and stays silent while all is well [ops-alerts-fire]',
  () => {
    const { code, said } = promtool(['test', 'rules', join(projectRoot, 'operations/alerts.test.yml')])
    expect(said).toContain('SUCCESS')
    expect(code).toBe(0)
  },
  // Half a minute of one core.
  180_000,
)
