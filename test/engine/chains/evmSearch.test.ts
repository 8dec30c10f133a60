import { describe, expect, it } from 'vitest'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { evidenceOver, isUnreadable, patient, refuses, resets } from './evidenceBench.ts'
import { block, node, payee, TRANSFER, timeOf, USDC, word } from './evmBench.ts'
import { hashOf, logAt } from './searchBench.ts'

const HEAD = 100_000
/** How much earlier than by our clock a chain may date its blocks. */
const APART_MS = 300_000
const paid = (height: number, { index = 0, amount = 5n } = {}) => logAt(height, index, amount)
type Filter = { address: string; topics: readonly unknown[]; fromBlock: string; toBlock: string }

/** A node that finds those logs. */
const searching = (logs: readonly ReturnType<typeof paid>[], { answers = {} as object } = {}) => {
  const windows: [number, number][] = []
  const eth_getLogs = (filter: Filter) => {
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    windows.push([from, to])
    expect(filter).toMatchObject({ address: USDC.address, topics: [TRANSFER, null, word(payee)] })
    return logs.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to)
  }
  const { evidence, clock } = evidenceOver({ a: node({ head: HEAD, eth_getLogs, ...answers }) })
  const search = (since: number, asset = USDC, least = 1n) =>
    evidence.search({ asset, recipient: payee, since: since + APART_MS, least }, patient())
  return { search, windows, clock }
}

describe('payments of a token, looked for on an EVM chain', () => {
  it('are found from the head back to the time asked for, oldest first', async () => {
    const logs = [paid(90_000), paid(96_500), paid(99_000, { index: 2 }), paid(99_000), paid(99_999)]
    const { search, windows } = searching(logs)
    expect(await search(timeOf(96_500))).toEqual({
      hashes: [hashOf(96_500), hashOf(99_000), hashOf(99_000, 2), hashOf(99_999)],
      isWhole: true,
    })
    expect(windows.map(([, to]) => to)).toEqual([100_000, 98_000])
  })

  it('are named once each, and never for transfers of nothing', async () => {
    const twice = [paid(99_000), { ...paid(99_000, { index: 1 }), transactionHash: hashOf(99_000) }, paid(99_001, { amount: 0n })]
    expect((await searching(twice).search(timeOf(98_500))).hashes).toEqual([hashOf(99_000)])
  })

  it.each([
    [5n, [99_000, 99_998, 99_999]],
    [6n, [99_002, 97_500, 97_501]],
  ])('are the latest thousand where there are more, those of at least %s last, which no others push out', async (least, ends) => {
    const logs = Array.from({ length: 1_500 }, (_none, index) => paid(98_500 + index))
    const enough = [97_500, 97_501].map((height) => paid(height, { amount: 6n }))
    const { hashes, isWhole } = await searching([...enough, ...logs]).search(timeOf(97_000), USDC, least)
    expect([hashes.length, isWhole]).toEqual([1_000, false])
    expect([hashes[0], ...hashes.slice(-2)]).toEqual(ends.map((height) => hashOf(height)))
  })

  it('are forgotten, the longest unused first, beyond 100,000 of all searches together', async () => {
    const { search, windows, clock } = searching(Array.from({ length: 1_000 }, (_none, index) => paid(99_000, { index })))
    for (let each = 0; each <= 101; each += 1) {
      await search(timeOf(98_500) + each)
      clock.at += 10_000
    }
    const { length } = windows
    await search(timeOf(98_500) + 2)
    expect(windows).toHaveLength(length)
    await search(timeOf(98_500))
    expect(windows.length).toBeGreaterThan(length)
  })

  it('are all there are on a chain that is younger than the search', async () => {
    const { search, windows } = searching([paid(3)], { answers: { head: 10 } })
    expect(await search(0)).toEqual({ hashes: [hashOf(3)], isWhole: true })
    expect(windows).toEqual([[0, 10]])
  })

  it('are as many as the node keeps', async () => {
    const pruned = (where: string) => {
      if (where === 'latest') return block(HEAD)
      return where !== 'finalized' && Number(where) < 99_000 ? refuses('history is pruned') : block(HEAD, { number: where })
    }
    const { search } = searching([paid(99_500)], { answers: { eth_getBlockByNumber: pruned } })
    expect(await search(0)).toEqual({ hashes: [hashOf(99_500)], isWhole: false })
  })

  it('cannot be found for coins, of which no chain keeps a list', async () => {
    const { search, windows } = searching([])
    expect(await search(0, nativeAsset(1))).toEqual({ hashes: [], isWhole: false })
    expect(windows).toEqual([])
  })

  it.each([
    ['breaks off', resets],
    ['looks through no logs', refuses('the method is not available')],
    ['answers null', null],
    ['answers a log that is none', [null]],
    ['names no transaction', [{ ...paid(99_000), transactionHash: null }]],
    ['names no block', [{ ...paid(99_000), blockNumber: null }]],
    ['has no amount', [{ ...paid(99_000), data: undefined }]],
  ])('are unreadable where the node %s', async (_what, eth_getLogs) => {
    expect(await isUnreadable(searching([], { answers: { eth_getLogs } }).search(timeOf(99_500)))).toBe(true)
  })
})

