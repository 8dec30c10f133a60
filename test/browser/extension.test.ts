import { createWalletClient, type Hex, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from '../judges/chromium.ts'
import { launchChromium } from '../judges/chromium.ts'
import { lacks } from '../support/needs.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { type WatchedPage, watchPage } from './kit.ts'

/** The wallet extension announces itself by EIP-6963. */

const ANSWERED_MS = 30_000
const UNKNOWN_CHAIN = 4902

type Asked = { readonly method: string; readonly params?: readonly never[] }

let service: TestService
let browser: Browser
const opened: WatchedPage[] = []

const rpc = async (url: string, method: string, params: readonly unknown[] = []): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
  return ((await response.json()) as { result: unknown }).result
}

/** A wallet with a key of its own. `endpoints` are the chains that it knows already. */
const createWallet = (endpoints: Map<number, string>) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const asked: string[] = []
  let chainId = 1
  const answers: { readonly [method: string]: (...params: readonly never[]) => unknown } = {
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => `0x${chainId.toString(16)}`,
    wallet_switchEthereumChain: ({ chainId: wanted }: { chainId: string }) => {
      if (!endpoints.has(Number(wanted))) throw Object.assign(new Error('unknown chain'), { code: UNKNOWN_CHAIN })
      chainId = Number(wanted)
      return null
    },
    wallet_addEthereumChain: ({ chainId: wanted, rpcUrls: [url = ''] }: { chainId: string; rpcUrls: string[] }) => {
      endpoints.set(Number(wanted), url)
      return null
    },
    eth_getBlockByNumber: (...params) => rpc(endpoints.get(chainId) ?? '', 'eth_getBlockByNumber', params),
    eth_sendTransaction: ({ to, data, value }: { to: Hex; data: Hex; value: string }) => {
      const url = endpoints.get(chainId) ?? ''
      const chain = {
        id: chainId,
        name: 'c',
        nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 },
        rpcUrls: { default: { http: [url] } },
      }
      return createWalletClient({ account, chain, transport: http(url) }).sendTransaction({ to, data, value: BigInt(value) })
    },
    eth_signTypedData_v4: (_address: string, typedData: string) => {
      const { domain, types, primaryType, message } = JSON.parse(typedData)
      expect(types.EIP712Domain.map(({ name }: { name: string }) => name)).toEqual(Object.keys(domain))
      return account.signTypedData({ domain, types, primaryType, message })
    },
  }
  const request = async ({ method, params = [] }: Asked): Promise<unknown> => {
    asked.push(method)
    try {
      return { result: await answers[method]?.(...params) }
    } catch (error) {
      return { error: { message: String(error), code: (error as { code?: number }).code } }
    }
  }
  return { request, asked, account }
}

/** What an extension puts into every page. */
const ANNOUNCE = `{
  const request = async (asked) => {
    const { result, error } = await window.askWallet(asked)
    if (error) throw Object.assign(new Error(error.message), error)
    return result
  }
  const detail = Object.freeze({ info: { uuid: 'b1c2', name: 'Test wallet', icon: 'data:,', rdns: 'test.wallet' }, provider: { request } })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}`

const openWith = async (wallet: ReturnType<typeof createWallet>): Promise<Page> => {
  const watched = await watchPage(browser, { origins: [service.control.url, service.url] })
  opened.push(watched)
  await watched.page.exposeFunction('askWallet', wallet.request)
  await watched.page.addInitScript(ANNOUNCE)
  await watched.page.goto(service.control.url)
  await watched.page.waitForSelector('#ask:not([disabled])')
  return watched.page
}

const choose = async (page: Page): Promise<void> => {
  await page.selectOption('#wallet', { label: 'Test wallet' })
  await page.waitForFunction('document.querySelector("#wallet").value === "b1c2"')
}

const swap = async (page: Page): Promise<string> => {
  await page.click('#ask')
  await page.waitForSelector('#swap:not([disabled])', { timeout: ANSWERED_MS })
  expect(await page.innerText('#swap')).toBe('Swap with Test wallet')
  await page.click('#swap')
  await page.waitForSelector('.lines li:has-text("The swap ended"), .lines li.bad', { timeout: ANSWERED_MS })
  return page.innerText('.lines li:last-child')
}

describe.skipIf(lacks('chromium'))('a wallet extension on the page of the offline network', () => {
  beforeAll(async () => {
    service = await startService(only('across', 'cow'))
    browser = await launchChromium()
  })

  afterAll(async () => {
    for (const watched of opened) await watched.close()
    await browser?.close()
    await service?.close()
  })

  it('receives the chain configuration, pays a transaction and signs an order', { timeout: 90_000 }, async () => {
    const wallet = createWallet(new Map())
    const page = await openWith(wallet)
    await choose(page)
    expect(await swap(page)).toMatch(/^The swap ended: success/)
    expect(wallet.asked).toContain('wallet_addEthereumChain')
    expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
    for (const [field, value] of [
      ['#input-chain', '1'],
      ['#output-chain', '1'],
    ] as const)
      await page.selectOption(field, value)
    await page.selectOption('#input-token', { label: 'USDC' })
    await page.selectOption('#output-token', { label: 'WETH' })
    await page.fill('#amount', '1000')
    expect(await swap(page)).toMatch(/^The swap ended: success/)
    expect(wallet.asked).toContain('eth_signTypedData_v4')
    expect(opened.at(-1)?.troubles).toEqual([])
  })

  it('receives no transaction or signature request while it is on the public chain of the same id [page-wallet-extension]', {
    timeout: 60_000,
  }, async () => {
    // As a wallet is that knows the public chain: here it is another chain of the offline network that answers for Base.
    const elsewhere = new Map([[8453, service.control.rpcUrl(42161)]])
    const wallet = createWallet(elsewhere)
    const page = await openWith(wallet)
    await choose(page)
    expect(await swap(page)).toMatch(
      /The page sent nothing to the wallet: its Base is not this network’s, and money there is real\./,
    )
    expect(wallet.asked.filter((method) => /sendTransaction|sign/.test(method))).toEqual([])
  })

  it('is not offered when the browser has none', async () => {
    const watched = await watchPage(browser, { origins: [service.control.url, service.url] })
    opened.push(watched)
    await watched.page.goto(service.control.url)
    await watched.page.waitForSelector('#ask:not([disabled])')
    expect(await watched.page.locator('#wallet').count()).toBe(0)
  })
})
