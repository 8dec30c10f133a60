import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { AXE, type AxeResults, type Browser, type Page } from '../judges/chromium.ts'

/** Checks of every page test: no console error, no request to another host, no accessibility violation. */

/** A page that is watched from before its first request on. */
export type WatchedPage = {
  readonly page: Page
  /** Complaints of its console, errors nobody caught, and requests to other hosts than those it may ask. */
  readonly troubles: readonly string[]
  /** Bytes over the wire, by URL, as the browser counted them. */
  readonly received: ReadonlyMap<string, number>
  close(): Promise<void>
}

export type WatchOptions = {
  /** Origins it may ask. */
  readonly origins: readonly string[]
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  /** Messages of the console that are expected, such as that of a 429 the test makes happen. */
  readonly expected?: readonly RegExp[]
}

export const watchPage = async (browser: Browser, options: WatchOptions): Promise<WatchedPage> => {
  const { origins, width = 1_280, height = 900, colorScheme = 'light', expected = [] } = options
  const context = await browser.newContext({ viewport: { width, height }, colorScheme })
  const page = await context.newPage()
  const troubles: string[] = []
  const received = new Map<string, number>()
  const trouble = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) troubles.push(text)
  }
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      trouble(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => trouble(`thrown: ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!origins.includes(origin) && protocol !== 'data:' && protocol !== 'blob:') troubles.push(`asked ${request.url()}`)
  })
  page.on('requestfinished', async (request) => {
    const sizes = await request.sizes().catch(() => null)
    if (sizes) received.set(request.url(), sizes.responseBodySize + sizes.responseHeadersSize)
  })
  return { page, troubles, received, close: () => context.close() }
}

/** Findings of axe-core, a line each. It loads no style sheets of its own: a strict policy would refuse them. Scripts of the test pass a page's policy, as those of an extension do. */
export const findings = async (page: Page): Promise<readonly string[]> => {
  const { readFile } = await import('node:fs/promises')
  await page.evaluate(await readFile(AXE, 'utf8'))
  const results = (await page.evaluate('axe.run(document, { preload: false, resultTypes: ["violations"] })')) as AxeResults
  expect(results.passes.length).toBeGreaterThan(5)
  return results.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id} ${target.join(' ')}: ${failureSummary ?? ''}`),
  )
}

/** Kept for a person to look at; the folder is the environment's to name. */
export const keepScreenshot = async (page: Page, name: string, fullPage = true): Promise<void> => {
  const folder = process.env['SWAP_TEST_SCREENSHOTS'] ?? join(tmpdir(), 'swap-screenshots')
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage })
}
