import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { payoutKeyOf } from '../../../engine/store/ledger.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap, anEntry, anExecutedSwap, aPayment } from '../../support/storedSwap.ts'
import { startStore, turns, withSwaps } from '../../support/storeStage.ts'
import { START_AT } from '../../support/testEngine.ts'

/** What each store guarantees, over either database. */

it('venue keys of swaps belong to the first swap that claims them, until they expire', async () => {
  const { swapKeys, clock, ids } = await withSwaps(3)
  const [a, b, c] = ids
  const claim = (swapId: number, change: object = {}) =>
    swapKeys.claim({ venue: 'toy', kind: 'address', value: 'x', until: null, swapId, ...change })
  for (const [swapId, change, owner] of [
    [a, {}, a],
    [b, {}, a],
    [a, {}, a],
    [b, { venue: 'other' }, b],
    [b, { kind: 'orderId' }, b],
    [b, { value: 'X' }, b],
    [a, { value: 'timed', until: clock.at + 10 }, a],
  ] as const)
    expect([change, await claim(swapId, change)]).toEqual([change, owner])
  for (const [passed, swapId, owner] of [
    [9, b, a],
    [1, b, b],
    [1_000_000, c, b],
  ] as const) {
    clock.at += passed
    expect(await claim(swapId, { value: 'timed' })).toBe(owner)
  }
})

describe('swaps', () => {
  it('read back as they were added, by id and by quote and binding', async () => {
    const { swaps, clock } = await startStore()
    const wish = await aNewSwap({ isSandbox: true, partnerId: null, ref: null })
    const added = await swaps.add(wish)
    const { bindingKey: _, ...given } = wish
    const status = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }
    const events = { isFollowed: false, postingAt: null, submittedAt: null, endedAt: null, namedTx: null, createdAt: clock.at }
    expect(added).toEqual({ id: expect.any(Number), ...given, status, ...events })
    expect([await swaps.byId(added.id), await swaps.byId(added.id + 1)]).toEqual([added, null])
    const found = [swaps.find('q1', 'a|b'), swaps.find('q1', 'b|a'), swaps.find('q2', 'a|b')]
    expect(await Promise.all(found)).toEqual([added, null, null])
  })

  it('are stored once for a quote and a binding: a second add returns the first swap', async () => {
    const { swaps } = await startStore()
    const first = await swaps.add(await aNewSwap())
    const other = { ref: 'ref-2', swap: await anExecutedSwap({ venueRef: 'other' }) }
    expect([await swaps.add(await aNewSwap(other)), await swaps.ofQuote('q1')]).toEqual([first, [first]])
  })

  it('are listed by quote, newest first, and a ref is known as one of another quote', async () => {
    const { swaps } = await startStore()
    for (const bindingKey of ['1', '2', '3']) await swaps.add(await aNewSwap({ bindingKey, ref: bindingKey }))
    await swaps.add(await aNewSwap({ quoteId: 'q2' }))
    expect((await swaps.ofQuote('q1')).map(({ ref }) => ref)).toEqual(['3', '2', '1'])
    const isOther = [swaps.isOfAnotherQuote('1', 'q1'), swaps.isOfAnotherQuote('1', 'q2'), swaps.isOfAnotherQuote('x', 'q2')]
    expect(await Promise.all(isOther)).toEqual([false, true, false])
  })

  it('change one at a time: each write stores its own fields and times', async () => {
    const { swaps, ids, clock } = await withSwaps(3)
    const [id, followed, other] = ids
    const untouched = await swaps.byId(other)
    clock.at = Date.UTC(9999, 11, 31)
    await swaps.setPosting(id)
    const posted = { postingAt: clock.at, submittedAt: null, isFollowed: false, ref: 'ref-1', createdAt: START_AT }
    expect(await swaps.byId(id)).toMatchObject(posted)
    clock.at += 5
    await swaps.setSubmitted(id, 'order-1')
    expect(await swaps.byId(id)).toMatchObject({ ...posted, submittedAt: clock.at, isFollowed: true, ref: 'order-1' })
    // The largest amount of an EVM token.
    const status = statusOf('processing', { deliveredAmount: toAmount((1n << 256n) - 1n), txHash: '0xab' })
    await swaps.setStatus(followed, status, 'ref-9')
    expect(await swaps.byId(followed)).toMatchObject({ status, ref: 'ref-9', isFollowed: true, submittedAt: null })
    await swaps.setStatus(followed, statusOf('pending', { venueStatus: null }), 'ref-9')
    const bare = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }
    expect((await swaps.byId(followed))?.status).toEqual(bare)
    expect(await swaps.byId(other)).toEqual(untouched)
  })

  it('take any text of a caller or a venue', async () => {
    const { swaps } = await startStore()
    for (const [i, text] of ['', 'a\0b', '\ud800', '\u{1f4b8}', `'; DROP TABLE swaps; --`, 'x'.repeat(5_000)].entries()) {
      expect(await swaps.isOfAnotherQuote(`${text} `, 'q1')).toBe(false)
      const { id } = await swaps.add(await aNewSwap({ bindingKey: `b${i}`, ref: text }))
      await swaps.setStatus(id, statusOf('processing', { venueStatus: text, txHash: text }), text)
      expect(await swaps.isOfAnotherQuote(text, 'q2')).toBe(true)
    }
  })
})

