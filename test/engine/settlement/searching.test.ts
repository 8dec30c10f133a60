import { describe, expect, it } from 'vitest'
import { WALLETS } from '../../support/anOrder.ts'
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

  it.each([
    ['anonymous', { caller: { tier: 'anonymous', partnerId: null, feeBps: null } }],
    ['partner', {}],
  ] as const)('spends the %s budget in a /status request of such a caller', async (budget, change) => {
    const { on, swap, budgets } = await waiting(change)
    await on.status(swap)
    expect(budgets).toEqual([budget])
  })
})
