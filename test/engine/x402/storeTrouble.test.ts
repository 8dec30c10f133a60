import { expect, it, onTestFinished } from 'vitest'
import { createMemoryStore, type MemoryStore } from '../../support/memoryStore.ts'
import { BODY, codeOf, openX402 } from '../../support/x402Stage.ts'

/** Longer than the lease of a paid call. */
const LEASE_OVER_MS = 10_001

it.each(['paidCalls.byKey', 'paidCalls.add', 'paidCalls.setSettling', 'paidCalls.setSettled', 'ledger.book'])(
  'paid call: a store failure at %s is INTERNAL; the repeated call returns the answer, charged once [x402-store-trouble]',
  async (failing) => {
    let store: MemoryStore | null = null
    const { post, sign, clock, chain, booked, close } = await openX402({
      openStore: (of) => {
        store = createMemoryStore(of)
        return store
      },
    })
    onTestFinished(close)
    const payment = await sign()
    const records = store as unknown as MemoryStore
    records.fails = (call) => call === failing
    expect(codeOf(await post(BODY, payment))).toEqual([500, 'INTERNAL'])
    records.fails = () => false
    clock.at += LEASE_OVER_MS
    expect((await post(BODY, payment)).status).toBe(200)
    expect(chain.used.size).toBe(1)
    expect((await booked()).map(({ transaction }) => transaction)).toEqual([...chain.used.values()])
  },
)
