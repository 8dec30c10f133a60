import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { type ChainId, chainOf } from '../../../engine/core/chain.ts'
import { createReadEvidence } from '../../../engine/execution/track/readEvidence.ts'
import { createSearchPause } from '../../../engine/execution/track/searchPause.ts'
import { SEARCH_PASS_MS } from '../../../engine/settlement/nextLook.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { addressFor } from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { benchOver, never, outcome, refuses, resets } from './evidenceBench.ts'
import { APART_MS, block, hex, node, payee, TRANSFER, timeOf, USDC, word } from './evmBench.ts'
import { type Filter, hashOf, logAt, searchBench } from './searchBench.ts'
import CHAINS from './searchReach.json' with { type: 'json' }

const HEAD = 100_000
type Log = ReturnType<typeof logAt>
const paid = (height: number, index = 0, amount = 5n): Log => logAt(height, index, amount)
const asHashes = (places: readonly (number | readonly [number, number])[]) =>
  places.map((place) => (typeof place === 'number' ? hashOf(place) : hashOf(...place)))

/** A node that finds these logs by these topics, and the ranges it was asked for. */
const searching = (logs: readonly Log[], topics: readonly unknown[], answers = {}) => {
  const windows: (readonly [from: number, to: number])[] = []
  const eth_getLogs = (filter: Filter) => {
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    windows.push([from, to])
    expect(filter).toMatchObject({ address: USDC.address, topics })
    return logs.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
  }
  const bench = benchOver({ a: node({ head: HEAD, eth_getLogs, ...answers }) })
  return { ...bench, windows }
}

describe('EVM payments of a token', () => {
  const search = (logs: readonly Log[], answers = {}) => {
    const bench = searching(logs, [TRANSFER, null, word(payee)], answers)
    const find = (since: number, asset = USDC, least = 1n) =>
      bench.evidence.search({ asset, recipient: payee, since: since + APART_MS, least }, never())
    return { ...bench, find }
  }

  it('are found from the head back to the requested time, oldest first, each once, without transfers of zero', async () => {
    const again = { ...paid(99_000, 1), transactionHash: hashOf(99_000) }
    const logs = [paid(90_000), paid(96_500), paid(99_000, 2), paid(99_000), again, paid(99_001, 0, 0n), paid(99_999)]
    const { find, windows } = search(logs)
    const hashes = asHashes([96_500, 99_000, [99_000, 2], 99_999])
    expect(await find(timeOf(96_500))).toEqual({ hashes, isWhole: true })
    expect(windows.map(([, to]) => to)).toEqual([100_000, 98_000])
  })

  it.each([
    [5n, [99_000, 99_998, 99_999]],
    [6n, [99_002, 97_500, 97_501]],
  ])('are the latest 1,000 of more, and payments of at least %s come last and stay', async (least, ends) => {
    const many = Array.from({ length: 1_500 }, (_none, index) => paid(98_500 + index))
    const { find } = search([...[97_500, 97_501].map((height) => paid(height, 0, 6n)), ...many])
    const { hashes, isWhole } = await find(timeOf(97_000), USDC, least)
    expect([hashes.length, isWhole]).toEqual([1_000, false])
    expect([hashes[0], ...hashes.slice(-2)]).toEqual(asHashes(ends))
  })

  const pruned = (where: string) => {
    if (where === 'latest') return block(HEAD)
    return where !== 'finalized' && Number(where) < 99_000 ? refuses('history is pruned') : block(HEAD, { number: where })
  }
  it('are complete on a chain younger than the search, incomplete on a pruned node, and unlisted for coins', async () => {
    const young = search([paid(3)], { head: 10 })
    expect(await young.find(0)).toEqual({ hashes: asHashes([3]), isWhole: true })
    expect(young.windows).toEqual([[0, 10]])
    const old = search([paid(99_500)], { eth_getBlockByNumber: pruned })
    expect(await old.find(0)).toEqual({ hashes: asHashes([99_500]), isWhole: false })
    const coins = search([])
    expect([await coins.find(0, nativeAsset(1)), coins.windows]).toEqual([{ hashes: [], isWhole: false }, []])
  })

  it.each([
    ['resets', resets],
    ['searches no logs', refuses('the method is not available')],
    ['answers a log without a transaction', [{ ...paid(99_000), transactionHash: null }]],
    ['answers a log without an amount', [{ ...paid(99_000), data: undefined }]],
  ])('are unreadable where the node %s', async (_what, eth_getLogs) => {
    expect(await outcome(search([], { eth_getLogs }).find(timeOf(99_500)))).toBe('unreachable')
  })
})

