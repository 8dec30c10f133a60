import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNoChromium, launchChromium } from '../clients/chromium.ts'
import { seriesOf, sumOf } from '../support/prometheus.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { keepScreenshot, seriousFindings, type WatchedPage, watchPage } from './kit.ts'

/** The operator's page in a real browser, over a real service: what it shows is what the metrics tell. */

const SWAP = {
  inputChainId: 8453,
  inputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  inputAmount: '250000000',
  outputChainId: 42161,
  outputToken: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
} as const

let service: TestService
let browser: Browser
let url: string
const opened: WatchedPage[] = []

/** What the page has remembered for its plots. */
const READ_HISTORY = `import([...document.scripts].find(({ src }) => src.endsWith('operator.js')).src.replace('operator.js', 'plots.js')).then(({ history }) => history)`

type Wish = Partial<Parameters<typeof watchPage>[1]> & {
  /** What the page reads in place of the true metrics; null: nobody answers. */
  readonly metrics?: (text: string) => string | null
}

const open = async ({ metrics, ...options }: Wish = {}): Promise<WatchedPage> => {
  const watched = await watchPage(browser, { origins: [url], ...options })
  opened.push(watched)
  if (metrics)
    await watched.page.route('**/metrics', async (route) => {
      const response = await route.fetch()
      const body = metrics(await response.text())
      await (body === null ? route.abort() : route.fulfill({ response, body }))
    })
  await watched.page.goto(url)
  await watched.page.waitForSelector('#standing')
  return watched
}

