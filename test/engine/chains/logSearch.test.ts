import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { type ChainId, CHAINS as NAMED } from '../../../engine/core/chain.ts'
import { createReadEvidence } from '../../../engine/execution/track/readEvidence.ts'
import { createSearchPause } from '../../../engine/execution/track/searchPause.ts'
import { SEARCH_PASS_MS } from '../../../engine/settlement/nextLook.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { patient } from './evidenceBench.ts'
import { payee } from './evmBench.ts'
import { hashOf, searchBench } from './searchBench.ts'
import CHAINS from './searchReach.json' with { type: 'json' }

const HOUR = 3_600_000
const [HALF_MINUTE, MINUTE] = [30_000, 60_000]
const OTHER = WALLETS.evmOther

const STEP = 50
const caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 } as const
const settlement = { requestId: 'pass', client: 'settlement', caller, observe: () => undefined, canWait: true } as const

afterEach(realTime)

/** A swap that is followed by settlement alone: its searches come when their turn does. */
const follow = async (bench: ReturnType<typeof searchBench>, since: number, minutes: number, who = {}) => {
  const { clock } = bench
  const pause = createSearchPause(clock)
  const read = createReadEvidence({ ...settlement, ...who, signal: new AbortController().signal })
  for (let at = 0; at <= minutes * MINUTE; at += SEARCH_PASS_MS) {
    const nextAt = clock.at + SEARCH_PASS_MS
    if (pause.turn(1) !== null) {
      let isOver = clock.answerMs === 0
      const search = read(143, async (signal) => {
        const together = await bench.search(since, {}, signal)
        if (together.isUnfinished || together.hashes.length > 0) return together
        const { lists } = await bench.searchByTwo(since, signal)
        return { hashes: lists.flatMap(({ hashes }) => hashes), isUnfinished: lists.some(({ isUnfinished }) => isUnfinished) }
      }).finally(() => {
        isOver = true
      })
      for (; !isOver; clock.at += STEP) await advance(STEP)
      const found = await search
      if (found === 'unreadable' || found.isUnfinished) pause.unfinished(1)
      if (found !== 'unreadable' && found.hashes.length > 0) return Math.ceil(at / MINUTE)
    }
    clock.at = Math.max(clock.at, nextAt)
  }
  return null
}

/** The shortest range of blocks that one of the chain's own default endpoints takes; 2,000 where none is known. */
const windowOf = (chainId: number): number =>
  Math.min(...publicEndpoints(chainId as ChainId).flatMap(({ logBlocks }) => (logBlocks === 0 ? [] : [logBlocks ?? 2_000])))

const written = readFileSync('engine/chains/RPC.md', 'utf8').split('\n')

describe('a refund that is six hours old, searched by settlement on one endpoint, the one with the shortest window', () => {
  const count = (value: number | null) => value?.toLocaleString('en-US')
  const table = CHAINS.map((row) => ({ ...row, chain: NAMED.find(({ chainId }) => chainId === row.chainId)?.name ?? '' }))

  it.each(table)(
    'on $chain is found within 30 minutes by at most 30 calls a minute [refund-search-time]',
    async ({ chain, ...facts }) => {
      fakeTime()
      const logBlocks = windowOf(facts.chainId)
      const blocks = (6 * HOUR) / facts.blockMs
      const measured: (number | string)[] = []
      for (const answerMs of [150, 700, 1_500]) {
        const bench = searchBench({ ...facts, logBlocks: { a: logBlocks } })
        bench.clock.answerMs = answerMs
        bench.paid.add(bench.head() - blocks + 1)
        const minutes = (await follow(bench, bench.clock.at - 6 * HOUR, 60)) ?? Number.POSITIVE_INFINITY
        expect(minutes).toBeLessThanOrEqual(30)
        expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
        measured.push(...(measured.length === 0 ? [bench.calls.length] : []), minutes)
      }
      const row = [chain, `${facts.blockMs / 1_000} s`, count(blocks), count(logBlocks), ...measured]
      expect(written.filter((line) => line.startsWith(`| ${chain} | ${row[1]} |`))).toEqual([`| ${row.join(' | ')} |`])
    },
  )
})

