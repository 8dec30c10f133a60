import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { type ChainId, chainOf } from '../../../engine/core/chain.ts'
import { createReadEvidence } from '../../../engine/execution/track/readEvidence.ts'
import { createSearchPause } from '../../../engine/execution/track/searchPause.ts'
import { SEARCH_PASS_MS } from '../../../engine/settlement/nextLook.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { never } from './evidenceBench.ts'
import { payee } from './evmBench.ts'
import { hashOf, searchBench } from './searchBench.ts'
import CHAINS from './searchReach.json' with { type: 'json' }

const [HALF_MINUTE, MINUTE, HOUR] = [30_000, 60_000, 3_600_000]
const OTHER = WALLETS.evmOther
const STEP = 50
type Bench = ReturnType<typeof searchBench>

const caller = { tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 0 } as const
const settlement = { requestId: 'pass', client: 'settlement', caller, observe: () => undefined, canWait: true } as const
const KEY = { caller: { ...caller, partnerId: 'p' }, canWait: undefined }

/** The minutes until settlement, or a caller with a key, finds a payment of six hours ago; infinite when `most` is not enough. */
const minutesToFind = async (bench: Bench, blockMs: number, answerMs: number, most: number, who = {}): Promise<number> => {
  fakeTime()
  bench.paid.add(bench.head() - (6 * HOUR) / blockMs + 1)
  bench.clock.answerMs = answerMs
  return follow(bench, bench.ago(6 * HOUR), most, who)
}

