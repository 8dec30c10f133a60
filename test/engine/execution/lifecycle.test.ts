import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../engine/core/clock.ts'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { listCode } from '../../../scripts/importRules.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

const STATES: readonly SwapState[] = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed', 'not_found', 'unknown']
const ENDS: readonly SwapState[] = ['success', 'refunded', 'failed']

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const STORES = {
  SQLite: (clock: Clock) => openSqliteStore(':memory:', clock),
  memory: async (clock: Clock) => createMemoryStore(clock),
}

describe.each(['SQLite', 'memory'] as const)('in %s', (name) => {
  /** So many swaps in one store, and what changes them. */
  const withSwaps = async (count: number) => {
    const store = await STORES[name](createTestClock())
    closers.push(() => store.close())
    const ids: number[] = []
    while (ids.length < count) ids.push((await store.swaps.add(await aNewSwap({ bindingKey: `${ids.length}`, ref: null }))).id)
    return { store, ids, ...createLifecycle(store) }
  }

  it('an end stays an end, and is what stands for whoever comes too late', async () => {
    const { store, ids, transition } = await withSwaps(STATES.length)
    for (const [index, state] of STATES.entries()) {
      const id = ids[index] ?? 0
      expect(await transition(id, statusOf(state), 'ref')).toEqual(statusOf(state))
      for (const later of STATES) {
        const stands = statusOf(ENDS.includes(state) ? state : later)
        expect(await transition(id, statusOf(later), 'ref')).toEqual(stands)
        expect(await store.swaps.byId(id)).toMatchObject({ status: stands, ref: 'ref' })
        if (ENDS.includes(later)) break
      }
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

  it('of two ends at once the first stands, and both are told it', async () => {
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
