import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { createChainClock } from '../../../engine/chains/endpoints/chainClock.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createSettlement, type SettlementTask } from '../../../engine/settlement/settlementJob.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeEvidence } from '../../support/fakeEvidence.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { done } from '../../support/moneyBench.ts'
import { advance } from '../../support/raceTime.ts'
import { fakeTimeHere } from '../../support/storeStage.ts'
import { createTestClock, START_AT } from '../../support/testEngine.ts'
import {
  beside,
  delivered,
  HOUR,
  INTERVAL,
  MINUTE,
  paid,
  type SettlementBench,
  startBench,
  storeSwaps,
} from './settlementBench.ts'

const SECOND = 1_000

it.each([
  ...['swaps.setStatus', 'partnerEvents.add', 'payments.claim', 'settlement.hasten', 'swaps.byId', 'settlement.due'].map(
    (call) => [call, 'before', 'pending', []] as const,
  ),
  ['settlement.find', 'after', 'success', ['swap.settled']],
  ['settlement.reschedule', 'after', 'success', ['swap.settled']],
] as const)('a swap is reported once when the store fails at %s %s its end is written', async (call, when, state, told) => {
  const { on, swap } = await delivered()
  on.store.fails = (one) => one === call
  expect(await on.pass()).toBeNull()
  on.store.fails = () => false
  expect([await on.stored(swap), await on.told(), on.reported('settlement.failed')]).toEqual([state, told, []])
  expect(await on.pass(MINUTE)).toMatchObject({ looked: 1, ended: when === 'before' ? 1 : 0 })
  expect(await on.told()).toEqual(['swap.settled'])
})

it.each(['swaps.setStatus', 'partnerEvents.add', 'swaps.byId', 'settlement.find'])(
  'a defect of one swap at %s is logged, and the pass settles the other',
  async (call) => {
    const on = await startBench()
    for (const swap of [await on.execute(), await on.execute()]) {
      on.pay(swap)
      on.saysOf(swap, { ...statusOf('success'), ...done(on.deliver(swap)) })
    }
    let isFirst = true
    on.store.fails = (one) => {
      if (one !== call || !isFirst) return false
      isFirst = false
      throw new RangeError('a defect')
    }
    expect(await on.pass()).toMatchObject({ looked: 2, failed: 1 })
    expect(on.reported('settlement.failed')).toMatchObject([{ venue: 'toy', reason: expect.stringContaining('a defect') }])
    on.store.fails = () => false
    await on.pass()
    expect(await on.told()).toEqual(['swap.settled', 'swap.settled'])
  },
)

it.each([
  ['when the lease ends', MINUTE, false],
  ['at once from a stopped instance', 0, true],
  ['when the clock that took the lease was a day ahead', -24 * HOUR, false],
])('one instance settles at a time, and another takes over %s [settlement-one-instance]', async (_when, afterMs, isStopped) => {
  const { on } = await delivered()
  const other = await beside(on)
  await on.pass()
  expect(await other.engine.settlement.runOnce()).toBeNull()
  on.clock.at += afterMs
  if (isStopped) await on.engine.settlement.stop()
  expect(await other.engine.settlement.runOnce()).not.toBeNull()
  expect(await on.engine.settlement.runOnce()).toBeNull()
})

it('one instance settles at a time, and another takes over when an instance loses its lease during a pass, which it prolongs before that', async () => {
  // One call a minute.
  const on = await startBench('DEPOSIT', { profile: { limits: { statusPerMinute: 2 } } })
  on.says('processing')
  for (let count = 0; count < 9; count += 1) on.pay(await on.execute())
  const other = await beside(on)
  fakeTimeHere()
  const passing = on.pass()
  const wait = async (ms: number) => {
    on.clock.at += ms
    await advance(ms)
  }
  for (let i = 0; i < 2; i += 1) await wait(MINUTE / 2)
  expect(await other.engine.settlement.runOnce()).toBeNull()
  // Its host suspends the process for two minutes.
  on.clock.at += 2 * MINUTE
  expect(await other.engine.settlement.runOnce()).not.toBeNull()
  await wait(MINUTE / 2)
  expect(await passing).toMatchObject({ isCut: true })
  expect(on.venue.calls.track.length).toBeLessThan(5)
})

