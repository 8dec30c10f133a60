import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { associatedTokenAddress, TOKEN_2022_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { type Answers, benchOver, never, outcome, refuses, resets } from './evidenceBench.ts'
import { le, OTHERS, OWNER, USDC } from './solanaBench.ts'

/** How much earlier than by our clock Solana may date its blocks. */
const APART_MS = 7_200_000
const [SLOT, NOW_S] = [70, 1_700_000_000]
const ATA = associatedTokenAddress(OWNER, USDC.address)
const ATA_2022 = associatedTokenAddress(OWNER, USDC.address, TOKEN_2022_PROGRAM)

const timeAt = (seconds: number) => Buffer.concat([le(500, 8), le(1, 8), le(2, 8), le(3, 8), le(seconds, 8)])
/** The account of the time that programs use. */
const clockOf = (data: unknown) => ({ context: { slot: SLOT }, value: data === null ? null : { data } })
const timeOf = (seconds: number) => clockOf([timeAt(seconds).toString('base64'), 'base64'])

const signature = (fill: number) => base58.encode(new Uint8Array(64).fill(fill))
const entry = (fill: number, rest: object = {}) => ({
  signature: signature(fill),
  slot: fill,
  err: null,
  blockTime: fill,
  ...rest,
})
type Entry = ReturnType<typeof entry>
type Lists = { readonly [account: string]: readonly Entry[] }

const nodeWith = (lists: Lists, answers: Answers = {}): Answers => ({
  getTokenAccountsByOwner: { context: { slot: SLOT }, value: [{ pubkey: OTHERS, account: {} }] },
  getSignaturesForAddress: (account: string, { limit, before }: { limit: number; before?: string }) => {
    const list = lists[account] ?? []
    const from = before === undefined ? 0 : list.findIndex((each) => each.signature === before) + 1
    return list.slice(from, from + limit)
  },
  ...{ getAccountInfo: timeOf(NOW_S), getFirstAvailableBlock: 3, getBlockTime: 1, getSlot: 900 },
  ...answers,
})
const QUERY = { asset: USDC, recipient: OWNER, since: 10_000 + APART_MS }

const over = (lists: Lists, answers: Answers = {}, asset = USDC) => {
  const { evidence, asked } = benchOver({ a: nodeWith(lists, answers) })
  return {
    search: () => outcome(evidence.search({ ...QUERY, asset }, never())),
    untouched: () => outcome(evidence.untouchedUntil({ ...QUERY, asset }, never())),
    sent: (after: number | null = null) => evidence.sentBy({ asset, sender: OWNER, since: QUERY.since, after }, never()),
    listed: () => asked.filter(({ method }) => method === 'getSignaturesForAddress').map(({ params }) => params[0]),
  }
}

describe('Solana payments: the search', () => {
  it('finds successful ones at all token accounts of the wallet, oldest first, each once', async () => {
    const own = [entry(41, { err: 'AccountNotFound' }), entry(40), entry(30, { blockTime: null }), entry(9)]
    const lists = { [OWNER]: [entry(50)], [ATA]: own, [ATA_2022]: [entry(20)], [OTHERS]: [entry(30), entry(11)] }
    const { search, listed } = over(lists)
    expect(await search()).toEqual({ hashes: [11, 20, 30, 40].map(signature), isWhole: true })
    expect(listed()).toEqual([ATA, ATA_2022, OTHERS])
  })

  it('finds lamports at the wallet too', async () => {
    const wrapped = associatedTokenAddress(OWNER, nativeAsset(-2).address)
    const { search } = over({ [OWNER]: [entry(30)], [wrapped]: [entry(40)] }, {}, nativeAsset(-2))
    expect(await search()).toMatchObject({ hashes: [30, 40].map(signature) })
  })

  it('finds one although the first endpoint is stuck, and reports that endpoint', async () => {
    const at = (seconds: number) => ({ getAccountInfo: timeOf(seconds) })
    const nodes = { a: nodeWith({}, at(1_999_990_000)), b: nodeWith({ [ATA]: [entry(40)] }, at(2_000_000_000)) }
    const { evidence, clock, lags } = benchOver(nodes)
    await evidence.search(QUERY, never())
    for (const passed of [30_000, 3_600_000]) {
      clock.at += passed
      expect((await evidence.search(QUERY, never())).hashes).toEqual([signature(40)])
    }
    expect(lags()).toEqual(['1 lags'])
  })

  const many = (count: number, last: number) => [
    ...Array.from({ length: count }, (_none, i) => entry(20 + (i % 200))),
    entry(last),
  ]
  it.each<[string, boolean, Lists, Answers?]>([
    ['goes back beyond the requested time', true, { [ATA]: many(999, 9) }],
    ['is cut off', false, { [ATA]: many(999, 20) }],
    ['is kept for a shorter time', false, {}, { getBlockTime: 11 }],
    ['is kept for an unknown time', false, {}, { getBlockTime: refuses('not available') }],
    ['has an unknown first slot', false, {}, { getFirstAvailableBlock: undefined }],
  ])('a list that %s is complete: %s', async (_what, isWhole, lists, answers) => {
    expect(await over(lists, answers).search()).toMatchObject({ isWhole })
  })

  it.each([
    ['no accounts of the wallet', { getTokenAccountsByOwner: { value: null } }],
    ['an account that is no address', { getTokenAccountsByOwner: { value: [{ pubkey: 'mine' }] } }],
    ['no list', { getSignaturesForAddress: null }],
    ['a signature that is none', { getSignaturesForAddress: [entry(30, { signature: 'x' })] }],
    ['an entry without its result', { getSignaturesForAddress: [entry(30, { err: undefined })] }],
    ['a negative slot', { getSignaturesForAddress: [entry(30, { slot: -1 })] }],
    ['a reset', { getSignaturesForAddress: resets }],
  ])('is unreadable, and the address not unpaid, where a node answers %s', async (_what, answers) => {
    const { search, untouched } = over({}, answers)
    expect([await search(), await untouched()]).toEqual(['unreachable', 'unreachable'])
  })
})

describe('Solana payments that a wallet sent', () => {
  it('are all successful ones that list it, oldest first', async () => {
    const list = [entry(40), entry(30, { err: 'Custom' }), entry(20), entry(10), entry(9)]
    const { sent, listed } = over({ [OWNER]: list })
    const transactions = [10, 20, 40].map((slot) => ({ hash: signature(slot), height: slot }))
    expect(await sent()).toEqual({ transactions, reached: 900 - 64, at: NOW_S * 1_000 })
    expect((await sent(20)).transactions).toEqual(transactions.slice(2))
    expect(new Set(listed())).toEqual(new Set([OWNER]))
  })

  it.each([
    [2_500, 2_500, NOW_S * 1_000, 3],
    [7_000, 5_000, null, 5],
  ])('are read back page by page: of %i it finds %i, complete until %j, in %i calls', async (count, found, at, calls) => {
    const list = Array.from({ length: count }, (_none, index) => {
      const slot = count - index
      const own = base58.encode(Uint8Array.from([slot >> 8, slot & 255, ...Array<number>(62).fill(1)]))
      return { ...entry(1), signature: own, slot, blockTime: 20 + slot }
    })
    const { sent, listed } = over({ [OWNER]: list })
    const { transactions, ...rest } = await sent()
    expect([transactions.length, transactions.at(-1)?.height, rest.at, listed().length]).toEqual([found, count, at, calls])
  })

  it('are unreadable where the node resets', async () => {
    expect(await outcome(over({}, { getSignaturesForAddress: resets }).sent())).toBe('unreachable')
  })
})

describe('Solana deposit address: unpaid', () => {
  const accountsBehind = { getTokenAccountsByOwner: { context: { slot: SLOT - 1 }, value: [] } }
  const refusesBehind =
    (at: 1 | 2, answer: unknown) =>
    (...params: readonly unknown[]) => {
      const { minContextSlot = 0 } = params[at] as { minContextSlot?: number }
      return minContextSlot >= SLOT ? refuses('Minimum context slot has not been reached', -32_016) : answer
    }

  it.each<[string, number | string | null, Lists, Answers?]>([
    ['no account of the wallet has a transaction', NOW_S * 1_000, {}],
    ...[OWNER, ATA, ATA_2022, OTHERS].map(
      (account) => [`${account} has one`, null, { [account]: [entry(5)] }] as [string, null, Lists],
    ),
    ['a transaction of the wallet failed', null, { [OWNER]: [entry(5, { err: 'AccountNotFound' })] }],
    ['the node keeps too short a history', null, {}, { getBlockTime: 11 }],
    ['the node that lists accounts is behind', 'unreachable', {}, accountsBehind],
    ['it refuses', 'unreachable', {}, { getTokenAccountsByOwner: refusesBehind(2, accountsBehind.getTokenAccountsByOwner) }],
    ['the node that lists transactions refuses', 'unreachable', {}, { getSignaturesForAddress: refusesBehind(1, []) }],
  ])('where %s: until %j', async (_what, expected, lists, answers) => {
    expect(await over(lists, answers).untouched()).toBe(expected)
  })
})

describe('Solana time', () => {
  it.each([
    ['whole', NOW_S * 1_000, timeOf(NOW_S)],
    ['cut', 'unreachable', clockOf([timeAt(NOW_S).subarray(0, 39).toString('base64'), 'base64'])],
    ['in another encoding', 'unreachable', clockOf([timeAt(NOW_S).toString('base64'), 'base58'])],
    ['missing', 'unreachable', clockOf(null)],
    ['parsed', 'unreachable', clockOf({ parsed: {} })],
    ['out of reach', 'unreachable', resets],
  ])('where the clock account is %s: %s', async (_what, expected, getAccountInfo) => {
    expect(await outcome(benchOver({ a: { getAccountInfo } }).evidence.confirmedTime(-2, never()))).toBe(expected)
  })
})
