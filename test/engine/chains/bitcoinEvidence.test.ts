import { describe, expect, it } from 'vitest'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Change, changed } from '../../support/venueKit/calls.ts'
import { type Answers, evidenceOver, idOf, isUnreadable, patient, resets } from './evidenceBench.ts'
import malformed from './malformed.json' with { type: 'json' }

const TXID = 'cd'.repeat(32)
const OURS = WALLETS.bitcoin
const OTHER = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'
const SECONDS = 1_700_000_000

const out = (scriptpubkey_address: string | undefined, value: unknown) => ({ scriptpubkey_address, value })
const from = (address: string | undefined, value: unknown) => ({ is_coinbase: false, prevout: out(address, value) })
const told = (rest: object = {}) => ({
  txid: TXID,
  vin: [from(OTHER, 100)],
  vout: [out(OURS, 40), out(undefined, 0), out(OTHER, 7), out(OURS, 2)],
  status: { confirmed: true, block_height: 100, block_time: SECONDS },
  ...rest,
})

const seen = (answer: unknown, answers: Answers = {}, confirmations = {}) => {
  const { evidence } = evidenceOver({ a: { [`/tx/${TXID}`]: answer, '/blocks/tip/height': 100, ...answers } }, { confirmations })
  return evidence.transaction({ chainId: -1, hash: idOf(-1, TXID) }, patient())
}
const paid = async (rest: object) => (await seen(told(rest)))?.movements.map(({ place, to, amount }) => [place, to, amount])

describe('a transaction of Bitcoin', () => {
  it("is told whole: two payments to one address are two, what has no address is nobody's [rpc-bitcoin-evidence]", async () => {
    const vout = [out(OURS, 40), out(undefined, 0), out(OURS, 40)]
    expect(await seen(told({ vout }))).toEqual({
      chainId: -1,
      hash: TXID,
      isSuccess: true,
      standing: 'confirmed',
      at: SECONDS * 1_000,
      height: 100,
      movements: [0, 2].map((index) => ({ place: `output:${index}`, token: NATIVE, from: null, to: OURS, amount: 40n })),
      call: null,
      logs: [],
      instructions: [],
      notes: [],
    })
  })

  it('shows what outputs carry that pay nobody, and nothing of scripts that do more than push', async () => {
    const carrying = (scriptpubkey: unknown) => ({ scriptpubkey, value: 0 })
    const notesOf = async (...scripts: readonly unknown[]) =>
      (await seen(told({ vout: [out(OURS, 40), ...scripts.map(carrying)] })))?.notes.map((note) => Buffer.from(note).toString())
    expect(await notesOf('6a074f55543a616263')).toEqual(['OUT:abc'])
    expect(await notesOf('6a4c074f55543a616263', '6a0161', '6a')).toEqual(['OUT:abc', 'a', ''])
    for (const script of ['76a914', '6a074f55', '6aac', '6A0161', '', 7, null, undefined])
      expect(await notesOf(script)).toEqual([])
  })

  it('paid whoever spent in it what is left over the change, as one', async () => {
    const vout = [out(OURS, 10), out(OTHER, 7), out(OURS, 60)]
    expect(await paid({ vin: [from(OURS, 50)], vout })).toEqual([
      ['output:1', OTHER, 7n],
      ['output:2', OURS, 20n],
    ])
    expect(await paid({ vin: [from(OURS, 70)], vout })).toEqual([['output:1', OTHER, 7n]])
    expect(await paid({ vin: [from(OURS, 30), from(OTHER, 9), from(OURS, 30)], vout })).toEqual([['output:2', OURS, 10n]])
  })

  it("may make new coins, which were nobody's", async () => {
    expect(await paid({ vin: [{ is_coinbase: true, prevout: null }], vout: [out(OURS, 9)] })).toEqual([['output:0', OURS, 9n]])
  })

  it('is not there before its first block', async () => {
    expect(await seen(told({ status: { confirmed: false } }))).toBeNull()
    expect(await seen(undefined)).toBeNull()
  })

  it('that one endpoint lacks is absent only when a second endpoint lacks it, too', async () => {
    const tip = { '/blocks/tip/height': 100 }
    const query = { chainId: -1, hash: idOf(-1, TXID) } as const
    const over = (answer: unknown) =>
      evidenceOver({ a: tip, b: { ...tip, [`/tx/${TXID}`]: answer } }).evidence.transaction(query, patient())
    expect(await over(told())).toMatchObject({ height: 100 })
    expect(await over(undefined)).toBeNull()
    expect(await isUnreadable(over(resets))).toBe(true)
  })

  it('counts in its first block, or as the operator says, and is final under three', async () => {
    const standing = async (tip: number, confirmations = {}) =>
      (await seen(told(), { '/blocks/tip/height': tip }, confirmations))?.standing
    expect([await standing(99), await standing(100), await standing(101), await standing(102)]).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
      'final',
    ])
    expect([await standing(100, { [-1]: 2 }), await standing(101, { [-1]: 2 })]).toEqual(['fresh', 'confirmed'])
  })

  it.each<readonly [string, unknown]>([
    ...malformed.bitcoin.map(([what, change]) => [what as string, changed(told(), change as Change)] as const),
    ['a list', [told()]],
    ['a break', resets],
  ])('is unreadable where a node answers %s', async (_what, answer) => {
    expect(await isUnreadable(seen(answer))).toBe(true)
  })

  it('is unreadable where nobody tells how far the chain is', async () => {
    for (const tip of ['"high"', undefined, -1, resets])
      expect(await isUnreadable(seen(told(), { '/blocks/tip/height': tip }))).toBe(true)
  })
})

