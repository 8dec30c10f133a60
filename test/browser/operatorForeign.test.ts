import http, { type RequestListener } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { listening } from '../support/listening.ts'
import { lacks } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

const closers: (() => unknown)[] = []
let service: TestService
let browser: Browser
/** The port itself, and as a browser has it that does not say who asks: old ones do not, nor any to an address of a network. */
let ports: Readonly<Record<'sent' | 'absent', string>>
let foreign: string

const startServer = async (listener: RequestListener): Promise<string> => {
  const { url, close } = await listening(http.createServer(listener))
  closers.push(close)
  return url
}

const withoutFetchMetadata =
  (to: string): RequestListener =>
  ({ url = '', headers, method = 'GET' }, response) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('sec-')))
    const asked = http.request(new URL(url, to), { method, headers: kept, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy()).end()
  }

/** What a page finds out, by each of its ways; false: nothing. */
const TRIES = `(async (port) => {
  const paths = ['/', '/metrics', '/ready', '/runbook', '/explain?id=1', '/live']
  const found = {}
  const loads = (tag, set, url) => new Promise((resolve) => {
    const element = document.createElement(tag)
    element.onload = () => resolve(true)
    element.onerror = () => resolve(false)
    Object.assign(element, { [set]: url, ...(tag === 'link' && { rel: 'stylesheet' }) })
    document.body.append(element)
  })
  for (const path of paths) {
    found['fetch ' + path] = await fetch(port + path).then((response) => response.text(), () => false)
    found['fetch with a header ' + path] = await fetch(port + path, { headers: { 'x-mine': '1' } }).then(() => true, () => false)
    found['no-cors ' + path] = await fetch(port + path, { mode: 'no-cors' }).then((response) => response.text(), () => '')
    found['post ' + path] = await fetch(port + path, { method: 'POST', body: 'x', mode: 'no-cors' }).then((response) => response.text(), () => '')
    for (const [tag, set] of [['script', 'src'], ['img', 'src'], ['link', 'href']]) found[tag + ' ' + path] = await loads(tag, set, port + path)
  }
  return Object.entries(found).filter(([, what]) => what !== false && what !== '').map(([how]) => how)
})`

const framesOf = async (page: Page, port: string): Promise<readonly string[]> => {
  await page.evaluate(
    `(async (port) => { for (const path of ['/', '/metrics', '/ready', '/runbook', '/explain?id=1']) await new Promise((resolve) => {
      const frame = document.createElement('iframe')
      frame.onload = resolve
      frame.src = port + path
      document.body.append(frame)
    }) })(${JSON.stringify(port)})`,
  )
  const inner = page.frames().filter((frame) => frame !== page.mainFrame())
  expect(inner).toHaveLength(5)
  return Promise.all(inner.map((frame) => frame.innerText('body', { timeout: 5_000 }).catch(() => '')))
}

describe.skipIf(lacks('chromium'))("the operator's port and pages of another origin", () => {
  beforeAll(async () => {
    service = await startService({ ...only('near-intents'), METRICS_PORT: '0', OPERATOR_PAGE: 'true' })
    const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
    await service.call('execute', { body: { quoteToken } })
    const told = service.monitorUrl ?? expect.fail('no monitor')
    ports = { sent: told, absent: await startServer(withoutFetchMetadata(told)) }
    foreign = await startServer(({ url }, response) => {
      const frame = '<iframe id="nobody" sandbox="allow-scripts" src="/inner"></iframe>'
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><body>${url === '/inner' ? '' : frame}</body>`)
    })
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    for (const close of closers) await close()
    await service?.close()
  })

  it.each(['sent', 'absent'] as const)(
    'returns no data to it, fetch metadata headers %s [page-operator-private]',
    async (how) => {
      const page = await browser.newPage()
      await page.goto(foreign)
      expect(await page.evaluate(`${TRIES}(${JSON.stringify(ports[how])})`)).toEqual([])
      const nobody = page.frames().find((frame) => frame.url().endsWith('/inner')) ?? expect.fail('no frame')
      expect(await nobody.evaluate(`${TRIES}(${JSON.stringify(ports[how])})`)).toEqual([])
      await page.close()
    },
  )

  it('returns data to its own page by the same requests', async () => {
    const page = await browser.newPage()
    await page.goto(ports.sent)
    const found = (await page.evaluate(`${TRIES}('')`)) as readonly string[]
    expect(found).toEqual(expect.arrayContaining(['fetch /', 'fetch /metrics', 'fetch /explain?id=1', 'no-cors /ready']))
    await page.close()
  })

  it.each(['sent', 'absent'] as const)('shows no data to it in a frame, metadata %s [page-operator-private]', async (how) => {
    const page = await browser.newPage()
    await page.goto(`${foreign}/inner`)
    expect((await framesOf(page, ports[how])).join('\n')).not.toMatch(/Operator|Swap 1|swap_ready|"ready"|SwapStoreDown/)
    await page.close()
  })

  it('gives a foreign page that opens it no access to its content and messages', async () => {
    const page = await browser.newPage()
    await page.goto(`${foreign}/inner`)
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(`void (window.theirs = open(${JSON.stringify(ports.sent)}))`),
    ])
    await opened.waitForSelector('#standing')
    await page.evaluate(`theirs.postMessage({ id: '1', type: 'explain' }, '*')`)
    const read = `(() => { try { return theirs.document.body.innerText } catch (error) { return error.name } })()`
    expect(await page.evaluate(read)).toBe('SecurityError')
    expect(await opened.locator('#explained').count()).toBe(0)
    await opened.close()
    await page.close()
  })
})