describe('EVM payments that an address sent: a token', () => {
  const sentLog = (height: number, index = 0): Log => ({ ...logAt(height, index), topics: [TRANSFER, word(payee), word('0x01')] })
  const sent = (logs: readonly Log[]) => {
    const bench = searching(logs, [TRANSFER, word(payee)])
    const find = async (since: number, after: number | null = null) => {
      const found = await bench.evidence.sentBy({ asset: USDC, sender: payee, since: since + APART_MS, after }, never())
      return { ...found, hashes: found.transactions.map(({ hash }) => hash) }
    }
    return { ...bench, find }
  }

  const logs = [sentLog(99_000, 2), sentLog(99_000, 1), sentLog(99_950), sentLog(97_000), sentLog(99_999)]
  it.each([
    ['the requested time', timeOf(98_000), null, asHashes([[99_000, 1], [99_000, 2], 99_950, 99_999])],
    ['the height of an earlier search', 0, 99_930, asHashes([99_950, 99_999])],
  ])('are found from %s to the head, oldest first, each once', async (_what, since, after, hashes) => {
    expect(await sent(logs).find(since, after)).toMatchObject({ hashes, reached: HEAD - 64, at: timeOf(HEAD) })
  })

  it('are found in parts without a gap where the range is long', async () => {
    const { find, clock } = sent([sentLog(60_000), sentLog(99_000)])
    const first = await find(0, 30_000)
    expect([first.hashes.length, first.at]).toEqual([1, null])
    clock.at += 60_000
    expect(await find(0, first.reached)).toMatchObject({ hashes: asHashes([99_000]), at: timeOf(HEAD) })
  })

  it('are found 1,000 at a time, to the end of a block', async () => {
    const { find } = sent(Array.from({ length: 2_500 }, (_none, index) => sentLog(98_001 + (index >> 1), index & 1)))
    const { hashes, reached } = await find(0, 98_000)
    expect([hashes.length, reached]).toEqual([1_000, 98_500])
    expect((await find(0, reached)).hashes[0]).toBe(hashOf(98_501))
  })
})

describe('EVM payments that an address sent: coins', () => {
  /** A node of an address that sent so many transactions in those blocks. */
  const coins = (sentIn: { readonly [height: number]: number }, answers = {}, keeps = 0) => {
    const from = payee.toLowerCase()
    const sent = Object.entries(sentIn).flatMap(([height, count]) =>
      Array.from({ length: count }, (_none, index) => ({ height: Number(height), hash: hashOf(Number(height), index), from })),
    )
    const eth_getTransactionCount = (owner: string, where: string) => {
      expect(owner).toBe(payee)
      const count = sent.filter(({ height }) => height <= Number(where)).length
      return Number(where) < keeps ? refuses('missing trie node') : hex(count)
    }
    const own = node({ head: HEAD })['eth_getBlockByNumber'] as (where: string) => object | null
    const stranger = { hash: hashOf(1, 99), from: `0x${'77'.repeat(20)}` }
    const eth_getBlockByNumber = (where: string, isFull: boolean) =>
      isFull
        ? block(Number(where), { transactions: [stranger, ...sent.filter(({ height }) => height === Number(where))] })
        : own(where)
    const { evidence } = benchOver({ a: node({ head: HEAD, eth_getTransactionCount, eth_getBlockByNumber, ...answers }) })
    return (since: number, after: number | null = null) =>
      evidence.sentBy({ asset: nativeAsset(1), sender: payee, since: since + APART_MS, after }, never())
  }

  it('are the own transactions of the blocks where its nonce rises', async () => {
    const find = coins({ 90000: 4, 99700: 1, 99990: 2 })
    const sent = (height: number, index = 0) => ({ hash: hashOf(height, index), height })
    const transactions = [sent(99_700), sent(99_990), sent(99_990, 1)]
    expect(await find(timeOf(99_500))).toEqual({ transactions, reached: HEAD - 64, at: timeOf(HEAD) })
  })

  it('are found four blocks at a time without a gap', async () => {
    const heights = Array.from({ length: 9 }, (_none, index) => 99_000 + index * 100)
    const find = coins(Object.fromEntries(heights.map((height) => [height, 1])))
    let after: number | null = 98_900
    for (const four of [heights.slice(0, 4), heights.slice(4, 8), heights.slice(8)]) {
      const { transactions, reached } = await find(0, after)
      expect(transactions.map(({ height }) => height)).toEqual(four)
      after = reached
    }
  })

  it.each([
    ['dropped the old nonces', {}, 99_800, { transactions: [], reached: null, at: null }],
    ['resets', { eth_getTransactionCount: resets }, 0, 'unreachable'],
  ])('are unknown where the node %s', async (_what, answers, keeps, expected) => {
    expect(await outcome(coins({ 99500: 1 }, answers, keeps)(timeOf(99_400)))).toEqual(expected)
  })
})