describe('payments looked for on Bitcoin', () => {
  const id = (number: number) => number.toString(16).padStart(64, '0')
  const entry = (number: number, rest: object = {}) =>
    told({ txid: id(number), status: { confirmed: true, block_height: number, block_time: SECONDS + number * 600 }, ...rest })
  const path = (last?: number) => `/address/${OURS}/txs/chain${last === undefined ? '' : `/${id(last)}`}`
  /** `since`: by the time of the blocks, which may be two hours behind ours. */
  const search = (pages: Answers, since = SECONDS * 1_000) =>
    evidenceOver({ a: pages }).evidence.search(
      { asset: nativeAsset(-1), recipient: OURS, since: since + 2 * 3_600_000 },
      patient(),
    )

  it('are found page by page to the end, oldest first, and only those that paid', async () => {
    const own = { vin: [from(OURS, 500)] }
    const pages = { [path()]: [entry(9), entry(8, own)], [path(8)]: [entry(7)], [path(7)]: [] }
    expect(await search(pages)).toEqual({ hashes: [id(7), id(9)], isWhole: true })
  })

  it('are found to the time asked for, and two hours beyond, as far as the times of blocks may be off', async () => {
    const since = (SECONDS + 50 * 600) * 1_000
    const pages = { [path()]: [entry(60), entry(51), entry(49)], [path(49)]: [entry(50), entry(37)] }
    expect(await search(pages, since)).toEqual({ hashes: [id(50), id(51), id(60)], isWhole: true })
  })

  it('may be more than are found, ten pages back', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 30 }, (_none, page) => [path(page === 0 ? undefined : 101 - page), [entry(100 - page)]]),
    )
    const { hashes, isWhole } = await search(pages)
    expect([hashes.length, isWhole]).toEqual([10, false])
  })

  it.each([
    ['no list', { [path()]: {} }],
    ['a transaction that is none', { [path()]: [null] }],
    ['nothing', {}],
    ['a break', { [path()]: [entry(9)], [path(9)]: resets }],
  ])('are unreadable where a node answers %s', async (_what, pages) => {
    expect(await isUnreadable(search(pages))).toBe(true)
  })
})

