import { afterEach, describe, expect, it } from 'vitest'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { BitcoinReach } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestEngine } from '../../support/testEngine.ts'

const [A, B, C] = ['11', '22', '33'].map((byte) => addressOf('evm', `0x${byte.repeat(20)}`)) as [Address, Address, Address]
const MINUTE = 60_000

/** A venue with these lists, which notes what it is asked for. */
const listing = (lists: { [chainId in ChainId]?: readonly Address[] }) => {
  const asked: ChainId[] = []
  const reach: BitcoinReach & { answer: (chainId: ChainId) => Promise<readonly Address[]> } = {
    answer: async (chainId) => lists[chainId] ?? [],
    tokens: (chainId) => {
      asked.push(chainId)
      return reach.answer(chainId)
    },
  }
  return { reach, asked, lists }
}

const start = async (venues: { readonly [id: string]: BitcoinReach | null }, venuesEnabled = Object.keys(venues)) => {
  const toys = Object.entries(venues).map(([id, bitcoinReach]) => createFakeVenue(id, { bitcoinReach }))
  const test = await createTestEngine({ venues: toys, venuesEnabled })
  const ask = async (chainId: ChainId = 1) => {
    const { isFiltered, venuesByToken } = await test.engine.bitcoinCoverage({ chainId }, test.context)
    return { isFiltered, counts: Object.fromEntries(venuesByToken) }
  }
  return { ...test, ask }
}

const fails = async () => Promise.reject(new VenueError('unavailable', 'down'))
const hangs = () => new Promise<never>(() => undefined)

afterEach(() => realTime())

describe('coverage from bitcoin', () => {
  it('counts each venue once for a token, and leaves out those that are off or do not take bitcoin [coverage-by-venue-lists]', async () => {
    const [one, two, off] = [listing({ 1: [A, B, A] }), listing({ 1: [B, C], 10: [A] }), listing({ 1: [A] })]
    const { ask } = await start({ one: one.reach, two: two.reach, none: null, off: off.reach }, ['one', 'two', 'none'])
    expect(await ask()).toEqual({ isFiltered: true, counts: { [A]: 1, [B]: 2, [C]: 1 } })
    expect(await ask(10)).toEqual({ isFiltered: true, counts: { [A]: 1 } })
    expect(off.asked).toEqual([])
  })

  it('is known to be none where the lists have nothing, and not known where there is no list [coverage-by-venue-lists]', async () => {
    const broken = listing({})
    broken.reach.answer = fails
    expect(await (await start({ empty: listing({}).reach })).ask()).toEqual({ isFiltered: true, counts: {} })
    expect(await (await start({ broken: broken.reach })).ask()).toEqual({ isFiltered: false, counts: {} })
    expect(await (await start({ none: null })).ask()).toEqual({ isFiltered: false, counts: {} })
    expect(await (await start({ broken: broken.reach, one: listing({ 1: [A] }).reach })).ask()).toEqual({
      isFiltered: true,
      counts: { [A]: 1 },
    })
  })

  it('asks nobody about Bitcoin itself', async () => {
    const one = listing({ 1: [A] })
    expect(await (await start({ one: one.reach })).ask(-1)).toEqual({ isFiltered: true, counts: {} })
    expect(one.asked).toEqual([])
  })

  it('asks a venue once for all that ask together, and again in the background when five minutes have passed', async () => {
    const one = listing({ 1: [A] })
    const { ask, clock } = await start({ one: one.reach })
    await Promise.all([ask(), ask(), ask()])
    clock.at += 4 * MINUTE
    await ask()
    expect(one.asked).toEqual([1])
    clock.at += MINUTE
    one.lists[1] = [B]
    expect((await ask()).counts).toEqual({ [A]: 1 })
    await expect.poll(async () => (await ask()).counts).toEqual({ [B]: 1 })
    expect(one.asked).toEqual([1, 1])
  })

  it('keeps an old list while the venue fails, and tries again [coverage-by-venue-lists]', async () => {
    const one = listing({ 1: [A] })
    const { ask, clock, called } = await start({ one: one.reach })
    await ask()
    const honest = one.reach.answer
    one.reach.answer = fails
    clock.at += 60 * MINUTE
    expect(await ask()).toEqual({ isFiltered: true, counts: { [A]: 1 } })
    await expect.poll(() => called('reach').map(({ outcome }) => outcome)).toEqual(['answer', 'failure'])
    one.lists[1] = [C]
    one.reach.answer = honest
    clock.at += MINUTE
    await ask()
    await expect.poll(async () => (await ask()).counts).toEqual({ [C]: 1 })
  })

  it.each([
    ['hangs', hangs],
    ['fails', fails],
  ] as const)('waits once for a list that %s, and tries it again in the background after a pause', async (_what, answer) => {
    const [one, two] = [listing({ 1: [A] }), listing({ 1: [A, B] })]
    const honest = two.reach.answer
    two.reach.answer = answer
    const { ask, clock } = await start({ one: one.reach, two: two.reach })
    const known = { isFiltered: true, counts: { [A]: 1 } }
    fakeTime()
    const first = ask()
    await advance(5_000)
    expect(await first).toEqual(known)
    // Nothing of what follows is given any time to wait.
    expect([await ask(), await ask(), two.asked]).toEqual([known, known, [1]])
    clock.at += 15_000
    expect([await ask(), await ask(), two.asked]).toEqual([known, known, [1, 1]])
    await advance(5_000)
    two.reach.answer = honest
    expect([await ask(), two.asked]).toEqual([known, [1, 1]])
    clock.at += 15_000
    expect([await ask(), two.asked]).toEqual([known, [1, 1, 1]])
    realTime()
    await expect.poll(async () => (await ask()).counts).toEqual({ [A]: 2, [B]: 1 })
  })

  it('takes no more than 5,000 tokens from one list', async () => {
    const many = Array.from({ length: 6_000 }, (_, at) => addressOf('evm', `0x${(at + 1).toString(16).padStart(40, '0')}`))
    const { counts } = await (await start({ one: listing({ 1: many }).reach })).ask()
    expect(Object.keys(counts)).toHaveLength(5_000)
  })

  it('tells of each list it asked for, under the request that asked', async () => {
    const { ask, called } = await start({ one: listing({ 1: [A] }).reach })
    await ask()
    expect(called('reach')).toMatchObject([{ venue: 'one', outcome: 'answer', requestId: expect.any(String) }])
  })
})