describe.skipIf(hasNoChromium())("the operator's page", () => {
  beforeAll(async () => {
    service = await startService({ ...only('across', 'near-intents', 'relay'), METRICS_PORT: '0', OPERATOR_PAGE: 'true' })
    url = service.monitorUrl ?? expect.fail('no monitor')
    for (let count = 0; count < 3; count += 1) await service.call('quote', { body: SWAP })
    await service.control.fault('relay', 'http-500')
    await service.call('quote', { body: SWAP })
    const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
    await service.call('execute', { body: { quoteToken } })
    browser = await launchChromium()
  })

  afterAll(async () => {
    for (const watched of opened) await watched.close()
    await browser?.close()
    await service?.close()
  })

  it('shows the numbers that the metrics tell, by venue', async () => {
    const { page, troubles } = await open()
    const series = seriesOf(await (await fetch(`${url}/metrics`)).text())
    expect(await page.innerText('[data-tile=quotes] dd')).toBe(String(sumOf(series, 'swap_quotes_total')))
    expect(await page.innerText('[data-tile=executions] dd')).toBe('1')
    expect(await page.innerText('#standing')).toBe('Ready')
    expect(await page.locator('text=Loading').count()).toBe(0)
    for (const venue of ['across', 'near-intents', 'relay']) {
      const wins = sumOf(series, 'swap_quote_wins_total', { venue }) ?? 0
      expect([venue, await page.innerText(`[data-venue=${venue}] [data-of=wins]`)]).toEqual([venue, String(wins)])
      const answered = sumOf(series, 'swap_venue_calls_total', { venue, call: 'quote', outcome: 'offer' })
      if (answered !== null)
        expect(await page.innerText(`[data-venue=${venue}] [data-of=outcomes]`)).toContain(`offer ${answered}`)
    }
    expect(await page.innerText('[data-venue=relay] [data-of=errors]')).toMatch(/^[a-zA-Z]+ [1-9]/)
    expect(await page.innerText('#off')).toContain('cow')
    expect(await page.locator('[data-venue=cow]').count()).toBe(0)
    expect(await page.innerText('[data-call="near-intents execute"]')).toMatch(/execute.*≤/s)
    const asked = sumOf(series, 'swap_requests_total', { operation: 'quote' })
    expect(await page.innerText('[data-operation=quote]')).toMatch(new RegExp(`^quote\\s+${asked}\\s`))
    expect(await page.innerText('#well-chains')).toMatch(/Base \(8453\).*Bitcoin \(-1\)/)
    expect(await page.innerText('[data-room=executes]')).toMatch(/executes\s+0\s+64\s+0/)
    expect(troubles).toEqual([])
  })

  it('follows what happens while it is open, with a plot of it', async () => {
    const { page, troubles } = await open()
    const before = Number(await page.innerText('[data-tile=quotes] dd'))
    await service.call('quote', { body: DEPOSIT_SWAP })
    await expect.poll(async () => Number(await page.innerText('[data-tile=quotes] dd'))).toBe(before + 1)
    await page.waitForSelector('.plots canvas')
    expect(await page.locator('.plots canvas').count()).toBe(2)
    expect(troubles).toEqual([])
  })

  it('says that it does not know what is open while the records cannot be read, and where what to do stands', async () => {
    const ofRecords = /^swap_(open_swaps?|settlement_(open|due|lag|abandoned)|webhooks_(due|unfinished)|webhook_lag)\w*[ {].*\n/gm
    const { page, troubles } = await open({
      metrics: (text) =>
        text
          .replace(ofRecords, '')
          .replace(/^swap_store_readable .*$/m, 'swap_store_readable 0')
          .replace(/^swap_problem\{problem="store"\} 0$/m, 'swap_problem{problem="store"} 1'),
    })
    expect(await page.innerText('[data-tile=open] dd')).toBe('not known')
    expect(await page.innerText('[data-tile=oldest] dd')).toBe('not known')
    for (const section of ['swaps', 'background']) {
      const told = await page.innerText(`#${section}`)
      expect([section, told]).toEqual([section, expect.stringContaining('could not be read')])
      expect([section, told]).not.toEqual([section, expect.stringContaining('No swap is open')])
    }
    expect(await page.innerText('#problems')).toBe('In trouble: store, records unread.')
    await page.click('#problems a')
    await page.waitForURL('**/runbook#swapstoredown')
    expect(await page.innerText(':target')).toContain('SwapStoreDown')
    expect(await seriousFindings(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('draws nothing between what was before a start of the service and what came after', async () => {
    let start = 1_700_000_000
    let count = 90_000
    const { page } = await open({
      metrics: (text) =>
        text
          .replace(/^process_start_time_seconds .*$/m, `process_start_time_seconds ${start}`)
          .replaceAll(/^(swap_(?:requests_total|quote_duration_seconds_bucket)\{.*\}) .*$/gm, `$1 ${count}`),
    })
    await page.waitForSelector('.plots canvas')
    const readings = () => page.evaluate<readonly { readonly requests: number | null }[]>(READ_HISTORY)
    const before = (await readings()).length
    ;[start, count] = [start + 1_000, 3]
    await expect.poll(async () => (await readings()).length, { timeout: 15_000 }).toBeGreaterThan(before)
    const told = await readings()
    expect(told.at(-1)).toMatchObject({ requests: null, errors: null, quotes: null, quoteSeconds: null })
    expect(told.filter(({ requests }) => requests !== null && requests < 0)).toEqual([])
  })

  it('says of when its numbers are while the service does not answer, and goes on by itself', async () => {
    let isGone = false
    const { page, troubles } = await open({ expected: [/ERR_FAILED/], metrics: (text) => (isGone ? null : text) })
    isGone = true
    await page.waitForSelector('p.bad:has-text("The service does not answer here")')
    expect(await page.innerText('p.bad')).toMatch(/What is shown is of \d+:\d\d:\d\d/)
    expect(await page.innerText('[data-tile=executions] dd')).toBe('1')
    isGone = false
    await expect.poll(() => page.locator('p.bad').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('explains a swap by its number, and what it does not know it says', async () => {
    const { page, troubles } = await open({ expected: [/status of 404/] })
    await page.fill('#id', '1')
    await page.click('text=Explain')
    await page.waitForSelector('#explained:has-text("Swap 1")')
    expect(await page.innerText('#explained')).toMatch(/The race of quote/)
    await keepScreenshot(page, 'operator')
    await page.fill('#id', 'nothing')
    await page.click('text=Explain')
    await page.waitForSelector('#explained.bad:has-text("Nothing is known of nothing")')
    expect(troubles).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no serious barrier, %s', async (colorScheme) => {
    const { page, troubles } = await open({ colorScheme })
    await page.waitForSelector('.plots canvas')
    expect(await seriousFindings(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('is read on a screen of 360 pixels without scrolling sideways', async () => {
    const { page } = await open({ width: 360 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await keepScreenshot(page, 'operator-narrow')
  })
})