describe('an address of Bitcoin that was never paid', () => {
  const HASH = 'ab'.repeat(32)
  const stats = (funded_txo_count: unknown) => ({ funded_txo_count })
  const nodeOf = (chain: unknown, mempool: unknown, { address = OURS as string, tip = 100, at = SECONDS } = {}) => ({
    [`/address/${OURS}`]: { address, chain_stats: chain, mempool_stats: mempool },
    '/blocks/tip/height': tip,
    [`/block-height/${tip}`]: HASH,
    [`/block/${HASH}`]: { mediantime: at },
  })
  const ask = (nodes: { [host: string]: Answers }) =>
    evidenceOver(nodes).evidence.untouchedUntil({ asset: nativeAsset(-1), recipient: OURS, since: 0 }, patient())
  const untouchedUntil = (...node: Parameters<typeof nodeOf>) => ask({ a: nodeOf(...node) })

  it('has no output in any block, and none on its way', async () => {
    expect(await untouchedUntil(stats(0), stats(0))).toBe(SECONDS * 1_000)
    expect(await untouchedUntil(stats(1), stats(0))).toBeNull()
    expect(await untouchedUntil(stats(0), stats(1))).toBeNull()
  })

  it('is so only as far as the node has come that tells of it, whatever another one tells of the time', async () => {
    const [behind, ahead] = [nodeOf(stats(0), stats(0), { tip: 90, at: SECONDS - 6_000 }), nodeOf(stats(0), stats(0))]
    expect(await ask({ a: behind, b: ahead })).toBe((SECONDS - 6_000) * 1_000)
    for (const mute of ['/blocks/tip/height', '/block-height/90', `/block/${HASH}`])
      expect(await isUnreadable(ask({ a: { ...behind, [mute]: resets }, b: ahead }))).toBe(true)
  })

  it('is not so where a second node shows a payment', async () => {
    expect(await ask({ a: nodeOf(stats(0), stats(0)), b: nodeOf(stats(1), stats(0)), c: {} })).toBeNull()
  })

  it('is found to be paid although the first endpoint is stuck, which is reported [rpc-bitcoin-evidence]', async () => {
    const page = (list: readonly object[]) => ({
      [`/address/${OURS}/txs/chain`]: list,
      [`/address/${OURS}/txs/chain/${TXID}`]: [],
    })
    const nodes: { [host: string]: Answers } = { a: { ...page([]), '/blocks/tip/height': 80 }, b: {} }
    const { evidence, clock, events } = evidenceOver(nodes)
    const query = { asset: nativeAsset(-1), recipient: OURS, since: SECONDS * 1_000 }
    const found: boolean[] = []
    for (let hour = 0; hour < 5; hour += 1) {
      nodes['b'] = { ...page([told()]), '/blocks/tip/height': 100 + 6 * hour }
      found.push((await evidence.search(query, patient())).hashes.length > 0)
      clock.at += 3_600_000
    }
    expect(found).toEqual([false, false, false, false, true])
    expect(events).toMatchObject([{ event: 'chain.lag', chainId: -1, endpoint: 1, lagging: true }])
  })

  it.each([
    [13, []],
    [5_000, []],
    [-13, [true, false]],
    [-5_000, [true, false]],
  ])(
    'is judged by right endpoints while another one shows %i blocks more: the other one lags by its times alone',
    async (more, lags) => {
      const nodes: { [host: string]: Answers } = { a: {}, b: {}, c: {} }
      const { evidence, clock, events } = evidenceOver(nodes)
      const query = { asset: nativeAsset(-1), recipient: OURS, since: 0 }
      const behindMs: number[] = []
      for (let hour = 0; hour < 8; hour += 1) {
        for (const host of 'abc') {
          const off = host === 'a' && hour < 6 ? more : 0
          nodes[host] = nodeOf(stats(0), stats(0), { tip: 10_000 + 6 * hour + off, at: clock.at / 1_000 - 3_600 + 600 * off })
        }
        await evidence.search(query, patient()).catch(() => null)
        const times = [await evidence.untouchedUntil(query, patient()), await evidence.confirmedTime(-1, patient())]
        behindMs.push(...times.map((time) => clock.at - (time ?? 0)))
        clock.at += 3_600_000
      }
      expect(behindMs.slice(1)).toEqual([behindMs[1], ...Array<number>(14).fill(3_600_000)])
      expect(events.flatMap((event) => (event.event === 'chain.lag' ? [[event.endpoint, event.lagging]] : []))).toEqual(
        lags.map((lagging) => [1, lagging]),
      )
    },
  )

  it('is unknown where a node tells of another one, or does not count, or not how far it is', async () => {
    expect(await isUnreadable(untouchedUntil(stats(0), stats(0), { address: OTHER }))).toBe(true)
    expect(await isUnreadable(untouchedUntil(null, stats(0)))).toBe(true)
    expect(await isUnreadable(untouchedUntil(stats(0), stats('0')))).toBe(true)
    const clean = nodeOf(stats(0), stats(0))
    for (const path of Object.keys(clean)) expect(await isUnreadable(ask({ a: { ...clean, [path]: undefined } }))).toBe(true)
  })
})

describe('the time that has passed for Bitcoin', () => {
  const HASH = 'ab'.repeat(32)
  const timeOf = (answers: Answers, confirmations = {}) =>
    evidenceOver({ a: { '/blocks/tip/height': 100, ...answers } }, { confirmations }).evidence.confirmedTime(-1, patient())

  it('is the median that only goes forward, of the newest block that counts', async () => {
    expect(await timeOf({ '/block-height/100': HASH, [`/block/${HASH}`]: { timestamp: 9, mediantime: SECONDS } })).toBe(
      SECONDS * 1_000,
    )
    expect(await timeOf({ '/block-height/99': HASH, [`/block/${HASH}`]: { mediantime: SECONDS } }, { [-1]: 2 })).toBe(
      SECONDS * 1_000,
    )
  })

  it('is unknown where a node has no such block, or no such time', async () => {
    expect(await isUnreadable(timeOf({}))).toBe(true)
    expect(await isUnreadable(timeOf({ '/block-height/100': HASH }))).toBe(true)
    expect(await isUnreadable(timeOf({ '/block-height/100': { hash: HASH } }))).toBe(true)
    expect(await isUnreadable(timeOf({ '/block-height/100': HASH, [`/block/${HASH}`]: { timestamp: 9 } }))).toBe(true)
  })
})
