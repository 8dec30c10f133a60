import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES, pathOf } from '../../handlers/docs/guides.ts'
import { hasNoChromium, launchChromium } from '../clients/chromium.ts'
import { type EdgeServer, startEdge } from '../support/edgeServer.ts'
import { keepScreenshot, seriousFindings, type WatchedPage, watchPage } from './kit.ts'

/** `/docs` in a real browser. */

const WIRE_BYTES_MAX = 1_500_000

let edge: EdgeServer
let browser: Browser
let url: string
const open: WatchedPage[] = []

const watch = async (path: string, options: Partial<Parameters<typeof watchPage>[1]> = {}): Promise<WatchedPage> => {
  const watched = await watchPage(browser, { origins: [url], ...options })
  open.push(watched)
  await watched.page.goto(`${url}${path}`)
  return watched
}

const watchReference = async (options: Partial<Parameters<typeof watchPage>[1]> = {}): Promise<WatchedPage> => {
  const watched = await watch('/docs', options)
  await watched.page.waitForSelector('h1:has-text("Cross-chain swap service")')
  return watched
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

describe.skipIf(hasNoChromium())('the documentation', () => {
  beforeAll(async () => {
    edge = await startEdge()
    url = `http://127.0.0.1:${edge.port}`
    browser = await launchChromium()
  })

  afterAll(async () => {
    for (const watched of open) await watched.close()
    await browser?.close()
    await edge?.close()
  })

  it('shows the contract, asks nobody else, complains of nothing, and is below 1.5 MB over the wire', async () => {
    const { page, troubles, received } = await watchReference()
    await page.waitForSelector('text=Quote a swap')
    await page.click('a:has-text("Track a swap")')
    await page.waitForSelector('h3:has-text("Track a swap"), h2:has-text("Track a swap")')
    expect(troubles).toEqual([])
    expect(received.size).toBeGreaterThan(5)
    expect(sum(received.values())).toBeLessThan(WIRE_BYTES_MAX)
    await keepScreenshot(page, 'docs-reference', false)
  })

  it.each(['light', 'dark'] as const)('has no serious barrier, %s', async (colorScheme) => {
    const reference = await watchReference({ colorScheme })
    expect(await seriousFindings(reference.page)).toEqual([])
    const guide = await watch('/docs/guides/first-swap', { colorScheme })
    expect(await seriousFindings(guide.page)).toEqual([])
    const background = await guide.page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 28)')
    expect([...reference.troubles, ...guide.troubles]).toEqual([])
  })

  it('is read on a screen of 360 pixels without scrolling sideways', async () => {
    for (const path of ['/docs', ...GUIDES.map(pathOf)]) {
      const { page, troubles, close } =
        path === '/docs' ? await watchReference({ width: 360 }) : await watch(path, { width: 360 })
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360])
      expect(troubles).toEqual([])
      await close()
    }
  })

  it('leads from guide to guide, and by keyboard past what is on every page', async () => {
    const { page, troubles } = await watch('/')
    await page.waitForURL(`${url}/docs`)
    await page.click('nav >> text=Guides')
    await page.waitForSelector('h1')
    await keepScreenshot(page, 'docs-guide')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('To the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement?.id')).toBe('content')
    const seen: string[] = []
    for (;;) {
      seen.push(new URL(page.url()).pathname)
      const next = page.locator('a[rel=next]')
      if ((await next.count()) === 0) break
      await next.click()
      await page.waitForURL(({ pathname }) => !seen.includes(pathname))
    }
    expect(seen).toEqual(GUIDES.map(pathOf))
    expect(troubles).toEqual([])
  })
})
