import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Balances, NetworkState } from '../../engine/simnet/watch/watched.ts'
import { type Browser, launchChromium, type Page } from '../judges/chromium.ts'
import { lacks } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'
import { findings, keepScreenshot, type WatchedPage, watchPage } from './kit.ts'

const ANSWERED_MS = 30_000

let service: TestService
let browser: Browser
let watched: WatchedPage

const open = async (options: Partial<Parameters<typeof watchPage>[1]> = {}): Promise<WatchedPage> => {
  const origins = [service.control.url, service.url]
  const page = await watchPage(browser, { origins, ...options })
  await page.page.goto(service.control.url)
  await page.page.waitForSelector('#ask:not([disabled])')
  return page
}

const choose = async (from: string, to: string, amount: string, tokens: readonly [string, string]): Promise<void> => {
  const { page } = watched
  await page.selectOption('#input-chain', from)
  await page.selectOption('#input-token', { label: tokens[0] })
  await page.selectOption('#output-chain', to)
  await page.selectOption('#output-token', { label: tokens[1] })
  await page.fill('#amount', amount)
}

/** What the page may not have been told yet. */
const newestRace = async (): Promise<number> => {
  const { races } = (await (await fetch(`${service.control.url}/state`)).json()) as NetworkState
  return races[0]?.id ?? 0
}

/** The text of the next race. */
const askFor = async (): Promise<string> => {
  const { page } = watched
  const next = (await newestRace()) + 1
  await page.click('#ask')
  await page.waitForSelector(`[data-race="${next}"]`, { timeout: ANSWERED_MS })
  await page.waitForSelector('#ask:not([disabled])')
  return page.innerText('.result')
}

const swap = async (): Promise<string> => {
  const { page } = watched
  await page.click('#swap')
  await page.waitForSelector('.lines li:has-text("The swap ended"), .lines li.bad', { timeout: ANSWERED_MS })
  return page.innerText('.lines li:last-child')
}

