import { afterEach, describe, expect, it } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { hashOf, seenTransaction } from '../../support/fakeEvidence.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { closeBenches, INTERVAL, startSettlementBench } from './settlementBench.ts'

afterEach(async () => {
  realTime()
  await closeBenches()
})

const HALF_MINUTE = 30_000

/** A paid swap that waits for its refund, on a chain whose search ends before it is whole. */
const waiting = async (change: Parameters<typeof startSettlementBench>[2] = {}) => {
  const on = await startSettlementBench('DEPOSIT', {}, change)
  const swap = await on.execute()
  on.pay(swap)
  on.says('expired')
  const searches: { readonly at: number; readonly budget: unknown }[] = []
  const { search } = on.chain
  let isUnfinished = true
  on.chain.search = async (query, signal) => {
    if (query.recipient !== WALLETS.evm) return search(query, signal)
    searches.push({ at: on.clock.at, budget: query.budget })
    return isUnfinished ? { hashes: [], isWhole: false, isUnfinished } : search(query, signal)
  }
  const end = () => {
    isUnfinished = false
  }
  return { on, swap, searches, end }
}

describe('a refund whose search of the chain goes on', () => {
  it('is searched for by a pass every half minute until it is found, however long that takes [refund-search-continues]', async () => {
    const { on, swap, searches, end } = await waiting()
    on.giveBack(swap)
    for (let pass = 0; pass < 60; pass += 1)
      expect(await on.pass(HALF_MINUTE)).toMatchObject({ looked: 1, searching: 1, ended: 0 })
    expect(searches).toHaveLength(60)
    end()
    expect(await on.pass(HALF_MINUTE)).toMatchObject({ searching: 0, ended: 1 })
    expect((await on.kept(swap)).status.state).toBe('refunded')
  })

  it('comes with growing pauses at last where one of two endpoints alone never ends', async () => {
    const { on, searches, end } = await waiting()
    end()
    on.chain.searchByTwo = async () => ({ lists: [{ hashes: [], isWhole: false, isUnfinished: true }], isWhole: false })
    for (let pass = 0; pass < 500; pass += 1) await on.pass(HALF_MINUTE)
    expect(searches.length).toBe(500)
    for (let pass = 0; pass < 120; pass += 1) await on.pass(HALF_MINUTE)
    expect(searches.length).toBeLessThan(510)
  })

  it('brings the next pass forward, in which no other swap is looked at', async () => {
    const { on } = await waiting()
    await on.execute()
    fakeTime()
    on.engine.settlement.start()
    for (let step = 0; step < 6; step += 1) {
      on.clock.at += HALF_MINUTE
      await advance(HALF_MINUTE)
    }
    const passes = on.reported('settlement.pass')
    expect(passes.length).toBeGreaterThanOrEqual(5)
    expect(passes.slice(1).every(({ looked }) => looked === 1)).toBe(true)
    expect(6 * HALF_MINUTE).toBeLessThan(INTERVAL)
  })

  it('is found within minutes behind transactions that only name the address', async () => {
    const { on, swap, end } = await waiting()
    on.giveBack(swap)
    end()
    const { search } = on.chain
    const naming = Array.from({ length: 47 }, (_, at) => hashOf(0xbeef00 + at))
    on.chain.put(...naming.map((hash) => seenTransaction({ chainId: 1, hash })))
    on.chain.search = async (query, signal) => {
      const { hashes, ...found } = await search(query, signal)
      const after = query.recipient === WALLETS.evm ? naming : []
      return { ...found, hashes: [...hashes, ...after] }
    }
    for (let pass = 0; pass < 5; pass += 1) expect(await on.pass(HALF_MINUTE)).toMatchObject({ searching: 1, ended: 0 })
    expect(await on.pass(HALF_MINUTE)).toMatchObject({ searching: 0, ended: 1 })
  })

  it.each([
    ['anonymous', { caller: { tier: 'anonymous', partnerId: null, feeBps: null } }],
    ['partner', {}],
  ] as const)('is searched for from the %s budget by a status request of such a caller', async (budget, change) => {
    const { on, swap, searches } = await waiting(change)
    await on.status(swap)
    expect(searches.map((one) => one.budget)).toEqual([budget])
  })
})
