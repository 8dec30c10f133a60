import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Chains } from '../../engine/chains/chains.ts'
import { createChains } from '../../engine/chains/createChains.ts'
import { addressOf } from '../../engine/core/address.ts'
import { NATIVE } from '../../engine/core/asset.ts'
import type { ChainId } from '../../engine/core/chain.ts'
import { PortInUseError } from '../../engine/simnet/kit/loopbackServer.ts'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimDeposit, SimTransaction, SimVenue } from '../../engine/simnet/kit/simVenue.ts'
import type { World } from '../../engine/simnet/kit/world.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { assetOf, WALLETS } from '../support/anOrder.ts'
import { lacks } from '../support/needs.ts'
import { startService } from '../support/service.ts'
import refusals from './refusals.json' with { type: 'json' }

/** anvil's first development account. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const DEPOSIT_ADDRESS = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906') as `0x${string}`
const VENUE_CONTRACT = addressOf('evm', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')

const deposits: SimDeposit[] = []
const transactions: SimTransaction[] = []

/** A venue that takes note of all it is told, and owns one address and one contract. */
const recorder = ({ random }: World): SimVenue => ({
  id: 'recorder',
  settings: { PUBLIC_KEY: random.hex(8) },
  pricePaths: [],
  handle: () => ({ status: 200, body: {} }),
  onDeposit: (deposit) => {
    deposits.push(deposit)
    return deposit.address === DEPOSIT_ADDRESS
  },
  onTransaction: (transaction) => {
    transactions.push(transaction)
    return transaction.to === VENUE_CONTRACT
  },
})

const VENUES = [{ id: 'recorder', create: recorder }]

let simnet: Simnet
let chains: Chains

beforeAll(async () => {
  const clock = createSimClock(() => Date.UTC(2026, 10, 20))
  simnet = await startSimnet({ controlPort: 0, seed: 'test', clock, venues: VENUES })
  chains = createChains({ rpcUrls: Object.fromEntries(Object.entries(simnet.rpcUrls).map(([chainId, url]) => [chainId, [url]])) })
})

afterAll(async () => {
  await chains.close()
  await simnet.close()
})

