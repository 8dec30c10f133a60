import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { type ChainId, chainOf } from '../../../engine/core/chain.ts'
import { createReadEvidence } from '../../../engine/execution/track/readEvidence.ts'
import { createSearchPause } from '../../../engine/execution/track/searchPause.ts'
import { SEARCH_PASS_MS } from '../../../engine/settlement/nextLook.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { addressFor } from '../../support/fakeVenue.ts'
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
