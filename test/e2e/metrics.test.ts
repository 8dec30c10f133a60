import { expect, it } from 'vitest'
import { lacks } from '../support/needs.ts'
import { promtool, type Series, seriesOf, sumOf } from '../support/prometheus.ts'
import { only, startService } from '../support/service.ts'
import { closing } from '../support/storeStage.ts'
import { USDC_SWAP } from '../support/swaps.ts'

const VENUES = ['relay', 'cow', 'near-intents']
const QUOTES = 60
const BROKEN = 25

it('metrics: add up to the requests that were sent during scrapes, and contain no path and no address of a caller [ops-metrics-exact]', async () => {
  const service = closing(await startService({ ...only(...VENUES), METRICS_PORT: '0' }))
  const scrape = async () => (await fetch(`${service.monitorUrl}/metrics`)).text()
  const post = async (path: string, body: object) => (await service.send('POST', path, { body })).status
  const pages: string[] = []
  let isOver = false
  const scraping = (async () => {
    while (!isOver) pages.push(await scrape())
  })()
  const statuses = await Promise.all([
    ...Array.from({ length: QUOTES }, () => post('/api/v1/quote', USDC_SWAP)),
    ...Array.from({ length: BROKEN }, () => post('/api/v1/quote', { ...USDC_SWAP, inputAmount: '0' })),
    ...Array.from({ length: BROKEN }, (_none, index) => post(`/api/v1/made-up-${index}`, {})),
  ])
  isOver = true
  await scraping
  const last = await scrape()
  const sum = (name: string, labels?: Series['labels']) => sumOf(seriesOf(last), name, labels)
  const successes = statuses.filter((status) => status >= 200 && status < 300).length
  expect(sum('swap_requests_total', { operation: 'quote', status: '2xx' })).toBe(successes)
  expect(sum('swap_requests_total', { operation: 'none', status: '4xx' })).toBe(BROKEN)
  expect(sum('swap_request_errors_total', { operation: 'quote', code: 'INVALID_REQUEST' })).toBe(BROKEN)
  for (const name of ['swap_requests_total', 'swap_request_duration_seconds_count']) expect(sum(name)).toBe(statuses.length)
  for (const name of ['swap_quotes_total', 'swap_quote_wins_total', 'swap_quote_overhead_seconds_count'])
    expect([name, sum(name)]).toEqual([name, successes])
  for (const venue of VENUES) expect(sum('swap_venue_calls_total', { venue, call: 'quote' })).toBe(QUOTES)
  expect(pages.length).toBeGreaterThan(0)
  // Those of Node.js have names by other conventions.
  const ownOf = (page: string) => page.split('\n\n').filter((family) => family.includes('# HELP swap_'))
  for (const page of pages.slice(-3).map(ownOf)) {
    expect(page.length).toBeGreaterThan(50)
    if (!lacks('promtool')) expect(promtool(['check', 'metrics'], `${page.join('\n\n')}\n`)).toEqual({ code: 0, said: '' })
  }
  expect(last).not.toMatch(new RegExp(`made-up|${USDC_SWAP.userAddress}`, 'i'))
})