beforeEach(() => {
  deposits.length = 0
  transactions.length = 0
  simnet.faults.clear(null)
})

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const init =
    body === undefined
      ? { method, headers }
      : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(`${simnet.controlUrl}${path}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
const post = (path: string, body: unknown, headers?: Record<string, string>) => call('POST', path, body, headers)

const rpcUrl = (chainId: number): string => simnet.rpcUrls[String(chainId)] ?? ''
const reader = (chainId: number) => createPublicClient({ transport: http(rpcUrl(chainId)), pollingInterval: 20 })

describe('the chains of the offline network', () => {
  it('have each token at its address, with the name, symbol and decimals of the real chain', async () => {
    const onChains = simnet.tokens.all.filter(({ chainId }) => [1, 42161, -2].includes(chainId))
    expect(onChains.length).toBeGreaterThan(12)
    for (const { chainId, address, symbol, name, decimals, isNative } of onChains) {
      const asset = assetOf(chainId as ChainId, address)
      expect(await chains.token(asset, new AbortController().signal)).toEqual({ ...asset, symbol, name, decimals, isNative })
    }
  })

  it('report a transfer of a wallet to the venues', async () => {
    await post('/faucet', { chainId: 1, token: 'USDT', address: ACCOUNT.address, amount: '5000' })
    await post('/faucet', { chainId: 1, token: 'ETH', address: ACCOUNT.address, amount: String(10n ** 18n) })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [DEPOSIT_ADDRESS, 4_321n] })
    const wallet = createWalletClient({ account: ACCOUNT, transport: http(rpcUrl(1)) })
    const hash = await wallet.sendTransaction({ chain: null, to: USDT, data })
    expect(deposits).toEqual([{ chainId: 1, token: USDT, address: DEPOSIT_ADDRESS, amount: 4_321n, txHash: hash }])
    const args = [DEPOSIT_ADDRESS] as const
    expect(await reader(1).readContract({ address: USDT, abi: erc20Abi, functionName: 'balanceOf', args })).toBe(4_321n)
  })
})

describe('the control server [offline-whole-service]', () => {
  it('lists the endpoints, tokens, venues and faults', async () => {
    const { headers, body } = await call('GET', '/')
    expect(headers.get('service-network')).toBe('simnet')
    const { baseUrl, settings } = simnet.venues['recorder'] ?? {}
    expect(body).toMatchObject({ network: 'simnet', now: simnet.clock.now(), venues: { recorder: { baseUrl, settings } } })
    const urls = Object.entries<{ rpcUrl: string }>(body.chains).map(([chainId, chain]) => [chainId, chain.rpcUrl])
    expect(Object.fromEntries(urls)).toEqual(simnet.rpcUrls)
    expect(body.chains['8453'].tokens).toMatchObject({ USDC: { decimals: 6 }, ETH: { address: NATIVE, decimals: 18 } })
    expect(body.faults).toContain('huge-body')
  })

  it.each([
    [1, 'usdc', WALLETS.evm],
    [1, 'MKR', WALLETS.evm],
    [-1, 'BTC', WALLETS.bitcoin],
    [-2, 'SOL', WALLETS.solana],
    [-2, 'PYUSD', WALLETS.solana],
  ])('adds to a balance and pays a deposit: on chain %i, %s', async (chainId, token, address) => {
    const held = async () => {
      const { balances } = (await call('GET', `/balances?address=${address}&chainId=${chainId}`)).body
      return BigInt(balances.find(({ symbol }: { symbol: string }) => symbol === token.toUpperCase()).amount)
    }
    const body = { chainId, token, address, amount: '1000000' }
    await post('/faucet', body)
    const before = await held()
    expect(await post('/faucet', body)).toMatchObject({ status: 200, body: { address, amount: '1000000' } })
    expect(await post('/deposits', body)).toMatchObject({ status: 200, body: { txHash: expect.any(String), venue: null } })
    expect(await held()).toBe(before + 2_000_000n)
    expect(deposits.map(({ address: paid, amount }) => [paid, amount])).toContainEqual([address, 1_000_000n])
  })

  it('sends a transaction as any account, and reports it to the venues', async () => {
    const wish = { chainId: 1, from: ACCOUNT.address, to: VENUE_CONTRACT, data: '0x01020304', value: '5' }
    const { body } = await post('/transactions', wish)
    expect(body.venue).toBe('recorder')
    expect(transactions).toEqual([{ ...wish, value: 5n, txHash: body.txHash, logs: [], status: 'success' }])
  })

  it('advances the time of the venues and the chains', async () => {
    const before = simnet.clock.now()
    const { body } = await post('/clock', { advanceMs: 3_600_000 })
    expect([body.now, simnet.clock.now()]).toEqual([before + 3_600_000, before + 3_600_000])
    for (const chainId of [1, 8453])
      expect(Math.abs(Number((await reader(chainId).getBlock()).timestamp) * 1_000 - simnet.clock.now())).toBeLessThan(2_000)
  })

  it('changes prices', async () => {
    expect((await post('/prices', { currency: 'ETH', usd: '4000.25' })).body).toEqual({ currency: 'ETH', usd: '4000.25' })
    expect(simnet.market.prices()['ETH']).toBe(4_000_250_000n)
    expect((await call('GET', '/prices')).body).toMatchObject({ ETH: '4000.25', USD: '1' })
  })

  it('activates and clears faults of a venue and of a chain', async () => {
    const url = simnet.venues['recorder']?.baseUrl ?? ''
    const active = [{ venue: 'recorder', fault: 'http-500', params: { path: '/x' }, remaining: 2 }]
    expect((await post('/faults', { venue: 'recorder', fault: 'http-500', count: 2, path: '/x' })).body).toEqual({ active })
    expect((await call('GET', '/faults')).body).toMatchObject({ active, faults: expect.arrayContaining(['hang']) })
    expect((await fetch(`${url}/x`)).status).toBe(500)
    await post('/faults', { venue: 'recorder', fault: 'none' })
    expect((await fetch(`${url}/x`)).status).toBe(200)
    await post('/faults', { venue: 'chain:-1', fault: 'http-429' })
    expect((await fetch(`${rpcUrl(-1)}/fee-estimates`)).status).toBe(429)
    expect((await call('DELETE', '/faults')).body).toEqual({ active: [] })
    expect((await fetch(`${rpcUrl(-1)}/fee-estimates`)).status).toBe(200)
  })

  it('rejects invalid calls, names the field, and changes nothing', async () => {
    const before = { now: simnet.clock.now(), prices: simnet.market.prices() }
    for (const [path, body, reason] of refusals as unknown as readonly [string, unknown, string][]) {
      const answer = await post(path, body)
      expect([answer.status, answer.body.error.slice(0, reason.length)], JSON.stringify(body)).toEqual([400, reason])
    }
    const raw = (body: string, type: string) =>
      fetch(`${simnet.controlUrl}/clock`, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await raw('{"advanceMs":1}', 'text/plain')).status).toBe(400)
    expect((await raw(`{"advanceMs":1${' '.repeat(2 ** 20)}}`, 'application/json')).status).toBe(413)
    expect((await call('GET', '/faucet')).status).toBe(404)
    expect([...deposits, ...transactions, ...simnet.faults.list()]).toEqual([])
    expect({ now: simnet.clock.now(), prices: simnet.market.prices() }).toEqual(before)
  })

  it('serves its page to browsers, without inline scripts', async () => {
    const page = await fetch(simnet.controlUrl, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'(?!.*unsafe)/)
    expect(await page.text()).toMatch(/^<!doctype html>/)
  })
})

describe('the offline network', () => {
  it('names a port that is in use, and leaves nothing running', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    await expect(startSimnet({ controlPort: port, seed: '1', venues: VENUES })).rejects.toSatisfy(
      (error) => error instanceof PortInUseError && error.port === port,
    )
    await new Promise((resolve) => taken.close(resolve))
  })

  it('gives the same results for the same seed, and others for another seed [offline-whole-service]', async () => {
    const run = async (seed: string) => {
      const network = await startSimnet({ controlPort: 0, seed, venues: VENUES })
      const response = await fetch(`${network.controlUrl}/deposits`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chainId: -1, token: 'BTC', address: WALLETS.bitcoin, amount: '1' }),
      })
      await network.close()
      return [network.venues.recorder?.settings, await response.json()]
    }
    const first = await run('a')
    expect(await run('a')).toEqual(first)
    expect(await run('b')).not.toEqual(first)
  })

  it('runs every simulated venue [offline-whole-service]', async () => {
    const network = await startSimnet({ controlPort: 0, seed: '1' })
    for (const { baseUrl } of Object.values(network.venues))
      expect((await fetch(`${baseUrl}/no/such/path`)).headers.get('service-network')).toBe('simnet')
    await network.close()
  })

  it.skipIf(lacks('ps'))('leaves no node process behind when it is killed', async () => {
    const url = new URL('../../engine/simnet/simnet.ts', import.meta.url).href
    const script = `const { startSimnet } = await import('${url}')
      const { rpcUrls } = await startSimnet({ controlPort: 0, seed: '1', venues: [] })
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
      await fetch(rpcUrls[10], { method: 'POST', body })
      console.log('ready')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const processes = () =>
      execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/ +/).map(Number) as [pid: number, parent: number])
    const below = (pid: number): number[] =>
      processes()
        .filter(([, parent]) => parent === pid)
        .flatMap(([found]) => [found, ...below(found)])
    const nodes = below(child.pid ?? 0)
    expect(nodes.length).toBeGreaterThan(0)
    child.kill('SIGKILL')
    await expect.poll(() => processes().filter(([pid]) => nodes.includes(pid)), { timeout: 5_000 }).toEqual([])
  })
})

describe('VENUES of the offline network', () => {
  it('starts only the listed venues, and rejects an unknown id', async () => {
    const one = await startSimnet({ controlPort: 0, seed: 'test', venues: ['cow'] })
    expect(Object.keys(one.venues)).toEqual(['cow'])
    await one.close()
    await expect(startSimnet({ controlPort: 0, seed: 'test', venues: ['cow', 'none'] })).rejects.toThrow('no venue none')
  })

  it('disables all other venues in the service too', async () => {
    const service = await startService({ VENUES_ENABLED: 'relay' })
    try {
      expect(Object.keys(service.simnet.venues)).toEqual(['relay'])
      const { status } = await service.send('GET', '/api/v1/health')
      expect(status).toBe(200)
    } finally {
      await service.close()
    }
  })
})
