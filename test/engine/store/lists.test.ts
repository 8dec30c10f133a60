import { afterEach, describe, expect, it } from 'vitest'
import { payoutKeyOf } from '../../../engine/store/ledger.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'

/** What an operator pages through. */

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** All pages of a list, by the ids on them. */
const pagesOf = async <Id>(read: (last: Id | null) => Promise<readonly Id[]>): Promise<readonly (readonly Id[])[]> => {
  const pages: (readonly Id[])[] = []
  for (let page = await read(null); page.length > 0; page = await read(page.at(-1) ?? null)) pages.push(page)
  return pages
}

describe.each(STORES)('lists in %s', (_name, openOne) => {
  const start = async () => {
    const clock = createTestClock()
    const store = await openOne(clock)
    closers.push(() => store.close())
    // Older ones first, and of one moment by their ids.
    for (const [id, kind, later] of [
      ['p9', 'selfServe', 0],
      ['p5', 'enterprise', 1],
      ['p4', 'selfServe', 0],
      ['p1', 'selfServe', 1],
    ] as const) {
      clock.at += later
      await store.partners.add({ id, kind, feeBps: null, requestsPerMinute: null }, id === 'p5' ? null : { email: id })
    }
    return store
  }

  it('of partners have each once, oldest first, page by page, and may be of one kind', async () => {
    const { partners } = await start()
    const read = (limit: number, kind: 'selfServe' | null) => async (afterId: string | null) =>
      (await partners.list({ afterId, limit }, kind)).map(({ id }) => id)
    expect(await pagesOf(read(3, null))).toEqual([['p9', 'p4', 'p5'], ['p1']])
    expect(await pagesOf(read(1, 'selfServe'))).toEqual([['p9'], ['p4'], ['p1']])
  })

  it('of contacts have those that are kept, page by page', async () => {
    const { partners, operator } = await start()
    await partners.eraseContacts('p4')
    const read = async (afterId: string | null) =>
      (await operator.contacts({ afterId, limit: 1 })).map(({ partnerId }) => partnerId)
    expect(await pagesOf(read)).toEqual([['p9'], ['p1']])
    expect(await operator.contacts({ afterId: 'p9', limit: 9 })).toEqual([
      { partnerId: 'p1', kind: 'selfServe', contacts: { email: 'p1' } },
    ])
  })

  it('of payouts are of one partner, whatever another is called, or of all, newest first', async () => {
    const { transaction, operator, ledger } = await start()
    const line = { account: 'payer', ecosystem: 'evm', chainId: 1, token: '0xa', amount: 1n } as const
    const lines = [
      { ...line, side: 'debit' },
      { ...line, side: 'credit' },
    ] as const
    await transaction(async (parts) => {
      await parts.ledger.book({ key: 'swap:1', kind: 'fee', swapId: null, document: {}, lines })
      for (const [partnerId, number] of [
        ['p1', 1],
        ['p10', 1],
        ['p1', 2],
        ['p', 1],
      ] as const)
        await parts.ledger.book({ key: payoutKeyOf(partnerId, number), kind: 'payout', swapId: null, document: {}, lines })
    })
    const read = (partnerId: string | null) => async (last: number | null) =>
      (await operator.payouts({ beforeId: last, limit: 2 }, partnerId)).map(({ id }) => id)
    expect([await pagesOf(read('p1')), await pagesOf(read(null))]).toEqual([
      [[4, 2]],
      [
        [5, 4],
        [3, 2],
      ],
    ])
    expect((await ledger.payoutsTo('p1')).map(({ key }) => key)).toEqual(['payout:p1:1', 'payout:p1:2'])
  })
})