describe('EVM deposit address: unpaid', () => {
  const NOTHING = { eth_getBalance: '0x0', eth_getTransactionCount: '0x0', eth_getCode: '0x', eth_call: word(0n) }
  const clean = node({ head: HEAD, ...NOTHING, eth_getLogs: [] })
  const question = { asset: USDC, recipient: payee, since: timeOf(99_500) }
  const until = (answers: object, asset = USDC) =>
    outcome(benchOver({ a: { ...clean, ...answers } }).evidence.untouchedUntil({ ...question, asset }, never()))

  it.each<[string, number | null, object, typeof USDC?]>([
    ['holds nothing, sent nothing and has no code', timeOf(HEAD), {}],
    ['holds no coins', timeOf(HEAD), { eth_getLogs: resets }, nativeAsset(1)],
    ['holds coins', null, { eth_getBalance: '0x1' }, nativeAsset(1)],
    ['holds some of the token', null, { eth_call: word(1n) }],
    ['sent a transaction', null, { eth_getTransactionCount: '0x1' }],
    ['has code', null, { eth_getCode: '0x60' }],
    ['was paid before', null, { eth_getLogs: [paid(99_900)] }],
    ['holds what the token does not return', null, { eth_call: '0x' }],
  ])('an address that %s is unpaid until %j', async (_what, expected, answers, asset) => {
    expect(await until(answers, asset)).toBe(expected)
  })

  it.each(['eth_call', 'eth_getTransactionCount', 'eth_getCode', 'eth_getLogs'])(
    'is unreadable while %s fails',
    async (method) => {
      expect(await until({ [method]: resets })).toBe('unreachable')
      const behind = (_of: unknown, where: unknown) => (where === 'latest' ? clean[method] : refuses('header not found'))
      if (method !== 'eth_getLogs') expect(await until({ [method]: behind })).toBe('unreachable')
    },
  )

  it.each([
    ['shows a payment', null, { eth_getLogs: [paid(99_900)] }],
    ['holds some of the token', null, { eth_call: word(1n) }],
    ['shows none either', timeOf(HEAD), {}],
    ['keeps no logs, and the third shows none', timeOf(HEAD), { eth_getLogs: refuses('pruned') }],
  ])('where a second endpoint %s: unpaid until %j [rpc-unpaid-two-endpoints]', async (_what, expected, second) => {
    const { evidence, clock } = benchOver({ a: clean, b: { ...clean, ...second }, c: clean })
    clock.at = timeOf(HEAD)
    expect(await evidence.untouchedUntil(question, never())).toBe(expected)
  })

  it.each([
    ['one of three', ['a'], 'abc', timeOf(HEAD), [1]],
    ['one of two', ['a'], 'ab', null, [1, 2]],
    ['two of three', ['a', 'b'], 'abc', null, [3]],
  ])('is open for an hour by %s, and an endpoint that is alone is reported [rpc-unpaid-two-endpoints]', async (...row) => {
    const [, liars, hosts, later, reported] = row
    const nodes = [...hosts].map((host) => [host, liars.includes(host) ? { ...clean, eth_getTransactionCount: '0x1' } : clean])
    const { evidence, clock, events } = benchOver(Object.fromEntries(nodes))
    clock.at = timeOf(HEAD)
    const untouched = (ms = 0) => {
      clock.at += ms
      return evidence.untouchedUntil(question, never())
    }
    expect([await untouched(), await untouched(3_600_001), await untouched(60_000)]).toEqual([null, later, later])
    const contradicted = events.flatMap((event) => (event.event === 'chain.contradicted' ? [event.endpoint] : []))
    expect([...new Set(contradicted)]).toEqual(reported)
  })

  it('is unknown until the whole time is searched', async () => {
    const { evidence, clock } = benchOver({ a: clean, b: clean })
    const untouched = () => evidence.untouchedUntil({ ...question, since: timeOf(40_000) }, never())
    expect(await untouched()).toBeNull()
    clock.at += 60_000
    expect(await untouched()).toBe(timeOf(HEAD))
  })
})

const [HALF_MINUTE, MINUTE, HOUR] = [30_000, 60_000, 3_600_000]
const OTHER = WALLETS.evmOther
const STEP = 50
type Bench = ReturnType<typeof searchBench>

const caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 } as const
const settlement = { requestId: 'pass', client: 'settlement', caller, observe: () => undefined, canWait: true } as const

/** The minutes until settlement finds a payment since then; infinite when an hour is not enough. */
const follow = async (bench: Bench, since: number): Promise<number> => {
  const { clock } = bench
  const pause = createSearchPause(clock)
  const read = createReadEvidence({ ...settlement, signal: never() })
  for (let at = 0; at <= HOUR; at += SEARCH_PASS_MS) {
    const nextAt = clock.at + SEARCH_PASS_MS
    if (pause.turn(1) !== null) {
      let isOver = clock.answerMs === 0
      const search = read(143, (signal) => bench.search(since, {}, signal)).finally(() => {
        isOver = true
      })
      for (; !isOver; clock.at += STEP) await advance(STEP)
      const found = await search
      if (found === 'unreadable' || found.isUnfinished) pause.unfinished(1)
      if (found !== 'unreadable' && found.hashes.length > 0) return Math.ceil(at / MINUTE)
    }
    clock.at = Math.max(clock.at, nextAt)
  }
  return Number.POSITIVE_INFINITY
}

afterEach(realTime)

describe('log search: a refund that is six hours old', () => {
  it.each(CHAINS.map((row) => ({ ...row, chain: chainOf(row.chainId as ChainId).name })))(
    'on $chain settlement finds it within 30 minutes by 30 calls a minute to one endpoint, the one with the shortest window, as RPC.md has it [refund-search-time]',
    async ({ chain, chainId, blockMs }) => {
      const windows = publicEndpoints(chainId as ChainId).flatMap(({ logBlocks }) =>
        logBlocks === 0 ? [] : (logBlocks ?? 2_000),
      )
      const [window, blocks] = [Math.min(...windows), (6 * HOUR) / blockMs]
      const measured: number[] = []
      fakeTime()
      for (const answerMs of [150, 700, 1_500]) {
        const bench = searchBench({ chainId, blockMs, logBlocks: { a: window } })
        bench.paid.add(bench.head() - blocks + 1)
        bench.clock.answerMs = answerMs
        const minutes = await follow(bench, bench.ago(6 * HOUR))
        expect(minutes).toBeLessThanOrEqual(30)
        expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
        measured.push(...(measured.length === 0 ? [bench.calls.length] : []), minutes)
      }
      const row = [chain, `${blockMs / 1_000} s`, ...[blocks, window].map((one) => one.toLocaleString('en')), ...measured]
      expect(readFileSync('engine/chains/RPC.md', 'utf8')).toContain(`\n| ${row.join(' | ')} |\n`)
    },
  )

  it('is found once an endpoint shows blocks as old as the search', async () => {
    const bench = searchBench()
    const since = bench.ago(6 * HOUR)
    bench.paid.add(bench.head() - 53_000)
    bench.wrong.blocks['a'] = 1_000
    await bench.search(since)
    delete bench.wrong.blocks['a']
    expect(await follow(bench, since)).toBeLessThanOrEqual(60)
  })
})

describe('log search', () => {
  it('continues where it ended, finds payments at each seam, and reads only the newest minute again', async () => {
    const bench = searchBench()
    const since = bench.ago(HOUR)
    await bench.search(since)
    const [first, last] = [bench.calls.at(-1)?.from ?? 0, bench.head()]
    for (const height of [first - 1, first, last + 1]) bench.paid.add(height)
    bench.pass(MINUTE)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(first - 1), hashOf(last + 1)], isUnfinished: true })
  })

  it('keeps what it read before its endpoint reset', async () => {
    const bench = searchBench({ logBlocks: { a: 2_000 }, blockMs: 1_000 })
    const since = bench.ago(6 * HOUR)
    bench.paid.add(bench.head())
    bench.breakAfter(3)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(bench.head())], isWhole: false, isUnfinished: true })
    bench.breakAfter(Number.POSITIVE_INFINITY)
    bench.pass(MINUTE)
    expect(await bench.search(since)).toMatchObject({ isWhole: true })
  })

  it.each([
    [900, MINUTE],
    [900, HOUR],
    [null, MINUTE],
  ])('reads again the blocks that a reorganization replaced, with finality %j blocks behind, %i ms later', async (blocks, ms) => {
    const bench = searchBench({ blockMs: 2_000, logBlocks: { a: 2_000 }, finalityBlocks: blocks })
    const since = bench.ago(HOUR)
    const [gone, come] = [bench.head() - 500, bench.head() - 400]
    bench.paid.add(gone)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(gone)], isWhole: true })
    bench.reorganize(gone)
    bench.paid.delete(gone)
    bench.paid.add(come)
    bench.pass(ms)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(come)], isWhole: true })
  })
})

