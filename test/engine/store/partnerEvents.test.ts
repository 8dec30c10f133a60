import { describe, expect, it } from 'vitest'
import type { NewPartnerEvent } from '../../../engine/store/partnerEvents.ts'
import { anEvent } from '../../support/hookStage.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { startStore, turns } from '../../support/storeStage.ts'

const start = async () => {
  const stage = await startStore()
  const { partners, partnerEvents } = stage
  for (const id of ['p1', 'p2']) await partners.add({ id, kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const add = (partnerId = 'p1', change: Partial<NewPartnerEvent> = {}) => partnerEvents.add(anEvent(partnerId, change))
  const placesOf = async (partnerId: string, afterPlace = 0) =>
    (await partnerEvents.ofPartner(partnerId, { afterPlace, limit: 100 })).map(({ place }) => place)
  return { ...stage, add, placesOf }
}

describe('the feed of a partner', () => {
  it('numbers its events one by one, apart from other feeds and without undone transactions [store-feed-without-gaps]', async () => {
    const { store, add, placesOf } = await start()
    const undone = store.transaction(async ({ partnerEvents }) => {
      await partnerEvents.add(anEvent('p1'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    for (const partnerId of ['p1', 'p2', 'p1', 'p1']) await add(partnerId)
    expect([await placesOf('p1'), await placesOf('p2'), await placesOf('p1', 2)]).toEqual([[1, 2, 3], [1], [3]])
  })

  it('shows no event before one that was read already, when writes overlap [store-feed-without-gaps]', async () => {
    const { store, add, placesOf } = await start()
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

  it('loses old events, except due ones, and keeps counting', async () => {
    const { partnerEvents, clock, add, placesOf } = await start()
    await add('p1', { delivery: 'none' })
    await add()
    clock.at += 1
    await add('p1', { delivery: 'none' })
    expect(await partnerEvents.deleteBefore(clock.at)).toBe(1)
    await add()
    expect(await placesOf('p1')).toEqual([2, 3, 4])
  })
})

it('due deliveries are listed by partner, longest waiting first, and by place', async () => {
  const { partnerEvents, add } = await start()
  await add('p2', { delivery: 'none' })
  for (const partnerId of ['p2', 'p1', 'p2']) await add(partnerId)
  expect([await partnerEvents.partnersDue(9), await partnerEvents.partnersDue(1)]).toEqual([['p2', 'p1'], ['p2']])
  expect((await partnerEvents.nextDue('p2'))?.place).toBe(2)
})
