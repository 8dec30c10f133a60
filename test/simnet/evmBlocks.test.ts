import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

const START_OF_TIME = Date.UTC(2026, 10, 20)
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const PAYEE = '0x2222222222222222222222222222222222222222'
const GWEI = 10 ** 9
const YEAR_MS = 365 * 86_400_000

type Block = {
  readonly number: number
  readonly second: number
  readonly baseFee: number
  readonly transactions: readonly string[]
}

const clock = createSimClock(() => START_OF_TIME)
let simnet: Simnet

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: 'blocks', clock, venues: [] })
})
afterAll(() => simnet.close())

const second = (): number => Math.floor(clock.now() / 1_000)
const urlOf = (chainId: number): string => simnet.rpcUrls[String(chainId)] ?? ''

const post = async (url: string, body: unknown) => {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared whole
  return (await (await fetch(url, init)).json()) as any
}
const control = (path: string, body: unknown) => post(`${simnet.controlUrl}${path}`, body)
const ask = (chainId: number, method: string, params: readonly unknown[] = []) =>
  post(urlOf(chainId), { jsonrpc: '2.0', id: 1, method, params })
const blockAt = async (chainId: number, block: string | number = 'latest'): Promise<Block> => {
  const tag = typeof block === 'number' ? `0x${block.toString(16)}` : block
  const { result } = await ask(chainId, 'eth_getBlockByNumber', [tag, false])
  const [number, time, baseFee] = [result.number, result.timestamp, result.baseFeePerGas].map(Number)
  return { number: number ?? 0, second: time ?? 0, baseFee: baseFee ?? 0, transactions: result.transactions }
}
const blocksFrom = async (chainId: number, first: number, last: number): Promise<readonly Block[]> =>
  Promise.all(Array.from({ length: last - first + 1 }, (_, index) => blockAt(chainId, first + index)))

const fund = (chainId: number) =>
  control('/faucet', { chainId, token: `0x${'Ee'.repeat(20)}`, address: ACCOUNT.address, amount: '1000000000000000000' })
