import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { promtool, type Series, seriesOf, sumOf } from '../support/prometheus.ts'
import { only, startService, type TestService } from '../support/service.ts'

const VENUES = ['relay', 'cow', 'near-intents']
const QUOTES = 60
const BROKEN = 25

const ORDER = {
  inputChainId: 1,
  inputToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
  inputAmount: '1000000000000000000',
  outputChainId: 8453,
  outputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  userAddress: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}

let service: TestService

const scrape = async (): Promise<{ readonly text: string; readonly series: readonly Series[] }> => {
  const text = await (await fetch(`${service.monitorUrl}/metrics`)).text()
  return { text, series: seriesOf(text) }
}

const post = async (path: string, body: unknown): Promise<number> => {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  return answer.status
}

beforeAll(async () => {
  service = await startService({ ...only(...VENUES), METRICS_PORT: '0', LOG_LEVEL: 'silent' })
}, 60_000)

afterAll(() => service?.close())

describe('the metrics of a service under load', () => {
  it('add up to the requests that were sent, with a silent log and during scrapes [ops-metrics-exact]', async () => {
    const pages: string[] = []
    let isOver = false
    const scraping = (async () => {
      while (!isOver) pages.push((await scrape()).text)
    })()
    const sent = [
      ...Array.from({ length: QUOTES }, () => post('/api/v1/quote', ORDER)),
      ...Array.from({ length: BROKEN }, () => post('/api/v1/quote', { ...ORDER, inputAmount: '0' })),
      ...Array.from({ length: BROKEN }, (_none, index) => post(`/api/v1/made-up-${index}`, {})),
    ]
    const statuses = await Promise.all(sent)
    isOver = true
    await scraping
    const { series } = await scrape()
    const told = (labels: Series['labels']) => sumOf(series, 'swap_requests_total', labels) ?? 0
    const answered = (from: number) => statuses.filter((status) => Math.floor(status / 100) === from).length
    expect(told({ operation: 'quote', status: '2xx' })).toBe(answered(2))
    expect(told({ operation: 'none', status: '4xx' })).toBe(BROKEN)
    expect(told({})).toBe(statuses.length)
    expect(sumOf(series, 'swap_request_duration_seconds_count')).toBe(statuses.length)
    expect(sumOf(series, 'swap_request_errors_total', { operation: 'quote', code: 'INVALID_REQUEST' })).toBe(BROKEN)
    expect(sumOf(series, 'swap_quotes_total')).toBe(answered(2))
    expect(sumOf(series, 'swap_quote_wins_total')).toBe(answered(2))
    expect(sumOf(series, 'swap_quote_overhead_seconds_count')).toBe(answered(2))
    for (const venue of VENUES) expect(sumOf(series, 'swap_venue_calls_total', { venue, call: 'quote' })).toBe(QUOTES)
    expect(pages.length).toBeGreaterThan(0)
    for (const page of pages.slice(-3)) expect(promtool(['check', 'metrics'], page).said).not.toContain('error')
  })

  it('have the swaps of the store and its queries', async () => {
    const { series } = await scrape()
    expect(sumOf(series, 'swap_store_readable')).toBe(1)
    expect(sumOf(series, 'swap_open_swaps', { state: 'pending' })).toBe(0)
    expect(sumOf(series, 'swap_store_queries_total', { kind: 'read', outcome: 'answered' })).toBeGreaterThan(0)
    expect(sumOf(series, 'swap_store_queries_total', { outcome: 'failed' })).toBe(0)
  })

  it('contain no path and no address of a caller', async () => {
    const { text } = await scrape()
    expect(text).not.toContain('made-up')
    expect(text).not.toContain(ORDER.userAddress)
  })
})
