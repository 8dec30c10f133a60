import { describe, expect, it } from 'vitest'
import { SWAP_STATES, type SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'

const ENDS: readonly SwapState[] = ['success', 'refunded', 'failed']

describe.each(STORES)('lifecycle in %s', (_name, openStore) => {
  const open = closedAfterEach(openStore)
  /** So many swaps in one store, and what changes them. `id` is the first. */
  const withSwaps = async (count = 1) => {
    const clock = createTestClock()
    const store = await open(clock)
    const ids: number[] = []
    while (ids.length < count) ids.push((await store.swaps.add(await aNewSwap({ bindingKey: `${ids.length}`, ref: null }))).id)
    return { store, clock, ids, id: ids[0] ?? 0, ...createLifecycle(store) }
  }

  it('lifecycle: an end stays for every later status, except that a payment or refund changes failed, and until it is taken back', async () => {
    const { store, ids, transition } = await withSwaps(SWAP_STATES.length ** 2)
    for (const [index, state] of SWAP_STATES.entries())
      for (const [at, later] of SWAP_STATES.entries()) {
        const id = ids[index * SWAP_STATES.length + at] ?? 0
        const isChanged =
          state === 'failed' ? ['processing', 'success', 'refunded', 'expired'].includes(later) : !ENDS.includes(state)
        const stands = statusOf(isChanged ? later : state)
        expect(await transition(id, statusOf(state), 'ref')).toEqual(statusOf(state))
        expect(await transition(id, statusOf(later), 'ref')).toEqual(stands)
        expect(await store.swaps.byId(id)).toMatchObject({ status: stands, ref: 'ref' })
        const reopened = statusOf('processing')
        expect(await transition(id, reopened, 'ref', { takesBackEnd: true })).toEqual(reopened)
        expect(await store.swaps.byId(id)).toMatchObject({ status: reopened })
      }
  })

  it('lifecycle: the first of concurrent ends is stored and reported once, every caller receives it, and its time stays after a reopening [status-first-end-counts]', async () => {
    const { store, clock, id, transition } = await withSwaps()
    const ended: number[] = []
    const onFirstEnd = (swap: { readonly id: number }) => void ended.push(swap.id)
    const turn = (states: readonly SwapState[], takesBackEnd = false) => {
      clock.at += 5
      return Promise.all(states.map((state) => transition(id, statusOf(state), 'ref', { takesBackEnd, onFirstEnd })))
    }
    const told = await turn([...ENDS, 'processing'])
    const { status, endedAt } = (await store.swaps.byId(id)) ?? {}
    expect(ENDS).toContain(status?.state)
    expect([told, endedAt, ended]).toEqual([Array(4).fill(status), clock.at, [id]])
    await turn(['processing'], true)
    await turn(['refunded'])
    expect(await store.swaps.byId(id)).toMatchObject({ status: statusOf('refunded'), endedAt })
    expect(ended).toEqual([id])
  })

  it('lifecycle: the ref of a swap stays when a concurrent answer has another ref', async () => {
    const { store, id, transition } = await withSwaps()
    await transition(id, statusOf('processing'), 'own')
    for (const ref of ['another', null]) expect(await transition(id, statusOf('pending'), ref)).toEqual(statusOf('pending'))
    expect(await store.swaps.byId(id)).toMatchObject({ status: statusOf('processing'), ref: 'own' })
  })

  it('lifecycle: stores nothing of a change that cannot be stored whole', async () => {
    const { store, id } = await withSwaps()
    const before = await store.swaps.byId(id)
    const full: Parameters<typeof createLifecycle>[0] = {
      transaction: (work) =>
        store.transaction(async (parts) => {
          await work(parts)
          throw new Error('disk full')
        }),
    }
    await expect(createLifecycle(full).transition(id, statusOf('success'), 'ref')).rejects.toThrow('disk full')
    expect(await store.swaps.byId(id)).toEqual(before)
  })

  it('lifecycle: open swaps are counted by state, and the oldest paid one that no chain shows is listed', async () => {
    const { store, clock, ids, transition } = await withSwaps(3)
    const [done = 0, moving = 0, unseen = 0] = ids
    await transition(done, statusOf('success'), 'ref')
    await transition(moving, statusOf('processing'), 'ref')
    const counts = await store.operator.openSwaps()
    expect(counts).toContainEqual({ state: 'processing', count: 1, oldestAt: clock.at })
    expect(counts.map(({ state }) => state)).not.toContain('success')
    const oldest = async (at = clock.at) => (await store.operator.backlog(at)).oldestUnseenAt
    await store.settlement.hasten({ swapId: moving, isPaid: true })
    expect(await oldest()).toBeNull()
    await store.settlement.add({ swapId: unseen, isPaid: false, dueAt: 0 })
    await store.settlement.hasten({ swapId: unseen, isPaid: true })
    expect(await oldest()).toBe(clock.at)
    await store.settlement.abandon(unseen)
    expect(await oldest()).toBeNull()
    await store.swaps.setNamed(unseen, '0xab')
    expect([await oldest(), await oldest(clock.at + 86_400_000)]).toEqual([clock.at, null])
    const listed = await store.operator.swaps({ isUnseen: true }, { beforeId: null, limit: 9 })
    expect(listed).toMatchObject([{ id: unseen, namedTx: '0xab' }])
    await store.settlement.abandon(unseen)
    expect(await oldest()).toBeNull()
  })
})
