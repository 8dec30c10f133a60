import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMonitorServer } from '../../handlers/monitor/monitorServer.ts'
import type { Browser, Page } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { listening } from '../support/listening.ts'
import { lacks } from '../support/needs.ts'
import figures from './operatorFigures.json' with { type: 'json' }

/** Each metric has a unique value. In the cases, `<now-60>` is a minute ago, and the key of a row is its CSS selector. */

const NOW_S = Math.floor(Date.now() / 1_000)
const { metrics, tiles } = figures
const METRICS = `${metrics.join('\n')}\n`.replace(/<now-(\d+)>/g, (_mark, seconds) => String(NOW_S - Number(seconds)))
const FACTS: { readonly [section: string]: { readonly [fact: string]: string } } = figures.facts
const ROWS: { readonly [row: string]: readonly string[] } = figures.rows

let browser: Browser
let page: Page
let close: () => Promise<void>

describe.skipIf(lacks('chromium'))("the operator's page", () => {
  beforeAll(async () => {
    const server = createMonitorServer({
      isReady: () => ({ ready: true, reasons: [] }),
      metrics: async () => ({ contentType: 'text/plain', text: METRICS }),
      operator: {
        host: '127.0.0.1',
        explain: async () => null,
        samples: async () => [
          { check: 'relay.router', at: 1_700_000_000_000, file: '/data/relay.router.json' },
          { check: 'across.old_check', at: 1_700_000_001_000, file: '/data/across.json' },
        ],
      },
    })
    const monitor = await listening(server)
    close = monitor.close
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(monitor.url)
    await page.waitForSelector('#venues')
  })

  afterAll(async () => {
    await browser?.close()
    await close?.()
  })

  it('shows the metrics in its tiles', async () => {
    for (const [tile, value] of Object.entries(tiles))
      expect([tile, await page.innerText(`[data-tile=${tile}] dd`)]).toEqual([tile, value])
    expect(await page.innerText('header')).toMatch(/Version 2026-11, Node v24\.0\.0, mainnet, up 3 days, read at [0-9:]{8}\. /)
  })

  it.each(Object.keys(FACTS))('shows every fact of the section %s', async (section) => {
    const told = await page.$$eval(`#${section} > dl > div`, (all) =>
      all.map((one) => [one.querySelector('dt')?.textContent ?? '', one.querySelector('dd')?.textContent?.trim() ?? '']),
    )
    expect(Object.fromEntries(told)).toEqual(FACTS[section])
  })

  it.each(Object.keys(ROWS))('shows the figures in the row %s', async (row) => {
    const cells = await page.$$eval(`${row} > *`, (all) =>
      all.filter((one) => !one.querySelector('svg')).map((one) => one.textContent?.replace(/\s+/g, ' ').trim() ?? ''),
    )
    expect(cells).toEqual(ROWS[row])
  })

  it('names disabled venues, healthy chains and problems', async () => {
    expect(await page.innerText('#off')).toBe('Off: cow.')
    expect(await page.innerText('#well-chains')).toBe('Healthy: Ethereum (1).')
    expect(await page.innerText('#standing')).toBe('Ready, with trouble: venue across fails or refuses the API key.')
  })
})
