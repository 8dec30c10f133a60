import { afterEach, describe, expect, it } from 'vitest'
import type { NewPartnerEvent } from '../../../engine/store/partnerEvents.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const anEvent = (change: Partial<NewPartnerEvent> = {}): NewPartnerEvent => ({
  partnerId: 'p1',
  swapId: null,
  event: 'swap.settled',
  document: { requestId: 'r1' },
  delivery: 'due',
  ...change,
})

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe.each(STORES)('the feed of a partner in %s', (_name, openOne) => {
  const start = async () => {
    const clock = createTestClock()
    const store = await openOne(clock)
    closers.push(() => store.close())
    for (const id of ['p1', 'p2'])
      await store.partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
    const placesOf = async (partnerId: string, afterPlace = 0) =>
      (await store.partnerEvents.ofPartner(partnerId, { afterPlace, limit: 100 })).map(({ place }) => place)
    return { store, clock, placesOf }
  }

  it('counts its places one by one, and not with those of others', async () => {
    const { store, placesOf } = await start()
    for (const partnerId of ['p1', 'p2', 'p1', 'p1']) await store.partnerEvents.add(anEvent({ partnerId }))
    expect([await placesOf('p1'), await placesOf('p2'), await placesOf('p1', 2)]).toEqual([[1, 2, 3], [1], [3]])
  })

  it('has no gap where a transaction was undone [store-feed-without-gaps]', async () => {
    const { store, placesOf } = await start()
    const undone = store.transaction(async ({ partnerEvents }) => {
      await partnerEvents.add(anEvent())
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await store.partnerEvents.add(anEvent())
    expect(await placesOf('p1')).toEqual([1])
  })

  it('tells when settings were changed since a time, which ends of swaps do not count for', async () => {
    const { store, clock } = await start()
    const change = anEvent({ event: 'fee.changed', delivery: 'none' })
    const swap = await store.swaps.add(await aNewSwap())
    const at = clock.at
    for (const event of [change, change, anEvent({ swapId: swap.id }), anEvent({ partnerId: 'p2', event: 'fee.changed' })]) {
      clock.at += 1_000
      await store.partnerEvents.add(event)
    }
    expect(await store.partnerEvents.changesSince('p1', at)).toEqual([at + 1_000, at + 2_000])
    expect(await store.partnerEvents.changesSince('p1', at + 1_000)).toEqual([at + 2_000])
  })

  it('shows no event that comes before one which was read already, however transactions overlap [store-feed-without-gaps]', async () => {
    const { store, placesOf } = await start()
    const first = Promise.withResolvers<void>()
    const isAdded = Promise.withResolvers<void>()
    const slow = store.transaction(async ({ partnerEvents }) => {
      await partnerEvents.add(anEvent({ event: 'swap.refunded' }))
      isAdded.resolve()
      await first.promise
    })
    await isAdded.promise
    let isQuickOver = false
    const quick = store
      .transaction(({ partnerEvents }) => partnerEvents.add(anEvent()))
      .then(() => {
        isQuickOver = true
      })
    const read = quick.then(() => placesOf('p1'))
    await turns(50)
    // It waits: had it been kept first, whoever read it would never be shown the slow one.
    expect(isQuickOver).toBe(false)
    first.resolve()
    await Promise.all([slow, quick])
    expect(await read).toEqual([1, 2])
  })

  it('takes a delivery once', async () => {
    const { store, clock } = await start()
    await store.partnerEvents.add(anEvent())
    const id = (await store.partnerEvents.nextDue('p1'))?.id as number
    clock.at += 5
    expect(await Promise.all([store.partnerEvents.start(id), store.partnerEvents.start(id)])).toEqual([clock.at, null])
    expect(await store.partnerEvents.nextDue('p1')).toBeNull()
    await store.partnerEvents.finish(id, { answered: 204 })
    // What is over stays as it was told.
    await store.partnerEvents.finish(id, { failure: 'timeout' })
    expect(await store.partnerEvents.start(id)).toBeNull()
    const [kept] = await store.partnerEvents.ofPartner('p1', { afterPlace: 0, limit: 1 })
    expect(kept).toMatchObject({ delivery: 'answered', attemptedAt: clock.at, answered: 204, failure: null })
  })

  it('tells whose deliveries are due, who waits longest first', async () => {
    const { store } = await start()
    await store.partnerEvents.add(anEvent({ partnerId: 'p2', delivery: 'none' }))
    for (const partnerId of ['p2', 'p1', 'p2']) await store.partnerEvents.add(anEvent({ partnerId }))
    expect(await store.partnerEvents.partnersDue(9)).toEqual(['p2', 'p1'])
    expect(await store.partnerEvents.partnersDue(1)).toEqual(['p2'])
    expect((await store.partnerEvents.nextDue('p2'))?.place).toBe(2)
  })

  it('forgets what is old, but for what is due, and counts on', async () => {
    const { store, clock, placesOf } = await start()
    await store.partnerEvents.add(anEvent({ delivery: 'none' }))
    await store.partnerEvents.add(anEvent())
    clock.at += 1
    await store.partnerEvents.add(anEvent({ delivery: 'none' }))
    expect(await store.partnerEvents.deleteBefore(clock.at)).toBe(1)
    await store.partnerEvents.add(anEvent())
    expect(await placesOf('p1')).toEqual([2, 3, 4])
  })
})
