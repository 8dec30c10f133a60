import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createSettlement, type SettlementTask } from '../../../engine/settlement/settlementJob.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { advance } from '../../support/raceTime.ts'
import { fakeTimeHere } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { INTERVAL, MINUTE, storeSwaps } from './settlementBench.ts'

const start = (tasks: readonly SettlementTask[], clock = createTestClock(), store = createMemoryStore(clock)) => {
  const events: EngineEvent[] = []
  const happened: string[] = []
  const settlement = createSettlement({
    tasks,
    clock,
    isClockRight: () => true,
    queue: store.settlement,
    leases: store.leases,
    lookAt: async () => {
      happened.push('look')
      return 'open'
    },
    observe: (event) => events.push(event),
    newId: randomUUID,
    random: () => 0.5,
    intervalMs: INTERVAL,
    abandonAfterMs: 1e9,
    passMsMax: INTERVAL,
  })
  return { settlement, events, happened, store, clock }
}

const task = (name: string, work: (signal: AbortSignal) => Promise<void>): SettlementTask => ({
  name,
  run: async (signal) => {
    await work(signal)
    return { isCut: false }
  },
})

/** Runs until its signal aborts. */
const untilStopped = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

it('tasks run in order after the swaps of each pass, and a failed task is logged and stops no later one', async () => {
  const { happened, settlement, events, store } = start([
    task('first', async () => {
      happened.push('first')
      throw new Error('broken')
    }),
    task('second', async () => void happened.push('second')),
  ])
  await storeSwaps(store, 3)
  await settlement.runOnce()
  expect(happened).toEqual(['look', 'look', 'look', 'first', 'second'])
  const failed = { event: 'settlement.task.failed', task: 'first', reason: 'broken' }
  expect(events.filter(({ event }) => event === 'settlement.task.failed')).toEqual([failed])
})

it('tasks run although the store cannot read swaps, and not where another instance has the lease', async () => {
  const only = task('only', async () => void happened.push('only'))
  const { store, settlement, events, happened, clock } = start([only])
  store.fails = (call) => call.startsWith('settlement.')
  expect(await settlement.runOnce()).toBeNull()
  expect([happened, events]).toMatchObject([['only'], [{ event: 'settlement.stopped' }]])
  expect(await start([only], clock, store).settlement.runOnce()).toBeNull()
  expect(happened).toEqual(['only'])
})

it('a task that is cut off continues within a minute', async () => {
  fakeTimeHere()
  let runs = 0
  const { settlement } = start([{ name: 'cut once', run: async () => ({ isCut: ++runs === 1 }) }])
  settlement.start()
  await advance(INTERVAL * 0.05)
  expect(runs).toBe(1)
  await advance(MINUTE)
  expect(runs).toBe(2)
  await settlement.stop()
})

it('a task that takes longer than an interval runs once at a time, and passes start beside it [settlement-tasks-beside]', async () => {
  fakeTimeHere()
  let runs = 0
  const { settlement, events } = start([
    task('slow', (signal) => {
      runs += 1
      return untilStopped(signal)
    }),
  ])
  settlement.start()
  await advance(INTERVAL * 4)
  expect([events.filter(({ event }) => event === 'settlement.pass').length, runs]).toEqual([2, 1])
  await settlement.stop()
})

it('a stop ends the task in progress, waits for it, and starts no other', async () => {
  const { settlement, happened } = start([
    task('long', async (signal) => {
      happened.push('long')
      await untilStopped(signal)
      await new Promise((resolve) => setImmediate(resolve))
      happened.push('ended')
    }),
    task('next', async () => void happened.push('next')),
  ])
  const pass = settlement.runOnce()
  await expect.poll(() => happened).toEqual(['long'])
  await settlement.stop()
  expect(happened).toEqual(['long', 'ended'])
  await pass
})
