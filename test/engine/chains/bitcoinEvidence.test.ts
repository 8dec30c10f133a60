import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Answers, benchOver, idOf, type Nodes, never, outcome, resets } from './evidenceBench.ts'

const [TXID, HASH, TIP] = ['cd'.repeat(32), 'ab'.repeat(32), '/blocks/tip/height']
const [OURS, OTHER] = [WALLETS.bitcoin, '1BoatSLRHtKNngkdXEeobR76b53LETtpyT']
const [SECONDS, HOUR] = [1_700_000_000, 3_600_000]
const BTC = nativeAsset(-1)
const QUERY = { chainId: -1, hash: idOf(-1, TXID) } as const

const out = (scriptpubkey_address: string | undefined, value: unknown) => ({ scriptpubkey_address, value })
const from = (address: string | undefined, value: unknown) => ({ is_coinbase: false, prevout: out(address, value) })
const mined = (rest: object = {}) => ({
  ...{ txid: TXID, vin: [from(OTHER, 100)], vout: [out(OURS, 40), out(undefined, 0), out(OTHER, 7), out(OURS, 2)] },
  status: { confirmed: true, block_height: 100, block_time: SECONDS },
  ...rest,
})

const seen = (answer: unknown, tip: unknown = 100, confirmations = {}) =>
  outcome(benchOver({ a: { [`/tx/${TXID}`]: answer, [TIP]: tip } }, { confirmations }).evidence.transaction(QUERY, never()))

describe('Bitcoin transaction [rpc-bitcoin-evidence]', () => {
  it('shows each payment by its output, and no payment to an output without an address', async () => {
    expect(await seen(mined({ vout: [out(OURS, 40), out(undefined, 0), out(OURS, 40)] }))).toEqual({
      ...{ chainId: -1, hash: TXID, isSuccess: true, standing: 'confirmed', at: SECONDS * 1_000, height: 100 },
      movements: [0, 2].map((index) => ({ place: `output:${index}`, token: NATIVE, from: null, to: OURS, amount: 40n })),
      ...{ call: null, logs: [], instructions: [], notes: [] },
    })
  })

  it.each<[string, readonly unknown[], readonly string[]]>([
    ['a push', ['6a074f55543a616263'], ['OUT:abc']],
    ['pushes of several outputs', ['6a4c074f55543a616263', '6a0161', '6a'], ['OUT:abc', 'a', '']],
    ['other scripts, and pushes that are cut', ['76a914', '6a074f55', '6aac', '6A0161', '', 7, null, undefined], []],
  ])('shows the data that outputs carry: %s', async (_what, scripts, notes) => {
    const vout = [out(OURS, 40), ...scripts.map((scriptpubkey) => ({ scriptpubkey, value: 0 }))]
    const shown = notes.map((note) => new Uint8Array(Buffer.from(note)))
    expect(await seen(mined({ vout }))).toMatchObject({ notes: shown })
  })

  const vout = [out(OURS, 10), out(OTHER, 7), out(OURS, 60)]
  it.each<[string, object, readonly string[]]>([
    ['the rest above their inputs, as one', { vin: [from(OURS, 50)], vout }, ['output:1 other 7', 'output:2 ours 20']],
    ['nothing that only comes back', { vin: [from(OURS, 70)], vout }, ['output:1 other 7']],
    ['the rest above several inputs', { vin: [from(OURS, 30), from(OTHER, 9), from(OURS, 30)], vout }, ['output:2 ours 10']],
    ['new coins', { vin: [{ is_coinbase: true, prevout: null }], vout: [out(OURS, 9)] }, ['output:0 ours 9']],
  ])('pays addresses that spend in it %s', async (_what, change, expected) => {
    const { movements } = (await seen(mined(change))) as SeenTransaction
    expect(movements.map(({ place, to, amount }) => `${place} ${to === OURS ? 'ours' : 'other'} ${amount}`)).toEqual(expected)
  })

  it.each<[string, string | null, unknown, number, object?]>([
    ['below the tip', 'confirmed', mined(), 99],
    ['under 1 block', 'confirmed', mined(), 100],
    ['under 3 blocks', 'final', mined(), 102],
    ['under 1 block where the operator sets 2', 'fresh', mined(), 100, { [-1]: 2 }],
    ['in no block', null, mined({ status: { confirmed: false } }), 100],
  ])('%s has the standing %j', async (_what, expected, ...given) => {
    const found = await seen(...given)
    expect(found && typeof found === 'object' ? found.standing : found).toBe(expected)
  })

  it('is absent only when a second endpoint lacks it too', async () => {
    const over = (answer: unknown) =>
      outcome(benchOver({ a: { [TIP]: 100 }, b: { [TIP]: 100, [`/tx/${TXID}`]: answer } }).evidence.transaction(QUERY, never()))
    expect(await over(mined())).toMatchObject({ height: 100 })
    expect([await over(undefined), await over(resets)]).toEqual([null, 'unreachable'])
  })

  it.each<readonly [string, unknown, unknown?]>([
    ['another transaction', mined({ txid: 'ef'.repeat(32) })],
    ['no word on its block', mined({ status: undefined })],
    ['no height', mined({ status: { confirmed: true, block_time: SECONDS } })],
    ['an output of half a satoshi', mined({ vout: [out(OURS, 0.5)] })],
    ['an output below nothing', mined({ vout: [out(OURS, -5)] })],
    ['an output in a text', mined({ vout: [out(OURS, '40')] })],
    ['an input that hides what it spends', mined({ vin: [{ is_coinbase: false, prevout: null }] })],
    ['no height of the tip', mined(), -1],
  ])('is unreadable where a node answers %s', async (_what, answer, tip) => {
    expect(await seen(answer, tip)).toBe('unreachable')
  })
})

