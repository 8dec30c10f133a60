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

const open = async (options: Partial<Parameters<typeof watchPage>[1]> = {}): Promise<WatchedPage> => {
  const watched = await watchPage(browser, { origins: [url], ...options })
  opened.push(watched)
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
    expect(await page.innerText('[data-venue=cow]')).toContain('off')
    expect(await page.innerText('[data-room=executes]')).toMatch(/executes\s+0\s+64\s+0/)
    expect(troubles).toEqual([])
  })

  it('follows what happens while it is open, with a plot of it', async () => {
    const { page, troubles } = await open()
    const before = Number(await page.innerText('[data-tile=quotes] dd'))
    await service.call('quote', { body: DEPOSIT_SWAP })
    await expect.poll(async () => Number(await page.innerText('[data-tile=quotes] dd'))).toBe(before + 1)
    expect(await page.locator('.plots canvas').count()).toBe(2)
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
