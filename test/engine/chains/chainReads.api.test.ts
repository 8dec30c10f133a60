import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../../engine/config/config.ts'
import { type LoopbackHandler, parseJson, startLoopbackServer, writeJson } from '../../../engine/simnet/kit/loopbackServer.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { connectService } from '../../../scripts/client/service.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { liveEnvironment } from '../../../scripts/liveEnvironment.ts'
import { ready, type ServiceProcess, spawnService } from '../../e2e/serviceProcess.ts'
import { expectFailure } from '../../support/expectFailure.ts'
import { TRANSACTION_SWAP } from '../../support/swaps.ts'
import {
  abiString,
  answerCall,
  batchIn,
  byFunction,
  DECIMALS,
  MULTICALL3,
  type RpcCall,
  SYMBOL,
  USD_COIN,
  word,
} from './evmNode.ts'

/** The service as a process, as on the public network, whose chain endpoints are partly not what they should be. */
const SECRET = 'secret-key'
const DEADLINE_MS = 4_000
const closers: (() => Promise<unknown>)[] = []
let simnet: Simnet
beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: '1' })
})
afterAll(() => simnet.close())
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** An endpoint whose address holds a key, and every call it got. */
const serve = async (handle: LoopbackHandler) => {
  const calls: RpcCall[] = []
  const { origin, close } = await startLoopbackServer(async (request, response) => {
    calls.push(parseJson(request.rawBody) as RpcCall)
    return handle(request, response)
  })
  closers.push(close)
  return { url: `${origin}/v3/${SECRET}`, origin, calls }
}

/** Passes everything on to a chain of the offline network. */
const relayTo =
  (chainId: number): LoopbackHandler =>
  async ({ rawBody }, response) => {
    const answer = await fetch(simnet.rpcUrls[String(chainId)] ?? '', { method: 'POST', body: rawBody })
    writeJson(response, 200, await answer.json())
  }
const hangs: LoopbackHandler = async () => undefined
const resets: LoopbackHandler = async (_request, response) => void response.socket?.destroy()

const start = async (env: Environment) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-chain-reads-'))
  const service: ServiceProcess = spawnService({
    ...liveEnvironment(simnet),
    PORT: '0',
    DATA_DIR: dataDir,
    QUOTE_DEADLINE_MS: String(DEADLINE_MS),
    ...env,
  })
  closers.push(async () => {
    service.child.kill('SIGKILL')
    await service.ended
    await rm(dataDir, { recursive: true, force: true })
  })
  const { url } = await ready(service)
  const lines = () =>
    service
      .stdout()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [parseJson(line) as { readonly [field: string]: unknown }]))
  return {
    ...connectService(url),
    /** All log lines of an event, once there are that many. */
    logged: async (event: string, count: number) => {
      const found = () => lines().filter((line) => line['event'] === event)
      await expect.poll(() => found().length, { timeout: 5_000, interval: 20 }).toBeGreaterThanOrEqual(count)
      return found()
    },
    everythingSaid: () => `${service.stdout()}${service.stderr()}`,
  }
}

describe('a quote, when the chain of its input cannot be read', () => {
  it.each([
    ['accepts and never answers', hangs, 'cut at the deadline'],
    ['breaks off', resets, 'no answer'],
    ['is out of order', (async (_request, response) => writeJson(response, 503, {})) satisfies LoopbackHandler, 'HTTP 503'],
  ])('comes all the same, in time, and the log tells what was not read: its endpoint %s', async (_what, endpoint, reason) => {
    const { url, origin } = await serve(endpoint)
    const service = await start({ RPC_URLS_8453: url })
    const startedAt = performance.now()
    const quote = await service.call('quote', { body: TRANSACTION_SWAP })
    expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS + 500)
    expect(quote).toMatchObject({
      venue: { id: 'across' },
      executable: true,
      input: {
        token: { address: USDC.base, symbol: 'USDC', name: 'USD Coin', decimals: 6 },
        amount: TRANSACTION_SWAP.inputAmount,
      },
      output: { token: { address: USDC.arbitrum, symbol: 'USDC' } },
      approval: { amount: TRANSACTION_SWAP.inputAmount },
    })
    const unread = await service.logged('chain.unread', 2)
    expect(unread.map(({ what }) => what).toSorted()).toEqual(['allowance', 'feePrice'])
    for (const line of unread) expect(line).toMatchObject({ level: 40, chainId: 8453, reason: expect.stringContaining(reason) })
    expect(await service.logged('chain.health', 1)).toMatchObject([{ chainId: 8453, endpoint: 1, healthy: false }])
    expect(service.everythingSaid()).not.toContain(SECRET)
    expect(service.everythingSaid()).not.toContain(origin.replace('http://', ''))
  })

  it('reads it at the next endpoint, and asks the dead one no more for a while', async () => {
    const dead = await serve(hangs)
    const live = await serve(relayTo(8453))
    const service = await start({ RPC_URLS_8453: `${dead.url},${live.url}` })
    for (const _time of [1, 2]) {
      const { input, gas } = await service.call('quote', { body: TRANSACTION_SWAP })
      expect(input.token).toMatchObject({ symbol: 'USDC', decimals: 6 })
      expect(gas).not.toBeNull()
    }
    const [first] = await service.logged('quote.served', 2)
    expect(first).toBeDefined()
    expect(await service.logged('chain.unread', 0)).toEqual([])
    // The first quote read allowances, token and gas price; the start read the time. The second quote found it out of order.
    expect(dead.calls.map(({ method }) => method).toSorted()).toEqual([
      ...['eth_call', 'eth_call', 'eth_gasPrice', 'eth_getBlockByNumber'],
    ])
    expect(live.calls.length).toBeGreaterThan(2)
    expect(await service.logged('chain.health', 1)).toMatchObject([{ endpoint: 1, healthy: false }])
  })
})

