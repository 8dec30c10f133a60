import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createViteServer } from 'vitest/node'
import { balanceOf } from '../../scripts/client/evm.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import type { Browser, Page } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { lacks } from '../support/needs.ts'
import { BASE, CALL_PRICE } from '../support/payingClient.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

/** The official x402 client, bundled for a browser, which sends a preflight before each payment. */

const MAIN = `
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const account = privateKeyToAccount(generatePrivateKey())
const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
const payingFetch = wrapFetchWithPayment(fetch, client)
const post = (by) => async ({ url, body }) => {
  const headers = { 'content-type': 'application/json' }
  const response = await by(url, body && { method: 'POST', headers, body: JSON.stringify(body) })
  const [asked, paid] = ['payment-required', 'payment-response'].map((name) => response.headers.get(name))
  return {
    status: response.status,
    body: await response.json(),
    asked: asked && decodePaymentRequiredHeader(asked),
    paid: paid && decodePaymentResponseHeader(paid),
  }
}
globalThis.shop = { payer: account.address, pay: post(payingFetch), look: post(fetch) }
`

type Told = {
  readonly status: number
  readonly body: { readonly data?: { readonly [field: string]: unknown }; readonly error?: { readonly code: string } }
  readonly asked: { readonly accepts: readonly object[] } | null
  readonly paid: { readonly success: boolean; readonly transaction: string; readonly payer?: string } | null
}
type Question = { readonly url: string; readonly body?: object }
type Shop = { readonly payer: string; pay(question: Question): Promise<Told>; look(question: Question): Promise<Told> }

const startPages = async (folder: string) => {
  await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'main.js'), MAIN)
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><title>A shop</title><script type="module" src="/main.js"></script>',
  )
  const server = await createViteServer({
    configFile: false,
    root: folder,
    cacheDir: join(folder, 'cache'),
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0, hmr: false, fs: { strict: false } },
    optimizeDeps: { include: ['@x402/core/http', '@x402/fetch', '@x402/evm/exact/client', 'viem/accounts'] },
  })
  await server.listen()
  const address = server.httpServer?.address()
  if (typeof address !== 'object' || !address) throw new Error('the pages are served nowhere')
  return { origin: `http://127.0.0.1:${address.port}`, close: () => server.close() }
}

describe.skipIf(lacks('chromium'))('a page of another origin that pays', () => {
  let service: TestService
  let folder: string
  let pages: Awaited<ReturnType<typeof startPages>>
  let browser: Browser
  let page: Page

  const ask = (how: 'pay' | 'look', path: string, body?: object): Promise<Told> =>
    page.evaluate(([by, question]) => (globalThis as unknown as { shop: Shop }).shop[by](question), [
      how,
      { url: `${service.publicUrl}/api/v1/x402/${path}`, ...(body && { body }) },
    ] as const)

  beforeAll(async () => {
    service = await startService(only('near-intents'))
    folder = await mkdtemp(join(tmpdir(), 'swap-shop-'))
    pages = await startPages(folder)
    browser = await launchChromium()
    page = await browser.newPage()
    await page.goto(pages.origin)
    await page.waitForFunction(() => 'shop' in globalThis)
  }, 60_000)

  afterAll(async () => {
    await browser.close()
    await pages.close()
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('reads the price of a call, pays for it and reads the receipt: quote, execute, status [client-browser-pays]', {
    timeout: 60_000,
  }, async () => {
    const payer = await page.evaluate(() => (globalThis as unknown as { shop: Shop }).shop.payer)
    const price = { chainId: BASE, token: USDC.base, address: payer, amount: (3n * CALL_PRICE).toString() }
    await service.control.faucet(price)

    const unpaid = await ask('look', 'quote', DEPOSIT_SWAP)
    expect([unpaid.status, unpaid.body.error?.code]).toEqual([402, 'PAYMENT_REQUIRED'])
    expect(unpaid.asked?.accepts).toMatchObject([{ scheme: 'exact', network: 'eip155:8453', amount: '1000' }])

    const quoted = await ask('pay', 'quote', DEPOSIT_SWAP)
    expect(quoted).toMatchObject({ status: 200, paid: { success: true, payer } })
    const { quoteToken } = quoted.body.data as { quoteToken: string }
    const executed = await ask('pay', 'execute', { quoteToken })
    expect(executed).toMatchObject({ status: 200, paid: { success: true, payer } })
    const query = new URLSearchParams({ quoteToken, ref: String(executed.body.data?.['statusRef']) })
    const status = await ask('pay', `status?${query}`)
    expect(status).toMatchObject({ status: 200, body: { data: { status: 'pending' } }, paid: { success: true, payer } })

    expect(await balanceOf(service.control.rpcUrl(BASE), USDC.base, payer)).toBe(0n)
  })
})