describe('Bitcoin payments: the search', () => {
  const id = (number: number) => number.toString(16).padStart(64, '0')
  const entry = (height: number, rest: object = {}) =>
    mined({ txid: id(height), status: { confirmed: true, block_height: height, block_time: SECONDS + height * 600 }, ...rest })
  const path = (last?: number) => `/address/${OURS}/txs/chain${last === undefined ? '' : `/${id(last)}`}`
  const thirty = Object.fromEntries(
    Array.from({ length: 30 }, (_none, page) => [path(page === 0 ? undefined : 101 - page), [entry(100 - page)]]),
  )
  const own = entry(8, { vin: [from(OURS, 500)] })
  const small = entry(9, { vout: [out(OURS, 1)] })
  const pages = { [path()]: [entry(9), own], [path(8)]: [entry(7)], [path(7)]: [] }
  const times = { [path()]: [entry(60), entry(51), entry(49)], [path(49)]: [entry(50), entry(37)] }

  /** `since`: in blocks of ten minutes, by the time of the blocks, which may be two hours behind ours. */
  it.each<[string, Answers, number, readonly number[] | string, boolean?]>([
    ['reads pages, and lists payments only', pages, 0, [7, 9], true],
    ['lists payments of less than enough first', { [path()]: [small, entry(7)], [path(7)]: [] }, 0, [9, 7], true],
    ['reads two hours beyond the requested time', times, 50, [50, 51, 60], true],
    ['ends after ten pages', thirty, 0, [91, 92, 93, 94, 95, 96, 97, 98, 99, 100], false],
    ['is unreadable with a transaction that is null', { [path()]: [null] }, 0, 'unreachable'],
    ['is unreadable where a page resets', { [path()]: [entry(9)], [path(9)]: resets }, 0, 'unreachable'],
  ])('%s', async (_what, pages, since, found, isWhole) => {
    const query = { asset: BTC, recipient: OURS, since: (SECONDS + since * 600) * 1_000 + 2 * HOUR, least: 2n }
    const expected = typeof found === 'string' ? found : { hashes: found.map(id), isWhole }
    expect(await outcome(benchOver({ a: pages }).evidence.search(query, never()))).toEqual(expected)
  })

  it('finds a payment although the first endpoint is stuck, and reports that endpoint', async () => {
    const page = (list: readonly object[]) => ({ [path()]: list, [`${path()}/${TXID}`]: [] })
    const nodes: Nodes = { a: { ...page([]), [TIP]: 80 }, b: {} }
    const { evidence, clock, lags } = benchOver(nodes)
    const found: boolean[] = []
    for (let hour = 0; hour < 5; hour += 1) {
      nodes['b'] = { ...page([mined()]), [TIP]: 100 + 6 * hour }
      const { hashes } = await evidence.search({ asset: BTC, recipient: OURS, since: SECONDS * 1_000 }, never())
      found.push(hashes.length > 0)
      clock.at += HOUR
    }
    expect([found, lags()]).toEqual([[false, false, false, false, true], ['1 lags']])
  })
})