describe.skipIf(lacks('chromium'))('the page of the offline network', () => {
  beforeAll(async () => {
    service = await startService({
      ...only('across', 'cow', 'near-intents', 'relay', 'debridge', 'mayan'),
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000',
    })
    browser = await launchChromium()
    watched = await open()
  }, 60_000)

  afterAll(async () => {
    await watched?.close()
    await browser?.close()
    await service?.close()
  })

  it('completes a swap by transaction, with both payments in its timeline [page-offline]', async () => {
    const race = await askFor()
    expect(race).toMatch(/pays [\d.]+ USDC for 250 USDC/)
    expect(await watched.page.innerText('.offer-card')).toMatch(/About \d+ (s|min)\.\s+Valid for [\d.]+ (s|min)\./)
    expect(await swap()).toMatch(/^The swap ended: success, 2[45]\d[\d.]* USDC delivered\.$/)
    const { page } = watched
    await page.waitForSelector('.swap[data-state=success] .payments li:nth-child(2)')
    expect(await page.innerText('.swap .payments')).toMatch(/input Base 250 USDC[\s\S]*output Arbitrum/)
    await keepScreenshot(page, 'offline-swap')
  }, 60_000)

  it.each([
    ['by signature', '1', '1', '1000', ['USDC', 'WETH'], 'Sign a message.'],
    ['from Bitcoin by deposit', '-1', '8453', '0.05', ['BTC', 'USDC'], 'Send a deposit.'],
    ['from Solana', '-2', '8453', '300', ['USDC', 'USDC'], /^(Sign and send a transaction|Send a deposit)\.$/],
  ] as const)(
    'completes a swap %s, describes the action and uses each quote once',
    async (_what, from, to, amount, tokens, action) => {
      await choose(from, to, amount, tokens)
      await askFor()
      expect(await swap()).toMatch(/^The swap ended: success/)
      expect(await watched.page.getByText(action, { exact: true }).count()).toBe(1)
      expect(await watched.page.innerText('.offer-card')).toContain('This quote was used.')
    },
    60_000,
  )

  it('marks an active fault in the diagram of the next race [page-offline]', async () => {
    await choose('8453', '42161', '500', ['USDC', 'USDC'])
    const { page } = watched
    await page.click('[data-target=relay] > summary')
    await page.click('[data-target=relay] [data-fault=price-x100]')
    await page.waitForSelector('[data-target=relay] .on')
    const race = await askFor()
    expect(race).toContain('Dropped: contradicts the other offers')
    expect(await page.locator('svg.race .lane.dropped').count()).toBeGreaterThan(0)
    await keepScreenshot(page, 'offline-race')
    await page
      .locator('.result .scrolled')
      .first()
      .screenshot({ path: process.env['SWAP_TEST_RACE_PNG'] ?? '/dev/null', type: 'png' })
    await page.click('#clear')
    await page.waitForSelector('[data-target=relay] .on', { state: 'detached' })
  }, 60_000)

  it('disables the swap button once the quote expires, and offers a new quote', async () => {
    const { page } = watched
    await askFor()
    await page.click('text="+20 min"')
    await page.waitForSelector('#swap[disabled]')
    expect(await page.innerText('.offer-card [role=status]')).toBe('This quote has expired.')
    await page.evaluate('document.getElementById("swap").click()')
    expect(await page.locator('.lines li').count()).toBe(0)
    await page.click('text="Get a new quote"')
    await page.waitForSelector('#swap:not([disabled])')
    expect(await page.innerText('.offer-card')).toContain('Valid for')
    expect(await page.evaluate('document.activeElement.id')).toBe('swap')
  }, 60_000)

  it('shows why each venue declined and the minimum amount it accepts', async () => {
    const { page } = watched
    await choose('8453', '42161', '0.000001', ['USDC', 'USDC'])
    const race = await askFor()
    expect(race).toMatch(/mayan\s[^a-z]*ms\s+Amount too small: at least 0\.5 USDC/)
    const failure = await page.innerText('.failure')
    expect(failure).toMatch(/^NO_LIQUIDITY No venue can quote this pair and amount\.\n/)
    expect(failure).toMatch(/Amount too small: at least 0\.5 USDC mayan, near-intents\n/)
    expect(failure).not.toContain('details')
    await keepScreenshot(page, 'offline-declines')
    await page.fill('#amount', '500')
    await askFor()
  }, 60_000)

  it('keeps the selected earlier race while new races arrive', async () => {
    const { page } = watched
    await askFor()
    const newest = await newestRace()
    await page.selectOption('#race', { index: 1 })
    await page.waitForSelector(`[data-race="${newest - 1}"]`)
    await service.call('quote', { body: TRANSACTION_SWAP })
    await page.waitForSelector(`#race option[value="${newest + 1}"]`, { state: 'attached' })
    expect(await page.getAttribute('[data-race]', 'data-race')).toBe(String(newest - 1))
    await askFor()
  }, 60_000)

  it('replaces the previous swap by the error for a wrong amount, and focuses the field', async () => {
    const page = await open()
    await page.page.click('#ask')
    await page.page.click('#swap', { timeout: ANSWERED_MS })
    await page.page.waitForSelector('.lines li:has-text("The swap ended")', { timeout: ANSWERED_MS })
    await page.page.fill('#amount', 'abc')
    await page.page.click('#ask')
    await page.page.waitForSelector('#amount[aria-invalid=true]')
    expect(await page.page.innerText('#amount-trouble')).toBe(
      'Enter a number above 0, such as 12.5. USDC has at most 6 decimals.',
    )
    expect(await page.page.evaluate('document.activeElement.id')).toBe('amount')
    expect(await page.page.locator('.lines li, .offer-card, .result').count()).toBe(0)
    await page.page.fill('#amount', '0')
    await page.page.waitForSelector('#amount[aria-invalid=false]')
    await page.page.click('#ask')
    await page.page.waitForSelector('#amount[aria-invalid=true]')
    await page.close()
  }, 60_000)

  it('sends one quote and one execution for a double click', async () => {
    const page = await open()
    let [quotes, executions] = [0, 0]
    page.page.on('request', (request) => {
      if (request.method() !== 'POST') return
      if (request.url().endsWith('/api/v1/quote')) quotes += 1
      if (request.url().endsWith('/api/v1/execute')) executions += 1
    })
    const clickTwice = (id: string) =>
      page.page.evaluate(`for (let i = 0; i < 2; i += 1) document.getElementById('${id}').click()`)
    await clickTwice('ask')
    await page.page.waitForSelector('#swap:not([disabled])', { timeout: ANSWERED_MS })
    await clickTwice('swap')
    await page.page.waitForSelector('.lines li:has-text("The swap ended"), .lines li.bad', { timeout: ANSWERED_MS })
    expect({ quotes, executions }).toEqual({ quotes: 1, executions: 1 })
    await page.close()
  }, 60_000)

  it('activates a fault with the selected options', async () => {
    const page = await open()
    await page.page.click('[data-target=mayan] > summary')
    const latency = page.page.locator('[data-target=mayan] .switches > div', { has: page.page.locator('[data-fault=latency]') })
    await latency.locator('.fields > summary').click()
    await latency.locator('[data-field=ms]').fill('soon')
    await latency.locator('[data-fault=latency]').click()
    await page.page.waitForSelector('.failure:has-text("latency, ms: enter a whole number.")')
    expect(await latency.locator('[data-fault=latency]').isChecked()).toBe(false)
    await latency.locator('[data-field=ms]').fill('25')
    await latency.locator('[data-field=count]').fill('3')
    await latency.locator('[data-fault=latency]').click()
    await page.page.waitForSelector('[data-target=mayan] .on')
    const { faults } = (await (await fetch(`${service.control.url}/state`)).json()) as NetworkState
    expect(faults).toEqual([{ venue: 'mayan', fault: 'latency', params: { ms: 25 }, remaining: 3 }])
    await page.page.click('#clear')
    await page.page.waitForSelector('[data-target=mayan] .on', { state: 'detached' })
    await page.close()
  }, 60_000)

  it('sends tokens to a given address, and shows the error for an invalid one', async () => {
    const { page } = watched
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    await page.selectOption('#gift-chain', '8453')
    await page.selectOption('#gift-token', { label: 'USDC' })
    await page.fill('#gift-amount', '12.5')
    await page.fill('#gift-address', address)
    await page.click('#give')
    await page.waitForSelector('text=Sent 12.5 USDC.')
    const { balances } = (await (
      await fetch(`${service.control.url}/balances?address=${address}&chainId=8453`)
    ).json()) as Balances
    expect(balances.find(({ symbol }) => symbol === 'USDC')?.amount).toBe('12500000')
    await page.fill('#gift-address', 'nobody')
    await page.click('#give')
    await page.waitForSelector('.failure:has-text("address: must be an address of chain 8453")')
    await page.fill('#gift-address', '')
    await page.click('#give')
    await page.waitForSelector('text=Sent 12.5 USDC.')
  }, 60_000)

  it('shows the newest swaps first, and all stored swaps on request', async () => {
    const page = await open()
    const [quoteId, venue, requestId] = ['quote', 'relay', 'many']
    for (let swapId = 1_001; swapId <= 1_200; swapId += 1)
      service.simnet.watch({
        ...{ event: 'swap.executed', requestId, quoteId, swapId, ref: `ref-${swapId}`, venue, executionType: 'DEPOSIT' },
        repeated: false,
      })
    await page.page.waitForSelector('[data-swap="1200"]')
    expect(await page.page.locator('.swap').count()).toBe(4)
    await page.page.reload()
    await page.page.click('#all-swaps')
    await page.page.waitForSelector('[data-swap="1151"]')
    expect(await page.page.locator('.swap').count()).toBe(50)
    await page.close()
  }, 60_000)

  it('waits for a connection while too many pages are connected', async () => {
    // A response that is garbage collected closes its stream, so all of them are kept.
    const streams: { readonly over: AbortController; readonly response: Response }[] = []
    while (streams.at(-1)?.response.ok !== false) {
      const over = new AbortController()
      streams.push({ over, response: await fetch(`${service.control.url}/events`, { signal: over.signal }) })
    }
    expect(streams.length).toBeGreaterThan(2)
    const expected = [/status of 503/]
    const page = await watchPage(browser, { origins: [service.control.url, service.url], expected })
    await page.page.goto(service.control.url)
    await page.page.waitForSelector('text=Waiting: too many pages are connected')
    for (const { over } of streams) over.abort()
    await page.page.waitForSelector('#ask:not([disabled])')
    expect(page.troubles).toEqual([])
    await page.close()
  }, 60_000)

  it('works in more tabs than a browser has connections, and catches up when a hidden tab is shown', async () => {
    const context = await browser.newContext()
    const [first, ...others] = await Promise.all(Array.from({ length: 9 }, () => context.newPage()))
    const show = (page: Page, isSeen: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, value: ${!isSeen} }); document.dispatchEvent(new Event('visibilitychange'))`,
      )
    if (!first) throw new Error('no page')
    for (const page of [first, ...others]) {
      await page.goto(service.control.url, { timeout: ANSWERED_MS })
      await page.waitForSelector('.live:not(.off)')
      await show(page, false)
    }
    await service.control.setPrice('MKR', '1821.5')
    await show(first, true)
    await first.waitForSelector('.live:not(.off)')
    expect(await first.getByLabel('MKR', { exact: true }).inputValue()).toBe('1821.5')
    await context.close()
  }, 60_000)

  it('calls only the offline network and the service, and logs no console error', () => {
    expect(watched.troubles.filter((text) => !/status of (404|410|409|400|422)/.test(text))).toEqual([])
  })

  it.each([
    ['light', 1_280, 'svg.race'],
    ['dark', 1_280, 'svg.race'],
    ['light', 360, '.runs'],
  ] as const)(
    'has a description and no accessibility violation in the %s theme at %i pixels [page-offline]',
    async (colorScheme, width, race) => {
      const page = await open({ colorScheme, width })
      await page.page.waitForSelector(race)
      expect(await findings(page.page)).toEqual([])
      expect(await page.page.getAttribute('meta[name=description]', 'content')).toMatch(/^.{50,160}$/)
      await page.close()
    },
    60_000,
  )

  it('shows the payout of each venue on a screen of 360 pixels without horizontal scrolling', async () => {
    const page = await open({ width: 360, height: 740 })
    await page.page.click('#ask')
    await page.page.waitForSelector('.offer-card', { timeout: ANSWERED_MS })
    const payout = page.page.locator('.runs tbody tr:first-child td.mono').first()
    expect(await payout.innerText()).toMatch(/^2[45]\d\.\d+$/)
    const { x = 0, width = 400 } = (await payout.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(360)
    expect(await page.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    await keepScreenshot(page.page, 'offline-360')
    await page.close()
  }, 60_000)

  it('shows the rate limit error with the time to wait', async () => {
    const other = await startService({ ...only('across'), RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1' })
    const page = await watchPage(browser, { origins: [other.control.url, other.url] })
    await page.page.goto(other.control.url)
    await page.page.waitForSelector('#ask:not([disabled])')
    await page.page.click('#ask')
    await page.page.waitForSelector('.offer-card')
    await page.page.click('#ask')
    await page.page.waitForSelector('.failure:has-text("RATE_LIMITED")')
    expect(await page.page.innerText('.failure')).toMatch(
      /^RATE_LIMITED Too many requests: the limit is 1 a minute\.\s+Try again in \d+ s\.$/,
    )
    expect(await page.page.locator('.result, .offer-card').count()).toBe(0)
    await page.close()
    await other.close()
  }, 60_000)
})