it('a build is reserved by one owner until its release, the end of its lease, or a clock set back before its start', async () => {
  const LEASE_MS = 1_000
  const { builds, clock } = await startStore()
  const build = (owner: string, bindingKey = 'a', quoteId = 'q1') => ({ quoteId, bindingKey, owner })
  const reserve = (...wish: Parameters<typeof build>) => builds.reserve(build(...wish), LEASE_MS)
  /** Of owners that reserve at once: the one that has the build, and one that has not. */
  const race = async (...owners: readonly string[]) => {
    const reserved = await Promise.all(owners.map((owner) => reserve(owner)))
    expect(reserved.filter(Boolean)).toHaveLength(1)
    return [owners[reserved.indexOf(true)] ?? '', owners[reserved.indexOf(false)] ?? ''] as const
  }
  const [first, loser] = await race('one', 'two', 'three')
  await builds.release(build(loser))
  expect(await reserve('four')).toBe(false)
  await builds.release(build(first))
  expect([await reserve('four'), await reserve('four', 'b'), await reserve('four', 'c', 'q2')]).toEqual([true, true, true])
  expect([...(await builds.underWay('q1'))].sort()).toEqual(['a', 'b'])
  clock.at += LEASE_MS - 1
  expect([await reserve('five'), (await builds.underWay('q1')).length]).toEqual([false, 2])
  clock.at += 1
  expect(await builds.underWay('q1')).toEqual([])
  await race('six', 'seven')
  await builds.release(build('four'))
  clock.at -= LEASE_MS
  expect(await reserve('eight')).toBe(false)
  clock.at -= 1
  expect(await reserve('eight')).toBe(true)
})

describe('broadcasts', () => {
  const claim = (txHash: string) => ({ txHash, untilHeight: 300_000_000 })

  it('reserve a swap for the first transaction, which later posts join', async () => {
    const { broadcasts, ids } = await withSwaps(2)
    const first = { ...claim('tx-1'), acceptedAt: null, fate: null }
    for (const [txHash, isNew] of [
      ['tx-1', true],
      ['tx-2', false],
      ['tx-1', false],
    ] as const)
      expect(await broadcasts.claim(ids[0], claim(txHash))).toEqual({ broadcast: first, isNew })
    expect([await broadcasts.find(ids[0]), await broadcasts.find(ids[1])]).toEqual([first, null])
  })

  it('are released only for their transaction, before another post joins and before a node accepts', async () => {
    const { broadcasts, ids } = await withSwaps(3)
    const [alone, joined, accepted] = ids
    for (const id of ids) await broadcasts.claim(id, claim('tx-1'))
    await broadcasts.claim(joined, claim('tx-1'))
    await broadcasts.setAccepted(accepted, claim('tx-1'))
    expect(await broadcasts.release(alone, 'tx-2')).toBe(false)
    expect(await Promise.all(ids.map((id) => broadcasts.release(id, 'tx-1')))).toEqual([true, false, false])
    expect(await broadcasts.claim(alone, claim('tx-2'))).toMatchObject({ isNew: true })
  })

  it('record acceptance with or without a reservation, and the fate of their own transaction', async () => {
    const { broadcasts, ids, clock } = await withSwaps(2)
    await broadcasts.claim(ids[0], claim('tx-1'))
    clock.at += 5
    for (const [at, txHash] of ['tx-2', 'tx-3'].entries()) {
      await broadcasts.setAccepted(ids[at] ?? 0, claim(txHash))
      expect(await broadcasts.find(ids[at] ?? 0)).toEqual({ ...claim(txHash), acceptedAt: clock.at, fate: null })
    }
    await broadcasts.setFate(ids[0], 'tx-1', 'failed')
    expect(await broadcasts.find(ids[0])).toMatchObject({ fate: null })
    await broadcasts.setFate(ids[0], 'tx-2', 'lapsed')
    expect([await broadcasts.find(ids[0]), await broadcasts.find(ids[1])]).toMatchObject([{ fate: 'lapsed' }, { fate: null }])
  })
})