describe('an address of an EVM chain that was never paid', () => {
  const CLEAN = {
    eth_getBalance: '0x0',
    eth_getTransactionCount: '0x0',
    eth_getCode: '0x',
    eth_call: word(0n),
    eth_getLogs: [] as unknown,
  }
  const untouchedUntil = (answers: object = {}, asset = USDC) =>
    evidenceOver({ a: node({ head: HEAD, ...CLEAN, ...answers }) }).evidence.untouchedUntil(
      { asset, recipient: payee, since: timeOf(99_500) },
      patient(),
    )

  it('holds none, never sent anything and has no code', async () => {
    expect(await untouchedUntil()).toBe(timeOf(HEAD))
    expect(await untouchedUntil({ eth_getLogs: resets }, nativeAsset(1))).toBe(timeOf(HEAD))
    expect(await untouchedUntil({ eth_getBalance: '0x1' }, nativeAsset(1))).toBeNull()
  })

  it.each([
    ['shows a payment', { eth_getLogs: [paid(99_900)] }, null],
    ['holds some of the token', { eth_call: word(1n) }, null],
    ['shows none, either', {}, timeOf(HEAD)],
    ['keeps no logs, and the third shows none', { eth_getLogs: refuses('pruned') }, timeOf(HEAD)],
  ])('is one by two endpoints alone: where the second %s [rpc-unpaid-two-endpoints]', async (_what, second, expected) => {
    const clean = node({ head: HEAD, ...CLEAN })
    const { evidence, clock } = evidenceOver({ a: clean, b: { ...clean, ...second }, c: clean })
    clock.at = timeOf(HEAD)
    const question = { asset: USDC, recipient: payee, since: timeOf(99_500) }
    expect(await evidence.untouchedUntil(question, patient())).toBe(expected)
  })

  it.each([
    ['one of three', 1, 'abc', { eth_getTransactionCount: '0x1' }, timeOf(HEAD), [1]],
    ['one of three by a payment', 1, 'abc', { eth_getLogs: [paid(99_900)] }, timeOf(HEAD), [1]],
    ['one of two', 1, 'ab', { eth_getTransactionCount: '0x1' }, null, [1, 2]],
    ['two of three', 2, 'abc', { eth_getTransactionCount: '0x1' }, null, [3]],
  ])(
    'is held for an hour by %s, and the one that is alone is reported [rpc-unpaid-two-endpoints]',
    async (_what, liars, hosts, used, until, reported) => {
      const clean = node({ head: HEAD, ...CLEAN })
      const nodes = [...hosts].map((host, at) => [host, at < liars ? { ...clean, ...used } : clean] as const)
      const { evidence, clock, events } = evidenceOver(Object.fromEntries(nodes))
      const question = { asset: USDC, recipient: payee, since: timeOf(99_500) }
      clock.at = timeOf(HEAD)
      for (const expected of [null, until, until]) {
        expect(await evidence.untouchedUntil(question, patient())).toBe(expected)
        clock.at += expected === null ? 3_600_001 : 60_000
      }
      const contradicted = events.flatMap((event) => (event.event === 'chain.contradicted' ? [event.endpoint] : []))
      expect([...new Set(contradicted)]).toEqual(reported)
    },
  )

  it('is no token’s before the whole time since is searched', async () => {
    const clean = node({ head: HEAD, ...CLEAN })
    const many = evidenceOver({ a: clean, b: clean })
    const untouched = () => many.evidence.untouchedUntil({ asset: USDC, recipient: payee, since: timeOf(40_000) }, patient())
    expect(await untouched()).toBeNull()
    many.clock.at += 60_000
    expect(await untouched()).toBe(timeOf(HEAD))
  })

  it.each([
    ['holds some of the token', { eth_call: word(1n) }],
    ['sent a transaction, and so may have passed it on', { eth_getTransactionCount: '0x1' }],
    ['has code, and so may have passed it on', { eth_getCode: '0x60' }],
    ['was paid, and has passed it on all the same', { eth_getLogs: [paid(99_900)] }],
    ['holds what the token does not tell', { eth_call: '0x' }],
    ['holds what the token reverts on', { eth_call: refuses('execution reverted', 3) }],
  ])('is not one that %s', async (_what, answers) => {
    expect(await untouchedUntil(answers)).toBeNull()
  })

  it.each(['eth_call', 'eth_getTransactionCount', 'eth_getCode', 'eth_getLogs'])(
    'is unknown while %s cannot be asked',
    async (method) => {
      expect(await isUnreadable(untouchedUntil({ [method]: resets }))).toBe(true)
      if (method !== 'eth_call') expect(await isUnreadable(untouchedUntil({ [method]: null }))).toBe(true)
    },
  )

  it.each(['eth_call', 'eth_getTransactionCount', 'eth_getCode'])(
    'is unknown while the node that answers %s has not come as far as the one that told the head',
    async (method) => {
      const latest = CLEAN[method as keyof typeof CLEAN]
      const behind = (_of: unknown, where: unknown) => (where === 'latest' ? latest : refuses('header not found'))
      expect(await isUnreadable(untouchedUntil({ [method]: behind }))).toBe(true)
    },
  )
})