describe('a refund that is six hours old, which a search of all default endpoints together does not return', () => {
  it.each([
    { chainId: 143, blockMs: 400 },
    { chainId: 999, blockMs: 1_000 },
  ])('is found on $chainId by two of them alone, where one of the two does not return it, either', async (chain) => {
    const windows = publicEndpoints(chain.chainId as ChainId).map(({ logBlocks }, at) => ['abcd'.charAt(at), logBlocks ?? 2_000])
    const minutes: number[] = []
    for (const [liar] of windows) {
      fakeTime()
      const bench = searchBench({ ...chain, logBlocks: Object.fromEntries(windows) })
      const { lies, searchByTwo } = bench
      for (const [host = ''] of windows) lies[host] = () => []
      bench.searchByTwo = (...of) => {
        for (const [host = ''] of windows) if (host !== liar) delete lies[host]
        return searchByTwo(...of)
      }
      bench.clock.answerMs = 1_500
      bench.paid.add(bench.head() - (6 * HOUR) / chain.blockMs + 1)
      minutes.push((await follow(bench, bench.clock.at - 6 * HOUR, 90)) ?? Number.POSITIVE_INFINITY)
      expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
    }
    const name = NAMED.find(({ chainId }) => chainId === chain.chainId)?.name
    const [, told] = new RegExp(`on ${name} within (\\d+) minutes`).exec(written.join(' ')) ?? []
    expect(Math.max(...minutes)).toBe(Number(told))
  })
})

const KEY = { caller: { ...caller, partnerId: 'p' }, canWait: undefined }

describe('a refund that is six hours old, over slow endpoints that take fewer blocks than is known', () => {
  it.each([
    { of: 1, blocks: 1_000, answerMs: 600, who: KEY },
    { of: 3, blocks: 1_000, answerMs: 600, who: KEY },
    { of: 1, blocks: 1_000, answerMs: 1_500, who: KEY },
    { of: 1, blocks: 10, answerMs: 600, who: KEY },
    { of: 3, blocks: 1_000, answerMs: 1_500, who: {} },
  ])('is found over $of that take $blocks blocks in $answerMs ms', async ({ of, blocks, answerMs, who }) => {
    fakeTime()
    const chain = blocks === 10 ? { chainId: 1, blockMs: 12_000 } : { chainId: 8453, blockMs: 2_000 }
    const hosts = ['a', 'b', 'c'].slice(0, of).map((host) => [host, blocks] as const)
    const bench = searchBench({ ...chain, logBlocks: Object.fromEntries(hosts) })
    bench.clock.answerMs = answerMs
    bench.paid.add(bench.head() - (6 * HOUR) / chain.blockMs + 1)
    expect(await follow(bench, bench.clock.at - 6 * HOUR, 30, who)).not.toBeNull()
  })
})

describe('a search of the logs of an EVM chain', () => {
  const ago = (bench: ReturnType<typeof searchBench>, ms: number) => bench.clock.at - ms

  it('goes on where it ended, and finds what was paid at each seam', async () => {
    const bench = searchBench()
    const since = ago(bench, HOUR)
    await bench.search(since)
    const [first, last] = [bench.calls.at(-1)?.from ?? 0, bench.head()]
    for (const height of [first - 1, first, last + 1]) bench.paid.add(height)
    bench.pass(MINUTE)
    const { hashes, isUnfinished } = await bench.search(since)
    // What is read already is not read again: its newest minute is.
    expect(hashes).toEqual([hashOf(first - 1), hashOf(last + 1)])
    expect(isUnfinished).toBe(true)
  })

  it('keeps what it read before its endpoint broke off', async () => {
    const bench = searchBench({ logBlocks: { a: 2_000 }, blockMs: 1_000 })
    const since = ago(bench, 6 * HOUR)
    bench.paid.add(bench.head())
    bench.breakAfter(3)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(bench.head())], isWhole: false, isUnfinished: true })
    bench.breakAfter(Number.POSITIVE_INFINITY)
    bench.pass(MINUTE)
    const { length } = bench.calls
    expect(await bench.search(since)).toMatchObject({ isWhole: true })
    // The range that broke is tried as two.
    expect(bench.calls.length - length).toBe(14)
  })

  it.each([
    [900, MINUTE],
    [900, HOUR],
    [null, MINUTE],
  ])('reads again what a reorganization replaced where the last %s blocks are not final, %s ms later', async (blocks, ms) => {
    const bench = searchBench({ blockMs: 2_000, logBlocks: { a: 2_000 }, finalityBlocks: blocks })
    const since = ago(bench, HOUR)
    const [gone, come] = [bench.head() - 500, bench.head() - 400]
    bench.paid.add(gone)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(gone)], isWhole: true })
    bench.reorganize(gone)
    bench.paid.delete(gone)
    bench.paid.add(come)
    bench.pass(ms)
    expect(await bench.search(since)).toMatchObject({ hashes: [hashOf(come)], isWhole: true })
  })

  it('remembers how many blocks its endpoint takes, for all searches, and tries more only rarely', async () => {
    const bench = searchBench({ logBlocks: { a: 120 } })
    const since = ago(bench, HOUR)
    const refusals = () => bench.calls.filter(({ isTaken }) => !isTaken).length
    await bench.search(since)
    expect(refusals()).toBe(5)
    bench.pass(MINUTE)
    await bench.search(since, { recipient: OTHER })
    expect(refusals()).toBe(5)
    for (let minute = 0; minute < 20; minute += 1) {
      bench.pass(MINUTE)
      await bench.search(since)
    }
    expect(refusals()).toBeLessThanOrEqual(7)
  })

  it('is spread over all endpoints of its chain, each by its own window and budget', async () => {
    const bench = searchBench({ logBlocks: { a: 100, b: 500, c: 0 } })
    const since = ago(bench, 2 * HOUR)
    await bench.search(since)
    bench.pass(MINUTE)
    expect((await bench.search(since)).isWhole).toBe(true)
    for (const host of ['a', 'b', 'c']) expect(bench.calls.filter((call) => call.host === host).length).toBeLessThanOrEqual(48)
    expect(bench.calls.filter(({ host, isTaken }) => host === 'b' && isTaken).length).toBeGreaterThan(20)
  })

  it.each([
    ['that is a few blocks behind', { behind: { b: 5 } }],
    ['that keeps only recent blocks', { keeps: { b: 3_000 } }],
  ])('costs few calls more where one of two endpoints is one %s', async (_what, change) => {
    const bench = searchBench({ logBlocks: { a: 500, b: 500 }, ...change })
    const since = ago(bench, 6 * HOUR)
    for (let pass = 0; pass < 12; pass += 1) {
      await bench.search(since)
      bench.pass(HALF_MINUTE)
    }
    expect((await bench.search(since)).isWhole).toBe(true)
    expect(bench.calls.filter(({ host, isTaken }) => host === 'b' && !isTaken).length).toBeLessThan(25)
    expect(bench.calls.filter(({ isTaken }) => isTaken).length).toBeLessThan(170)
  })
})