describe('GET /api/v1/tokens/resolve', () => {
  const PATH = '/api/v1/tokens/resolve'
  const at = (index: number): string => `0x${String(index).padStart(40, '0')}`

  it('asks the real Multicall3 for everything a token says of itself, once and never again', async () => {
    const chain = await serve(relayTo(1))
    const service = await start({ RPC_URLS_1: chain.url })
    for (const _time of [1, 2]) {
      const { token } = await service.call('resolveToken', { query: { chainId: 1, address: USDC.ethereum } })
      expect(token).toMatchObject({ symbol: 'USDC', name: 'USD Coin', decimals: 6 })
    }
    expect(chain.calls).toHaveLength(1)
    expect(chain.calls.map((call) => batchIn(call)?.length)).toEqual([3])
  })

  it('says of each thing that is no token that it is none, and of its honest neighbour what it is', async () => {
    const strangers = [
      {},
      { [DECIMALS]: '0x', [SYMBOL]: '0x' },
      { [DECIMALS]: `0x${word(8n)}` },
      { ...USD_COIN, [SYMBOL]: abiString('x'.repeat(700_000)) },
      { ...USD_COIN, [SYMBOL]: abiString(Buffer.of(0xff, 0xfe, 0x41)) },
      { ...USD_COIN, [DECIMALS]: `0x${word(2n ** 256n - 1n)}` },
      { ...USD_COIN, [SYMBOL]: `0x${word(32n)}${word(2n ** 255n)}` },
    ]
    const contracts = new Map(strangers.map((answers, index) => [at(index + 1), byFunction(answers)]))
    const honest = byFunction(USD_COIN)
    const chain = await serve(async ({ rawBody }, response) => {
      writeJson(
        response,
        200,
        answerCall(parseJson(rawBody) as RpcCall, (read) => (contracts.get(read.to) ?? honest)(read)),
      )
    })
    const service = await start({ RPC_URLS_56: chain.url })
    const resolve = (address: string) => service.send('GET', PATH, { query: { chainId: 56, address } })
    const [good, ...others] = await Promise.all([resolve(at(99)), ...[...contracts.keys()].map(resolve)])
    expect(good).toMatchObject({ status: 200, body: { data: { token: { symbol: 'USDC', address: at(99) } } } })
    for (const answer of others) expectFailure(answer, 400, 'UNSUPPORTED_TOKEN')
    expect(others).toHaveLength(strangers.length)
  })

  it('knows wallets, other contracts and mints that are none on the chains themselves', async () => {
    const service = await start({})
    for (const [chainId, address] of [
      [1, MULTICALL3],
      [1, at(77)],
      [-2, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
      [-2, 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'],
      [-1, USDC.ethereum],
    ] as const)
      expectFailure(await service.send('GET', PATH, { query: { chainId, address } }), 400, 'UNSUPPORTED_TOKEN')
    const resolve = async (chainId: 1 | -1 | -2, address: string) =>
      (await service.call('resolveToken', { query: { chainId, address } })).token
    expect(await resolve(-2, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo')).toMatchObject({
      symbol: 'PYUSD',
      name: 'PayPal USD',
    })
    expect(await resolve(-2, USDC.solana)).toMatchObject({ symbol: 'USDC', name: 'USD Coin' })
    expect(await resolve(-1, NATIVE)).toMatchObject({ symbol: 'BTC', decimals: 8, isNative: true })
  })
})
