import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { payoutKeyOf } from '../../../engine/store/ledger.ts'
import type { NewPartnerEvent } from '../../../engine/store/partnerEvents.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { anEvent } from '../../support/hookStage.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap, anEntry, anExecutedSwap, aPayment, idOf } from '../../support/storedSwap.ts'
import { startStore, turns, withSwaps } from '../../support/storeStage.ts'
import { START_AT } from '../../support/testEngine.ts'

/** What each store guarantees, over either database. */

describe('swaps', () => {
  it('read back as they were added, by id and by quote and binding; a second add returns the first swap', async () => {
    const { swaps, clock } = await startStore()
    const wish = await aNewSwap({ isSandbox: true, partnerId: null, ref: null })
    const added = await swaps.add(wish)
    const { bindingKey: _, ...given } = wish
    const status = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }
    const events = { isFollowed: false, postingAt: null, submittedAt: null, endedAt: null, namedTx: null, createdAt: clock.at }
    expect(added).toEqual({ id: expect.any(Number), ...given, status, ...events })
    expect(await swaps.add(await aNewSwap({ ref: 'ref-2', swap: await anExecutedSwap({ venueRef: 'other' }) }))).toEqual(added)
    expect([await swaps.byId(added.id), await swaps.byId(added.id + 1)]).toEqual([added, null])
    const found = [swaps.find('q1', 'a|b'), swaps.find('q1', 'b|a'), swaps.find('q2', 'a|b')]
    expect(await Promise.all(found)).toEqual([added, null, null])
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

it('a build is released by its owner only, and is free after its lease or a clock set back before its start', async () => {
  const LEASE_MS = 1_000
  const { builds, clock } = await startStore()
  const build = (owner: string, bindingKey = 'a') => ({ quoteId: 'q1', bindingKey, owner })
  const reserve = (...wish: Parameters<typeof build>) => builds.reserve(build(...wish), LEASE_MS)
  expect(await reserve('one')).toBe(true)
  await builds.release(build('two'))
  expect([await reserve('two'), await reserve('two', 'b')]).toEqual([false, true])
  await builds.release(build('one'))
  expect([await builds.underWay('q1'), await builds.underWay('q2')]).toEqual([['b'], []])
  expect(await reserve('two')).toBe(true)
  clock.at += LEASE_MS - 1
  expect([await reserve('three'), (await builds.underWay('q1')).length]).toEqual([false, 2])
  clock.at += 1
  expect([await builds.underWay('q1'), await reserve('three')]).toEqual([[], true])
  clock.at -= LEASE_MS
  expect(await reserve('four')).toBe(false)
  clock.at -= 1
  expect(await reserve('four')).toBe(true)
})

it('the broadcast of a swap is released only for its transaction, before another post joins and before a node accepts', async () => {
  const { broadcasts, ids, clock } = await withSwaps(3)
  const [alone, joined, accepted] = ids
  const claim = (txHash: string) => ({ txHash, untilHeight: txHash === 'tx-1' ? 300_000_000 : 1 })
  const first = { ...claim('tx-1'), acceptedAt: null, fate: null }
  for (const id of ids) expect(await broadcasts.claim(id, claim('tx-1'))).toEqual({ broadcast: first, isNew: true })
  for (const id of [alone, joined]) expect(await broadcasts.claim(id, claim('tx-2'))).toEqual({ broadcast: first, isNew: false })
  expect(await broadcasts.claim(joined, claim('tx-1'))).toMatchObject({ isNew: false })
  await broadcasts.setAccepted(accepted, claim('tx-1'))
  expect(await broadcasts.release(alone, 'tx-2')).toBe(false)
  expect(await Promise.all(ids.map((id) => broadcasts.release(id, 'tx-1')))).toEqual([true, false, false])
  expect(await broadcasts.find(alone)).toBeNull()
  // A node may accept one whose reservation is gone, or another one.
  for (const id of [alone, joined]) await broadcasts.setAccepted(id, claim('tx-2'))
  await broadcasts.setFate(accepted, 'tx-1', 'lapsed')
  await broadcasts.setFate(accepted, 'tx-2', 'failed')
  const kept = (txHash: string, fate: string | null) => ({ ...claim(txHash), acceptedAt: clock.at, fate })
  const found = await Promise.all(ids.map((id) => broadcasts.find(id)))
  expect(found).toEqual([kept('tx-2', null), kept('tx-2', null), kept('tx-1', 'lapsed')])
})

describe('a transaction', () => {
  const stored = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
    Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

  it('is neither seen nor joined by concurrent calls, and keeps no write of any part when its work throws', async () => {
    const { store, ids } = await withSwaps(2)
    const [trouble, swap] = [new Error('of the work'), await aNewSwap({ bindingKey: 'a' })]
    const key = { venue: 'toy', kind: 'address', value: 'x', until: null } as const
    const build = { quoteId: 'q1', bindingKey: 'a', owner: 'one' }
    const [isWritten, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const undone = store.transaction(async (parts) => {
      await parts.swaps.add(swap)
      await parts.swaps.setStatus(ids[0], statusOf('success'), null)
      await parts.builds.reserve(build, 1_000)
      await parts.payments.claim(ids[0], [aPayment(1)])
      await parts.swapKeys.claim({ ...key, swapId: ids[0] })
      await parts.ledger.book(anEntry('e1', 'p1'))
      isWritten.resolve()
      await end.promise
      throw trouble
    })
    const outcome = expect(undone).rejects.toBe(trouble)
    await isWritten.promise
    const [reading, writing] = [stored(store, 'a'), store.swaps.add({ ...swap, bindingKey: 'b' })]
    await turns(2)
    end.resolve()
    await outcome
    expect([await reading, (await writing).quoteId]).toEqual([[false], 'q1'])
    expect([await stored(store, 'a', 'b'), (await store.swaps.byId(ids[0]))?.status.state]).toEqual([[false, true], 'pending'])
    expect(await store.builds.reserve({ ...build, owner: 'two' }, 1_000)).toBe(true)
    expect([await store.payments.ofSwap(ids[0]), await store.ledger.balancesOf('p1')]).toEqual([[], []])
    expect(await store.swapKeys.claim({ ...key, swapId: ids[1] })).toBe(ids[1])
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
  const older = { token: known[1], readAt: START_AT + 1 }
  const newer = { token: renamed, readAt: START_AT + 3 }
  expect([await tokens.all(9), await tokens.all(1)]).toEqual([[older, newer], [newer]])
})

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
  const list = async (limit: number, kind: 'selfServe' | null, afterId: string | null) =>
    (await partners.list({ afterId, limit }, kind)).map(({ id }) => id)
  expect([await list(3, null, null), await list(3, null, 'p5')]).toEqual([['p9', 'p4', 'p5'], ['p1']])
  expect([await list(1, 'selfServe', 'p9'), await list(9, 'selfServe', 'p4')]).toEqual([['p4'], ['p1']])
  await partners.eraseContacts('p4')
  const [first, ...others] = await operator.contacts({ afterId: null, limit: 1 })
  expect([first?.partnerId, others]).toEqual(['p9', []])
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
  expect(await page(null, null)).toEqual([5, 4])
  expect(await page(4, null)).toEqual([3, 2])
  expect(await page(null, 'p1')).toEqual([4, 2])
  expect((await ledger.payoutsTo('p1')).map(({ key }) => key)).toEqual([keys[0], keys[2]])
})

const elsewhere = { chainId: 1, txHash: idOf('e9') } as const

describe('recorded payments', () => {
  it('read back whole, of their swap, in the order of their claims', async () => {
    const { payments, ids } = await withSwaps(2)
    const coins = { chainId: -1, txHash: idOf('b2', -1), token: NATIVE, recipient: WALLETS.bitcoin, place: 'output:1' } as const
    const all = [
      aPayment(1, { kind: 'input', orderId: 'order-1', paidAt: Date.UTC(9999, 11, 31), isFinal: true }),
      aPayment(2, { amount: (1n << 256n) - 1n }),
      aPayment(3, { kind: 'refund', amount: null }),
      aPayment(0, { kind: 'extra', ...coins }),
    ]
    for (const payment of all) expect(await payments.claim(ids[0], [payment])).toBe(true)
    expect([await payments.ofSwap(ids[0]), await payments.ofSwap(ids[1])]).toEqual([all, []])
  })

  it('stay as they were first claimed, and belong to one swap: a claim of several records all or none', async () => {
    const { payments, ids } = await withSwaps(2)
    const [a, b] = ids
    for (const [swapId, claimed, isClaimed] of [
      [a, [aPayment(2)], true],
      [a, [aPayment(2, { amount: 9n }), aPayment(5)], true],
      [b, [aPayment(1), aPayment(2), aPayment(3)], false],
      [b, [aPayment(1), aPayment(3)], true],
      [b, [aPayment(4), aPayment(2)], false],
      // The same place of another chain is another payment.
      [b, [aPayment(2, { chainId: 10 })], true],
      [a, [aPayment(2, { chainId: 10 })], false],
    ] as const)
      expect(await payments.claim(swapId, claimed)).toBe(isClaimed)
    // A defect of a statement is no failure of the store, which a caller would repeat.
    const broken = payments.claim(a, [aPayment(6), aPayment(7, { place: null as never })])
    await expect(broken).rejects.not.toBeInstanceOf(StoreError)
    expect(await payments.ofSwap(a)).toEqual([aPayment(2), aPayment(5)])
    expect(await payments.ofSwap(b)).toEqual([aPayment(1), aPayment(3), aPayment(2, { chainId: 10 })])
    expect(await payments.takenFrom(a, { chainId: 10, txHash: idOf('a1') }, 'block:0/')).toMatchObject([{ swapId: b }])
  })

  it('belong to one of several swaps that claim them at once', async () => {
    const { payments, ids } = await withSwaps(3)
    const claimed = await Promise.all(ids.map((swapId) => payments.claim(swapId, [aPayment(1)])))
    expect(claimed.filter(Boolean)).toHaveLength(1)
    expect(await payments.ofSwap(ids[claimed.indexOf(true)] ?? 0)).toEqual([aPayment(1)])
  })

  it('of a transaction are listed as far as they belong to other swaps', async () => {
    const { payments, ids } = await withSwaps(3)
    const [a, b, c] = ids
    await payments.claim(a, [aPayment(1), aPayment(2)])
    await payments.claim(b, [aPayment(3, { recipient: WALLETS.evmOther }), aPayment(4, { chainId: 10 })])
    const taken = (swapId: number, log: number, recipient: string = WALLETS.evm) => {
      const { place, token } = aPayment(log)
      return { swapId, place, token, recipient }
    }
    const ofB = taken(b, 3, WALLETS.evmOther)
    expect(await payments.takenFrom(c, aPayment(9), 'block:0/')).toEqual([taken(a, 1), taken(a, 2), ofB])
    expect(await payments.takenFrom(a, aPayment(9), 'block:0/')).toEqual([ofB])
    expect(await payments.takenFrom(c, elsewhere, 'block:0/')).toEqual([])
  })

  it('under a place are listed by bytes, whatever the collation, and of other swaps only', async () => {
    const { payments, ids } = await withSwaps(2)
    for (const place of ['block:7/balance:x', 'block:70/a', 'block:8/b', 'block:7/', 'Block:7/c', 'BLOCK:7/D'])
      await payments.claim(ids[0], [aPayment(1, { txHash: idOf(place.includes('8') ? 'd4' : 'd5'), place })])
    const places = async (swapId: number, prefix: string) =>
      (await payments.takenFrom(swapId, elsewhere, prefix)).map(({ place }) => place).sort()
    expect(await places(ids[1], 'block:7/')).toEqual(['block:7/', 'block:7/balance:x'])
    expect([await places(ids[1], 'block:9/'), await places(ids[0], 'block:7/')]).toEqual([[], []])
  })

  it('of a transaction become final, or are dropped and free again, for one swap', async () => {
    const { payments, ids } = await withSwaps(2)
    const [a, b] = ids
    const later = aPayment(1, { txHash: idOf('c3'), place: 'c3' })
    const elsewhereToo = aPayment(2, { chainId: 10 })
    await payments.claim(a, [aPayment(1), aPayment(2), later, elsewhereToo])
    await payments.claim(b, [aPayment(3)])
    await payments.setFinal(a, aPayment(1))
    expect((await payments.ofSwap(a)).map(({ isFinal }) => isFinal)).toEqual([true, true, false, false])
    expect(await payments.ofSwap(b)).toEqual([aPayment(3)])
    await payments.drop(a, aPayment(1))
    expect([await payments.ofSwap(a), await payments.ofSwap(b)]).toEqual([[later, elsewhereToo], [aPayment(3)]])
    expect(await payments.claim(b, [aPayment(1)])).toBe(true)
  })
})

const withFeeds = async () => {
  const stage = await startStore()
  const { partners, partnerEvents } = stage
  for (const id of ['p1', 'p2']) await partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const add = (partnerId = 'p1', change: Partial<NewPartnerEvent> = {}) => partnerEvents.add(anEvent(partnerId, change))
  const placesOf = async (partnerId: string, afterPlace = 0) =>
    (await partnerEvents.ofPartner(partnerId, { afterPlace, limit: 100 })).map(({ place }) => place)
  return { ...stage, add, placesOf }
}

describe('the feed of a partner', () => {
  it('numbers its events one by one, apart from other feeds, undone transactions and deleted events, and keeps due events [store-feed-without-gaps]', async () => {
    const { store, partnerEvents, clock, add, placesOf } = await withFeeds()
    const undone = store.transaction(async ({ partnerEvents: within }) => {
      await within.add(anEvent('p1'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await add('p1', { delivery: 'none' })
    for (const partnerId of ['p2', 'p1']) await add(partnerId)
    clock.at += 1
    await add('p1', { delivery: 'none' })
    expect([await placesOf('p1'), await placesOf('p2'), await placesOf('p1', 2)]).toEqual([[1, 2, 3], [1], [3]])
    expect(await partnerEvents.deleteBefore(clock.at)).toBe(1)
    await add()
    expect(await placesOf('p1')).toEqual([2, 3, 4])
  })

  it('shows no event before one that was read already, when writes overlap [store-feed-without-gaps]', async () => {
    const { store, add, placesOf } = await withFeeds()
    const [end, isAdded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = store.transaction(async ({ partnerEvents }) => {
      await partnerEvents.add(anEvent('p1'))
      isAdded.resolve()
      await end.promise
    })
    await isAdded.promise
    let over = 0
    const quick = [store.transaction(({ partnerEvents }) => partnerEvents.add(anEvent('p1'))), add()]
    const seen = quick.map((writing) =>
      writing.then(() => {
        over += 1
        return placesOf('p1')
      }),
    )
    // In SQLite a transaction delays all other calls.
    if (isOverPostgres()) for (let i = 0; i < 30; i += 1) expect(await placesOf('p1')).toEqual([])
    if (isOverPostgres()) await add('p2')
    await turns(50)
    // If a quick one were stored first, its reader would never see the slow one.
    expect(over).toBe(0)
    end.resolve()
    await slow
    for (const places of await Promise.all(seen)) expect(places.slice(0, 2)).toEqual([1, 2])
    expect(await placesOf('p1')).toEqual([1, 2, 3])
  })
})

it('due deliveries are listed by partner, longest waiting first, and by place', async () => {
  const { partnerEvents, add } = await withFeeds()
  await add('p2', { delivery: 'none' })
  for (const partnerId of ['p2', 'p1', 'p2']) await add(partnerId)
  expect([await partnerEvents.partnersDue(9), await partnerEvents.partnersDue(1)]).toEqual([['p2', 'p1'], ['p2']])
  expect((await partnerEvents.nextDue('p2'))?.place).toBe(2)
})