describe('a search of logs over an endpoint that answers wrongly', () => {
  const CHAIN = { chainId: 8453, blockMs: 2_000, finalityBlocks: 600 }

  it.each([
    ['within the time that an endpoint may lag', 25],
    ['further', 3_000],
  ])('reads the blocks behind a head that was too high for one read, %s', async (_what, blocks) => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000, b: 10_000 } })
    const since = bench.clock.at - 10 * MINUTE
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

  it('finds a payment that one of three endpoints, which is stuck and answers no logs, does not have', async () => {
    const bench = searchBench({ logBlocks: { a: 100, b: 100, c: 100 } })
    bench.wrong.stuck['b'] = 18_000
    // An endpoint of Monad may lag by 60 s of 0.4 s.
    expect((await bench.sentBy(bench.clock.at)).reached).toBe(bench.head() - 150)
    const since = bench.clock.at - HOUR
    const heights = Array.from({ length: 60 }, (_none, index) => bench.head() - 100 * (index + 10))
    for (const height of heights) bench.paid.add(height)
    while (!(await bench.search(since)).isWhole) bench.pass(HALF_MINUTE)
    expect((await bench.search(since)).hashes).toEqual(heights.toReversed().map((height) => hashOf(height)))
    expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
    // Nothing but searches used it. It is examined again, and comes back.
    expect(bench.lags()).toEqual([[2, true]])
    bench.wrong.stuck['b'] = 0
    bench.pass(HOUR)
    await bench.search(since)
    expect(bench.lags()).toEqual([
      [2, true],
      [2, false],
    ])
  })

  it('looks again for its first block where no endpoint shows one as old at first', async () => {
    const bench = searchBench()
    const since = bench.clock.at - 6 * HOUR
    bench.paid.add(bench.head() - 53_000)
    bench.wrong.blocks['a'] = 1_000
    await bench.search(since)
    delete bench.wrong.blocks['a']
    expect(await follow(bench, since, 60)).not.toBeNull()
  })

  it('comes soon after our clock is set back', () => {
    const clock = { at: 10 * HOUR, now: () => clock.at }
    const pause = createSearchPause(clock)
    expect([pause.isDue(1), pause.isDue(1)]).toEqual([true, false])
    clock.at -= HALF_MINUTE
    expect([pause.isDue(1), pause.isDue(1)]).toEqual([true, false])
  })

  it('narrows the ranges of no other search where it finds too much, and widens its own again', async () => {
    const bench = searchBench({ chainId: 4663, blockMs: 100, logBlocks: { a: 1_000 } })
    bench.wrong.busy['a'] = 1
    for (let pass = 0; pass < 12; pass += 1) {
      for (const budget of ['partner', 'anonymous'] as const)
        await bench.search(bench.clock.at - pass, { budget, recipient: OTHER })
      bench.pass(HALF_MINUTE)
    }
    const since = bench.clock.at - HOUR
    bench.paid.add(bench.head() - 35_000)
    expect(await follow(bench, since, 10)).toBeLessThanOrEqual(3)
    expect(bench.calls.at(-1)).toMatchObject({ isTaken: true })
  })

  it('comes to its end where the first range is too long and reaches into the newest blocks', async () => {
    const bench = searchBench({ chainId: 4663, blockMs: 100, logBlocks: { a: 1_000, b: 1_000 } })
    bench.wrong.stuck['b'] = 1_000
    const since = bench.clock.at
    let [after, end]: (number | null)[] = [null, null]
    for (let pass = 0; pass < 8; pass += 1) {
      bench.pass(HALF_MINUTE)
      ;({ reached: after, at: end } = await bench.sentBy(since, after))
    }
    expect(end).not.toBeNull()
  })

  it('reads shorter ranges of an endpoint that breaks over long ones', async () => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000 } })
    bench.wrong.breaks['a'] = 500
    const since = bench.clock.at - 6 * HOUR
    for (let pass = 0; pass < 12; pass += 1) {
      await bench.search(since).catch(() => null)
      bench.pass(HALF_MINUTE)
    }
    expect((await bench.search(since)).isWhole).toBe(true)
  })

  it('proves nothing by a lone endpoint whose newest block is of the future', async () => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000 } })
    const since = bench.clock.at - 10 * MINUTE
    bench.wrong.latest['a'] = 3_000
    expect((await bench.search(since)).isWhole).toBe(false)
    expect(await bench.sentBy(since)).toMatchObject({ reached: 0, at: null })
  })
})

