import { execFileSync, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PublicKey } from '@solana/web3.js'
import { createPublicClient, createWalletClient, encodeFunctionData, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ChainError, type Chains } from '../../engine/chains/chains.ts'
import { createChains } from '../../engine/chains/createChains.ts'
import { type Address, addressOf } from '../../engine/core/address.ts'
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
const START_OF_TIME = Date.UTC(2026, 10, 20)
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const MKR = '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'
const evmAddress = (raw: string) => addressOf('evm', raw) as Address & `0x${string}`
const DEPOSIT_ADDRESS = evmAddress('0x90F79bf6EB2c4f870365E785982E1f101E93b906')
const VENUE_CONTRACT = evmAddress('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')

const ERC20 = parseAbi([
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function balanceOf(address holder) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function withdraw(uint256 value)',
  'function transferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce,bytes signature)',
])

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
    if (transaction.data === '0xdeadbeef') throw new Error('InvalidQuoteTimestamp')
    return transaction.to === VENUE_CONTRACT
  },
})

const VENUES = [{ id: 'recorder', create: recorder }]

let simnet: Simnet
let chains: Chains

beforeAll(async () => {
  const clock = createSimClock(() => START_OF_TIME)
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

const never = (): AbortSignal => new AbortController().signal

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
const publicClient = (chainId: number) => createPublicClient({ transport: http(rpcUrl(chainId)), pollingInterval: 20 })
const wallet = (chainId: number) => createWalletClient({ account: ACCOUNT, transport: http(rpcUrl(chainId)) })
const balanceOf = (token: `0x${string}`, holder: `0x${string}`) =>
  publicClient(1).readContract({ address: token, abi: ERC20, functionName: 'balanceOf', args: [holder] })
const send = (to: `0x${string}`, data: `0x${string}`, value = 0n) => wallet(1).sendTransaction({ chain: null, to, data, value })
const mined = (hash: `0x${string}`) => publicClient(1).waitForTransactionReceipt({ hash })

describe('the chains of the offline network', () => {
  it('start a node at the first call, with the requested chain id', async () => {
    const startedAt = performance.now()
    expect(await publicClient(42161).getChainId()).toBe(42161)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
  })

  it('have each token at its address, with the name, symbol and decimals of the real chain', async () => {
    const onChains = simnet.tokens.all.filter(({ chainId }) => [1, 42161, -2].includes(chainId))
    expect(onChains.length).toBeGreaterThan(12)
    for (const { chainId, address, symbol, name, decimals, isNative } of onChains) {
      const asset = assetOf(chainId as ChainId, address)
      expect(await chains.token(asset, never())).toEqual({ ...asset, symbol, name, decimals, isNative })
    }
  })

  it('answer Bitcoin as Esplora does', async () => {
    expect(await (await fetch(`${rpcUrl(-1)}/blocks/tip/height`)).text()).toMatch(/^[0-9]{6,7}$/)
    expect(await chains.feePrice(-1, never())).toBe(10n)
    expect((await fetch(`${rpcUrl(-1)}/nothing`)).status).toBe(404)
  })

  it('are unreachable while a chain fault is active', async () => {
    simnet.faults.set('chain:10', 'http-500', {}, null)
    await expect(chains.feePrice(10, never())).rejects.toSatisfy(
      (error) => error instanceof ChainError && error.failure === 'unreachable',
    )
  })
})

const NATIVE_SOL = 'So11111111111111111111111111111111111111112'

describe('the faucet', () => {
  it('adds native coins and tokens to the balance', async () => {
    const holder = WALLETS.evm as `0x${string}`
    const before = await publicClient(1).getBalance({ address: holder })
    const supply = await publicClient(1).readContract({ address: MKR, abi: ERC20, functionName: 'totalSupply' })
    const grants = [NATIVE, NATIVE, MKR, MKR].map((token) =>
      post('/faucet', { chainId: 1, token, address: holder, amount: '25' }),
    )
    expect((await Promise.all(grants)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await publicClient(1).getBalance({ address: holder })).toBe(before + 50n)
    expect(await balanceOf(MKR, holder)).toBe(50n)
    expect(await publicClient(1).readContract({ address: MKR, abi: ERC20, functionName: 'totalSupply' })).toBe(supply + 50n)
  })

  it('gives SOL, Solana tokens and bitcoin', async () => {
    const usdc = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
    const ask = async (method: string, key: string) =>
      (await post('/rpc/-2', { jsonrpc: '2.0', id: 1, method, params: [key] })).body.result.value
    const before = await ask('getBalance', WALLETS.solana)
    await post('/faucet', { chainId: -2, token: NATIVE_SOL, address: WALLETS.solana, amount: '5' })
    expect(await ask('getBalance', WALLETS.solana)).toBe(before + 5)
    await post('/faucet', { chainId: -2, token: usdc.toBase58(), address: WALLETS.solana, amount: '70' })
    const [account] = PublicKey.findProgramAddressSync(
      [
        new PublicKey(WALLETS.solana).toBuffer(),
        new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA').toBuffer(),
        usdc.toBuffer(),
      ],
      new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
    )
    expect(await ask('getTokenAccountBalance', account.toBase58())).toMatchObject({ amount: '70', decimals: 6 })
    await post('/faucet', { chainId: -1, token: 'BTC', address: WALLETS.bitcoin, amount: '9' })
    expect(await (await fetch(`${rpcUrl(-1)}/address/${WALLETS.bitcoin}`)).json()).toMatchObject({
      chain_stats: { funded_txo_sum: 9 },
    })
  })
})

describe('a payment on an offline chain', () => {
  it('reaches the venues as a deposit when the control server reports one', async () => {
    const { status, body } = await post('/deposits', {
      chainId: 1,
      token: USDC.toLowerCase(),
      address: DEPOSIT_ADDRESS.toLowerCase(),
      amount: '12',
    })
    expect(status).toBe(200)
    expect(body.venue).toBe('recorder')
    expect(body.txHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(deposits).toEqual([{ chainId: 1, token: USDC, address: DEPOSIT_ADDRESS, amount: 12n, txHash: body.txHash }])
    expect((await post('/deposits', { chainId: 1, token: USDC, address: VENUE_CONTRACT, amount: '12' })).body.venue).toBeNull()
  })

  it('reaches the venues as a transaction when the control server reports one', async () => {
    const wish = { chainId: 1, from: ACCOUNT.address, to: VENUE_CONTRACT, data: '0x01020304', value: '5' }
    const { body } = await post('/transactions', wish)
    expect(body.venue).toBe('recorder')
    expect(transactions).toEqual([{ ...wish, value: 5n, txHash: body.txHash, logs: [], status: 'success' }])
    expect(await mined(body.txHash)).toMatchObject({ status: 'success', from: ACCOUNT.address.toLowerCase() })
  })

  it('reaches the venues when a wallet transfers tokens', async () => {
    await post('/faucet', { chainId: 1, token: USDT, address: ACCOUNT.address, amount: '5000' })
    const transfer = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [DEPOSIT_ADDRESS, 4321n] })
    const hash = await send(USDT, transfer)
    expect(deposits).toEqual([{ chainId: 1, token: USDT, address: DEPOSIT_ADDRESS, amount: 4321n, txHash: hash }])
    expect(await balanceOf(USDT, DEPOSIT_ADDRESS)).toBe(4321n)
  })
})

describe('the control server [offline-whole-service]', () => {
  it('lists each chain, its address and the faults', async () => {
    const { status, headers, body } = await call('GET', '/')
    expect(status).toBe(200)
    expect(headers.get('service-network')).toBe('simnet')
    expect(body).toMatchObject({ network: 'simnet', now: simnet.clock.now() })
    expect(Object.keys(body.chains).toSorted()).toEqual(Object.keys(simnet.rpcUrls).toSorted())
    for (const [chainId, { rpcUrl: url }] of Object.entries<{ rpcUrl: string }>(body.chains))
      expect(url).toBe(rpcUrl(Number(chainId)))
    expect(body.faults).toContain('huge-body')
  })

  it('lists the settings that a service in another process needs for each venue', async () => {
    const { baseUrl, settings } = simnet.venues.recorder ?? {}
    expect(settings?.PUBLIC_KEY).toMatch(/^[0-9a-f]{8}$/)
    expect((await call('GET', '/')).body.venues).toEqual({ recorder: { baseUrl, settings } })
  })

  it('lists the tokens of every chain, and the faucet sends each of them', async () => {
    type Told = { [chainId: string]: { name: string; tokens: { [symbol: string]: { address: string; decimals: number } } } }
    const told: Told = (await call('GET', '/')).body.chains
    expect(told['8453']).toMatchObject({
      name: 'Base',
      tokens: { USDC: { decimals: 6 }, ETH: { address: NATIVE, decimals: 18 } },
    })
    const listed = Object.entries(told).flatMap(([chainId, { tokens }]) =>
      Object.values(tokens).map(({ address }) => ({ chainId: Number(chainId), token: address })),
    )
    expect(listed).toHaveLength(simnet.tokens.all.length)
    const holders: { [chainId: number]: string } = { [1]: VENUE_CONTRACT, [-1]: WALLETS.bitcoin, [-2]: WALLETS.solana }
    const gifts = listed.flatMap(({ chainId, token }) => {
      const address = holders[chainId]
      return address ? [{ chainId, token, address, amount: '1000000' }] : []
    })
    expect(gifts.length).toBeGreaterThan(10)
    for (const gift of gifts) expect(await post('/faucet', gift)).toMatchObject({ status: 200, body: gift })
    const symbols = simnet.tokens.all.map(({ chainId, symbol }) => `${chainId} ${symbol.toLowerCase()}`)
    expect(new Set(symbols).size).toBe(symbols.length)
  })

  it.each([
    [1, 'ETH', NATIVE, WALLETS.evm],
    [1, 'usdc', USDC, WALLETS.evm],
    [-1, 'BTC', NATIVE, WALLETS.bitcoin],
    [-2, 'SOL', NATIVE_SOL, WALLETS.solana],
  ])('/faucet and /deposits accept a token symbol: on chain %i, %s', async (chainId, token, spelled, address) => {
    const body = { chainId, token, address, amount: '1000000' }
    expect(await post('/faucet', body)).toMatchObject({ status: 200, body: { token: spelled } })
    expect(await post('/deposits', body)).toMatchObject({ status: 200, body: { txHash: expect.any(String) } })
  })

  it('lists the valid values when a request names an unknown one', async () => {
    const gift = { chainId: -1, token: 'USDC', address: WALLETS.bitcoin, amount: '1' }
    expect((await post('/faucet', gift)).body.error).toBe(`token: must be one of ${NATIVE} (BTC) on chain -1`)
    expect((await post('/faucet', { ...gift, chainId: '1' })).body.error).toMatch(
      /^chainId: must be one of 1, .*-2, as a number$/,
    )
    const { status, body } = await call('GET', '/faucet')
    expect([status, body.error]).toEqual([404, expect.stringContaining('there is no such call; there are GET /, POST /faucet, ')])
  })

  it('advances the time of the venues, the chains and the service', async () => {
    const blockTime = async () => Number((await publicClient(1).getBlock()).timestamp) * 1_000
    await publicClient(1).getChainId()
    const { body } = await post('/clock', { advanceMs: 3_600_000 })
    expect(body.now).toBe(simnet.clock.now())
    expect(Math.abs((await blockTime()) - simnet.clock.now())).toBeLessThan(2_000)
    await publicClient(8453).getChainId()
    const lateBlock = await publicClient(8453).getBlock()
    expect(Math.abs(Number(lateBlock.timestamp) * 1_000 - simnet.clock.now())).toBeLessThan(2_000)
  })

  it('changes prices', async () => {
    expect((await post('/prices', { currency: 'ETH', usd: '4000.25' })).body).toEqual({ currency: 'ETH', usd: '4000.25' })
    expect(simnet.market.prices().ETH).toBe(4_000_250_000n)
    expect((await call('GET', '/prices')).body).toMatchObject({ ETH: '4000.25', USD: '1' })
  })

  it('activates and clears faults of a venue', async () => {
    const url = simnet.venues.recorder?.baseUrl ?? ''
    const active = [{ venue: 'recorder', fault: 'http-500', params: { path: '/x' }, remaining: 2 }]
    expect((await post('/faults', { venue: 'recorder', fault: 'http-500', count: 2, path: '/x' })).body).toEqual({ active })
    expect((await call('GET', '/faults')).body).toMatchObject({ active, faults: expect.arrayContaining(['hang']) })
    expect((await fetch(`${url}/x`)).status).toBe(500)
    await post('/faults', { venue: 'recorder', fault: 'none' })
    expect((await fetch(`${url}/x`)).status).toBe(200)
    await post('/faults', { venue: 'chain:1', fault: 'hang' })
    await call('DELETE', '/faults?venue=recorder')
    expect(simnet.faults.list()).toHaveLength(1)
    expect((await call('DELETE', '/faults')).body).toEqual({ active: [] })
    expect(simnet.faults.list()).toEqual([])
  })

  it.each(refusals as unknown as readonly [string, unknown, string][])(
    'rejects %s %j, names the field, and changes nothing',
    async (path, body, reason) => {
      const before = { now: simnet.clock.now(), prices: simnet.market.prices() }
      const answer = await post(path, body)
      expect(answer.status).toBe(400)
      expect(answer.body.error.slice(0, reason.length)).toBe(reason)
      expect([...deposits, ...transactions, ...simnet.faults.list()]).toEqual([])
      expect({ now: simnet.clock.now(), prices: simnet.market.prices() }).toEqual(before)
    },
  )

  it('accepts only JSON, up to a limited size', async () => {
    const raw = (body: string, type: string) =>
      fetch(`${simnet.controlUrl}/clock`, { method: 'POST', body, headers: { 'content-type': type } })
    expect((await raw('{"advanceMs":1}', 'text/plain')).status).toBe(400)
    expect((await raw('{"advanceMs":', 'application/json')).status).toBe(400)
    expect((await raw(`{"advanceMs":1${' '.repeat(2 ** 20)}}`, 'application/json')).status).toBe(413)
  })

  it('accepts calls of its own page, and serves that page to browsers', async () => {
    const origin = simnet.controlUrl
    expect((await post('/faults', { venue: 'facilitator', fault: 'none' }, { origin })).status).toBe(200)
    const state = (await (await fetch(`${origin}/state`, { headers: { origin } })).json()) as {
      chains: unknown[]
      races: unknown[]
    }
    expect([state.chains.length > 10, state.races]).toEqual([true, []])
    const page = await fetch(origin, { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe/)
    expect(await page.text()).toMatch(/^<!doctype html>/)
    expect(((await (await fetch(origin)).json()) as { venues: object }).venues).toBeDefined()
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

  it('stops its nodes and accepts no calls once closed', async () => {
    const network = await startSimnet({ controlPort: 0, seed: '1', venues: VENUES })
    const url = network.rpcUrls['137'] ?? ''
    expect(await createPublicClient({ transport: http(url) }).getChainId()).toBe(137)
    await network.close()
    await expect(fetch(network.controlUrl)).rejects.toThrow()
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
