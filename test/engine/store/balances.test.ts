import { afterEach, describe, expect, it } from 'vitest'
import type { NewLedgerEntry } from '../../../engine/store/ledger.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const aFee = (key: string, amount: bigint): NewLedgerEntry => {
  const line = { ecosystem: 'evm', chainId: 1, token: 'USDC', amount } as const
  const lines = [
    { account: 'payer', side: 'debit', ...line },
    { account: 'partner:p1', side: 'credit', ...line },
  ] as const
  return { key, kind: 'fee', swapId: null, document: {}, lines }
}

const PAGES = 4
const PAGE = 1_000

describe.each(STORES)('the balance of a partner in %s', (_name, openOne) => {
  const start = async (fees: number) => {
    const store = await openOne(createTestClock())
    closers.push(() => store.close())
    const book = (key: string, amount: bigint) => store.transaction(({ ledger }) => ledger.book(aFee(key, amount)))
    await store.transaction(async ({ ledger }) => {
      for (let i = 0; i < fees; i += 1) await ledger.book(aFee(`fee:${i}`, 1n))
    })
    const earned = async () => (await store.ledger.balancesOf('p1')).map((balance) => balance.earned)
    return { store, book, earned }
  }

  it('is what all entries come to, whenever and by however many it is asked', async () => {
    const { store, book, earned } = await start(3)
    expect(await Promise.all([earned(), earned()])).toEqual([[3n], [3n]])
    await book('more', 10n)
    await Promise.all([earned(), book('and more', 100n), earned()])
    expect(await Promise.all([earned(), earned()])).toEqual([[113n], [113n]])
    const undone = store.transaction(async ({ ledger }) => {
      await ledger.book(aFee('undone', 1_000n))
      expect((await ledger.balancesOf('p1'))[0]?.earned).toBe(1_113n)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await earned()).toEqual([113n])
    await book('the last', 10_000n)
    expect(await earned()).toEqual([10_113n])
  })

  it('of very many swaps takes nobody else their turn, and is read from its start once', { timeout: 60_000 }, async () => {
    const { earned } = await start(PAGES * PAGE)
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const startedAt = performance.now()
    expect(await earned()).toEqual([BigInt(PAGES * PAGE)])
    isOver = true
    const firstMs = performance.now() - startedAt
    expect(turns).toBeGreaterThanOrEqual(PAGES)
    const again = performance.now()
    for (let i = 0; i < 10; i += 1) await earned()
    expect((performance.now() - again) / 10).toBeLessThan(firstMs / 2)
  })
})
