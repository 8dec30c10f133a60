import { afterEach, describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { StoreParts } from '../../../engine/store/store.ts'
import { TOKENS } from '../../support/fakeChains.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap, anExecutedSwap, aPayment } from '../../support/storedSwap.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock, START_AT } from '../../support/testEngine.ts'

/** What every store promises, whatever it is kept in. Another database is another entry of `PLACES`. */

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe.each(STORES)('a store in %s', (_name, openOne) => {
  const start = async () => {
    const clock = createTestClock()
    const store = await openOne(clock)
    closers.push(() => store.close())
    return { ...store, store, clock }
  }

  const withSwaps = async (count: number) => {
    const opened = await start()
    const records = []
    for (let i = 0; i < count; i += 1) records.push(await opened.swaps.add(await aNewSwap({ bindingKey: `b${i}` })))
    return { ...opened, ids: records.map(({ id }) => id) as [number, number, number] }
  }

  describe('keeps what tells swaps apart:', () => {
    const key = { venue: 'toy', kind: 'address', value: 'x', until: null } as const

    it('a key is the first swap’s that takes it, however often it is taken', async () => {
      const { swapKeys, ids } = await withSwaps(2)
      for (const swapId of [ids[0], ids[1], ids[0]]) expect(await swapKeys.claim({ ...key, swapId })).toBe(ids[0])
    })

    it('is another key by its venue, its kind or its value', async () => {
      const { swapKeys, ids } = await withSwaps(2)
      await swapKeys.claim({ ...key, swapId: ids[0] })
      for (const other of [{ venue: 'other' }, { kind: 'orderId' }, { value: 'X' }] as const)
        expect(await swapKeys.claim({ ...key, ...other, swapId: ids[1] })).toBe(ids[1])
    })

    it('a key is free again once its time is over, and not a moment before', async () => {
      const { swapKeys, ids, clock } = await withSwaps(3)
      const until = clock.at + 10
      await swapKeys.claim({ ...key, swapId: ids[0], until })
      clock.at += 9
      expect(await swapKeys.claim({ ...key, swapId: ids[1] })).toBe(ids[0])
      clock.at += 1
      expect(await swapKeys.claim({ ...key, swapId: ids[1] })).toBe(ids[1])
      clock.at += 1_000_000
      expect(await swapKeys.claim({ ...key, swapId: ids[2] })).toBe(ids[1])
    })
  })

  describe('keeps what is being built:', () => {
    it('tells under which keys a quote is, until their time is over or they are given up', async () => {
      const { builds, clock } = await start()
      const build = (bindingKey: string, quoteId = 'q1') => ({ quoteId, bindingKey, owner: 'one' })
      for (const each of [build('a'), build('b'), build('c', 'q2')]) await builds.reserve(each, 10)
      expect([...(await builds.underWay('q1'))].sort()).toEqual(['a', 'b'])
      await builds.release(build('a'))
      expect(await builds.underWay('q1')).toEqual(['b'])
      clock.at += 10
      expect(await builds.underWay('q1')).toEqual([])
    })
  })

  describe('keeps swaps:', () => {
    it('gives back what was added, all of it', async () => {
      const { swaps, clock } = await start()
      const wish = await aNewSwap({ isSandbox: true, partnerId: null, ref: null })
      const added = await swaps.add(wish)
      expect(added).toEqual({
        id: expect.any(Number),
        quoteId: 'q1',
        partnerId: null,
        feeOf: 'partner',
        executedBy: 'partner',
        requestId: 'req-1',
        tokenKey: 'key-01',
        isSandbox: true,
        ref: null,
        namedTx: null,
        swap: wish.swap,
        status: { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null },
        isFollowed: false,
        postingAt: null,
        submittedAt: null,
        endedAt: null,
        createdAt: clock.at,
      })
      expect(await swaps.byId(added.id)).toEqual(added)
      expect(await swaps.byId(added.id + 1)).toBeNull()
      expect(await swaps.find('q1', 'a|b')).toEqual(added)
      expect(await swaps.find('q1', 'b|a')).toBeNull()
      expect(await swaps.find('q2', 'a|b')).toBeNull()
    })

    it('keeps the first of two for the same quote and binding, and tells the second so', async () => {
      const { swaps } = await start()
      const first = await swaps.add(await aNewSwap())
      const other = { ref: 'ref-2', swap: await anExecutedSwap({ venueRef: 'other' }) }
      expect(await swaps.add(await aNewSwap(other))).toEqual(first)
      expect(await swaps.ofQuote('q1')).toEqual([first])
    })

    it('lists the executions of one quote, newest first', async () => {
      const { swaps } = await start()
      for (const bindingKey of ['1', '2', '3']) await swaps.add(await aNewSwap({ bindingKey, ref: bindingKey }))
      await swaps.add(await aNewSwap({ quoteId: 'q2' }))
      expect((await swaps.ofQuote('q1')).map(({ ref }) => ref)).toEqual(['3', '2', '1'])
      expect(await swaps.ofQuote('none')).toEqual([])
    })

    it('knows a ref of another quote from one of the same quote, and from none', async () => {
      const { swaps } = await start()
      await swaps.add(await aNewSwap())
      const asked = [
        swaps.isOfAnotherQuote('ref-1', 'q1'),
        swaps.isOfAnotherQuote('ref-1', 'q2'),
        swaps.isOfAnotherQuote('x', 'q2'),
      ]
      expect(await Promise.all(asked)).toEqual([false, true, false])
    })

    it('remembers when a signature was handed over and what the venue calls the order', async () => {
      const { swaps, clock } = await start()
      const { id } = await swaps.add(await aNewSwap({ ref: null }))
      clock.at += 5
      await swaps.setSubmitted(id, 'order-1')
      const kept = { ref: 'order-1', submittedAt: clock.at, createdAt: clock.at - 5, isFollowed: true }
      expect(await swaps.byId(id)).toMatchObject(kept)
    })

    it('reserves a swap for its signature, which follows nothing yet', async () => {
      const { swaps, clock } = await start()
      const { id } = await swaps.add(await aNewSwap())
      clock.at += 5
      await swaps.setPosting(id)
      expect(await swaps.byId(id)).toMatchObject({ postingAt: clock.at, submittedAt: null, isFollowed: false, ref: 'ref-1' })
    })

    it('knows that a swap was followed though no time has passed since it was made', async () => {
      const { swaps } = await start()
      const { id } = await swaps.add(await aNewSwap())
      await swaps.setStatus(id, statusOf('pending', { venueStatus: null }), 'ref-1')
      expect(await swaps.byId(id)).toMatchObject({ isFollowed: true })
    })

    it('remembers the last status with amounts beyond any number', async () => {
      const { swaps } = await start()
      const { id } = await swaps.add(await aNewSwap())
      const status = statusOf('processing', { deliveredAmount: toAmount((1n << 256n) - 1n), txHash: '0xab' })
      await swaps.setStatus(id, status, 'ref-9')
      expect(await swaps.byId(id)).toMatchObject({ status, ref: 'ref-9' })
      await swaps.setStatus(id, statusOf('pending', { venueStatus: null }), 'ref-9')
      const bare = { state: 'pending', venueStatus: null, deliveredAmount: null, txHash: null }
      expect((await swaps.byId(id))?.status).toEqual(bare)
    })

    it('takes whatever text a caller or a venue sends', async () => {
      const { swaps } = await start()
      const texts = ['', '\0', 'a\0b', '\ud800', '\u{1f4b8}', `'; DROP TABLE swaps; --`, '\uffff', '\\x00', 'x'.repeat(5_000)]
      for (const [i, text] of texts.entries()) {
        expect(await swaps.isOfAnotherQuote(`${text} `, 'q1')).toBe(false)
        const { id } = await swaps.add(await aNewSwap({ bindingKey: `b${i}`, ref: text }))
        await swaps.setStatus(id, statusOf('processing', { venueStatus: text, txHash: text }), text)
        expect(await swaps.isOfAnotherQuote(text, 'q2')).toBe(true)
      }
      expect(await swaps.ofQuote('q1')).toHaveLength(texts.length)
    })

    it('notes when a swap first came to an end', async () => {
      const { swaps, clock } = await start()
      const { id } = await swaps.add(await aNewSwap())
      for (const [state, endsHere] of [
        ['processing', false],
        ['expired', false],
        ['failed', true],
        ['processing', true],
        ['success', true],
      ] as const) {
        clock.at += 5
        await swaps.setStatus(id, statusOf(state), 'ref-1')
        expect((await swaps.byId(id))?.endedAt).toBe(endsHere ? START_AT + 15 : null)
      }
    })

    it('changes one swap at a time', async () => {
      const { swaps, ids } = await withSwaps(2)
      const other = await swaps.byId(ids[1])
      await swaps.setStatus(ids[0], statusOf('success'), 'x')
      await swaps.setPosting(ids[0])
      await swaps.setSubmitted(ids[0], 'x')
      expect(await swaps.byId(ids[1])).toEqual(other)
    })

    it('keeps times beyond 32 bits, to the millisecond', async () => {
      const { swaps, clock } = await start()
      clock.at = Date.UTC(9999, 11, 31)
      const { id } = await swaps.add(await aNewSwap())
      await swaps.setPosting(id)
      expect(await swaps.byId(id)).toMatchObject({ createdAt: 253_402_214_400_000, postingAt: 253_402_214_400_000 })
    })
  })

  describe('reserves what is being built:', () => {
    const LEASE_MS = 1_000
    const build = (owner: string, bindingKey = 'a') => ({ quoteId: 'q1', bindingKey, owner })

    it('for one of those who ask, until that one gives it up', async () => {
      const { builds } = await start()
      const owners = ['one', 'two', 'three']
      const asked = await Promise.all(owners.map((owner) => builds.reserve(build(owner), LEASE_MS)))
      expect(asked.filter(Boolean)).toHaveLength(1)
      await builds.release(build(owners[asked.indexOf(false)] ?? ''))
      expect(await builds.reserve(build('four'), LEASE_MS)).toBe(false)
      await builds.release(build(owners[asked.indexOf(true)] ?? ''))
      expect(await builds.reserve(build('four'), LEASE_MS)).toBe(true)
    })

    it('for a quote and its addresses, not for others', async () => {
      const { builds } = await start()
      expect(await builds.reserve(build('one'), LEASE_MS)).toBe(true)
      expect(await builds.reserve(build('two', 'b'), LEASE_MS)).toBe(true)
      expect(await builds.reserve({ ...build('two'), quoteId: 'q2' }, LEASE_MS)).toBe(true)
    })

    it('for no longer than the lease, after which one of those who ask has it', async () => {
      const { builds, clock } = await start()
      await builds.reserve(build('one'), LEASE_MS)
      clock.at += LEASE_MS - 1
      expect(await builds.reserve(build('two'), LEASE_MS)).toBe(false)
      clock.at += 1
      const asked = await Promise.all(['two', 'three'].map((owner) => builds.reserve(build(owner), LEASE_MS)))
      expect(asked.filter(Boolean)).toHaveLength(1)
      await builds.release(build('one'))
      expect(await builds.reserve(build('four'), LEASE_MS)).toBe(false)
    })

    it('a reservation made before the clock was set back is free to others', async () => {
      const { builds, clock } = await start()
      await builds.reserve(build('one'), LEASE_MS)
      clock.at -= LEASE_MS
      expect(await builds.reserve(build('two'), LEASE_MS)).toBe(false)
      clock.at -= 1
      expect(await builds.reserve(build('two'), LEASE_MS)).toBe(true)
    })
  })

  describe('keeps the transactions it sends:', () => {
    const claim = (txHash: string) => ({ txHash, untilHeight: 300_000_000 })

    it('one to a swap, whoever asks first', async () => {
      const { broadcasts, ids } = await withSwaps(2)
      expect(await broadcasts.find(ids[0])).toBeNull()
      const first = { txHash: 'tx-1', untilHeight: 300_000_000, acceptedAt: null, fate: null }
      expect(await broadcasts.claim(ids[0], claim('tx-1'))).toEqual({ broadcast: first, isNew: true })
      expect(await broadcasts.claim(ids[0], claim('tx-2'))).toEqual({ broadcast: first, isNew: false })
      expect(await broadcasts.claim(ids[0], claim('tx-1'))).toEqual({ broadcast: first, isNew: false })
      expect(await broadcasts.find(ids[0])).toEqual(first)
      expect(await broadcasts.find(ids[1])).toBeNull()
    })

    it('and lets go of one only when nobody joined it, it was not accepted, and it is that one', async () => {
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

    it('and when a node took one, whatever became of its reservation', async () => {
      const { broadcasts, ids, clock } = await withSwaps(2)
      await broadcasts.claim(ids[0], claim('tx-1'))
      clock.at += 5
      await broadcasts.setAccepted(ids[0], claim('tx-2'))
      await broadcasts.setAccepted(ids[1], claim('tx-3'))
      const kept = { untilHeight: 300_000_000, acceptedAt: clock.at, fate: null }
      expect(await broadcasts.find(ids[0])).toEqual({ txHash: 'tx-2', ...kept })
      expect(await broadcasts.find(ids[1])).toEqual({ txHash: 'tx-3', ...kept })
    })

    it('and the fate of that one alone', async () => {
      const { broadcasts, ids } = await withSwaps(1)
      await broadcasts.claim(ids[0], claim('tx-1'))
      await broadcasts.setFate(ids[0], 'tx-2', 'failed')
      expect(await broadcasts.find(ids[0])).toMatchObject({ fate: null })
      await broadcasts.setFate(ids[0], 'tx-1', 'lapsed')
      expect(await broadcasts.find(ids[0])).toMatchObject({ fate: 'lapsed' })
    })
  })

  describe('has transactions:', () => {
    const keptIn = async ({ swaps }: StoreParts, ...keys: readonly string[]): Promise<boolean[]> =>
      Promise.all(keys.map(async (key) => (await swaps.find('q1', key)) !== null))

    it('all their writes are kept, of every part, and their result is given', async () => {
      const { store } = await start()
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

    it('nothing is kept of the keys of a swap when their work throws', async () => {
      const { store, ids } = await withSwaps(2)
      const key = { venue: 'toy', kind: 'address', value: 'x', until: null } as const
      const work = async (parts: StoreParts) => {
        await parts.swapKeys.claim({ ...key, swapId: ids[0] })
        throw new Error('undone')
      }
      await expect(store.transaction(work)).rejects.toThrow('undone')
      expect(await store.swapKeys.claim({ ...key, swapId: ids[1] })).toBe(ids[1])
    })

    it('nothing is kept when their work throws, of no part, and what that threw is thrown', async () => {
      const { store, ids } = await withSwaps(1)
      const swap = await aNewSwap({ bindingKey: 'a' })
      const trouble = new Error('of the work')
      const work = async (parts: StoreParts) => {
        await parts.swaps.add(swap)
        await parts.swaps.setStatus(ids[0], statusOf('success'), null)
        await parts.builds.reserve({ quoteId: 'q1', bindingKey: 'a', owner: 'one' }, 1_000)
        await parts.payments.claim(ids[0], [aPayment(1)])
        throw trouble
      }
      await expect(store.transaction(work)).rejects.toBe(trouble)
      expect(await keptIn(store, 'a')).toEqual([false])
      expect((await store.swaps.byId(ids[0]))?.status.state).toBe('pending')
      expect(await store.builds.reserve({ quoteId: 'q1', bindingKey: 'a', owner: 'two' }, 1_000)).toBe(true)
      expect(await store.payments.ofSwap(ids[0])).toEqual([])
    })

    it('they are not seen, nor joined, by what is asked beside them', async () => {
      const { store } = await start()
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

    it('of several at once each stands on what the others left', async () => {
      const { store, ids } = await withSwaps(1)
      const append = (letter: string) =>
        store.transaction(async ({ swaps }) => {
          const ref = (await swaps.byId(ids[0]))?.ref ?? ''
          await turns(1)
          await swaps.setSubmitted(ids[0], `${ref}${letter}`)
          if (letter === 'c') throw new Error('not c')
        })
      const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(append))
      expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true])
      expect([...((await store.swaps.byId(ids[0]))?.ref ?? '').slice('ref-1'.length)].sort()).toEqual(['a', 'b', 'd', 'e'])
    })
  })

  it('keeps the metadata of each token once, and gives back the latest, oldest first', async () => {
    const { tokens } = await start()
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

  it('can be probed', async () => {
    const { store } = await start()
    await store.probe()
  })

  describe('keeps which open swaps are looked after:', () => {
    const due = (isPaid: boolean, after: { dueAt: number; swapId: number } | null = null) =>
      ({ venue: 'toy', isPaid, dueBy: START_AT + 10, after, limit: 2 }) as const

    it('those whose time has come, a page at a time, by time and then by age', async () => {
      const { settlement, ids } = await withSwaps(4)
      const times = [START_AT + 5, START_AT, START_AT, START_AT + 11]
      for (const [index, swapId] of ids.entries()) await settlement.add({ swapId, isPaid: false, dueAt: times[index] ?? 0 })
      const first = await settlement.due(due(false))
      expect(first.map(({ swapId }) => swapId)).toEqual([ids[1], ids[2]])
      expect((await settlement.due(due(false, first[1]))).map(({ swapId }) => swapId)).toEqual([ids[0]])
      expect(await settlement.due(due(true))).toEqual([])
      expect(await settlement.due({ ...due(false), venue: 'other' })).toEqual([])
      expect(await settlement.lengths()).toEqual([{ venue: 'toy', open: 4, oldestSince: START_AT }])
    })

    it('what became of one meanwhile is not put off, and keeps its age', async () => {
      const { settlement, ids, clock } = await withSwaps(1)
      await settlement.add({ swapId: ids[0], isPaid: false, dueAt: START_AT })
      const read = await settlement.find(ids[0])
      clock.at += 7
      await settlement.hasten({ swapId: ids[0], isPaid: true })
      if (read) await settlement.reschedule(read, START_AT + 1_000)
      const now = { swapId: ids[0], venue: 'toy', isPaid: true, dueAt: START_AT + 7, looks: 0, since: START_AT }
      expect(await settlement.find(ids[0])).toEqual({ ...now, changedAt: START_AT + 7 })
    })

    it('one that was abandoned is due no more, and begins anew when it is put back', async () => {
      const { settlement, ids, clock } = await withSwaps(2)
      for (const swapId of [ids[0], ids[1]]) await settlement.add({ swapId, isPaid: true, dueAt: START_AT })
      expect(await settlement.abandonSince(START_AT - 1, START_AT - 1)).toBe(0)
      expect(await settlement.abandonSince(START_AT, START_AT)).toBe(0)
      expect(await settlement.abandonSince(START_AT, START_AT - 1)).toBe(2)
      expect([await settlement.find(ids[0]), await settlement.due(due(true))]).toEqual([null, []])
      clock.at += 5
      await settlement.revive(ids[0])
      await settlement.hasten({ swapId: ids[1], isPaid: true })
      for (const swapId of [ids[0], ids[1]])
        expect(await settlement.find(swapId)).toMatchObject({ isPaid: true, since: START_AT + 5, dueAt: START_AT + 5 })
      await settlement.remove(ids[0])
      await settlement.revive(ids[0])
      expect(await settlement.find(ids[0])).toBeNull()
    })

    const never = { since: Number.MAX_SAFE_INTEGER, latest: 0 }

    it('what a clock that was ahead put off for long is due now', async () => {
      const { settlement, ids } = await withSwaps(1)
      await settlement.add({ swapId: ids[0], isPaid: false, dueAt: START_AT + 100_000 })
      await settlement.bringForward(START_AT + 200_000, never)
      expect(await settlement.find(ids[0])).toMatchObject({ dueAt: START_AT })
    })

    it('what a clock that was ahead abandoned is due now', async () => {
      const { settlement, ids, clock } = await withSwaps(1)
      await settlement.add({ swapId: ids[0], isPaid: true, dueAt: START_AT })
      clock.at += 100_000
      await settlement.abandon(ids[0])
      clock.at = START_AT
      await settlement.bringForward(START_AT + 200_000, never)
      expect(await settlement.find(ids[0])).toBeNull()
      await settlement.bringForward(START_AT + 1_000, never)
      expect(await settlement.find(ids[0])).toMatchObject({ isPaid: true, dueAt: START_AT, since: START_AT })
    })
  })

  it('a lease is one holder’s until its time is over, or it is given back', async () => {
    const { leases, clock } = await start()
    expect(await leases.take('x', 'a', 1_000)).toBe(true)
    expect([await leases.take('x', 'b', 1_000), await leases.take('y', 'b', 1_000)]).toEqual([false, true])
    clock.at += 999
    expect([await leases.take('x', 'b', 1_000), await leases.take('x', 'a', 1_000)]).toEqual([false, true])
    clock.at += 1_000
    expect(await leases.take('x', 'b', 1_000)).toBe(true)
    await leases.release('x', 'a')
    expect(await leases.take('x', 'a', 1_000)).toBe(false)
    await leases.release('x', 'b')
    expect(await leases.take('x', 'a', 1_000)).toBe(true)
    // A clock that differs by less than two right clocks may; then one that was set back.
    clock.at -= 360_000
    expect(await leases.take('x', 'b', 1_000)).toBe(false)
    clock.at -= 1
    expect(await leases.take('x', 'b', 1_000)).toBe(true)
  })
})