const follow = async (bench: Bench, since: number, most: number, who = {}): Promise<number> => {
  const { clock } = bench
  const pause = createSearchPause(clock)
  const read = createReadEvidence({ ...settlement, ...who, signal: never() })
  const find = async (signal: AbortSignal) => {
    const together = await bench.search(since, {}, signal)
    if (together.isUnfinished || together.hashes.length > 0) return together
    const { lists } = await bench.searchByTwo(since, signal)
    return { hashes: lists.flatMap(({ hashes }) => hashes), isUnfinished: lists.some(({ isUnfinished }) => isUnfinished) }
  }
  for (let at = 0; at <= most * MINUTE; at += SEARCH_PASS_MS) {
    const nextAt = clock.at + SEARCH_PASS_MS
    if (pause.turn(1) !== null) {
      let isOver = clock.answerMs === 0
      const search = read(143, find).finally(() => {
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

/** Searches again each half minute. */
const repeat = async (bench: Bench, times: number, search: (pass: number) => Promise<unknown>): Promise<void> => {
  for (let pass = 0; pass < times; pass += 1) {
    await search(pass)
    bench.pass(HALF_MINUTE)
  }
}

afterEach(realTime)

const page = readFileSync('engine/chains/RPC.md', 'utf8').split('\n')

describe('log search: a refund that is six hours old', () => {
  const count = (value: number) => value.toLocaleString('en-US')
  it.each(CHAINS.map((row) => ({ ...row, chain: chainOf(row.chainId as ChainId).name })))(
    'on $chain settlement finds it within 30 minutes by 30 calls a minute to one endpoint, the one with the shortest window [refund-search-time]',
    async ({ chain, ...facts }) => {
      const known = publicEndpoints(facts.chainId as ChainId).flatMap(({ logBlocks }) =>
        logBlocks === 0 ? [] : [logBlocks ?? 2_000],
      )
      const logBlocks = Math.min(...known)
      const measured: (number | string)[] = []
      for (const answerMs of [150, 700, 1_500]) {
        const bench = searchBench({ ...facts, logBlocks: { a: logBlocks } })
        const minutes = await minutesToFind(bench, facts.blockMs, answerMs, 60)
        expect(minutes).toBeLessThanOrEqual(30)
        expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
        measured.push(...(measured.length === 0 ? [bench.calls.length] : []), minutes)
      }
      const row = [chain, `${facts.blockMs / 1_000} s`, count((6 * HOUR) / facts.blockMs), count(logBlocks), ...measured]
      expect(page.filter((line) => line.startsWith(`| ${chain} | ${row[1]} |`))).toEqual([`| ${row.join(' | ')} |`])
    },
  )

  it.each([
    { chainId: 143, blockMs: 400 },
    { chainId: 999, blockMs: 1_000 },
  ])('on chain $chainId two endpoints alone find it where the search of all, and one of the two, hide it', async (chain) => {
    const endpoints = publicEndpoints(chain.chainId as ChainId)
    const windows = endpoints.map(({ logBlocks }, at) => ['abcd'.charAt(at), logBlocks ?? 2_000] as const)
    const minutes: number[] = []
    for (const [liar] of windows) {
      const bench = searchBench({ ...chain, logBlocks: Object.fromEntries(windows) })
      const { lies, searchByTwo } = bench
      for (const [host] of windows) lies[host] = () => []
      bench.searchByTwo = (...of) => {
        for (const [host] of windows) if (host !== liar) delete lies[host]
        return searchByTwo(...of)
      }
      minutes.push(await minutesToFind(bench, chain.blockMs, 1_500, 90))
      expect(bench.busiestMinute()).toBeLessThanOrEqual(30)
    }
    const [, written] =
      new RegExp(`on ${chainOf(chain.chainId as ChainId).name} within (\\d+) minutes`).exec(page.join(' ')) ?? []
    expect(Math.max(...minutes)).toBe(Number(written))
  })

  it.each([
    { of: 'a', blocks: 1_000, answerMs: 600, who: KEY },
    { of: 'abc', blocks: 1_000, answerMs: 600, who: KEY },
    { of: 'a', blocks: 1_000, answerMs: 1_500, who: KEY },
    { of: 'a', blocks: 10, answerMs: 600, who: KEY },
    { of: 'abc', blocks: 1_000, answerMs: 1_500, who: {} },
  ])('is found over slow endpoints ($of) that take $blocks blocks in $answerMs ms', async ({ of, blocks, answerMs, who }) => {
    const chain = blocks === 10 ? { chainId: 1, blockMs: 12_000 } : { chainId: 8453, blockMs: 2_000 }
    const bench = searchBench({ ...chain, logBlocks: Object.fromEntries([...of].map((host) => [host, blocks])) })
    expect(await minutesToFind(bench, chain.blockMs, answerMs, 30, who)).toBeLessThanOrEqual(30)
  })

  it('is found once an endpoint shows blocks as old as the search', async () => {
    const bench = searchBench()
    const since = bench.ago(6 * HOUR)
    bench.paid.add(bench.head() - 53_000)
    bench.wrong.blocks['a'] = 1_000
    await bench.search(since)
    delete bench.wrong.blocks['a']
    expect(await follow(bench, since, 60)).toBeLessThanOrEqual(60)
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
    const { length } = bench.calls
    expect(await bench.search(since)).toMatchObject({ isWhole: true })
    // The range that broke is tried as two.
    expect(bench.calls.length - length).toBe(14)
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

  it('remembers the window of an endpoint for all searches, and tries a longer one only rarely', async () => {
    const bench = searchBench({ logBlocks: { a: 120 } })
    const since = bench.ago(HOUR)
    const refusals = () => bench.calls.filter(({ isTaken }) => !isTaken).length
    await bench.search(since)
    expect(refusals()).toBe(5)
    bench.pass(MINUTE)
    await bench.search(since, { recipient: OTHER })
    expect(refusals()).toBe(5)
    await repeat(bench, 40, () => bench.search(since))
    expect(refusals()).toBeLessThanOrEqual(7)
  })

  it('uses all endpoints of its chain, each by its own window and budget', async () => {
    const bench = searchBench({ logBlocks: { a: 100, b: 500, c: 0 } })
    const since = bench.ago(2 * HOUR)
    await bench.search(since)
    bench.pass(MINUTE)
    expect((await bench.search(since)).isWhole).toBe(true)
    for (const host of ['a', 'b', 'c']) expect(bench.calls.filter((call) => call.host === host).length).toBeLessThanOrEqual(48)
    expect(bench.calls.filter(({ host, isTaken }) => host === 'b' && isTaken).length).toBeGreaterThan(20)
  })

  it.each([
    ['is a few blocks behind', { behind: { b: 5 } }],
    ['keeps only recent blocks', { keeps: { b: 3_000 } }],
  ])('costs few calls more where one of two endpoints %s', async (_what, change) => {
    const bench = searchBench({ logBlocks: { a: 500, b: 500 }, ...change })
    const since = bench.ago(6 * HOUR)
    await repeat(bench, 12, () => bench.search(since))
    expect((await bench.search(since)).isWhole).toBe(true)
    expect(bench.calls.filter(({ host, isTaken }) => host === 'b' && !isTaken).length).toBeLessThan(25)
    expect(bench.calls.filter(({ isTaken }) => isTaken).length).toBeLessThan(170)
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

  it('is due soon after our clock is set back', () => {
    const clock = { at: 10 * HOUR, now: () => clock.at }
    const pause = createSearchPause(clock)
    expect([pause.isDue(1), pause.isDue(1)]).toEqual([true, false])
    clock.at -= HALF_MINUTE
    expect([pause.isDue(1), pause.isDue(1)]).toEqual([true, false])
  })

  it('narrows the ranges of no other search where it finds too many logs, and widens its own again', async () => {
    const bench = searchBench({ chainId: 4663, blockMs: 100, logBlocks: { a: 1_000 } })
    bench.wrong.busy['a'] = 1
    for (const budget of ['partner', 'anonymous'] as const)
      await repeat(bench, 12, (pass) => bench.search(bench.ago(pass), { budget, recipient: OTHER }))
    bench.paid.add(bench.head() - 35_000)
    expect(await follow(bench, bench.ago(HOUR), 10)).toBeLessThanOrEqual(3)
    expect(bench.calls.at(-1)).toMatchObject({ isTaken: true })
  })

  it('ends where the first range is too long and reaches into the newest blocks', async () => {
    const bench = searchBench({ chainId: 4663, blockMs: 100, logBlocks: { a: 1_000, b: 1_000 } })
    bench.wrong.stuck['b'] = 1_000
    const since = bench.clock.at
    let [after, end]: (number | null)[] = [null, null]
    await repeat(bench, 9, async () => {
      ;({ reached: after, at: end } = await bench.sentBy(since, after))
    })
    expect(end).not.toBeNull()
  })

  it('reads shorter ranges of an endpoint that resets over long ones', async () => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000 } })
    bench.wrong.breaks['a'] = 500
    const since = bench.ago(6 * HOUR)
    await repeat(bench, 12, () => bench.search(since).catch(() => null))
    expect((await bench.search(since)).isWhole).toBe(true)
  })

  it('proves nothing by a lone endpoint whose newest block is of the future', async () => {
    const bench = searchBench({ ...CHAIN, logBlocks: { a: 10_000 } })
    const since = bench.ago(10 * MINUTE)
    bench.wrong.latest['a'] = 3_000
    expect((await bench.search(since)).isWhole).toBe(false)
    expect(await bench.sentBy(since)).toMatchObject({ reached: 0, at: null })
  })
})

describe('log search: the calls of one endpoint [refund-search-time]', () => {
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

  it('with all other reads of 50 searches stay within the limit of an endpoint of HyperEVM', async () => {
    const bench = searchBench({ chainId: 999, blockMs: 1_000, logBlocks: { a: 50, b: 50, c: 50 } })
    const since = bench.ago(6 * HOUR)
    const most = publicEndpoints(999)[0]?.requestsPerMinute ?? 0
    for (let minute = 0; minute < 5; minute += 1) {
      for (let search = 0; search < 100; search += 1) {
        await bench.search(since - (search % 50))
        await bench.searchByTwo(since - (search % 50), never())
        await bench.evidence.confirmedTime(999, never())
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
  ])('serve $many searches in as many half minutes, times $rare where each asks that rarely', async ({ many, rare }) => {
    const bench = searchBench({ chainId: 8453, blockMs: 2_000, logBlocks: { a: 2_000 } })
    const since = bench.ago(6 * HOUR)
    const recipientOf = (index: number) => addressOf('evm', `0x${(index + 4_096).toString(16).padStart(40, '0')}`)
    const left = new Set(Array.from({ length: many }, (_none, index) => index))
    await bench.search(since - 1, { recipient: OTHER })
    for (let at = 0; left.size > 0 && at < many * rare; at += 1) {
      for (const index of left)
        if ((index + at) % rare === 0 && (await bench.search(since, { recipient: recipientOf(index) })).isWhole)
          left.delete(index)
      bench.calls.splice(0, bench.calls.length - 60)
      expect(bench.busiestMinute()).toBeLessThanOrEqual(25)
      bench.pass(HALF_MINUTE)
    }
    expect(left.size).toBe(0)
  })
})
