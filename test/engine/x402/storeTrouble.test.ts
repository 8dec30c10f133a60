import { afterEach, describe, expect, it } from 'vitest'
import { createMemoryStore, type MemoryStore } from '../../support/memoryStore.ts'
import { BODY, codeOf, openX402, type X402Stage } from '../../support/x402Stage.ts'

const open: X402Stage[] = []
afterEach(async () => {
  for (const stage of open.splice(0)) await stage.close()
})

/** Long enough for a hold that nobody could give up. */
const LEASE_OVER_MS = 10_001

describe('records in trouble', () => {
  it.each(['paidCalls.byKey', 'paidCalls.add', 'paidCalls.setSettling', 'paidCalls.setSettled', 'ledger.book'])(
    'at %s: the same call, repeated, has its answer, and is charged once [x402-store-trouble]',
    async (call) => {
      let store: MemoryStore | null = null
      const stage = await openX402({
        openStore: (clock) => {
          store = createMemoryStore(clock)
          return store
        },
      })
      open.push(stage)
      const { post, sign, clock, chain, booked } = stage
      const payment = await sign()
      const records = store as unknown as MemoryStore
      records.fails = (asked) => asked === call
      const first = await post(BODY, payment)
      expect(codeOf(first)).toEqual([500, 'INTERNAL'])
      records.fails = () => false
      clock.at += LEASE_OVER_MS
      const again = await post(BODY, payment)
      expect(again.status).toBe(200)
      expect(chain.used.size).toBe(1)
      expect((await booked()).map(({ transaction }) => transaction)).toEqual([...chain.used.values()])
    },
  )
})
