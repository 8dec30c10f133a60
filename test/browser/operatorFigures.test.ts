import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMonitorServer } from '../../handlers/monitor/monitorServer.ts'
import { launchChromium } from '../clients/chromium.ts'
import { lacks } from '../support/needs.ts'

/** Every figure of the operator's page stands where its metric belongs: each metric here has a value that no other has. */

const NOW_S = Math.floor(Date.now() / 1_000)

const METRICS = `
swap_build_info{version="2026-11",node="v24.0.0",network="mainnet"} 1
process_start_time_seconds ${NOW_S - 3 * 86_400}
process_resident_memory_bytes ${201 * 2 ** 20}
nodejs_eventloop_lag_p99_seconds 0.0123
swap_ready 1
swap_degraded 0
swap_store_readable 1
swap_quotes_total{executable="true"} 211
swap_quotes_total{executable="false"} 13
swap_executions_total{venue="relay",type="TRANSACTION"} 31
swap_executions_total{venue="across",type="SIGNATURE"} 17
swap_open_swaps{state="pending"} 41
swap_open_swaps{state="processing"} 43
swap_open_swap_oldest_age_seconds{state="pending"} 150
swap_open_swap_oldest_age_seconds{state="processing"} 10800
swap_swaps_ended_total{venue="relay",state="success"} 47
swap_swaps_ended_total{venue="across",state="refunded"} 19
swap_swap_duration_seconds_bucket{venue="relay",le="60"} 40
swap_swap_duration_seconds_bucket{venue="relay",le="+Inf"} 47
swap_signatures_submitted_total{venue="across"} 23
swap_transactions_submitted_total{venue="relay",outcome="landed"} 29
swap_payloads_refused_total{venue="relay"} 53
swap_simulations_refused_total{venue="across"} 59
swap_venue_enabled{venue="relay"} 1
swap_venue_enabled{venue="across"} 1
swap_venue_enabled{venue="cow"} 0
swap_venue_healthy{venue="relay"} 1
swap_venue_healthy{venue="across"} 0
swap_quote_wins_total{venue="relay"} 61
swap_quote_wins_total{venue="across"} 67
swap_venue_calls_total{venue="relay",call="quote",outcome="offer"} 71
swap_venue_calls_total{venue="relay",call="quote",outcome="decline"} 73
swap_venue_calls_total{venue="relay",call="execute",outcome="answer"} 79
swap_venue_errors_total{venue="relay",call="quote",kind="noLiquidity"} 83
swap_venue_answers_total{venue="relay",call="quote",outcome="rejected",check="relay.router"} 87
swap_venue_answers_total{venue="relay",call="quote",outcome="accepted",check=""} 72
swap_venue_calls_left_out_total{venue="across",call="quote",why="breaker"} 89
swap_venue_call_duration_seconds_bucket{venue="relay",call="quote",le="0.1"} 90
swap_venue_call_duration_seconds_bucket{venue="relay",call="quote",le="0.5"} 143
swap_venue_call_duration_seconds_bucket{venue="relay",call="quote",le="+Inf"} 144
swap_venue_limiter_wait_seconds_bucket{venue="relay",le="15"} 5
swap_venue_limiter_wait_seconds_bucket{venue="relay",le="+Inf"} 5
swap_requests_total{operation="quote",status="2xx"} 97
swap_requests_total{operation="quote",status="4xx"} 101
swap_requests_total{operation="none",status="4xx"} 103
swap_request_errors_total{operation="quote",code="RATE_LIMITED"} 107
swap_request_errors_total{operation="status",code="OVERLOADED"} 109
swap_request_duration_seconds_bucket{operation="quote",le="1"} 198
swap_request_duration_seconds_bucket{operation="quote",le="+Inf"} 198
swap_quote_overhead_seconds_bucket{le="0.005"} 80
swap_quote_overhead_seconds_bucket{le="0.025"} 100
swap_quote_overhead_seconds_bucket{le="+Inf"} 100
swap_requests_under_way{room="quotes"} 113
swap_requests_waiting{room="quotes"} 127
swap_requests_under_way_max{room="quotes"} 131
swap_connections_refused_total 137
swap_requests_refused_total 139
swap_settlement_last_pass_timestamp_seconds ${NOW_S - 2 * 3_600}
swap_settlement_last_pass_duration_seconds 0.149
swap_settlement_open 151
swap_settlement_due 157
swap_settlement_lag_seconds 163
swap_settlement_abandoned 167
swap_settlement_looks_total{result="ended"} 173
swap_settlement_failures_total{part="task"} 179
swap_webhooks_sent_total{outcome="refused"} 181
swap_webhooks_due 191
swap_webhook_lag_seconds 193
swap_webhooks_stuck_total 197
swap_webhooks_unfinished 199
swap_payments_total{network="eip155:8453",outcome="settled"} 223
swap_facilitator_up 1
swap_ledger_balanced 1
swap_ledger_mismatches_total 0
swap_store_healthy 1
swap_store_queries_total{kind="read",outcome="answered"} 227
swap_store_queries_total{kind="write",outcome="failed"} 229
swap_store_query_duration_seconds_bucket{kind="read",le="0.001"} 200
swap_store_query_duration_seconds_bucket{kind="read",le="0.25"} 456
swap_store_query_duration_seconds_bucket{kind="read",le="+Inf"} 456
swap_store_failures_total 233
swap_redis_up 1
swap_contract_mismatches_total 239
swap_log_lines_dropped_total 241
swap_chain_endpoint_healthy{chain="1",endpoint="1"} 1
swap_chain_endpoint_healthy{chain="8453",endpoint="1"} 0
swap_chain_endpoint_healthy{chain="8453",endpoint="2"} 1
swap_chain_reads_failed_total{chain="8453"} 251
`

