import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SWAP_STATES, type SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { listCode } from '../../../scripts/importRules.ts'
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

  it('lifecycle: the first end is reported once, and its time stays although the swap goes on and ends again', async () => {
    const { store, clock, id, transition } = await withSwaps()
    const told: number[] = []
    const onFirstEnd = (swap: { readonly id: number }) => void told.push(swap.id)
    const turn = async (state: SwapState, takesBackEnd = false) => {
      clock.at += 5
      await Promise.all(Array.from({ length: 3 }, () => transition(id, statusOf(state), 'ref', { takesBackEnd, onFirstEnd })))
      expect((await store.swaps.byId(id))?.status.state).toBe(state)
      return (await store.swaps.byId(id))?.endedAt
    }
    expect([await turn('expired'), told]).toEqual([null, []])
    const first = await turn('failed')
    expect(first).toBe(clock.at)
    for (const [state, takesBackEnd] of [
      ['processing', false],
      ['success', false],
      ['processing', true],
      ['refunded', false],
    ] as const)
      expect(await turn(state, takesBackEnd)).toBe(first)
    expect(told).toEqual([id])
  })

  it('lifecycle: the first of concurrent ends is stored, and every caller receives it [status-first-end-counts]', async () => {
    const { store, id, transition } = await withSwaps()
    const told = await Promise.all([...ENDS, 'processing' as const].map((state) => transition(id, statusOf(state), 'ref')))
    const stands = (await store.swaps.byId(id))?.status
    expect(ENDS).toContain(stands?.state)
    expect(told).toEqual(Array(4).fill(stands))
  })

  it.each(['another', null])('lifecycle: the ref of a swap stays when a concurrent answer has the ref %s', async (ref) => {
    const { store, id, transition } = await withSwaps()
    await transition(id, statusOf('pending'), null)
    await transition(id, statusOf('processing'), 'own')
    expect(await transition(id, statusOf('pending'), ref)).toEqual(statusOf('pending'))
    expect(await store.swaps.byId(id)).toMatchObject({ status: statusOf('processing'), ref: 'own' })
  })

  it('lifecycle: a status without a record is returned as it is', async () => {
    const { transition } = await withSwaps(0)
    expect(await transition(7, statusOf('processing'), 'ref')).toEqual(statusOf('processing'))
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

  it('lifecycle: open swaps are counted by state, with the oldest of each and the oldest paid one that is unseen', async () => {
    const { store, clock, ids, transition } = await withSwaps(4)
    const [first = 0, second = 0, third = 0, fourth = 0] = ids
    for (const [id, state] of [
      [first, 'processing'],
      [second, 'processing'],
      [third, 'success'],
    ] as const)
      await transition(id, statusOf(state), 'ref')
    const counts = Object.fromEntries((await store.operator.openSwaps()).map(({ state, ...rest }) => [state, rest]))
    expect(counts).toMatchObject({
      processing: { count: 2, oldestAt: clock.at },
      pending: { count: 1 },
      unknown: { count: 0, oldestAt: null },
    })
    expect(counts).not.toHaveProperty('success')
    const unseen = async (now = 0) => (await store.operator.backlog(now)).oldestUnseenAt
    await store.settlement.hasten({ swapId: first, isPaid: true })
    await store.settlement.add({ swapId: fourth, isPaid: false, dueAt: 0 })
    expect(await unseen()).toBeNull()
    clock.at += 5
    await store.settlement.hasten({ swapId: fourth, isPaid: true })
    expect(await unseen()).toBe(clock.at)
    await store.settlement.abandon(fourth)
    expect(await unseen()).toBeNull()
    await store.swaps.setNamed(fourth, '0xab')
    expect([await unseen(), await unseen(clock.at + 86_400_000)]).toEqual([clock.at, null])
    const listed = await store.operator.swaps({ isUnseen: true }, { beforeId: null, limit: 9 })
    expect(listed).toMatchObject([{ id: fourth, namedTx: '0xab' }])
    await store.settlement.abandon(fourth)
    expect(await unseen()).toBeNull()
  })
})

it('lifecycle: no other code changes the status of a swap', async () => {
  const root = join(import.meta.dirname, '../../..')
  const files = (await listCode(root)).filter((file) => /^(engine|handlers|scripts)\//.test(file))
  expect(files.length).toBeGreaterThan(250)
  const calling = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('.setStatus('))
  expect(calling).toEqual(['engine/execution/lifecycle.ts'])
})
