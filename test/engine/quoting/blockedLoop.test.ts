import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, hangs, offers } from '../../support/fakeVenue.ts'
import { createTestEngine, refusalOf, type TestEngine } from '../../support/testEngine.ts'

const DEADLINE_MS = 600

/** Cells that this thread and the far side look at while neither of their event loops turns. */
const [MAY_ANSWER, HAS_ANSWERED] = [0, 1]

/** A far side on a thread of its own: it answers once it may, whatever our event loop does. */
const FAR_SIDE = `
  const { createServer } = require('node:http')
  const { parentPort, workerData: cells } = require('node:worker_threads')
  const server = createServer((request, response) => {
    parentPort.postMessage('asked')
    setImmediate(() => {
      Atomics.wait(cells, ${MAY_ANSWER}, 0)
      response.end('an answer', () => {
        Atomics.store(cells, ${HAS_ANSWERED}, 1)
        Atomics.notify(cells, ${HAS_ANSWERED})
      })
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

type FarSide = {
  readonly url: string
  asked(): Promise<void>
  /** Blocks this thread until the answer is in our socket and the deadline is over. */
  answerPastDeadline(startedAt: number): void
  close(): Promise<number>
}

const startFarSide = async (): Promise<FarSide> => {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(FAR_SIDE, { eval: true, workerData: cells })
  const next = <T>() => new Promise<T>((resolve) => worker.once('message', resolve))
  const port = await next<number>()
  return {
    url: `http://127.0.0.1:${port}`,
    asked: () => next<void>(),
    answerPastDeadline: (startedAt) => {
      Atomics.store(cells, MAY_ANSWER, 1)
      Atomics.notify(cells, MAY_ANSWER)
      Atomics.wait(cells, HAS_ANSWERED, 0)
      // Nobody changes it any more: this only waits.
      Atomics.wait(cells, HAS_ANSWERED, 1, Math.max(0, startedAt + 2 * DEADLINE_MS - performance.now()))
    },
    close: () => worker.terminate(),
  }
}

const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })

const client = createHttpClient()
let farSide: FarSide
const engines: TestEngine[] = []

beforeEach(async () => {
  farSide = await startFarSide()
})

afterEach(async () => {
  await farSide.close()
  for (const engine of engines.splice(0)) await engine.close()
})

const start = async (softMs: number, ...others: readonly ReturnType<typeof createFakeVenue>[]): Promise<TestEngine> => {
  const venue = createFakeVenue('far', {
    quote: async (asked, signal) => {
      await client.send({ method: 'GET', url: farSide.url, signal })
      return offers(2_000n)(asked, signal)
    },
  })
  const env = { QUOTE_DEADLINE_MS: String(DEADLINE_MS), QUOTE_SOFT_DEADLINE_MS: String(softMs) }
  const engine = await createTestEngine({ venues: [venue, ...others], env })
  engines.push(engine)
  return engine
}

describe('an answer that came in time while the event loop was blocked [venue-slow-answer-ours]', () => {
  it('is no timeout: the quote is served', async () => {
    const { engine, context, called } = await start(DEADLINE_MS)
    const asked = farSide.asked()
    const startedAt = performance.now()
    const quote = engine.quote(order, context)
    await asked
    farSide.answerPastDeadline(startedAt)
    expect((await quote).venue.id).toBe('far')
    expect(called('quote')).toMatchObject([{ outcome: 'offer' }])
  })

  it('takes part in a race that is decided at the soft deadline', async () => {
    const { engine, context } = await start(
      DEADLINE_MS / 2,
      createFakeVenue('near', { quote: offers(1_000n) }),
      createFakeVenue('slow', { quote: hangs }),
    )
    const asked = farSide.asked()
    const startedAt = performance.now()
    const quote = engine.quote(order, context)
    await asked
    farSide.answerPastDeadline(startedAt)
    expect((await quote).venue.id).toBe('far')
  })
})

describe('a venue without an answer at the deadline', () => {
  const FAILURES_MAX = 5

  it.each([
    ['is no trouble of its own when our loop was late', true, []],
    ['is in trouble after five times when it was not', false, [{ venue: 'far', healthy: false }]],
  ])('%s', async (_what, isLate, told) => {
    const venue = createFakeVenue('far', { quote: hangs })
    const env = { QUOTE_DEADLINE_MS: '50', QUOTE_SOFT_DEADLINE_MS: '50' }
    const loopWatch = { start: () => ({ wasLate: () => isLate, end: () => undefined }) }
    const engine = await createTestEngine({ venues: [venue], env, loopWatch })
    engines.push(engine)
    for (let i = 0; i < FAILURES_MAX; i += 1)
      await refusalOf(engine.engine.quote(order, { ...engine.context, client: `client ${i}` }), 'INTERNAL')
    expect(engine.reported('venue.health')).toMatchObject(told)
    expect(engine.called('quote')).toMatchObject(Array(FAILURES_MAX).fill({ outcome: 'timeout' }))
  })
})
