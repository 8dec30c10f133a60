import { afterEach, describe, expect, it } from 'vitest'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { BitcoinReach } from '../../../engine/venues/venue.ts'
import { createFakeVenue, declines } from '../../support/fakeVenue.ts'
import { startEngine } from '../../support/quoteBench.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'

const [A, B, C] = ['11', '22', '33'].map((byte) => addressOf('evm', `0x${byte.repeat(20)}`)) as [Address, Address, Address]
const MINUTE = 60_000

type Lists = { [chainId in ChainId]?: readonly Address[] }

/** A venue with these lists, which records the chains that it is asked for. `answer` replaces the lists. */
const listing = (lists: Lists, answer: (() => Promise<never>) | null = null) => {
  const asked: ChainId[] = []
  const reach: BitcoinReach & { answer: typeof answer } = {
    answer,
    tokens: async (chainId) => {
      asked.push(chainId)
      return reach.answer ? reach.answer() : (lists[chainId] ?? [])
    },
  }
  return { reach, asked, lists }
}
const fails = () => declines('unavailable')(null, AbortSignal.any([]))

const start = async (venues: { readonly [id: string]: BitcoinReach | null }, venuesEnabled = Object.keys(venues)) => {
  const toys = Object.entries(venues).map(([id, bitcoinReach]) => createFakeVenue(id, { bitcoinReach }))
  const test = await startEngine(toys, { venuesEnabled })
  const coverage = async (chainId: ChainId = 1) => {
    const { isFiltered, venuesByToken } = await test.engine.bitcoinCoverage({ chainId }, test.context)
    return { isFiltered, counts: Object.fromEntries(venuesByToken) }
  }
  return { ...test, coverage }
}

afterEach(() => realTime())

describe('coverage from Bitcoin', () => {
  it('counts each enabled venue once for a token of its list, in an event of the request [coverage-by-venue-lists]', async () => {
    const [one, two, off] = [listing({ 1: [A, B, A] }), listing({ 1: [B, C], 10: [A] }), listing({ 1: [A] })]
    const lists = { one: one.reach, two: two.reach, none: null, off: off.reach }
    const { coverage, called } = await start(lists, ['one', 'two', 'none'])
    expect(await coverage()).toEqual({ isFiltered: true, counts: { [A]: 1, [B]: 2, [C]: 1 } })
    expect(called('reach')).toMatchObject(['one', 'two'].map((venue) => ({ venue, outcome: 'answer', requestId: 'req-1' })))
    expect(await coverage(10)).toEqual({ isFiltered: true, counts: { [A]: 1 } })
    expect(await coverage(-1)).toEqual({ isFiltered: true, counts: {} })
    expect([one.asked, off.asked]).toEqual([[1, 10], []])
  })

  it.each([
    ['a list without tokens', { empty: listing({}).reach }, true, {}],
    ['a list that is unavailable', { broken: listing({}, fails).reach }, false, {}],
    ['no list', { none: null }, false, {}],
    ['one of two lists', { broken: listing({}, fails).reach, one: listing({ 1: [A] }).reach }, true, { [A]: 1 }],
  ])('is filtered only by a list that is available: %s [coverage-by-venue-lists]', async (_what, venues, isFiltered, counts) => {
    expect(await (await start(venues)).coverage()).toEqual({ isFiltered, counts })
  })

  it('uses an old list while its venue fails, and calls the venue again a minute later [coverage-by-venue-lists]', async () => {
    const one = listing({ 1: [A] })
    const { coverage, clock, called } = await start({ one: one.reach })
    await coverage()
    one.reach.answer = fails
    clock.at += 60 * MINUTE
    expect(await coverage()).toEqual({ isFiltered: true, counts: { [A]: 1 } })
    await expect.poll(() => called('reach').map(({ outcome }) => outcome)).toEqual(['answer', 'failure'])
    one.lists[1] = [C]
    one.reach.answer = null
    clock.at += MINUTE
    await expect.poll(async () => (await coverage()).counts).toEqual({ [C]: 1 })
  })

  it('counts at most 5,000 tokens of one list', async () => {
    const tokens = Array.from({ length: 5_001 }, (_, i) => addressOf('evm', `0x${(i + 1).toString(16).padStart(40, '0')}`))
    expect(Object.keys((await (await start({ one: listing({ 1: tokens }).reach })).coverage()).counts)).toHaveLength(5_000)
  })

  it('waits once for a list that hangs, and reads it again in the background every 15 seconds', async () => {
    const [one, two] = [listing({ 1: [A] }), listing({ 1: [A, B] }, () => new Promise(() => undefined))]
    const { coverage, clock } = await start({ one: one.reach, two: two.reach })
    const known = { isFiltered: true, counts: { [A]: 1 } }
    fakeTime()
    const first = coverage()
    await advance(5_000)
    expect(await first).toEqual(known)
    // No faked time passes from here on: a request that waited would never end.
    expect([await coverage(), two.asked]).toEqual([known, [1]])
    two.reach.answer = null
    clock.at += 15_000
    expect([await coverage(), two.asked]).toEqual([known, [1, 1]])
    realTime()
    await expect.poll(async () => (await coverage()).counts).toEqual({ [A]: 2, [B]: 1 })
  })
})
