import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { lacks } from '../support/needs.ts'
import { seriesOf, sumOf } from '../support/prometheus.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP, USDC_SWAP } from '../support/swaps.ts'
import { findings, keepScreenshot, type WatchedPage, watchPage } from './kit.ts'

let service: TestService
let browser: Browser
let url: string
const opened: WatchedPage[] = []

/** What the page has remembered for its plots. */
const READ_HISTORY = `import([...document.scripts].find(({ src }) => src.endsWith('operator.js')).src.replace('operator.js', 'plots.js')).then(({ history }) => history)`

type Wish = Partial<Parameters<typeof watchPage>[1]> & {
  /** What the page reads in place of the true metrics. */
  readonly metrics?: (text: string) => string
  /** The answer of `/ready` in place of the true one. */
  readonly ready?: { readonly ready: boolean; readonly reasons: readonly string[] }
  /** What is done on the page before its own programs run. */
  readonly first?: string
}

const open = async ({ metrics, ready, first, ...options }: Wish = {}): Promise<WatchedPage> => {
  const watched = await watchPage(browser, { origins: [url], ...options })
  opened.push(watched)
  if (first) await watched.page.addInitScript(first)
  if (ready) await watched.page.route('**/ready', (route) => route.fulfill({ status: ready.ready ? 200 : 503, json: ready }))
  if (metrics)
    await watched.page.route('**/metrics', async (route) => {
      // The server may end an idle connection just as it is used again.
      const response = await route.fetch({ maxRetries: 2 })
      await route.fulfill({ response, body: metrics(await response.text()) })
    })
  await watched.page.goto(url)
  await watched.page.waitForSelector('#standing')
  return watched
}