describe('log search: an endpoint that answers wrongly', () => {
  const CHAIN = { chainId: 8453, blockMs: 2_000, finalityBlocks: 600 }

  it.each([25, 3_000])('reads the blocks behind a head that was %i blocks too high once', async (blocks) => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000, b: 10_000 } })
    const since = bench.ago(10 * MINUTE)
    bench.wrong.latest['a'] = blocks
    for (let pass = 0; pass < 2; pass += 1) await bench.search(since)
    const { reached, at } = await bench.sentBy(since)
    expect(reached).toBeLessThan(bench.head())
    expect(at ?? 0).toBeLessThanOrEqual(bench.clock.at + MINUTE)
    bench.wrong.latest['a'] = 0
    const height = bench.head() + 5
    bench.paid.add(height)
    bench.pass(12_000)
    for (let pass = 0; pass < 3; pass += 1) {
      expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(height)] })
      bench.pass(4_000)
    }
  })

  it('finds payments that one of three endpoints, which is stuck, lacks, and reports that endpoint', async () => {
    const bench = searchBench({ logBlocks: { a: 100, b: 100, c: 100 } })
    bench.wrong.stuck['b'] = 18_000
    // An endpoint of Monad may lag by 60 s of 0.4 s.
    expect((await bench.sentBy(bench.clock.at)).reached).toBe(bench.head() - 150)
    const since = bench.ago(HOUR)
    const heights = Array.from({ length: 60 }, (_none, index) => bench.head() - 100 * (index + 10))
    for (const height of heights) bench.paid.add(height)
    while (!(await bench.search(since)).isWhole) bench.pass(HALF_MINUTE)
    expect((await bench.search(since)).hashes).toEqual(heights.toReversed().map((height) => hashOf(height)))
    expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
    expect(bench.lags()).toEqual(['2 lags'])
    // Searches alone examine it again, and it comes back.
    bench.wrong.stuck['b'] = 0
    bench.pass(HOUR)
    await bench.search(since)
    expect(bench.lags()).toEqual(['2 lags', '2 is well'])
  })

  it('proves nothing by a lone endpoint whose newest block is of the future', async () => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000 } })
    const since = bench.ago(10 * MINUTE)
    bench.wrong.latest['a'] = 3_000
    expect((await bench.search(since)).isWhole).toBe(false)
    expect(await bench.sentBy(since)).toMatchObject({ reached: 0, at: null })
  })
})

it('log search: a pause between two searches ends when the clock is set back', () => {
  const clock = { at: 10 * HOUR, now: () => clock.at }
  const pause = createSearchPause(clock)
  expect([pause.isDue(1), pause.isDue(1)]).toEqual([true, false])
  clock.at -= HALF_MINUTE
  expect([pause.isDue(1), pause.isDue(1)]).toEqual([true, false])
})

describe('log search: the calls of one endpoint [refund-search-time]', () => {
  it('many searches use in turn, so that 40 end in as many half minutes', async () => {
    const bench = searchBench({ chainId: 8453, blockMs: 2_000, logBlocks: { a: 2_000 } })
    const since = bench.ago(6 * HOUR)
    const left = new Set(Array.from({ length: 40 }, (_none, index) => addressFor('evm', `wallet ${index}`)))
    for (let at = 0; at < 40; at += 1) {
      for (const recipient of left) if ((await bench.search(since, { recipient })).isWhole) left.delete(recipient)
      bench.pass(HALF_MINUTE)
    }
    expect(left.size).toBe(0)
  })

  it('anonymous requests never use those of partners, and a clock that jumps renews none', async () => {
    const bench = searchBench()
    const since = bench.ago(6 * HOUR)
    for (let request = 0; request < 50; request += 1) {
      const recipient = request === 0 ? payee : OTHER
      expect((await bench.search(since - request, { budget: 'anonymous', recipient })).isUnfinished).toBe(true)
    }
    expect(bench.calls).toHaveLength(5)
    await bench.search(since)
    expect(bench.calls.length).toBeGreaterThanOrEqual(29)
    for (const jump of [HOUR, -2 * HOUR]) {
      bench.clock.at += jump
      bench.clock.jumped += jump
      for (const budget of ['partner', 'anonymous'] as const) await bench.search(since, { budget })
    }
    expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
  })
})
