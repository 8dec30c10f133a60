import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createFakeVenue, hangs, offers } from '../../support/fakeVenue.ts'
import { order, startEngine } from '../../support/quoteBench.ts'

const DEADLINE_MS = 600

/** Cells that this thread and the server read while neither of their event loops turns. */
const [MAY_ANSWER, HAS_ANSWERED] = [0, 1]

/** A server on a thread of its own: it answers once it may, whatever our event loop does. */
const SERVER = `
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

const startServer = async () => {
  const cells = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(SERVER, { eval: true, workerData: cells })
  onTestFinished(async () => void (await worker.terminate()))
  const next = <T>() => new Promise<T>((resolve) => worker.once('message', resolve))
  return {
    url: `http://127.0.0.1:${await next<number>()}`,
    asked: () => next<void>(),
    /** Blocks this thread until the answer is in our socket and the deadline is over. */
    answerPastDeadline: (startedAt: number) => {
      Atomics.store(cells, MAY_ANSWER, 1)
      Atomics.notify(cells, MAY_ANSWER)
      Atomics.wait(cells, HAS_ANSWERED, 0)
      // The cell keeps this value: this only waits.
      Atomics.wait(cells, HAS_ANSWERED, 1, Math.max(0, startedAt + 2 * DEADLINE_MS - performance.now()))
    },
  }
}

const client = createHttpClient()

describe('an answer that arrived in time, but that a blocked event loop reads after the deadline [venue-slow-answer-ours]', () => {
  it.each([
    ['is served after the hard deadline', DEADLINE_MS, []],
    ['takes part in a race that ends at the soft deadline', DEADLINE_MS / 2, [offers(1_000n), hangs]],
  ])('%s', async (_what, softMs, others) => {
    const server = await startServer()
    const venue = createFakeVenue('far', {
      quote: async (asked, signal) => {
        await client.send({ method: 'GET', url: server.url, signal })
        return offers(2_000n)(asked, signal)
      },
    })
    const venues = [venue, ...others.map((quote, at) => createFakeVenue(`near${at}`, { quote }))]
    const env = { QUOTE_DEADLINE_MS: `${DEADLINE_MS}`, QUOTE_SOFT_DEADLINE_MS: `${softMs}` }
    const { engine, context, called } = await startEngine(venues, { env })
    const asked = server.asked()
    const startedAt = performance.now()
    const quote = engine.quote(order(), context)
    await asked
    server.answerPastDeadline(startedAt)
    expect((await quote).venue.id).toBe('far')
    expect(called('quote')[0]).toMatchObject({ venue: 'far', outcome: 'offer' })
  })
})
