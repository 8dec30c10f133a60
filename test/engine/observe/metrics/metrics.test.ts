import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { publicEndpoints } from '../../../../engine/chains/endpoints/publicEndpoints.ts'
import type { VenueHealth } from '../../../../engine/core/answers.ts'
import type { ChainId } from '../../../../engine/core/chain.ts'
import type { ErrorCode } from '../../../../engine/errors.ts'
import { stateOf } from '../../../../engine/health/healthState.ts'
import { createMetrics, type Installation } from '../../../../engine/observe/metrics/createMetrics.ts'
import type { AnyEvent, VenueCall, VenueOutcome } from '../../../../engine/observe/observe.ts'
import type { Backlog, OpenSwaps } from '../../../../engine/store/operatorReads.ts'
import { lacks } from '../../../support/needs.ts'
import { promtool, type Series, seriesOf, sumOf } from '../../../support/prometheus.ts'

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
  const scrape = async (): Promise<readonly Series[]> => seriesOf((await metrics.page()).text)
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

describe('what is counted', () => {
  it('tells requests by operation and class, errors by code, and how long they took', async () => {
    const { observe, scrape } = open()
    observe(request('quote', 200, 40))
    observe(request('quote', 404, 900, 'NO_LIQUIDITY'))
    observe(request('quote', null, 10))
    observe({ ...request('quote', 500, 10, 'INTERNAL'), isOutage: true } as AnyEvent)
    for (let i = 0; i < 2; i += 1) observe({ event: 'connections.refused', limit: 'address', reason: '' })
    observe({ event: 'proxy.untrusted', peer: 'private' })
    const series = await scrape()
    expect(sumOf(series, 'swap_connections_refused_total', { limit: 'address' })).toBe(2)
    const untrusted = (peer: string) => sumOf(series, 'swap_proxy_untrusted_requests_total', { peer })
    expect([untrusted('private'), untrusted('public')]).toEqual([1, 0])
    expect(sumOf(series, 'swap_requests_total', { operation: 'quote', status: '2xx' })).toBe(1)
    expect(sumOf(series, 'swap_requests_total', { operation: 'quote', status: 'gone' })).toBe(1)
    expect(sumOf(series, 'swap_request_errors_total', { operation: 'quote' })).toBe(2)
    expect(sumOf(series, 'swap_request_errors_total', { operation: 'quote', code: 'NO_LIQUIDITY' })).toBe(1)
    expect(sumOf(series, 'swap_request_errors_total', { operation: 'execute', code: 'INTERNAL' })).toBe(0)
    expect(sumOf(series, 'swap_request_errors_total', { operation: 'quote', code: 'OUTAGE' })).toBe(1)
    expect(sumOf(series, 'swap_request_duration_seconds_bucket', { operation: 'quote', le: '0.05' })).toBe(3)
    expect(sumOf(series, 'swap_request_duration_seconds_count', { operation: 'quote' })).toBe(4)
    expect(sumOf(series, 'swap_request_duration_seconds_sum', { operation: 'quote' })).toBeCloseTo(0.96)
  })

  it('tells calls of a venue by kind and outcome, and counts none that was not sent as answered or slow', async () => {
    const { observe, scrape } = open()
    observe(call('relay', 'offer'))
    observe(call('relay', 'failure', { call: 'execute', kind: 'badResponse' }))
    observe(call('relay', 'skipped', { kind: 'rateLimited' }))
    observe(call('relay', 'skipped'))
    observe(call('relay', 'unwilling'))
    const series = await scrape()
    expect(sumOf(series, 'swap_venue_calls_total', { venue: 'relay', call: 'quote', outcome: 'offer' })).toBe(1)
    expect(sumOf(series, 'swap_venue_errors_total', { venue: 'relay', call: 'execute', kind: 'badResponse' })).toBe(1)
    expect(sumOf(series, 'swap_venue_calls_left_out_total', { venue: 'relay', why: 'limit' })).toBe(1)
    expect(sumOf(series, 'swap_venue_calls_left_out_total', { venue: 'relay', why: 'breaker' })).toBe(1)
    expect(sumOf(series, 'swap_venue_call_duration_seconds_count', { venue: 'relay', call: 'quote' })).toBe(1)
  })

  it('tells which venue is off, and which one rests, until it is well again', async () => {
    const { observe, scrape, venues } = open()
    venues.push({ id: 'relay', name: 'Relay', trouble: 'failing', failing: ['quote', 'status'], off: null, rejecting: [] })
    observe({ event: 'venue.health', venue: 'relay', healthy: false, reason: 'failing' })
    const during = await scrape()
    expect(sumOf(during, 'swap_venue_healthy', { venue: 'relay' })).toBe(0)
    expect(sumOf(during, 'swap_venue_healthy', { venue: 'across' })).toBe(1)
    for (const call of ['quote', 'status']) expect(sumOf(during, 'swap_venue_failing', { venue: 'relay', call })).toBe(1)
    venues.pop()
    expect(sumOf(during, 'swap_venue_enabled', { venue: 'cow' })).toBe(0)
    observe({ event: 'venue.health', venue: 'relay', healthy: true, reason: null })
    expect(sumOf(await scrape(), 'swap_venue_healthy', { venue: 'relay' })).toBe(1)
    expect(sumOf(await scrape(), 'swap_venue_failing')).toBeNull()
  })

  it('swap_clock_compared: is 0 while the clock is not compared with two chains, and then 1 again', async () => {
    const { scrape, clockNow } = open()
    for (const isCompared of [true, false, true]) {
      clockNow.isCompared = isCompared
      expect(sumOf(await scrape(), 'swap_clock_compared')).toBe(isCompared ? 1 : 0)
    }
  })

  it('tells how long a limit held back what could wait, and nothing of what it did not', async () => {
    const { observe, scrape } = open()
    observe(call('relay', 'answer', { call: 'track' }))
    expect(sumOf(await scrape(), 'swap_venue_limiter_wait_seconds_count')).toBeNull()
    observe({ ...call('relay', 'answer', { call: 'track' }), waitedMs: 1_500 } as AnyEvent)
    const series = await scrape()
    expect(sumOf(series, 'swap_venue_limiter_wait_seconds_sum', { venue: 'relay' })).toBe(1.5)
    expect(sumOf(series, 'swap_venue_limiter_wait_seconds_bucket', { venue: 'relay', le: '1' })).toBe(0)
    expect(sumOf(series, 'swap_venue_limiter_wait_seconds_bucket', { venue: 'relay', le: '5' })).toBe(1)
  })

  it('says nothing of what nobody has told yet, and 0 of what could have happened and did not', async () => {
    const series = await open({}, '/nowhere').scrape()
    expect(sumOf(series, 'swap_data_dir_free_bytes')).toBeNull()
    expect(sumOf(series, 'swap_last_backup_timestamp_seconds')).toBe(0)
    expect(sumOf(series, 'swap_ledger_balanced')).toBeNull()
    expect(sumOf(series, 'swap_settlement_last_pass_timestamp_seconds')).toBeNull()
    expect(sumOf(series, 'swap_contract_mismatches_total')).toBe(0)
    expect(sumOf(series, 'swap_chain_endpoint_healthy', { chain: '1' })).toBe(2)
    // Of a chain without a setting those are the public ones: an alert on all of them needs each of them to be there.
    expect(sumOf(series, 'swap_chain_endpoint_healthy', { chain: '8453' })).toBe(publicEndpoints(8453).length)
    expect(sumOf(series, 'swap_build_info')).toBe(1)
    // The share of quotes without an offer needs those with one, from the first on.
    expect(sumOf(series, 'swap_quotes_total')).toBe(0)
  })

  it('tells how full each room is', async () => {
    const series = await open().scrape()
    expect(sumOf(series, 'swap_requests_under_way', { room: 'quotes' })).toBe(3)
    expect(sumOf(series, 'swap_requests_waiting', { room: 'quotes' })).toBe(2)
    expect(sumOf(series, 'swap_requests_under_way_max', { room: 'quotes' })).toBe(64)
  })

  it('tells what the registry of Prometheus tells of every process', async () => {
    const series = await open().scrape()
    expect(sumOf(series, 'process_resident_memory_bytes')).toBeGreaterThan(0)
    for (const one of ['p50', 'p99', 'max']) expect(sumOf(series, `nodejs_eventloop_lag_${one}_seconds`)).not.toBeNull()
  })

  it('tells how late the event loop was to everybody who asks', async () => {
    const { scrape } = open()
    const worst = async () => sumOf(await scrape(), 'nodejs_eventloop_lag_max_seconds') ?? 0
    // A delay is between two turns: it has to have seen one.
    await expect.poll(worst).toBeGreaterThan(0)
    const until = performance.now() + 300
    while (performance.now() < until);
    await expect.poll(worst).toBeGreaterThan(0.2)
    for (let asked = 0; asked < 3; asked += 1) expect(await worst()).toBeGreaterThan(0.2)
  })
})