const send = async (chainId: number): Promise<Hex> => {
  const id = {
    id: chainId,
    name: 'chain',
    nativeCurrency: { name: 'c', symbol: 'C', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  }
  const wallet = createWalletClient({ account: ACCOUNT, chain: id, transport: http(urlOf(chainId)) })
  const hash = await wallet.sendTransaction({ to: PAYEE, value: 1n })
  await expect.poll(async () => (await ask(chainId, 'eth_getTransactionReceipt', [hash])).result?.status).toBe('0x1')
  return hash
}
const blockOf = async (chainId: number, hash: Hex): Promise<number> =>
  Number((await ask(chainId, 'eth_getTransactionReceipt', [hash])).result?.blockNumber ?? Number.NaN)

describe('an EVM chain of the offline network makes blocks by itself', () => {
  it.each([
    [1, 36_000, [12, 24, 36]],
    [8453, 7_000, [2, 4, 6]],
    [324, 2_500, [1, 2]],
    [56, 1_000, [0, 0]],
    [143, 2_000, [0, 0, 1, 1, 2]],
    [42161, 1_000, [0, 0, 0, 1]],
    [4663, 300, [0, 0, 0]],
  ])('on chain %i within %i ms, each at its own second', async (chainId, ms, seconds) => {
    clock.advance(1_000 - (clock.now() % 1_000))
    const { number, second: start } = await blockAt(chainId)
    clock.advance(ms)
    const made = await blocksFrom(chainId, number + 1, (await blockAt(chainId)).number)
    expect(made.map((block) => block.second - start)).toEqual(seconds)
    expect((await blockAt(chainId)).baseFee).toBe(GWEI)
  })

  it('and none of them twice, however many look at once', async () => {
    const { number } = await blockAt(10)
    clock.advance(20_000)
    const seen = await Promise.all(Array.from({ length: 8 }, () => blockAt(10)))
    expect(new Set(seen.map((block) => block.number))).toEqual(new Set([number + 10]))
  })

  it('beside those of transactions, which have theirs at once and at the present second', async () => {
    const before = await blockAt(59144)
    await fund(59144)
    clock.advance(5_000)
    const hash = await send(59144)
    const { number, second: time, transactions } = await blockAt(59144)
    expect({ time, transactions }).toEqual({ time: second(), transactions: [hash] })
    expect(number).toBe(before.number + 3)
    clock.advance(1_000)
    expect(await blockAt(59144)).toMatchObject({ number: number + 1, second: second(), transactions: [] })
  })

  it('at most 300 after a jump, the latest of those that are due, with a base fee that does not sink away', async () => {
    const { number } = await blockAt(137)
    await control('/clock', { advanceMs: YEAR_MS })
    const latest = await blockAt(137)
    expect(latest).toMatchObject({ number: number + 300, baseFee: GWEI })
    expect(second() - latest.second).toBeLessThan(2)
    const made = await blocksFrom(137, number + 1, latest.number)
    expect(made.map((block) => latest.second - block.second)).toEqual(made.map((_, index) => (299 - index) * 2))
    expect(Math.min(...made.map(({ baseFee }) => baseFee))).toBeGreaterThan(GWEI / 3)
  })

  it('no more than eight between two looks once it is idle, and all again after a transaction', async () => {
    await fund(8453)
    await control('/clock', { advanceMs: 3_600_000 })
    const { number } = await blockAt(8453)
    clock.advance(60_000)
    const latest = await blockAt(8453)
    expect(latest.number).toBe(number + 8)
    expect(second() - latest.second).toBeLessThan(2)
    await send(8453)
    clock.advance(60_000)
    expect((await blockAt(8453)).number).toBe(latest.number + 1 + 30)
  })
})

describe('the tags of an EVM chain', () => {
  it.each([
    [1, 32, 64],
    [10, 120, 240],
    [56, 1, 2],
    [137, 2, 4],
    [143, 1, 2],
    [999, 0, 0],
    [42161, 120, 240],
    [43114, 0, 0],
  ])('on chain %i are %i blocks behind for safe and %i for finalized', async (chainId, safe, finalized) => {
    await blockAt(chainId)
    await control('/clock', { advanceMs: 2 * 3_600_000 })
    const { number } = await blockAt(chainId)
    expect([(await blockAt(chainId, 'safe')).number, (await blockAt(chainId, 'finalized')).number]).toEqual([
      number - safe,
      number - finalized,
    ])
  })
})

describe('a reorganisation of an EVM chain', () => {
  it('takes the blocks from a transaction on, though empty ones came after it', async () => {
    await fund(42161)
    const first = await send(42161)
    const at = await blockOf(42161, first)
    clock.advance(3_000)
    const second_ = await send(42161)
    clock.advance(2_000)
    const { number } = await blockAt(42161)
    const answer = await control('/reorg', { chainId: 42161, drop: first })
    expect(answer).toMatchObject({ chainId: 42161, depth: number - at + 1 })
    expect(new Set(answer.dropped)).toEqual(new Set([first, second_]))
    expect((await ask(42161, 'eth_getTransactionReceipt', [first])).result).toBeNull()
    expect(await blockAt(42161)).toMatchObject({ number: number + 1, second: second() })
    clock.advance(1_000)
    expect((await blockAt(42161)).number).toBe(number + 5)
  })

  it.each([
    [{ drop: `0x${'ab'.repeat(32)}` }, 'drop: there is no such transaction'],
    [{ drop: '0xab' }, 'drop: must be the hash of a transaction'],
    [{ drop: `0x${'ab'.repeat(32)}`, depth: 1 }, 'depth: is told by drop'],
    [{ depth: 10_000 }, expect.stringMatching(/^depth: is more than/)],
  ])('is refused for %j, naming the field', async (wish, error) => {
    expect(await control('/reorg', { chainId: 1, ...wish })).toEqual({ error })
  })
})

describe('a node that prunes state', () => {
  it('refuses what is older than 128 blocks and answers the rest, batches too', async () => {
    await fund(480)
    const hash = await send(480)
    const block = await blockOf(480, hash)
    clock.advance(127 * 2_000)
    await control('/faults', { venue: 'chain:480', fault: 'prunes-state' })
    const balance = (tag: unknown) => ask(480, 'eth_getBalance', [PAYEE, tag])
    const at = `0x${block.toString(16)}`
    expect((await balance(at)).result).toBe('0x1')
    clock.advance(2_000)
    const refusal = {
      code: -32_000,
      message: expect.stringMatching(
        /^missing trie node [0-9a-f]{64} \(path \) state 0x[0-9a-f]{64} is not available, not found$/,
      ),
    }
    expect(await balance(at)).toEqual({ jsonrpc: '2.0', id: 1, error: refusal })
    expect((await balance({ blockNumber: at })).error).toEqual(refusal)
    expect((await ask(480, 'eth_call', [{ to: PAYEE }, 'earliest'])).error).toEqual(refusal)
    expect((await ask(480, 'eth_getTransactionReceipt', [hash])).result.status).toBe('0x1')
    const calls = ['latest', at].map((tag, id) => ({ jsonrpc: '2.0', id, method: 'eth_getBalance', params: [PAYEE, tag] }))
    const answers = await post(urlOf(480), calls)
    expect(answers).toHaveLength(2)
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 0, result: '0x1' })
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 1, error: refusal })
    await send(480)
    await control('/faults', { venue: 'chain:480', fault: 'none' })
    expect((await balance(at)).result).toBe('0x1')
  })
})
