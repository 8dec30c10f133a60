import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { payoutKeyOf } from '../../../engine/store/ledger.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap, anExecutedSwap, aPayment } from '../../support/storedSwap.ts'
import { startStore, turns, withSwaps } from '../../support/storeStage.ts'
import { START_AT } from '../../support/testEngine.ts'

/** What each store guarantees, over either database. */

describe('venue keys of swaps', () => {
  it('belong to the first swap that claims them, until they expire', async () => {
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
})

describe('swaps', () => {
  it('read back as they were added, by id and by quote and binding', async () => {
    const { swaps, clock } = await startStore()
    const wish = await aNewSwap({ isSandbox: true, partnerId: null, ref: null })
    const added = await swaps.add(wish)
    const given = {
      quoteId: 'q1',
      partnerId: null,
      feeOf: 'partner',
      executedBy: 'partner',
      requestId: 'req-1',
      tokenKey: 'key-01',
    }
    const status = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }
    const events = { isFollowed: false, postingAt: null, submittedAt: null, endedAt: null, namedTx: null, createdAt: clock.at }
    const id = expect.any(Number)
    expect(added).toEqual({ id, ...given, isSandbox: true, ref: null, swap: wish.swap, status, ...events })
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
    expect(await swaps.ofQuote('none')).toEqual([])
    const isOther = [swaps.isOfAnotherQuote('1', 'q1'), swaps.isOfAnotherQuote('1', 'q2'), swaps.isOfAnotherQuote('x', 'q2')]
    expect(await Promise.all(isOther)).toEqual([false, true, false])
  })

  it('change one at a time: each write stores its own fields and times', async () => {
    const { swaps, ids, clock } = await withSwaps(3)
    const [id, followed, other] = ids
    const untouched = await swaps.byId(other)
    clock.at = Date.UTC(9999, 11, 31)
    await swaps.setPosting(id)
    const posted = { postingAt: 253_402_214_400_000, submittedAt: null, isFollowed: false, ref: 'ref-1', createdAt: START_AT }
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

  it('keep the time of their first end', async () => {
    const { swaps, clock } = await startStore()
    const { id } = await swaps.add(await aNewSwap())
    for (const [state, hasEnded] of [
      ['processing', false],
      ['expired', false],
      ['failed', true],
      ['processing', true],
      ['success', true],
    ] as const) {
      clock.at += 5
      await swaps.setStatus(id, statusOf(state), 'ref-1')
      expect((await swaps.byId(id))?.endedAt).toBe(hasEnded ? START_AT + 15 : null)
    }
  })

  it('take any text of a caller or a venue', async () => {
    const { swaps } = await startStore()
    const texts = ['', '\0', 'a\0b', '\ud800', '\u{1f4b8}', `'; DROP TABLE swaps; --`, '\uffff', '\\x00', 'x'.repeat(5_000)]
    for (const [i, text] of texts.entries()) {
      expect(await swaps.isOfAnotherQuote(`${text} `, 'q1')).toBe(false)
      const { id } = await swaps.add(await aNewSwap({ bindingKey: `b${i}`, ref: text }))
      await swaps.setStatus(id, statusOf('processing', { venueStatus: text, txHash: text }), text)
      expect(await swaps.isOfAnotherQuote(text, 'q2')).toBe(true)
    }
    expect(await swaps.ofQuote('q1')).toHaveLength(texts.length)
  })
})

describe('builds', () => {
  const LEASE_MS = 1_000
  const start = async () => {
    const { builds, clock } = await startStore()
    const build = (owner: string, bindingKey = 'a', quoteId = 'q1') => ({ quoteId, bindingKey, owner })
    const reserve = (...wish: Parameters<typeof build>) => builds.reserve(build(...wish), LEASE_MS)
    /** Reserves for several owners at once, and returns the ones that have it and have it not. */
    const race = async (...owners: readonly string[]) => {
      const reserved = await Promise.all(owners.map((owner) => reserve(owner)))
      return Map.groupBy(owners, (_owner, at) => reserved[at])
    }
    return { builds, clock, build, reserve, race }
  }

  it('are reserved by one owner until that owner releases them', async () => {
    const { builds, build, reserve, race } = await start()
    const result = await race('one', 'two', 'three')
    expect(result.get(true)).toHaveLength(1)
    await builds.release(build(result.get(false)?.[0] ?? ''))
    expect(await reserve('four')).toBe(false)
    await builds.release(build(result.get(true)?.[0] ?? ''))
    expect(await reserve('four')).toBe(true)
    expect([await reserve('two', 'b'), await reserve('two', 'c', 'q2')]).toEqual([true, true])
    expect([...(await builds.underWay('q1'))].sort()).toEqual(['a', 'b'])
    await builds.release(build('four'))
    expect(await builds.underWay('q1')).toEqual(['b'])
  })

  it('are free when the lease ends, or when the clock was set back before it began', async () => {
    const { builds, clock, build, reserve, race } = await start()
    await reserve('one')
    clock.at += LEASE_MS - 1
    expect([await reserve('two'), await builds.underWay('q1')]).toEqual([false, ['a']])
    clock.at += 1
    expect(await builds.underWay('q1')).toEqual([])
    expect((await race('two', 'three')).get(true)).toHaveLength(1)
    await builds.release(build('one'))
    expect(await reserve('four')).toBe(false)
    clock.at -= LEASE_MS
    expect(await reserve('four')).toBe(false)
    clock.at -= 1
    expect(await reserve('four')).toBe(true)
  })
})

describe('broadcasts', () => {
  const claim = (txHash: string) => ({ txHash, untilHeight: 300_000_000 })

  it('reserve a swap for the first transaction, which later posts join', async () => {
    const { broadcasts, ids } = await withSwaps(2)
    expect(await broadcasts.find(ids[0])).toBeNull()
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
    expect(await broadcasts.find(alone)).toBeNull()
    expect(await broadcasts.claim(alone, claim('tx-2'))).toMatchObject({ isNew: true })
  })

  it('record acceptance with or without a reservation, and the fate of their own transaction', async () => {
    const { broadcasts, ids, clock } = await withSwaps(2)
    await broadcasts.claim(ids[0], claim('tx-1'))
    clock.at += 5
    await broadcasts.setAccepted(ids[0], claim('tx-2'))
    await broadcasts.setAccepted(ids[1], claim('tx-3'))
    for (const [at, txHash] of ['tx-2', 'tx-3'].entries())
      expect(await broadcasts.find(ids[at] ?? 0)).toEqual({ ...claim(txHash), acceptedAt: clock.at, fate: null })
    await broadcasts.setFate(ids[0], 'tx-1', 'failed')
    expect(await broadcasts.find(ids[0])).toMatchObject({ fate: null })
    await broadcasts.setFate(ids[0], 'tx-2', 'lapsed')
    expect([await broadcasts.find(ids[0]), await broadcasts.find(ids[1])]).toMatchObject([{ fate: 'lapsed' }, { fate: null }])
  })
})

describe('a transaction', () => {
  const keptIn = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
    Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

  it('keeps the writes of all its parts, and returns the result of its work', async () => {
    const { store } = await startStore()
    const swap = await aNewSwap()
    const id = await store.transaction(async (parts) => {
      const { id } = await parts.swaps.add(swap)
      await parts.swaps.setSubmitted(id, 'order-1')
      await parts.broadcasts.claim(id, { txHash: 'tx-1', untilHeight: 1 })
      expect(await parts.swaps.byId(id)).toMatchObject({ ref: 'order-1' })
      return id
    })
    expect(await store.swaps.byId(id)).toMatchObject({ ref: 'order-1' })
    expect(await store.broadcasts.find(id)).toMatchObject({ txHash: 'tx-1' })
  })

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
    expect(await keptIn(store, 'a')).toEqual([false])
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
    const reading = keptIn(store, 'a')
    const writing = store.swaps.add({ ...swap, bindingKey: 'b' })
    await turns(2)
    resolve()
    await outcome
    expect(await reading).toEqual([false])
    expect(await writing).toMatchObject({ quoteId: 'q1' })
    expect(await keptIn(store, 'a', 'b')).toEqual([false, true])
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

  it('rejects statements after its end', async () => {
    const { store } = await startStore()
    const { swaps } = await store.transaction(async (parts) => parts)
    await expect(swaps.add(await aNewSwap({ bindingKey: 'a' }))).rejects.toThrow()
    expect(await keptIn(store, 'a')).toEqual([false])
  })
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

describe('the settlement queue', () => {
  const due = (isPaid: boolean, after: { dueAt: number; swapId: number } | null = null) =>
    ({ venue: 'toy', isPaid, dueBy: START_AT + 10, after, limit: 2 }) as const
  /** Limits that bring nothing forward by themselves. */
  const never = { since: Number.MAX_SAFE_INTEGER, latest: 0 }

  it('pages through the due swaps of a venue by time, then by id', async () => {
    const { settlement, ids } = await withSwaps(4)
    const times = [START_AT + 5, START_AT, START_AT, START_AT + 11]
    for (const [index, swapId] of ids.entries()) await settlement.add({ swapId, isPaid: false, dueAt: times[index] ?? 0 })
    const first = await settlement.due(due(false))
    expect(first.map(({ swapId }) => swapId)).toEqual([ids[1], ids[2]])
    expect((await settlement.due(due(false, first[1]))).map(({ swapId }) => swapId)).toEqual([ids[0]])
    expect([await settlement.due(due(true)), await settlement.due({ ...due(false), venue: 'other' })]).toEqual([[], []])
    expect(await settlement.lengths()).toEqual([{ venue: 'toy', open: 4, oldestSince: START_AT }])
  })

  it('postpones the swap that was read, unless it changed since', async () => {
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

  it('drops abandoned swaps, and starts again when one is revived or changes', async () => {
    const { settlement, ids, clock } = await withSwaps(2)
    for (const swapId of ids) await settlement.add({ swapId, isPaid: true, dueAt: START_AT })
    for (const [since, dueBy, abandoned] of [
      [START_AT - 1, START_AT - 1, 0],
      [START_AT, START_AT, 0],
      [START_AT, START_AT - 1, 2],
    ] as const)
      expect(await settlement.abandonSince(since, dueBy)).toBe(abandoned)
    expect([await settlement.find(ids[0]), await settlement.due(due(true))]).toEqual([null, []])
    clock.at += 5
    await settlement.revive(ids[0])
    await settlement.hasten({ swapId: ids[1], isPaid: true })
    for (const swapId of ids)
      expect(await settlement.find(swapId)).toMatchObject({ isPaid: true, since: START_AT + 5, dueAt: START_AT + 5 })
    await settlement.remove(ids[0])
    await settlement.revive(ids[0])
    expect(await settlement.find(ids[0])).toBeNull()
  })

  it('brings forward what a clock that was ahead postponed or abandoned', async () => {
    const { settlement, ids, clock } = await withSwaps(2)
    const [late, abandoned] = ids
    await settlement.add({ swapId: late, isPaid: false, dueAt: START_AT + 100_000 })
    await settlement.add({ swapId: abandoned, isPaid: true, dueAt: START_AT })
    clock.at += 100_000
    await settlement.abandon(abandoned)
    clock.at = START_AT
    await settlement.bringForward(START_AT + 200_000, never)
    expect([await settlement.find(late), await settlement.find(abandoned)]).toMatchObject([{ dueAt: START_AT }, null])
    await settlement.bringForward(START_AT + 1_000, never)
    expect(await settlement.find(abandoned)).toMatchObject({ isPaid: true, dueAt: START_AT, since: START_AT })
  })
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

describe('lists for the operator', () => {
  /** All pages of a list, by the ids on them. */
  const pagesOf = async <Id>(read: (last: Id | null) => Promise<readonly Id[]>): Promise<readonly (readonly Id[])[]> => {
    const pages: (readonly Id[])[] = []
    for (let page = await read(null); page.length > 0; page = await read(page.at(-1) ?? null)) pages.push(page)
    return pages
  }

  it('page through partners and contacts, oldest first, without erased contacts', async () => {
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

  it('page through payouts, newest first, of all partners or of exactly one', async () => {
    const { transaction, operator, ledger } = await startStore()
    const line = { account: 'payer', ecosystem: 'evm', chainId: 1, token: '0xa', amount: 1n } as const
    const lines = (['debit', 'credit'] as const).map((side) => ({ ...line, side }))
    const entry = { swapId: null, document: {}, lines } as const
    await transaction(async (parts) => {
      await parts.ledger.book({ ...entry, key: 'swap:1', kind: 'fee' })
      for (const [partnerId, number] of [
        ['p1', 1],
        ['p10', 1],
        ['p1', 2],
        ['p', 1],
      ] as const)
        await parts.ledger.book({ ...entry, key: payoutKeyOf(partnerId, number), kind: 'payout' })
    })
    const read = (partnerId: string | null) => async (last: number | null) =>
      (await operator.payouts({ beforeId: last, limit: 2 }, partnerId)).map(({ id }) => id)
    expect(await pagesOf(read('p1'))).toEqual([[4, 2]])
    expect((await pagesOf(read(null))).flat()).toEqual([5, 4, 3, 2])
    expect((await ledger.payoutsTo('p1')).map(({ key }) => key)).toEqual(['payout:p1:1', 'payout:p1:2'])
  })
})