describe('the number of series [ops-metrics-bounded]', () => {
  it('does not grow by made-up venues, paths, codes, chains, networks or states', async () => {
    const { observe, scrape } = open()
    const flood = (from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        const name = `made-up-${index}`
        observe(request(name, 400 + (index % 200), 1, name))
        observe(call(name, name, { call: name, kind: name }))
        observe({ event: 'venue.health', venue: name, healthy: false, reason: null })
        observe({ event: 'venue.off', venue: name, reason: '' })
        observe({ event: 'chain.unread', requestId: 'r', chainId: 1_000_000 + index, what: name, reason: name })
        observe({
          event: 'chain.health',
          chainId: (1_000_000 + index) as ChainId,
          endpoint: index,
          endpoints: index,
          healthy: true,
          reason: null,
        })
        observe({
          event: 'swap.executed',
          requestId: 'r',
          quoteId: name,
          venue: name,
          executionType: name as 'DEPOSIT',
          repeated: false,
        })
        observe({ event: 'swap.ended', requestId: 'r', quoteId: name, venue: name, state: name as 'failed', elapsedMs: 1 })
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

  it('stays below 4,000 where everything happened at every venue', async () => {
    const venues = Array.from({ length: 14 }, (_none, index) => `venue-${index}`)
    const operations = Array.from({ length: 19 }, (_none, index) => `operation-${index}`)
    const metrics = createMetrics({ venues, operations, network: 'simnet', health: () => stateOf([]) })
    const calls: readonly VenueCall[] = ['quote', 'execute', 'submit', 'track', 'prices', 'reach']
    const outcomes: readonly VenueOutcome[] = ['offer', 'answer', 'decline', 'timeout', 'failure', 'cut', 'skipped']
    for (const venue of venues)
      for (const of of calls) for (const outcome of outcomes) metrics.observe(call(venue, outcome, { call: of, kind: 'timeout' }))
    for (const operation of operations) for (const status of [200, 404, 500]) metrics.observe(request(operation, status, 1))
    expect(seriesOf((await metrics.page()).text).length).toBeLessThan(4_000)
  })
})

describe('what the records tell', () => {
  const swaps: readonly OpenSwaps[] = [{ state: 'processing', count: 3, oldestAt: START_AT - 90_000 }]
  const looks = { open: 5, due: 2, oldestDueAt: START_AT - 7_000, abandoned: 1 }
  const backlog: Backlog = {
    ...NOTHING,
    looks,
    oldestUnseenAt: START_AT - 8_000,
    backedUpAt: START_AT - 9_000,
    passedAt: START_AT,
  }

  it('is how much is open, how old it is, and how far settlement lags', async () => {
    const series = await open({ openSwaps: async () => swaps, backlog: async () => backlog }).scrape()
    expect(sumOf(series, 'swap_open_swaps', { state: 'processing' })).toBe(3)
    expect(sumOf(series, 'swap_open_swap_oldest_age_seconds', { state: 'processing' })).toBe(90)
    expect(sumOf(series, 'swap_settlement_due')).toBe(2)
    expect(sumOf(series, 'swap_settlement_lag_seconds')).toBe(7)
    expect(sumOf(series, 'swap_unseen_payment_oldest_age_seconds')).toBe(8)
    expect(sumOf(series, 'swap_last_backup_timestamp_seconds')).toBe(START_AT / 1_000 - 9)
    expect(sumOf(series, 'swap_settlement_last_pass_timestamp_seconds')).toBe(START_AT / 1_000)
    expect(sumOf(series, 'swap_store_readable')).toBe(1)
  })

  it('is not there where they cannot be read: a wrong 0 would say that all is well [ops-metrics-bounded]', async () => {
    const series = await open({ openSwaps: () => Promise.reject(new Error('locked')) }).scrape()
    expect(sumOf(series, 'swap_store_readable')).toBe(0)
    expect(sumOf(series, 'swap_open_swaps')).toBeNull()
    expect(sumOf(series, 'swap_settlement_lag_seconds')).toBeNull()
    expect(sumOf(series, 'swap_last_backup_timestamp_seconds')).toBeNull()
    expect(sumOf(series, 'swap_data_dir_free_bytes')).toBeGreaterThan(0)
  })

  it('is asked for once, however many scrape', async () => {
    let reads = 0
    const { scrape } = open({
      openSwaps: async () => {
        reads += 1
        return swaps
      },
    })
    await Promise.all([scrape(), scrape(), scrape()])
    await scrape()
    expect(reads).toBe(1)
  })
})

describe.skipIf(lacks('promtool'))("by Prometheus' own tool", () => {
  it('every metric is well-formed and named by the conventions', async () => {
    const { observe, page } = open()
    observe(request('quote', 404, 40, 'NO_LIQUIDITY'))
    observe(call('relay', 'offer'))
    observe(call('relay', 'failure', { kind: 'timeout' }))
    const { text, contentType } = await page()
    expect(contentType).toContain('version=0.0.4')
    const ours = text.split('\n\n').filter((family) => family.includes('# HELP swap_'))
    expect(ours.length).toBeGreaterThan(50)
    expect(promtool(['check', 'metrics'], `${ours.join('\n\n')}\n`)).toEqual({ code: 0, said: '' })
  })

  it('would say so if one were not', () => {
    expect(promtool(['check', 'metrics'], '# TYPE swap_bad counter\nswap_bad 1\n').said).toContain('_total')
  })
})