const TILES = {
  quotes: '224',
  executions: '48',
  open: '84',
  oldest: '3 h',
  loop: '12.3 ms',
  memory: '201 MB',
}

const FACTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  swaps: {
    executed: 'relay 31, across 17',
    'executed as': 'TRANSACTION 31, SIGNATURE 17',
    ended: 'success 47, refunded 19',
    'half of them ended within': '60 s',
    'signatures forwarded': 'across 23',
    'transactions given to be sent': 'landed 29',
    'payloads of venues that we refused': 'relay 53',
    'payments that would have failed': 'across 59',
  },
  background: {
    'last pass over open swaps': '2 h ago, took 149 ms',
    'looked after': '151',
    due: '157, the longest for 3 min',
    'given up': '167',
    looks: 'ended 173',
    'what failed for reasons of ours': 'task 179',
    webhooks: 'refused 181',
    'webhooks that wait': '191, the longest for 3 min',
    'partners whose webhooks were left for the next pass': '197',
    'webhooks nobody knows the end of': '199',
  },
  limits: {
    'refused by limits': 'quote 107',
    'refused for overload': 'status 109',
    'addresses with too many connections': '137',
    'what was no HTTP': '139',
  },
  records: {
    records: 'well',
    statements: 'failed 229, answered 227',
    'of these within': 'half ≤ 250 ms, 99 % ≤ 250 ms',
    'requests that the records failed': '233',
    Redis: 'well',
    'answers of ours that broke the contract': '239',
    'log lines dropped': '241',
  },
  money: {
    'paid calls': 'settled 223',
    'paid on': 'eip155:8453 223',
    facilitator: 'well',
    'books add up': 'yes, when the service started',
    'entries that contradict chains': '0',
  },
}

/** Cells of a row, by what the row is found by. */
const ROWS: Readonly<Record<string, readonly string[]>> = {
  '[data-venue=relay]': [
    'relay',
    'yes',
    '61',
    '≤ 100 ms',
    '≤ 500 ms',
    'decline 73, offer 71',
    'noLiquidity 83',
    'relay.router 87',
    '–',
    '≤ 15 s',
  ],
  '[data-venue=across]': ['across', 'rests', '67', '–', '–', '–', '–', '–', 'breaker 89', '–'],
  '[data-call="relay execute"]': ['relay', 'execute', '–', '–', 'answer 79'],
  '[data-operation=quote]': ['quote', '198', '≤ 1 s', '≤ 1 s', '4xx 101, 2xx 97', 'RATE_LIMITED 107'],
  '[data-operation=none]': ['outside the contract', '103', '–', '–', '4xx 103', '–'],
  '[data-state=pending]': ['pending', '41', '3 min'],
  '[data-state=processing]': ['processing', '43', '3 h'],
  '[data-room=quotes]': ['quotes', '113', '131', '127'],
  '[data-chain="8453"]': ['Base (8453)', '1 in trouble 2 well', '251'],
}

let browser: Browser
let page: Page
let close: () => void

describe.skipIf(lacks('chromium'))("the figures of the operator's page", () => {
  beforeAll(async () => {
    const server = createMonitorServer({
      isReady: () => ({ ready: true, reasons: [] }),
      metrics: async () => ({ contentType: 'text/plain', text: METRICS }),
      operator: { host: '127.0.0.1', explain: async () => null },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close = () => {
      server.closeAllConnections()
      server.close()
    }
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await page.waitForSelector('#venues')
  })

  afterAll(async () => {
    await browser?.close()
    close?.()
  })

  it('stand in its tiles', async () => {
    for (const [tile, value] of Object.entries(TILES))
      expect([tile, await page.innerText(`[data-tile=${tile}] dd`)]).toEqual([tile, value])
    expect(await page.innerText('header')).toMatch(/Version 2026-11, Node v24\.0\.0, mainnet, up 3 days, read at /)
  })

  it.each(Object.keys(FACTS))('stand among the facts of %s, all of them', async (section) => {
    const told = await page.$$eval(`#${section} > dl > div`, (all) =>
      all.map((one) => [one.querySelector('dt')?.textContent ?? '', one.querySelector('dd')?.textContent?.trim() ?? '']),
    )
    expect(Object.fromEntries(told)).toEqual(FACTS[section])
  })

  it.each(Object.keys(ROWS))('stand in the row %s', async (row) => {
    const cells = await page.$$eval(`${row} > *`, (all) =>
      all.filter((one) => !one.querySelector('svg')).map((one) => one.textContent?.replace(/\s+/g, ' ').trim() ?? ''),
    )
    expect(cells).toEqual(ROWS[row])
  })

  it('stand below the requests, and name what is off and what is well', async () => {
    expect(await page.innerText('#requests > p')).toMatch(/took ≤ 5 ms in half of all, ≤ 25 ms in 95 %\. .*be executed: 13\.$/s)
    expect(await page.innerText('#off')).toBe('Off: cow.')
    expect(await page.innerText('#well-chains')).toBe('Well: Ethereum (1).')
    expect(await page.locator('#problems').count()).toBe(0)
  })
})
