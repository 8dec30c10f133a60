import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { bodyOf } from '../product/numberedQuotes.ts'
import { QUOTE_PATH } from '../product/sample.ts'
import { idealMs } from './latency.ts'
import { answerParent } from './parent.ts'

/** A crowd of clients in a process of its own: each asks for a quote, and for the next when that is answered. */
export type CrowdQuestion = {
  readonly url: string
  readonly clients: number
  readonly venues: number
  readonly seconds: number
  /** Whoever is refused waits as long as he is told; else he asks again at once. */
  readonly isPatient: boolean
}

export type CrowdAnswer = {
  readonly seconds: number
  /** Answered with an offer, within the time that counts; and without one. */
  readonly offers: number
  readonly withoutOffer: number
  readonly refused: number
  /** Answered with anything else. */
  readonly failed: number
  /** Of those that were let in: their time, and that of a race that costs nothing, milliseconds. */
  readonly tookMs: readonly number[]
  readonly idealMs: readonly number[]
}

/** The crowd is there, and what runs is compiled. */
const WARM_UP_SECONDS = 3
const HEAD_END = '\r\n\r\n'

type Reply = { readonly status: number; readonly retryAfterSec: number }

/** What a connection that broke under a request comes to: a failure, like any answer that is none. */
const BROKEN: Reply = { status: 0, retryAfterSec: 1 }

/**
 * One keep-alive connection, and the next when that is lost: a request at a time, and just enough HTTP to be no
 * bottleneck.
 */
const createClient = (port: number) => {
  let received = ''
  let settle: (reply: Reply) => void = () => undefined
  const open = (): Socket => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      received += chunk
      const headEnd = received.indexOf(HEAD_END)
      if (headEnd < 0) return
      const head = received.slice(0, headEnd)
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (received.length < headEnd + HEAD_END.length + length) return
      settle({ status: Number(head.slice(9, 12)), retryAfterSec: Number(/\r\nretry-after: (\d+)/i.exec(head)?.[1] ?? 1) })
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => settle(BROKEN))
    return socket
  }
  let socket = open()
  return {
    ask: (body: string): Promise<Reply> =>
      new Promise((resolve) => {
        if (socket.destroyed) socket = open()
        received = ''
        settle = resolve
        socket.write(
          `POST ${QUOTE_PATH} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}${HEAD_END}${body}`,
        )
      }),
    close: () => socket.destroy(),
  }
}

const crowd = async ({ url, clients, venues, seconds, isPatient }: CrowdQuestion): Promise<CrowdAnswer> => {
  const port = Number(new URL(url).port)
  const countsFrom = performance.now() + WARM_UP_SECONDS * 1_000
  const endsAt = countsFrom + seconds * 1_000
  const counted = { offers: 0, withoutOffer: 0, refused: 0, failed: 0 }
  const tookMs: number[] = []
  const ideals: number[] = []
  let next = 0
  const over = new AbortController()

  const note = (quote: number, status: number, took: number): void => {
    if (status === 503) counted.refused += 1
    else if (status === 200) counted.offers += 1
    else if (status === 404) counted.withoutOffer += 1
    else counted.failed += 1
    if (status !== 200 && status !== 404) return
    tookMs.push(took)
    ideals.push(idealMs(quote, venues))
  }

  const ask = async (client: ReturnType<typeof createClient>): Promise<void> => {
    // Not all at once, but as a crowd comes.
    await pause(Math.random() * 1_000)
    while (performance.now() < endsAt) {
      const quote = next
      next += 1
      const askedAt = performance.now()
      const { status, retryAfterSec } = await client.ask(bodyOf(quote))
      const now = performance.now()
      if (now >= countsFrom && now < endsAt) note(quote, status, now - askedAt)
      if (status === 503 && isPatient)
        await pause(retryAfterSec * 1_000, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const all = Array.from({ length: clients }, () => createClient(port))
  setTimeout(() => over.abort(), (WARM_UP_SECONDS + seconds) * 1_000)
  await Promise.all(all.map((client) => ask(client)))
  for (const client of all) client.close()
  return { seconds, ...counted, tookMs, idealMs: ideals }
}

answerParent(null, (question) => crowd(question as CrowdQuestion))
