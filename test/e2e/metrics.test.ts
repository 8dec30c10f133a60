import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { promtool, type Series, seriesOf, sumOf } from '../support/prometheus.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { USDC_SWAP } from '../support/swaps.ts'

const VENUES = ['relay', 'cow', 'near-intents']
const QUOTES = 60
const BROKEN = 25

let service: TestService

const scrape = async (): Promise<{ readonly text: string; readonly series: readonly Series[] }> => {
  const text = await (await fetch(`${service.monitorUrl}/metrics`)).text()
  return { text, series: seriesOf(text) }
}

const post = async (path: string, body: object): Promise<number> => (await service.send('POST', path, { body })).status

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
      ...Array.from({ length: QUOTES }, () => post('/api/v1/quote', USDC_SWAP)),
      ...Array.from({ length: BROKEN }, () => post('/api/v1/quote', { ...USDC_SWAP, inputAmount: '0' })),
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

  it('contain no path and no address of a caller', async () => {
    const { text } = await scrape()
    expect(text).not.toContain('made-up')
    expect(text).not.toContain(USDC_SWAP.userAddress)
  })
})
