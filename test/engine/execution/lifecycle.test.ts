import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { createSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import type { SwapRecord } from '../../../engine/store/swaps.ts'
import { listCode } from '../../../scripts/importRules.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../../support/fakeVenue.ts'
import { createTestEngine, START_AT } from '../../support/testEngine.ts'

const STATES: readonly SwapState[] = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed', 'not_found', 'unknown']
const ENDS: readonly SwapState[] = ['success', 'refunded', 'failed']

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Executed quotes, each a swap of its own in one store. */
const executed = async (count: number): Promise<{ readonly store: Store; readonly swaps: readonly SwapRecord[] }> => {
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: () => START_AT })
  const { engine, context, database, clock, close } = await createTestEngine({ venues: [venue] })
  closers.push(close)
  const store = createSqliteStore(database, clock)
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  const swaps: SwapRecord[] = []
  while (swaps.length < count) {
    const { quoteToken } = await engine.quote(order, context)
    await engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)
    const record = await store.swaps.byId(swaps.length + 1)
    if (!record) throw new Error('nothing was stored')
    swaps.push(record)
  }
  return { store, swaps }
}

it('an end stays an end, and is what stands for whoever comes too late', async () => {
  const { store, swaps } = await executed(STATES.length)
  const { transition } = createLifecycle(store)
  for (const [index, state] of STATES.entries()) {
    const id = swaps[index]?.id ?? 0
    expect(await transition(id, statusOf(state), 'first')).toEqual(statusOf(state))
    for (const later of STATES) {
      const stands = statusOf(ENDS.includes(state) ? state : later)
      expect(await transition(id, statusOf(later), 'second')).toEqual(stands)
      expect(await store.swaps.byId(id)).toMatchObject({ status: stands, ref: ENDS.includes(state) ? 'first' : 'second' })
      if (ENDS.includes(later)) break
    }
  }
})

it('of two ends at once the first stands, and both are told it', async () => {
  const { store, swaps } = await executed(1)
  const id = swaps[0]?.id ?? 0
  const { transition } = createLifecycle(store)
  const told = await Promise.all(
    (['success', 'refunded', 'failed', 'processing'] as const).map((state) => transition(id, statusOf(state), 'ref')),
  )
  const stands = (await store.swaps.byId(id))?.status
  expect(ENDS).toContain(stands?.state)
  expect(told).toEqual([stands, stands, stands, stands])
})

it('a swap whose record is gone is told as it was seen', async () => {
  const { store } = await executed(0)
  expect(await createLifecycle(store).transition(7, statusOf('processing'), 'ref')).toEqual(statusOf('processing'))
})

it('writes nothing of a change that cannot all be written', async () => {
  const { store, swaps } = await executed(1)
  const id = swaps[0]?.id ?? 0
  const full: Pick<Store, 'transaction'> = {
    transaction: (work) =>
      store.transaction(async (parts) => {
        await work(parts)
        throw new Error('disk full')
      }),
  }
  await expect(createLifecycle(full).transition(id, statusOf('success'), 'ref')).rejects.toThrow('disk full')
  expect(await store.swaps.byId(id)).toEqual(swaps[0])
})

it('nothing but the lifecycle changes the state of a swap', async () => {
  const root = join(import.meta.dirname, '../../..')
  const files = (await listCode(root)).filter((file) => /^(engine|handlers|scripts)\//.test(file))
  const calling = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('.setStatus('))
  expect(files.length).toBeGreaterThan(250)
  expect(calling).toEqual(['engine/execution/lifecycle.ts'])
})
