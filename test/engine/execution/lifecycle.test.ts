import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import type { Store } from '../../../engine/store/store.ts'
import { listCode } from '../../../scripts/importRules.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock } from '../../support/testEngine.ts'

const STATES: readonly SwapState[] = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed', 'not_found', 'unknown']
const ENDS: readonly SwapState[] = ['success', 'refunded', 'failed']

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

describe.each(STORES)('in %s', (_name, open) => {
  /** So many swaps in one store, and what changes them. */
  const withSwaps = async (count: number) => {
    const clock = createTestClock()
    const store = await open(clock)
    closers.push(() => store.close())
    const ids: number[] = []
    while (ids.length < count) ids.push((await store.swaps.add(await aNewSwap({ bindingKey: `${ids.length}`, ref: null }))).id)
    return { store, clock, ids, ...createLifecycle(store) }
  }

  /** What stands once a swap that stood so is given another status. */
  const standing = (state: SwapState, later: SwapState): SwapState => {
    if (state === 'failed') return ['processing', 'success', 'refunded', 'expired'].includes(later) ? later : state
    return ENDS.includes(state) ? state : later
  }

  it('an end stays an end for whoever comes too late, save that a payment seen after all says more than that there was none', async () => {
    const { store, ids, transition } = await withSwaps(STATES.length ** 2)
    for (const [index, state] of STATES.entries())
      for (const [at, later] of STATES.entries()) {
        const id = ids[index * STATES.length + at] ?? 0
        expect(await transition(id, statusOf(state), 'ref')).toEqual(statusOf(state))
        const stands = statusOf(standing(state, later))
        expect(await transition(id, statusOf(later), 'ref')).toEqual(stands)
        expect(await store.swaps.byId(id)).toMatchObject({ status: stands, ref: 'ref' })
      }
  })

  it('an end is taken back when the chain takes back what it rested on', async () => {
    const { store, ids, transition } = await withSwaps(ENDS.length)
    for (const [index, state] of ENDS.entries()) {
      const id = ids[index] ?? 0
      await transition(id, statusOf(state), 'ref')
      const reopened = statusOf('processing')
      expect(await transition(id, reopened, 'ref', { takesBackEnd: true })).toEqual(reopened)
      expect(await store.swaps.byId(id)).toMatchObject({ status: reopened })
    }
  })

  it('the first end is told once, however many find it at once, and no later one', async () => {
    const { ids, transition } = await withSwaps(1)
    const [id = 0] = ids
    const told: number[] = []
    const onFirstEnd = (swap: { readonly id: number }) => void told.push(swap.id)
    await transition(id, statusOf('processing'), 'ref', { onFirstEnd })
    expect(told).toEqual([])
    await Promise.all(Array.from({ length: 5 }, () => transition(id, statusOf('success'), 'ref', { onFirstEnd })))
    await transition(id, statusOf('processing'), 'ref', { takesBackEnd: true, onFirstEnd })
    await transition(id, statusOf('refunded'), 'ref', { onFirstEnd })
    expect(told).toEqual([id])
  })

  it('open swaps are counted by state, with the age of the oldest and of the oldest signed one that is pending', async () => {
    const { store, clock, ids, transition } = await withSwaps(4)
    const [first = 0, second = 0, third = 0, fourth = 0] = ids
    const startedAt = clock.at
    await transition(first, statusOf('processing'), 'ref')
    await transition(second, statusOf('processing'), 'ref')
    await transition(third, statusOf('success'), 'ref')
    const counts = await store.operator.openSwaps()
    expect(counts.find(({ state }) => state === 'processing')).toEqual({ state: 'processing', count: 2, oldestAt: startedAt })
    expect(counts.find(({ state }) => state === 'pending')).toMatchObject({ count: 1 })
    expect(counts.find(({ state }) => state === 'unknown')).toEqual({ state: 'unknown', count: 0, oldestAt: null })
    expect(counts.map(({ state }) => state)).not.toContain('success')
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
    expect(await store.operator.swaps({ isUnseen: true }, { beforeId: null, limit: 9 })).toMatchObject([
      { id: fourth, namedTx: '0xab' },
    ])
    await store.settlement.abandon(fourth)
    expect(await unseen()).toBeNull()
  })

  it('the first end has its time, which stays though the swap goes on and ends again', async () => {
    const { store, clock, ids, transition } = await withSwaps(1)
    const [id = 0] = ids
    const endedAt = async () => (await store.swaps.byId(id))?.endedAt
    await transition(id, statusOf('expired'), 'ref')
    expect(await endedAt()).toBeNull()
    clock.at += 5
    const first = clock.at
    await transition(id, statusOf('failed'), 'ref')
    expect(await endedAt()).toBe(first)
    for (const [after, takesBackEnd] of [
      ['processing', false],
      ['success', false],
      ['processing', true],
      ['refunded', false],
    ] as const) {
      clock.at += 5
      await transition(id, statusOf(after), 'ref', { takesBackEnd })
      expect(await store.swaps.byId(id)).toMatchObject({ status: { state: after }, endedAt: first })
    }
  })

  it.each(['another', null])('what a swap is known by stays, when an answer under way beside it knows it by %s', async (ref) => {
    const { store, ids, transition } = await withSwaps(1)
    const [id = 0] = ids
    await transition(id, statusOf('pending'), null)
    await transition(id, statusOf('processing'), 'own')
    expect(await transition(id, statusOf('pending'), ref)).toEqual(statusOf('pending'))
    expect(await store.swaps.byId(id)).toMatchObject({ status: statusOf('processing'), ref: 'own' })
  })

  it('of two ends at once the first stands, and both are told it [status-first-end-counts]', async () => {
    const { store, ids, transition } = await withSwaps(1)
    const [id = 0] = ids
    const told = await Promise.all(
      (['success', 'refunded', 'failed', 'processing'] as const).map((state) => transition(id, statusOf(state), 'ref')),
    )
    const stands = (await store.swaps.byId(id))?.status
    expect(ENDS).toContain(stands?.state)
    expect(told).toEqual([stands, stands, stands, stands])
  })

  it('a swap whose record is gone is told as it was seen', async () => {
    const { transition } = await withSwaps(0)
    expect(await transition(7, statusOf('processing'), 'ref')).toEqual(statusOf('processing'))
  })

  it('writes nothing of a change that cannot all be written', async () => {
    const { store, ids } = await withSwaps(1)
    const [id = 0] = ids
    const before = await store.swaps.byId(id)
    const full: Pick<Store, 'transaction'> = {
      transaction: (work) =>
        store.transaction(async (parts) => {
          await work(parts)
          throw new Error('disk full')
        }),
    }
    await expect(createLifecycle(full).transition(id, statusOf('success'), 'ref')).rejects.toThrow('disk full')
    expect(await store.swaps.byId(id)).toEqual(before)
  })
})

it('nothing but the lifecycle changes the state of a swap', async () => {
  const root = join(import.meta.dirname, '../../..')
  const files = (await listCode(root)).filter((file) => /^(engine|handlers|scripts)\//.test(file))
  const calling = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('.setStatus('))
  expect(files.length).toBeGreaterThan(250)
  expect(calling).toEqual(['engine/execution/lifecycle.ts'])
})