describe('Bitcoin deposit address: unpaid', () => {
  const stats = (funded_txo_count: unknown) => ({ funded_txo_count })
  const nodeOf = (
    chain: unknown = stats(0),
    mempool: unknown = stats(0),
    { address = OURS as string, tip = 100, at = SECONDS } = {},
  ) => ({
    [`/address/${OURS}`]: { address, chain_stats: chain, mempool_stats: mempool },
    [TIP]: tip,
    [`/block-height/${tip}`]: HASH,
    [`/block/${HASH}`]: { mediantime: at },
  })
  const query = { asset: BTC, recipient: OURS, since: 0 }
  const until = (nodes: Nodes) => outcome(benchOver(nodes).evidence.untouchedUntil(query, never()))
  const [clean, behind] = [nodeOf(), nodeOf(stats(0), stats(0), { tip: 90, at: SECONDS - 6_000 })]

  it.each<readonly [string, number | string | null, Nodes]>([
    ['it has no output', SECONDS * 1_000, { a: clean }],
    ['it has an output in a block', null, { a: nodeOf(stats(1)) }],
    ['it has an output in the mempool', null, { a: nodeOf(stats(0), stats(1)) }],
    ['one endpoint is behind, whose time counts', (SECONDS - 6_000) * 1_000, { a: behind, b: clean }],
    ['a second endpoint shows a payment', null, { a: clean, b: nodeOf(stats(1)), c: {} }],
    ['the endpoint shows another address', 'unreachable', { a: nodeOf(stats(0), stats(0), { address: OTHER }) }],
    ['the endpoint shows a count in a text', 'unreachable', { a: nodeOf(stats(0), stats('0')) }],
    ['the endpoint lacks the address', 'unreachable', { a: { ...clean, [`/address/${OURS}`]: undefined } }],
    ['the time of one of two resets', 'unreachable', { a: { ...behind, [`/block/${HASH}`]: resets }, b: clean }],
  ])('where %s: until %j', async (_what, expected, nodes) => {
    expect(await until(nodes)).toBe(expected)
  })

  it.each([
    [5_000, []],
    [-5_000, ['1 lags', '1 is well']],
  ])('is judged by the right endpoints while another one shows %i blocks more: %j, by its times', async (more, lagging) => {
    const nodes: Nodes = { a: {}, b: {}, c: {} }
    const { evidence, clock, lags } = benchOver(nodes)
    const behindMs: number[] = []
    for (let hour = 0; hour < 8; hour += 1) {
      for (const host of 'abc') {
        const off = host === 'a' && hour < 6 ? more : 0
        nodes[host] = nodeOf(stats(0), stats(0), { tip: 10_000 + 6 * hour + off, at: clock.at / 1_000 - 3_600 + 600 * off })
      }
      await evidence.search(query, never()).catch(() => null)
      const times = [await evidence.untouchedUntil(query, never()), await evidence.confirmedTime(-1, never())]
      behindMs.push(...times.map((time) => clock.at - (time ?? 0)))
      clock.at += HOUR
    }
    expect(behindMs.slice(1)).toEqual([behindMs[1], ...Array<number>(14).fill(HOUR)])
    expect(lags()).toEqual(lagging)
  })
})

describe('Bitcoin time', () => {
  const timed = (height: number, block: object) => ({ [`/block-height/${height}`]: HASH, [`/block/${HASH}`]: block })
  it.each<[string, number | string, Answers, object?]>([
    ['the median of the newest block', SECONDS * 1_000, timed(100, { timestamp: 9, mediantime: SECONDS })],
    ['of the newest confirmed block', SECONDS * 1_000, timed(99, { mediantime: SECONDS }), { [-1]: 2 }],
    ['unknown without its hash', 'unreachable', { '/block-height/100': HASH }],
    ['unknown without a median', 'unreachable', timed(100, { timestamp: 9 })],
  ])('is %s: %s', async (_what, expected, answers, confirmations = {}) => {
    const { evidence } = benchOver({ a: { [TIP]: 100, ...answers } }, { confirmations })
    expect(await outcome(evidence.confirmedTime(-1, never()))).toBe(expected)
  })
})
