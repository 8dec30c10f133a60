import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES, pathOf } from '../../handlers/docs/guides.ts'
import type { Browser } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { type EdgeServer, startEdge } from '../support/edgeServer.ts'
import { lacks } from '../support/needs.ts'
import { operationHashes } from '../support/operationHashes.ts'
import { fencesOf } from '../support/pages.ts'
import { findings, keepScreenshot, type WatchedPage, watchPage } from './kit.ts'

const FIRST_SWAP = 'handlers/docs/guides/first-swap.md'
const WIRE_BYTES_MAX = 600_000

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
  await watched.page.waitForSelector('.find a', { state: 'attached' })
  return watched
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

describe.skipIf(lacks('chromium'))('the documentation site', () => {
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

  it('shows the API reference as text, calls no other host, and transfers less than 600 KB', async () => {
    const { page, troubles, received } = reference
    await page.click('nav a:has-text("Quote a swap") >> nth=0')
    await page.waitForSelector('#operations-Swaps-quote .responses-table')
    const text = String(await page.evaluate('document.body.innerText'))
    for (const shown of ['Cross-chain swap service', 'Quote a swap', 'A quote that can be executed'])
      expect(text).toContain(shown)
    expect(troubles).toEqual([])
    expect(received.size).toBeGreaterThan(5)
    expect(sum(received.values())).toBeLessThan(WIRE_BYTES_MAX)
    await keepScreenshot(page, 'docs-reference', false)
  })

  it('finds an operation by keyboard [page-docs]', async () => {
    const { page, troubles } = reference
    await page.keyboard.press('Control+k')
    await page.keyboard.type('webhook-test')
    await expect.poll(() => page.locator('.find li:visible').count()).toBe(1)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#operations-Partners-webhookTest.is-open button:focus')
    expect(new URL(page.url()).hash).toBe('#/Partners/webhookTest')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('-none')
    await page.waitForSelector('text=No operation matches.')
    await page.fill('.find input', '')
    expect(troubles).toEqual([])
  })

  it('sends a request to this service and shows its response', async () => {
    const { page, troubles } = await watch('/docs#/Reference/chains')
    const chains = page.locator('#operations-Reference-chains')
    await chains.getByRole('button', { name: 'Try it out' }).click()
    await chains.getByRole('button', { name: 'Execute' }).click()
    const answer = chains.locator('.live-responses-table .response')
    await answer.locator('.program', { hasText: 'Arbitrum' }).waitFor()
    expect(await answer.locator('.response-col_status').textContent()).toBe('200')
    expect(await findings(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('opens each operation at the address that the guides link to', async () => {
    const { page, troubles } = reference
    const idOf = (hash: string) => `operations${decodeURIComponent(hash.slice(1)).replaceAll('/', '-').replaceAll(' ', '_')}`
    const hashes = operationHashes()
    expect(hashes.length).toBeGreaterThan(15)
    for (const hash of hashes) expect([hash, await page.locator(`#${idOf(hash)}`).count()]).toEqual([hash, 1])
    for (const hash of new Map(hashes.map((one) => [one.split('/')[1], one])).values()) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await page.waitForSelector(`#${idOf(hash)}.is-open button:focus`)
    }
    expect(troubles).toEqual([])
  })

  it('copies a sample program exactly as the tests run it', async () => {
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

  it.each(['light', 'dark'] as const)('is accessible and has a description, %s theme [page-docs]', async (colorScheme) => {
    const shown = colorScheme === 'light' ? reference : await watchReference({ colorScheme })
    await shown.page.evaluate("location.hash = '/Swaps/quote'")
    const quote = shown.page.locator('#operations-Swaps-quote')
    await quote.getByRole('tab', { name: 'Schema' }).first().click()
    // Swagger UI gives the responses of all open operations one name.
    expect((await findings(shown.page)).filter((finding) => !/landmark-unique #\w+_responses/.test(finding))).toEqual([])
    const guide = await watch('/docs/guides/first-swap', { colorScheme })
    expect(await findings(guide.page)).toEqual([])
    for (const { page } of [shown, guide]) {
      expect(await page.getAttribute('meta[name=description]', 'content')).toMatch(/^.{50,160}$/)
      const background = await page.evaluate(
        'getComputedStyle(document.querySelector(".swagger-ui") ?? document.body).backgroundColor',
      )
      expect(background).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(20, 23, 28)')
    }
    expect([...shown.troubles, ...guide.troubles]).toEqual([])
  })

  it('fits a screen of 360 pixels without horizontal scrolling [page-docs]', async () => {
    const { page, troubles } = reference
    await page.setViewportSize({ width: 360, height: 800 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await keepScreenshot(page, 'docs-reference-360', false)
    for (const path of ['/docs', ...GUIDES.map(pathOf)]) {
      if (path !== '/docs') await page.goto(`${url}${path}`)
      const sizes = await page.evaluate('[document.documentElement.scrollWidth, document.querySelector(".bar").offsetHeight]')
      expect([path, sizes]).toEqual([path, [360, 49]])
    }
    expect(troubles).toEqual([])
  })

  it('links each guide to the next and has a keyboard link that skips the header', async () => {
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