describe('a transaction', () => {
  const stored = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
    Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

  it('keeps no write of any part when its work throws, and rejects with the same error', async () => {
    const { store, ids } = await withSwaps(2)
    const [trouble, swap] = [new Error('of the work'), await aNewSwap({ bindingKey: 'a' })]
    const key = { venue: 'toy', kind: 'address', value: 'x', until: null } as const
    const build = { quoteId: 'q1', bindingKey: 'a', owner: 'one' }
    const work = async (parts: StoreParts) => {
      await parts.swaps.add(swap)
      await parts.swaps.setStatus(ids[0], statusOf('success'), null)
      await parts.builds.reserve(build, 1_000)
      await parts.payments.claim(ids[0], [aPayment(1)])
      await parts.swapKeys.claim({ ...key, swapId: ids[0] })
      throw trouble
    }
    await expect(store.transaction(work)).rejects.toBe(trouble)
    expect(await stored(store, 'a')).toEqual([false])
    expect((await store.swaps.byId(ids[0]))?.status.state).toBe('pending')
    expect(await store.builds.reserve({ ...build, owner: 'two' }, 1_000)).toBe(true)
    expect(await store.payments.ofSwap(ids[0])).toEqual([])
    expect(await store.swapKeys.claim({ ...key, swapId: ids[1] })).toBe(ids[1])
  })

  it('is neither seen nor joined by concurrent calls outside of it', async () => {
    const { store } = await startStore()
    const swap = await aNewSwap()
    const { promise, resolve } = Promise.withResolvers<void>()
    const undone = store.transaction(async (parts) => {
      await parts.swaps.add({ ...swap, bindingKey: 'a' })
      await promise
      throw new Error('undone')
    })
    const outcome = expect(undone).rejects.toThrow('undone')
    await turns(2)
    const reading = stored(store, 'a')
    const writing = store.swaps.add({ ...swap, bindingKey: 'b' })
    await turns(2)
    resolve()
    await outcome
    expect(await reading).toEqual([false])
    expect(await writing).toMatchObject({ quoteId: 'q1' })
    expect(await stored(store, 'a', 'b')).toEqual([false, true])
  })

  it('reads what concurrent transactions of two processes wrote before it', async () => {
    const { store: one, open, ids } = await withSwaps(1)
    const two = await open()
    const append = (letter: string, at: number) =>
      (at % 2 ? two : one).transaction(async ({ swaps }) => {
        const ref = (await swaps.byId(ids[0]))?.ref ?? ''
        await turns(1)
        await swaps.setSubmitted(ids[0], `${ref}${letter}`)
        if (letter === 'c') throw new Error('not c')
      })
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e', 'f'].map(append))
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true, true])
    expect([...((await one.swaps.byId(ids[0]))?.ref ?? '').slice('ref-1'.length)].sort()).toEqual(['a', 'b', 'd', 'e', 'f'])
  })
})

it('the settlement queue postpones the swap that was read, unless it changed since', async () => {
  const { settlement, ids, clock } = await withSwaps(3)
  for (const swapId of ids) await settlement.add({ swapId, isPaid: false, dueAt: START_AT })
  const [changed, read] = [await settlement.find(ids[0]), await settlement.find(ids[1])]
  clock.at += 7
  await settlement.hasten({ swapId: ids[0], isPaid: true })
  for (const swap of [changed, read]) if (swap) await settlement.reschedule(swap, START_AT + 1_000)
  const now = { venue: 'toy', isPaid: false, dueAt: START_AT, looks: 0, since: START_AT, changedAt: START_AT }
  expect(await Promise.all(ids.map((id) => settlement.find(id)))).toEqual([
    { ...now, swapId: ids[0], isPaid: true, dueAt: START_AT + 7, changedAt: START_AT + 7 },
    { ...now, swapId: ids[1], dueAt: START_AT + 1_000, looks: 1 },
    { ...now, swapId: ids[2] },
  ])
})