it('a started job runs a pass about every interval until it is stopped', async () => {
  const { on } = await delivered()
  fakeTimeHere()
  on.engine.settlement.start()
  for (let passes = 0; passes < 4; passes += 1) {
    on.clock.at += INTERVAL
    await advance(INTERVAL * 1.1)
  }
  const { length } = on.reported('settlement.pass')
  expect(length).toBeGreaterThanOrEqual(3)
  expect(await on.told()).toEqual(['swap.settled'])
  await on.engine.settlement.stop()
  await advance(10 * INTERVAL)
  expect(on.reported('settlement.pass')).toHaveLength(length)
})

const startTasks = (tasks: readonly SettlementTask[], clock = createTestClock(), store = createMemoryStore(clock)) => {
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

it('the tasks of a pass run in order after the swaps, and a failed task is logged and stops no later one', async () => {
  const { happened, settlement, events, store } = startTasks([
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

it('the tasks of a pass run although the store cannot read swaps, and not where another instance has the lease', async () => {
  const only = task('only', async () => void happened.push('only'))
  const { store, settlement, events, happened, clock } = startTasks([only])
  store.fails = (call) => call.startsWith('settlement.')
  expect(await settlement.runOnce()).toBeNull()
  expect([happened, events]).toMatchObject([['only'], [{ event: 'settlement.stopped' }]])
  expect(await startTasks([only], clock, store).settlement.runOnce()).toBeNull()
  expect(happened).toEqual(['only'])
})

it('the tasks of a pass continue within a minute when they were cut off', async () => {
  fakeTimeHere()
  let runs = 0
  const { settlement } = startTasks([{ name: 'cut once', run: async () => ({ isCut: ++runs === 1 }) }])
  settlement.start()
  await advance(INTERVAL * 0.05)
  expect(runs).toBe(1)
  await advance(MINUTE)
  expect(runs).toBe(2)
  await settlement.stop()
})

it('the tasks of a pass run once at a time when they take longer than an interval, and passes start beside them [settlement-tasks-beside]', async () => {
  fakeTimeHere()
  let runs = 0
  const { settlement, events } = startTasks([
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

it('the tasks of a pass end at a stop, which waits for the task in progress and starts no other', async () => {
  const { settlement, happened } = startTasks([
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

/** `chains`: their newest blocks have the time of the start. `isMainnet`: the service waits for the comparison, and no chain answers. */
const startBy = async (chains: readonly (1 | 10)[], isMainnet = false) => {
  const silence = { ms: 0 }
  const clock = createChainClock({ now: () => on.clock.at }, () => silence.ms)
  const readHead = () => Promise.reject(new Error('no chain answers'))
  const chain = Object.assign(createFakeEvidence(), { clock }, isMainnet && { readHead })
  const on = await startBench('DEPOSIT', {}, { chain, ...(isMainnet && { env: { NETWORK: 'mainnet' } }) })
  /** Chains show new blocks. */
  const compare = (at: number, ids: readonly (1 | 10)[] = [1, 10]): void => {
    for (const chainId of ids) for (const ago of [1, 0]) clock.saw(chainId, chainId, at - ago)
  }
  compare(START_AT, chains)
  return { on, chain, silence, compare }
}

it('no pass runs by a wrong clock, and the events of the partners stay [settlement-wrong-clock]', async () => {
  const { on } = await startBy([1, 10])
  const swap = await on.execute()
  on.pay(swap)
  on.succeeds(swap)
  await on.addEvent({ event: 'swap.refunded' })
  expect(await on.pass(91 * 24 * HOUR)).toBeNull()
  expect(await on.told()).toEqual(['swap.refunded'])
  on.clock.at = START_AT
  await on.pass()
  expect(await on.told()).toEqual(['swap.refunded', 'swap.settled'])
})

it('passes wait ten seconds for a comparison of the clock', async () => {
  const { on } = await startBy([], true)
  await on.addEvent()
  expect(await on.pass(9 * SECOND)).toBeNull()
  expect(await on.pass(SECOND)).not.toBeNull()
  expect(await on.told()).toEqual(['swap.settled'])
})

/** What is there before the act, and whether it is still there. */
const ACTS: { readonly [act: string]: (on: SettlementBench) => Promise<() => Promise<boolean>> } = {
  'the deletion of old events': async (on) => {
    await on.addEvent()
    return async () => (await on.told()).length > 0
  },
  'the deletion of old answers of paid calls': async ({ store: { paidCalls } }) => {
    const about = { requestId: 'q', operation: 'quote', network: 'eip155:8453', asset: 'a', amount: 1n, payTo: 'p', payer: 'x' }
    await paidCalls.add({ paymentKey: 'k', requestKey: 'r', payment: '{}', ...about }, { holder: 'h', leaseMs: HOUR })
    await paidCalls.setSettling('k', 'h', '{"answer":1}')
    await paidCalls.setSettled('k', 'h', '0x1')
    return async () => (await paidCalls.byKey('k'))?.answer !== null
  },
  'the removal of ended swaps from the queue': async (on) => {
    const swap = await on.execute()
    on.pay(swap)
    on.says('refunded', { refundTx: on.giveBack(swap) })
    await on.pass()
    return async () => (await on.queued(swap)) !== null
  },
  'abandoning open swaps': async (on) => {
    const swap = await on.execute()
    on.pay(swap)
    on.says('processing')
    return async () => (await on.queued(swap)) !== null
  },
}
it.each(Object.entries(ACTS))('%s waits until the clock is compared', async (_act, arrange) => {
  const { on, compare } = await startBy([], true)
  const isLeft = await arrange(on)
  expect(await on.pass(91 * 24 * HOUR)).not.toBeNull()
  await on.engine.settlement.runOnce()
  expect(await isLeft()).toBe(true)
  expect(on.engine.watch.isClockCompared()).toBe(false)
  compare(on.clock.at + 7 * HOUR)
  expect(on.engine.watch.isClockCompared()).toBe(true)
  await on.pass(7 * HOUR)
  expect(await isLeft()).toBe(false)
})

it('passes run by a clock that was wrong once no chain answers for 15 minutes, and delete nothing old', async () => {
  const { on, silence } = await startBy([1, 10], true)
  await on.addEvent()
  expect(await on.pass(91 * 24 * HOUR)).toBeNull()
  silence.ms = 16 * MINUTE
  expect(await on.pass()).not.toBeNull()
  await on.engine.settlement.runOnce()
  expect(await on.told()).toEqual(['swap.settled'])
})

it('a pass of another instance whose clock was 3 hours ahead delays no swap for the passes of this one', async () => {
  const { on, swap } = await paid()
  for (let hours = 0; hours < 8; hours += 1) await on.pass(HOUR)
  const rightAt = on.clock.at
  const other = await beside(on)
  other.says('processing')
  on.clock.at += 3 * HOUR
  await other.engine.settlement.runOnce()
  await other.engine.settlement.stop()
  on.clock.at = rightAt
  on.succeeds(swap)
  await on.pass()
  expect(await on.told()).toEqual(['swap.settled'])
})

const HALF_MINUTE = MINUTE / 2

/** A paid swap that waits for its refund, on a chain whose search stops before it is whole. */
const waiting = async (change: Parameters<typeof startBench>[2] = {}) => {
  const { on, swap } = await paid('DEPOSIT', {}, change)
  on.says('expired')
  const budgets: unknown[] = []
  const { search } = on.chain
  const searching = { isOver: false }
  on.chain.search = async (query, signal) => {
    if (query.recipient !== WALLETS.evm) return search(query, signal)
    budgets.push(query.budget)
    return searching.isOver ? search(query, signal) : { hashes: [], isWhole: false, isUnfinished: true }
  }
  return { on, swap, budgets, searching }
}

it('an unfinished search for a refund continues in a pass every half minute until it finds the refund [refund-search-continues]', async () => {
  const { on, swap, budgets, searching } = await waiting()
  on.giveBack(swap)
  for (let count = 1; count <= 60; count += 1) {
    expect(await on.pass(HALF_MINUTE)).toMatchObject({ looked: 1, searching: 1, ended: 0 })
    expect(budgets).toHaveLength(count)
  }
  searching.isOver = true
  expect(await on.pass(HALF_MINUTE)).toMatchObject({ searching: 0, ended: 1 })
  expect(await on.stored(swap)).toBe('refunded')
})

it('an unfinished search for a refund brings the next pass forward, which reads no other swap', async () => {
  const { on } = await waiting()
  await on.execute()
  fakeTimeHere()
  on.engine.settlement.start()
  for (let step = 0; step < 6; step += 1) {
    on.clock.at += HALF_MINUTE
    await advance(HALF_MINUTE)
  }
  const passes = on.reported('settlement.pass')
  expect(passes.length).toBeGreaterThanOrEqual(5)
  expect(passes.slice(1).every(({ looked }) => looked === 1)).toBe(true)
})

it.each([
  ['anonymous', { caller: { tier: 'anonymous', partnerId: null, feeBps: null } }],
  ['partner', {}],
] as const)('a refund search spends the %s budget in a /status request of such a caller', async (budget, change) => {
  const { on, swap, budgets } = await waiting(change)
  await on.status(swap)
  expect(budgets).toEqual([budget])
})
