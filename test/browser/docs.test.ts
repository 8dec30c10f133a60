import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES, pathOf } from '../../handlers/docs/guides.ts'
import { launchChromium } from '../clients/chromium.ts'
import { type EdgeServer, startEdge } from '../support/edgeServer.ts'
import { lacks } from '../support/needs.ts'
import { operationHashes } from '../support/operationHashes.ts'
import { fencesOf } from '../support/pages.ts'
import { keepScreenshot, seriousFindings, type WatchedPage, watchPage } from './kit.ts'

/** `/docs` in a real browser. */

const FIRST_SWAP = 'handlers/docs/guides/first-swap.md'
const WIRE_BYTES_MAX = 1_500_000

let edge: EdgeServer
let browser: Browser
let url: string
/** One for several tests: it takes seconds to draw. */
let reference: WatchedPage
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

describe.skipIf(lacks('chromium'))('the documentation', () => {
  beforeAll(async () => {
    edge = await startEdge()
    url = `http://127.0.0.1:${edge.port}`
    browser = await launchChromium()
    reference = await watchReference()
  })

  afterAll(async () => {
    for (const watched of open) await watched.close()
    await browser?.close()
    await edge?.close()
  })

  it('shows the contract, asks nobody else, complains of nothing, and is below 1.5 MB over the wire', async () => {
    const { page, troubles, received } = reference
    await page.waitForSelector('text=Quote a swap')
    await page.click('a:has-text("Track a swap")')
    await page.waitForSelector('h3:has-text("Track a swap"), h2:has-text("Track a swap")')
    expect(troubles).toEqual([])
    expect(received.size).toBeGreaterThan(5)
    expect(sum(received.values())).toBeLessThan(WIRE_BYTES_MAX)
    await keepScreenshot(page, 'docs-reference', false)
  })

  it('is searched by keyboard', async () => {
    const { page, troubles } = reference
    await page.keyboard.press('Control+k')
    await page.keyboard.type('webhook')
    await page.waitForSelector('[role=dialog] >> text=Send a test to the webhook of a key')
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(({ hash }) => /^#(models|tag)\/.*(event|webhook)/i.test(hash))
    expect(troubles).toEqual([])
  })

  it('shows each operation at the place that the guides lead to', async () => {
    const { page, troubles } = reference
    const ids = operationHashes().map((hash) => `api-1/${hash.slice(1)}`)
    expect(ids.length).toBeGreaterThan(15)
    const lastOfTags = new Map(ids.map((id) => [id.split('/')[2], id]))
    for (const [tag, id] of lastOfTags) {
      await page.evaluate(`location.hash = ${JSON.stringify(id.replace('api-1/', ''))}`)
      await page.waitForSelector(`[id="${id}"] h3`, { state: 'attached' })
      const missing = await page.evaluate(
        `${JSON.stringify(ids.filter((one) => one.split('/')[2] === tag))}.filter((id) => document.getElementById(id) === null)`,
      )
      expect(missing).toEqual([])
    }
    expect(troubles).toEqual([])
  })

  it('copies a program as the tests run it', async () => {
    const { page, troubles } = await watch('/docs/guides/first-swap')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
    const program = page.locator('.example', { hasText: 'first-swap.mjs: 0.05 BTC' })
    await program.hover()
    await program.getByRole('button', { name: 'Copy' }).click()
    await program.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' })
    const [copied, fences] = [await page.evaluate('navigator.clipboard.readText()'), await fencesOf(FIRST_SWAP)]
    expect(fences.map(({ text }) => text)).toContain(copied)
    expect(troubles).toEqual([])
  })

  it.each(['light', 'dark'] as const)('has no serious barrier, %s', async (colorScheme) => {
    const shown = colorScheme === 'light' ? reference : await watchReference({ colorScheme })
    expect(await shown.page.evaluate('document.body.className')).toBe(`${colorScheme}-mode`)
    expect(await seriousFindings(shown.page)).toEqual([])
    const guide = await watch('/docs/guides/first-swap', { colorScheme })
    expect(await seriousFindings(guide.page)).toEqual([])
    const background = await guide.page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 28)')
    expect([...shown.troubles, ...guide.troubles]).toEqual([])
  })

  it('is read on a screen of 360 pixels without scrolling sideways', async () => {
    const { page, troubles } = reference
    await page.setViewportSize({ width: 360, height: 800 })
    // The longest name that there is in its bar.
    await page.evaluate("location.hash = 'tag/swaps/POST/api/v1/submit-transaction'")
    await page.waitForSelector('header >> text=Submit the signed transaction')
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await keepScreenshot(page, 'docs-reference-360', false)
    for (const path of ['/docs', ...GUIDES.map(pathOf)]) {
      if (path !== '/docs') await page.goto(`${url}${path}`)
      const sizes = await page.evaluate('[document.documentElement.scrollWidth, document.querySelector(".bar").offsetHeight]')
      // The reference's own bar sticks to ours.
      expect([path, sizes]).toEqual([path, [360, 49]])
    }
    expect(troubles).toEqual([])
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