it('a lease is held by one holder until it ends or is released, or the clock was set back before it began', async () => {
  const { leases, clock } = await startStore()
  const take = (holder: string, name = 'x') => leases.take(name, holder, 1_000)
  expect([await take('a'), await take('b'), await take('b', 'y')]).toEqual([true, false, true])
  clock.at += 999
  expect([await take('b'), await take('a')]).toEqual([false, true])
  clock.at += 1_000
  expect(await take('b')).toBe(true)
  await leases.release('x', 'a')
  expect(await take('a')).toBe(false)
  await leases.release('x', 'b')
  expect(await take('a')).toBe(true)
  // The clocks of two holders may be six minutes apart.
  clock.at -= 360_000
  expect(await take('b')).toBe(false)
  clock.at -= 1
  expect(await take('b')).toBe(true)
})

it('token metadata is kept once for each token: the latest reading, oldest first', async () => {
  const { tokens } = await startStore()
  const known = [TOKENS.usdcEthereum, TOKENS.usdcSolana, TOKENS.daiEthereum] as const
  for (const [place, token] of known.entries()) await tokens.keep({ token, readAt: START_AT + place })
  const renamed = { ...known[0], symbol: 'Ü', name: 'x'.repeat(128), decimals: 18 }
  await tokens.keep({ token: renamed, readAt: START_AT + 3 })
  await tokens.drop(known[2])
  const [older, newer] = [
    { token: known[1], readAt: START_AT + 1 },
    { token: renamed, readAt: START_AT + 3 },
  ]
  expect([await tokens.all(9), await tokens.all(1)]).toEqual([[older, newer], [newer]])
})

/** All pages of a list, by the ids on them. */
const pagesOf = async <Id>(read: (last: Id | null) => Promise<readonly Id[]>): Promise<readonly (readonly Id[])[]> => {
  const pages: (readonly Id[])[] = []
  for (let page = await read(null); page.length > 0; page = await read(page.at(-1) ?? null)) pages.push(page)
  return pages
}

it('partners and contacts are listed oldest first, page by page, without erased contacts', async () => {
  const { partners, operator, clock } = await startStore()
  // Partners of one moment follow by id.
  for (const [id, kind, later] of [
    ['p9', 'selfServe', 0],
    ['p5', 'enterprise', 1],
    ['p4', 'selfServe', 0],
    ['p1', 'selfServe', 1],
  ] as const) {
    clock.at += later
    await partners.add({ id, kind, feeBps: null, requestsPerMinute: null }, id === 'p5' ? null : { email: id })
  }
  const list = (limit: number, kind: 'selfServe' | null) => async (afterId: string | null) =>
    (await partners.list({ afterId, limit }, kind)).map(({ id }) => id)
  expect(await pagesOf(list(3, null))).toEqual([['p9', 'p4', 'p5'], ['p1']])
  expect(await pagesOf(list(1, 'selfServe'))).toEqual([['p9'], ['p4'], ['p1']])
  await partners.eraseContacts('p4')
  const contacts = async (afterId: string | null) =>
    (await operator.contacts({ afterId, limit: 1 })).map(({ partnerId }) => partnerId)
  expect(await pagesOf(contacts)).toEqual([['p9'], ['p1']])
  const ofOne = { partnerId: 'p1', kind: 'selfServe', contacts: { email: 'p1' } }
  expect(await operator.contacts({ afterId: 'p9', limit: 9 })).toEqual([ofOne])
})

it('payouts are listed newest first, page by page, of all partners or of exactly one', async () => {
  const { transaction, operator, ledger } = await startStore()
  const keys = [payoutKeyOf('p1', 1), payoutKeyOf('p10', 1), payoutKeyOf('p1', 2), payoutKeyOf('p', 1)]
  await transaction(async (parts) => {
    await parts.ledger.book(anEntry('swap:1', 'p1'))
    for (const key of keys) await parts.ledger.book(anEntry(key, 'p1', { kind: 'payout', side: 'debit' }))
  })
  const page = async (beforeId: number | null, partnerId: string | null) =>
    (await operator.payouts({ beforeId, limit: 2 }, partnerId)).map(({ id }) => id)
  expect([await page(null, null), await page(4, null), await page(null, 'p1')]).toEqual([
    [5, 4],
    [3, 2],
    [4, 2],
  ])
  expect((await ledger.payoutsTo('p1')).map(({ key }) => key)).toEqual([keys[0], keys[2]])
})
