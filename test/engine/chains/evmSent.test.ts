import { describe, expect, it } from 'vitest'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { evidenceOver, isUnreadable, patient, refuses, resets } from './evidenceBench.ts'
import { block, hex, node, payee as sender, TRANSFER, timeOf, USDC, word } from './evmBench.ts'
import { hashOf, logAt } from './searchBench.ts'

const HEAD = 100_000
/** How much earlier than by our clock a chain may date its blocks. */
const APART_MS = 300_000
const paid = (height: number, { index = 0 } = {}) => ({ ...logAt(height, index), topics: [TRANSFER, word(sender), word('0x01')] })
type Filter = { address: string; topics: readonly unknown[]; fromBlock: string; toBlock: string }

/** A node of tokens that left the sender. */
const tokens = (logs: readonly ReturnType<typeof paid>[], { answers = {} as object } = {}) => {
  const windows: [number, number][] = []
  const eth_getLogs = (filter: Filter) => {
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    windows.push([from, to])
    expect(filter).toMatchObject({ address: USDC.address, topics: [TRANSFER, word(sender)] })
    return logs.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
  }
  const { evidence, asked, clock } = evidenceOver({ a: node({ head: HEAD, eth_getLogs, ...answers }) })
  const sentBy = (since: number, after: number | null = null) =>
    evidence.sentBy({ asset: USDC, sender, since: since + APART_MS, after }, patient())
  return { sentBy, windows, asked, clock }
}

describe('what an address paid of a token of an EVM chain', () => {
  it('is found from the time asked for to the head, oldest first, each once', async () => {
    const logs = [paid(99_000, { index: 2 }), paid(99_000, { index: 1 }), paid(99_500), paid(97_000), paid(99_999)]
    const { sentBy, windows } = tokens(logs)
    const { transactions, reached, at } = await sentBy(timeOf(98_000))
    expect(transactions.map(({ hash }) => hash)).toEqual([hashOf(99_000, 1), hashOf(99_000, 2), hashOf(99_500), hashOf(99_999)])
    expect([reached, at]).toEqual([HEAD - 64, timeOf(HEAD)])
    expect(windows[0]?.[0]).toBeGreaterThan(98_000 - 65)
    expect(windows[0]?.[0]).toBeLessThanOrEqual(98_000)
  })

  it('is looked for behind what an earlier search reached, in one call', async () => {
    const { sentBy, windows, asked } = tokens([paid(99_900), paid(99_950)])
    expect((await sentBy(0, 99_930)).transactions).toEqual([{ hash: hashOf(99_950), height: 99_950 }])
    expect(windows).toEqual([[99_931, HEAD]])
    // Beside how far the chain has come.
    expect(asked.map((each) => each.asked).filter((method) => method !== 'eth_getBlockByNumber')).toEqual(['eth_getLogs'])
  })

  it('is found a part at a time where there is much to look through, and nothing between the parts is left out', async () => {
    const { sentBy, windows, clock } = tokens([paid(60_000), paid(99_000)])
    const first = await sentBy(0, 30_000)
    expect([first.transactions.length, first.at]).toEqual([1, null])
    expect(windows.length).toBeLessThanOrEqual(25)
    clock.at += 60_000
    const second = await sentBy(0, first.reached)
    expect(second.transactions.map(({ hash }) => hash)).toEqual([hashOf(99_000)])
    expect(second.at).toBe(timeOf(HEAD))
  })

  it('is found a thousand transfers at a time, to the end of a block', async () => {
    const { sentBy } = tokens(Array.from({ length: 2_500 }, (_none, index) => paid(98_001 + (index >> 1), { index: index & 1 })))
    const { transactions, reached } = await sentBy(0, 98_000)
    expect([transactions.length, reached]).toEqual([1_000, 98_500])
    expect((await sentBy(0, reached)).transactions[0]).toEqual({ hash: hashOf(98_501), height: 98_501 })
  })
})

describe('the coins that an address of an EVM chain sent', () => {
  /** A node of one who sent so many transactions in those blocks. */
  const coins = (sentIn: { readonly [height: number]: number }, { keeps = 0, answers = {} as object } = {}) => {
    const heights = Object.keys(sentIn).map(Number)
    const eth_getTransactionCount = (owner: string, where: string) => {
      expect(owner).toBe(sender)
      if (Number(where) < keeps) return refuses('missing trie node')
      return hex(heights.filter((height) => height <= Number(where)).reduce((sum, height) => sum + (sentIn[height] ?? 0), 0))
    }
    const own = node({ head: HEAD })['eth_getBlockByNumber'] as (where: string, isFull: boolean) => object | null
    const eth_getBlockByNumber = (where: string, isFull: boolean) => {
      if (!isFull) return own(where, isFull)
      const count = sentIn[Number(where)] ?? 0
      const other = { hash: hashOf(Number(where), 99), from: `0x${'77'.repeat(20)}` }
      const sent = Array.from({ length: count }, (_none, index) => ({
        hash: hashOf(Number(where), index),
        from: sender.toLowerCase(),
      }))
      return block(Number(where), { transactions: [other, ...sent] })
    }
    const { evidence, asked } = evidenceOver({
      a: node({ head: HEAD, eth_getTransactionCount, eth_getBlockByNumber, ...answers }),
    })
    const sentBy = (since: number, after: number | null = null) =>
      evidence.sentBy({ asset: nativeAsset(1), sender, since: since + APART_MS, after }, patient())
    const counted = () => asked.filter((each) => each.asked === 'eth_getTransactionCount').length
    return { sentBy, counted }
  }

  it('are found where its nonce rises, and are its own transactions alone', async () => {
    const { sentBy, counted } = coins({ 90000: 4, 99700: 1, 99990: 2 })
    expect(await sentBy(timeOf(99_500))).toEqual({
      transactions: [
        { hash: hashOf(99_700), height: 99_700 },
        { hash: hashOf(99_990), height: 99_990 },
        { hash: hashOf(99_990, 1), height: 99_990 },
      ],
      reached: HEAD - 64,
      at: timeOf(HEAD),
    })
    expect(counted()).toBeLessThan(50)
  })

  it('cost two calls where it sent nothing', async () => {
    const { sentBy, counted } = coins({ 90000: 4 })
    expect((await sentBy(0, 99_900)).transactions).toEqual([])
    expect(counted()).toBe(2)
  })

  it('are found some blocks at a time for one who sends all the time, and nothing between is left out', async () => {
    const heights = Array.from({ length: 9 }, (_none, index) => 99_000 + index * 100)
    const { sentBy } = coins(Object.fromEntries(heights.map((height) => [height, 1])))
    const found: number[] = []
    let after: number | null = 98_900
    for (let search = 0; search < 3; search += 1) {
      const sent = await sentBy(0, after)
      found.push(...sent.transactions.map(({ height }) => height))
      after = sent.reached
    }
    expect(found).toEqual(heights)
  })

  it('cannot be told where the node no longer keeps the nonces of then, and are not taken for none', async () => {
    const { sentBy } = coins({ 99500: 1 }, { keeps: 99_800 })
    expect(await sentBy(timeOf(99_400))).toEqual({ transactions: [], reached: null, at: null })
  })

  it.each([
    ['breaks off', { eth_getTransactionCount: resets }],
    ['answers no number', { eth_getTransactionCount: 'many' }],
  ])('are unreadable where the node %s', async (_what, answers) => {
    expect(await isUnreadable(coins({}, { answers }).sentBy(timeOf(99_500)))).toBe(true)
  })
})
