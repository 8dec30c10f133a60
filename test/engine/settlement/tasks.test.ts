import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createSettlement, type SettlementTask } from '../../../engine/settlement/settlementJob.ts'
import { createMemoryStore, type MemoryStore } from '../../support/memoryStore.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestClock, type TestClock } from '../../support/testEngine.ts'
import { storeSwaps } from './manySwaps.ts'
import { closeBenches, INTERVAL, MINUTE } from './settlementBench.ts'

afterEach(async () => {
  realTime()
  await closeBenches()
})

const start = (tasks: readonly SettlementTask[], store?: MemoryStore, clock: TestClock = createTestClock()) => {
  const records = store ?? createMemoryStore(clock)
  const events: EngineEvent[] = []
  const happened: string[] = []
  const settlement = createSettlement({
    tasks,
    clock,
    isClockRight: () => true,
    queue: records.settlement,
    leases: records.leases,
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
  return { settlement, events, happened, store: records }
}

const task = (name: string, work: (signal: AbortSignal) => Promise<void>): SettlementTask => ({
  name,
  run: async (signal) => {
    await work(signal)
    return { isCut: false }
  },
})

it('tasks run after the swaps of each pass, one after the other; one that fails is told and keeps no other from it', async () => {
  const order: string[] = []
  const bench = start([
    task('first', async () => {
      order.push(`first after ${bench.happened.length}`)
      throw new Error('broken')
    }),
    task('second', async () => void order.push('second')),
  ])
  await storeSwaps(bench.store, 3)
  await bench.settlement.runOnce()
  expect(order).toEqual(['first after 3', 'second'])
  expect(bench.events.filter(({ event }) => event === 'settlement.task.failed')).toEqual([
    { event: 'settlement.task.failed', task: 'first', reason: 'broken' },
  ])
})

it('tasks run though the swaps could not be looked at, and not where another instance does the settlement', async () => {
  let runs = 0
  const count = task('count', async () => {
    runs += 1
  })
  const clock = createTestClock()
  const bench = start([count], undefined, clock)
  bench.store.fails = (call) => call.startsWith('settlement.')
  expect(await bench.settlement.runOnce()).toBeNull()
  expect(runs).toBe(1)
  expect(bench.events).toMatchObject([{ event: 'settlement.stopped' }])
  expect(await start([count], bench.store, clock).settlement.runOnce()).toBeNull()
  expect(runs).toBe(1)
})

it('a task that had no time for all is gone on with soon, and not an interval later', async () => {
  fakeTime()
  let runs = 0
  const run = async () => ({ isCut: ++runs === 1 })
  const bench = start([{ name: 'cut once', run }])
  bench.settlement.start()
  await advance(INTERVAL * 0.05)
  expect(runs).toBe(1)
  await advance(MINUTE)
  expect(runs).toBe(2)
  await bench.settlement.stop()
})

it('a task that takes longer than an interval runs once at a time, and the next passes begin beside it [settlement-tasks-beside]', async () => {
  fakeTime()
  let runs = 0
  const untilStopped = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      runs += 1
      signal.addEventListener('abort', () => resolve())
    })
  const bench = start([task('slow', untilStopped)])
  bench.settlement.start()
  await advance(INTERVAL * 4)
  expect([bench.events.filter(({ event }) => event === 'settlement.pass').length, runs]).toEqual([2, 1])
  await bench.settlement.stop()
})

it('a task under way is told to stop, and none is begun after that', async () => {
  const bench = start([
    task('long', (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))),
    task('next', async () => void bench.happened.push('next')),
  ])
  const pass = bench.settlement.runOnce()
  await bench.store.leases.take('nothing', 'nobody', 1)
  await bench.settlement.stop()
  await pass
  expect(bench.happened).toEqual([])
})