describe.skipIf(lacks('chromium'))("the operator's page", () => {
  beforeAll(async () => {
    service = await startService({ ...only('across', 'near-intents', 'relay'), METRICS_PORT: '0', OPERATOR_PAGE: 'true' })
    url = service.monitorUrl ?? expect.fail('no monitor')
    for (let count = 0; count < 3; count += 1) await service.call('quote', { body: USDC_SWAP })
    await service.control.fault('across', 'wrong-contract', { count: 1 })
    await service.control.fault('relay', 'http-500')
    await service.call('quote', { body: USDC_SWAP })
    const { quoteToken } = await service.call('quote', { body: DEPOSIT_SWAP })
    await service.call('execute', { body: { quoteToken } })
    browser = await launchChromium()
  })

  afterAll(async () => {
    for (const watched of opened) await watched.close()
    await browser?.close()
    await service?.close()
  })

  it('shows the values of the metrics for each venue [page-operator-figures]', async () => {
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
    await expect
      .poll(async () => (await page.innerText('[data-check="across.contract"]')).split(/\s*\t\s*/), { timeout: 15_000 })
      .toEqual([
        ...['across', 'across.contract', '1', 'quote 1', expect.stringMatching(/^20.* UTC$/)],
        expect.stringMatching(/rejected\/[0-9]{10}-.*-across\.contract\.json$/),
      ])
    expect(await page.locator('[data-venue=cow]').count()).toBe(0)
    expect(await page.innerText('[data-call="near-intents execute"]')).toMatch(/execute.*≤/s)
    const asked = sumOf(series, 'swap_requests_total', { operation: 'quote' })
    expect(await page.innerText('[data-operation=quote]')).toMatch(new RegExp(`^quote\\s+${asked}\\s`))
    expect(troubles).toEqual([])
  })

  it.each([360, 1_280])('plots the readings taken while it is open, without overlapping marks at %i px', async (width) => {
    // What a canvas draws has no other trace.
    const first = `window.marks = []; const fill = CanvasRenderingContext2D.prototype.fillText
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (/^[0-9]+:[0-9]+:[0-9]+/.test(text)) marks.push({ canvas: this.canvas, text, x, width: this.measureText(text).width })
        fill.call(this, text, x, y)
      }`
    const { page, troubles } = await open({ width, first })
    const before = Number(await page.innerText('[data-tile=quotes] dd'))
    await service.call('quote', { body: DEPOSIT_SWAP })
    await expect.poll(async () => Number(await page.innerText('[data-tile=quotes] dd'))).toBe(before + 1)
    await page.waitForSelector('.plots canvas')
    expect(await page.locator('.plots [role=img] canvas').count()).toBe(2)
    expect(await page.getAttribute('#plot-requests', 'aria-label')).toMatch(
      /^Chart, per second\. Last values: requests [0-9.]+ \/s, /,
    )
    const marks = await page.evaluate<readonly { text: string; gap: number }[]>(
      'marks.slice(1).map(({ canvas, text, x, width }, at) => ({ text, gap: canvas === marks[at].canvas && x > marks[at].x && text !== marks[at].text ? x - marks[at].x - width : canvas === marks[at].canvas && x > marks[at].x ? -1 : 99 }))',
    )
    expect(marks.length).toBeGreaterThan(1)
    expect(marks.filter(({ gap }) => gap < 8)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('shows open swaps as unknown while the store is unreadable, and links to the runbook', async () => {
    const ofRecords = /^swap_(open_swaps?|settlement_(open|due|lag|abandoned)|webhooks_(due|unfinished)|webhook_lag)\w*[ {].*\n/gm
    const { page, troubles } = await open({
      metrics: (text) =>
        text
          .replace(ofRecords, '')
          .replace(/^swap_store_readable .*$/m, 'swap_store_readable 0')
          .replace(/^swap_problem\{problem="store"\} 0$/m, 'swap_problem{problem="store"} 1'),
    })
    expect(await page.innerText('[data-tile=open] dd')).toBe('unknown')
    expect(await page.innerText('[data-tile=oldest] dd')).toBe('unknown')
    for (const section of ['swaps', 'background']) {
      const told = await page.innerText(`#${section}`)
      expect([section, told]).toEqual([section, expect.stringContaining('could not be read')])
      expect([section, told]).not.toEqual([section, expect.stringContaining('No swap is open')])
    }
    expect(await page.innerText('#standing')).toBe('Ready, with trouble: the store takes no writes; the records cannot be read.')
    await page.click('#standing a')
    await page.waitForURL('**/runbook#swapstoredown')
    expect(await page.innerText(':target')).toContain('SwapStoreDown')
    expect(await findings(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('shows the state as unknown and dates its figures when the service stops answering', async () => {
    const { page } = await open()
    expect(await page.innerText('#standing')).toBe('Ready')
    await page.route(/\/(metrics|ready)$/, (route) => route.abort())
    await page.waitForSelector('#standing.bad')
    expect(await page.innerText('#standing')).toMatch(
      /^State unknown: the service does not answer at this address \(.+\); the figures below are from [0-9:]+\.$/,
    )
    expect(await page.title()).toMatch(/^State unknown/)
    await page.unroute(/\/(metrics|ready)$/)
    await expect.poll(() => page.innerText('#standing'), { timeout: 15_000 }).toBe('Ready')
  })

  it('shows readiness and explains swaps while /metrics fails', async () => {
    const { page, troubles } = await watchPage(browser, { origins: [url], expected: [/status of 500/] })
    await page.route('**/metrics', (route) => route.fulfill({ status: 500, body: '{"error":"metrics could not be gathered"}' }))
    await page.goto(url)
    await page.waitForSelector('#standing')
    expect(await page.innerText('#standing')).toBe('Ready, with trouble: the figures cannot be read (/metrics answered 500).')
    await page.fill('#id', '1')
    await page.click('button')
    await page.waitForSelector('#explained:has-text("Swap 1")')
    expect(troubles).toEqual([])
    await page.context().close()
  })

  it('shows no store problem while the service is starting', async () => {
    const { page } = await open({ metrics: (text) => text.replace(/^swap_store_readable .*\n/m, '') })
    expect(await page.innerText('#standing')).toBe('Ready')
    expect(await page.innerText('#swaps')).toContain('has not read the records yet')
    expect(await page.innerText('[data-tile=open] dd')).toBe('unknown')
  })

  it('shows metric labels as text, and a dash for a missing or invalid number', async () => {
    const odd = '<img src=x onerror=alert(1)>\\"\\\\ \\n{}\u202e'
    const { page, troubles } = await open({
      metrics: (text) =>
        [
          text
            .replace(/^nodejs_eventloop_lag_p99_seconds .*$/m, 'nodejs_eventloop_lag_p99_seconds NaN')
            .replace(/^process_resident_memory_bytes .*\n/m, '')
            .replaceAll(/^(swap_venue_call_duration_seconds_bucket\{.*venue="relay".*\}) .*$/gm, '$1 NaN')
            .replace(/^swap_settlement_due .*$/m, 'swap_settlement_due +Inf'),
          `swap_venue_enabled{venue="${odd}"} 1`,
          `swap_problem{problem="${odd}"} 1`,
          `swap_request_errors_total{operation="quote",code="${odd}"} 1`,
          'swap_no_value_at_all',
          '{} 5',
          '',
        ].join('\n'),
    })
    for (const place of ['#standing', '#venues', '#requests'])
      expect(await page.innerText(place)).toContain('<img src=x onerror=alert(1)>"\\')
    expect(await page.locator('#page img').count()).toBe(0)
    expect(await page.innerText('[data-tile=loop] dd')).toBe('–')
    expect(await page.innerText('[data-tile=memory] dd')).toBe('–')
    expect(await page.innerText('main')).not.toMatch(/NaN|undefined|null|\[object/)
    expect(troubles).toEqual([])
  })

  it('calculates ages by the clock of the service, not of the browser', async () => {
    const { page } = await open({ first: 'const now = Date.now; Date.now = () => now() + 10 * 3_600_000' })
    expect(await page.innerText('header')).toMatch(/up [0-9.]+ (s|min),/)
  })

  it('plots no value across a restart, a pause in the readings or a counter reset', async () => {
    let [start, count] = [1_700_000_000, 90_000]
    const { page } = await open({
      first: 'window.later = 0; const now = Date.now; Date.now = () => now() + window.later',
      metrics: (text) =>
        text
          .replace(/^process_start_time_seconds .*$/m, `process_start_time_seconds ${start}`)
          .replaceAll(/^(swap_(?:requests_total|quote_duration_seconds_bucket)\{.*\}) .*$/gm, `$1 ${count}`),
    })
    await page.waitForSelector('.plots canvas')
    type Told = readonly { readonly requests: number | null }[]
    const readings = () => page.evaluate<Told>(READ_HISTORY)
    const next = async (): Promise<Told[number]> => {
      const { length } = await readings()
      await expect.poll(async () => (await readings()).length, { timeout: 15_000 }).toBeGreaterThan(length)
      return (await readings())[length] ?? expect.fail('none')
    }
    ;[start, count] = [start + 1_000, 30]
    expect(await next()).toMatchObject({ requests: null, errors: null, quotes: null, quoteSeconds: null })
    await page.evaluate('window.later = 3_600_000')
    expect(await next()).toMatchObject({ requests: null, loop: null })
    count = 4
    expect(await next()).toMatchObject({ requests: null, errors: expect.any(Number) })
    expect((await next()).requests).toBe(0)
  })

  it('shows each alert in its headline with a link to the runbook [page-operator-figures]', async () => {
    const wrong: Readonly<Record<string, string>> = {
      'swap_data_dir_free_bytes 1073741823': 'swapdiskfilling',
      'swap_ledger_balanced 0': 'swapledgerunbalanced',
      'swap_redis_up 0': 'swapredisdown',
      'swap_open_swap_oldest_age_seconds{state="processing"} 21601': 'swapsstuck',
      'swap_unseen_payment_oldest_age_seconds 21601': 'swapsstuck',
      'swap_settlement_lag_seconds 901': 'swapsettlementlag',
      'swap_webhook_lag_seconds 901': 'swapwebhookswaiting',
    }
    const names = Object.keys(wrong).map((line) => line.split(/[ {]/)[0] ?? '')
    const { page } = await open({
      metrics: (text) => text.replaceAll(new RegExp(`^(${names.join('|')})[ {].*\n`, 'gm'), '') + Object.keys(wrong).join('\n'),
    })
    expect(await page.innerText('#standing')).toBe(
      'Ready, with trouble: the disk is nearly full; the ledger does not balance; Redis does not answer; a swap is processing for over 6 h; a payment was not found for over 6 h; settlement is over 15 min late; webhooks are over 15 min late.',
    )
    const links = await page.locator('#standing a').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
    expect(links).toEqual(Object.values(wrong).map((alert) => `/runbook#${alert}`))
  })

  it('reads the metrics once when a hidden page is shown again', async () => {
    const { page } = await open()
    await page.waitForSelector('.plots canvas')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/metrics')) asked += 1
    })
    const readings = () => page.evaluate<readonly unknown[]>(READ_HISTORY)
    const { length } = await readings()
    const shown = "document.dispatchEvent(new Event('visibilitychange'))"
    await page.evaluate(`${shown}; ${shown}; ${shown}`)
    await expect.poll(async () => (await readings()).length, { timeout: 3_000 }).toBe(length + 1)
    expect(asked).toBe(1)
  })

  it.each([
    ['Ready, with trouble', 'warn', true],
    ['Not ready', 'bad', false],
  ])('names each problem in its headline: %s', async (words, mood, ready) => {
    const { page } = await open({
      expected: [/status of 503/],
      ready: { ready, reasons: [...(ready ? [] : ['draining', 'unheard-of']), 'venue', 'chain'] },
      metrics: (text) =>
        `${text
          .replaceAll(/^swap_venue_(failing|rejecting)\{.*\n/gm, '')
          .replace(/^(swap_venue_healthy\{.*\}) 1$/gm, '$1 0')
          .replace(/^(swap_chain_endpoint_healthy\{chain="(?:8453|42161)",endpoint="[0-9]"\}) 1$/gm, '$1 0')}${[
          'swap_venue_failing{venue="relay",call="quote"} 1',
          'swap_venue_failing{venue="relay",call="status"} 1',
          'swap_venue_rejecting{venue="across",call="quote",chain="8453"} 1',
          '',
        ].join('\n')}`,
    })
    const told = [
      ...(ready ? [] : ['the service is stopping', 'unheard-of']),
      'chains Base (8453) and Arbitrum One (42161) do not answer',
      'venue relay fails quotes and status calls',
      'venue near-intents fails or refuses the API key',
      'checks of the service reject quotes on Base (8453) of venue across',
    ]
    expect(await page.innerText('#standing')).toBe(`${words}: ${told.join('; ')}.`)
    expect(await page.getAttribute('#standing', 'class')).toBe(mood)
    expect(await page.evaluate("parseFloat(getComputedStyle(document.querySelector('#standing')).fontSize)")).toBeGreaterThan(18)
    expect(await page.title()).toMatch(new RegExp(`^${words} ·`))
  })

  it('explains a swap by its number, and reports an unknown number', async () => {
    const { page, troubles } = await open({ expected: [/status of 404/] })
    await page.fill('#id', '1')
    await page.click('button')
    await page.waitForSelector('#explained:has-text("Swap 1")')
    expect(await page.innerText('#explained')).toMatch(/The race of quote/)
    await keepScreenshot(page, 'operator')
    await page.fill('#id', 'nothing')
    await page.click('button')
    await page.waitForSelector('#explained.bad:has-text("Nothing was found for nothing")')
    expect(troubles).toEqual([])
  })

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 360],
  ] as const)('is accessible and has no horizontal scrolling, %s theme at %i pixels', async (colorScheme, width) => {
    const metrics = (text: string) => `${text}swap_problem{problem="store"} 1\n`
    const { page, troubles } = await open({ colorScheme, width, metrics })
    await page.waitForSelector('.plots canvas')
    expect(await findings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(troubles).toEqual([])
    await keepScreenshot(page, `operator-${width}-${colorScheme}`)
  })
})