describe('the search calls of one endpoint [refund-search-time]', () => {
  it('are never those of partners where anonymous requests search, and a clock that jumps renews none', async () => {
    const bench = searchBench()
    const since = bench.clock.at - 6 * HOUR
    for (let request = 0; request < 50; request += 1) {
      const found = await bench.search(since - request, { budget: 'anonymous', recipient: request === 0 ? payee : OTHER })
      expect(found.isUnfinished).toBe(true)
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

  it('are, with all that 50 searches read beside them, no more than an endpoint of HyperEVM takes', async () => {
    const bench = searchBench({ chainId: 999, blockMs: 1_000, logBlocks: { a: 50, b: 50, c: 50 } })
    const since = bench.clock.at - 6 * HOUR
    const most = publicEndpoints(999)[0]?.requestsPerMinute ?? 0
    for (let minute = 0; minute < 5; minute += 1) {
      for (let search = 0; search < 100; search += 1) {
        await bench.search(since - (search % 50))
        await bench.searchByTwo(since - (search % 50), patient())
        await bench.evidence.confirmedTime(999, patient())
        bench.pass(MINUTE / 100)
      }
      const asked = Object.groupBy(bench.asked.splice(0), ({ host }) => host)
      for (const host of ['a', 'b', 'c']) expect(asked[host]?.length).toBeLessThanOrEqual(most)
    }
  })

  it.each([
    { many: 14, rare: 1 },
    { many: 40, rare: 1 },
    { many: 200, rare: 3 },
  ])(
    'let $many searches end in as many half minutes, or $rare times as many where each asks that rarely',
    async ({ many, rare }) => {
      const bench = searchBench({ chainId: 8453, blockMs: 2_000, logBlocks: { a: 2_000 } })
      const since = bench.clock.at - 6 * HOUR
      const word = (index: number) => `0x${(index + 4_096).toString(16).padStart(40, '0')}`
      let left = Array.from({ length: many }, (_none, index) => ({ index, recipient: addressOf('evm', word(index)) }))
      await bench.search(since - 1, { recipient: OTHER })
      for (let at = 0; left.length > 0 && at < many * rare; at += 1) {
        const ended = new Set<number>()
        for (const { index, recipient } of left.filter((one) => (one.index + at) % rare === 0))
          if ((await bench.search(since, { recipient })).isWhole) ended.add(index)
        left = left.filter(({ index }) => !ended.has(index))
        bench.calls.splice(0, bench.calls.length - 60)
        expect(bench.busiestMinute()).toBeLessThanOrEqual(25)
        bench.pass(HALF_MINUTE)
      }
      expect(left).toEqual([])
    },
  )
})
