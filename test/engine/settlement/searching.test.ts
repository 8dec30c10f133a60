import { describe, expect, it } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
import { hashOf, seenTransaction } from '../../support/fakeEvidence.ts'
import { advance } from '../../support/raceTime.ts'
import { fakeTimeHere } from '../../support/storeStage.ts'
import { INTERVAL, startSettlementBench } from './settlementBench.ts'

const HALF_MINUTE = 30_000

/** A paid swap that waits for its refund, on a chain whose search stops before it is whole. */
const waiting = async (change: Parameters<typeof startSettlementBench>[2] = {}) => {
  const on = await startSettlementBench('DEPOSIT', {}, change)
  const swap = await on.execute()
  on.pay(swap)
  on.says('expired')
  const budgets: unknown[] = []
  const { search } = on.chain
  let isUnfinished = true
  on.chain.search = async (query, signal) => {
    if (query.recipient !== WALLETS.evm) return search(query, signal)
    budgets.push(query.budget)
    return isUnfinished ? { hashes: [], isWhole: false, isUnfinished } : search(query, signal)
  }
  const end = () => {
    isUnfinished = false
  }
  const passes = async (count: number, expected: object) => {
    for (let i = 0; i < count; i += 1) expect(await on.pass(HALF_MINUTE)).toMatchObject(expected)
  }
  return { on, swap, budgets, end, passes }
}

describe('an unfinished search for a refund', () => {
  it('continues in a pass every half minute until it finds the refund [refund-search-continues]', async () => {
    const { on, swap, budgets, end, passes } = await waiting()
    on.giveBack(swap)
    await passes(60, { looked: 1, searching: 1, ended: 0 })
    expect(budgets).toHaveLength(60)
    end()
    await passes(1, { searching: 0, ended: 1 })
    expect(await on.stored(swap)).toBe('refunded')
  })

  it('slows down when one of two endpoints never finishes', async () => {
    const { on, budgets, end, passes } = await waiting()
    end()
    on.chain.searchByTwo = async () => ({ lists: [{ hashes: [], isWhole: false, isUnfinished: true }], isWhole: false })
    await passes(500, {})
    expect(budgets).toHaveLength(500)
    await passes(120, {})
    expect(budgets.length).toBeLessThan(510)
  })

  it('brings the next pass forward, which reads no other swap', async () => {
    const { on } = await waiting()
    await on.execute()
    fakeTimeHere()
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

  it('finds the refund within minutes behind 47 transactions that only name the address', async () => {
    const { on, swap, end, passes } = await waiting()
    on.giveBack(swap)
    end()
    const { search } = on.chain
    const naming = Array.from({ length: 47 }, (_, at) => hashOf(0xbeef00 + at))
    on.chain.put(...naming.map((hash) => seenTransaction({ chainId: 1, hash })))
    on.chain.search = async (query, signal) => {
      const { hashes, ...found } = await search(query, signal)
      return { ...found, hashes: [...hashes, ...(query.recipient === WALLETS.evm ? naming : [])] }
    }
    await passes(5, { searching: 1, ended: 0 })
    await passes(1, { searching: 0, ended: 1 })
  })

  it.each([
    ['anonymous', { caller: { tier: 'anonymous', partnerId: null, feeBps: null } }],
    ['partner', {}],
  ] as const)('spends the %s budget in a /status request of such a caller', async (budget, change) => {
    const { on, swap, budgets } = await waiting(change)
    await on.status(swap)
    expect(budgets).toEqual([budget])
  })
})
