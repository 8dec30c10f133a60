import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { bodyOf, idealMs, QUOTE_PATH } from '../sample.ts'
import { answerParent } from './parent.ts'

/** Clients in a process of their own. Each requests a quote, and the next one when that is answered. */
export type CrowdQuestion = {
  readonly url: string
  readonly clients: number
  /** The number of venues behind the server. */
  readonly venues: number
  /** The crowd starts over this time, which is not counted. */
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Ends the crowd earlier. */
  readonly quotesMax: number
  /** Whether a refused client waits as long as `Retry-After` says. */
  readonly isPatient: boolean
}

/** What was answered in the time that counts. */
export type CrowdAnswer = {
  readonly offers: number
  readonly withoutOffer: number
  readonly refused: number
  readonly failed: number
  /** All quotes, those of the warm-up included. */
  readonly quotes: number
  /** The times of accepted quotes, and of races without any overhead, in ms. */
  readonly tookMs: readonly number[]
  readonly idealMs: readonly number[]
}

const HEAD_END = '\r\n\r\n'

type Reply = { readonly status: number; readonly retryAfterSec: number }

/** A connection that broke under a request. */
const BROKEN: Reply = { status: 0, retryAfterSec: 1 }

/** One keep-alive connection, and the next when that is lost, with just enough HTTP. */
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
    quote: (body: string): Promise<Reply> =>
      new Promise((resolve) => {
        if (socket.destroyed) socket = open()
        received = ''
        settle = resolve
        const headers = `host: bench\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
        socket.write(`POST ${QUOTE_PATH} HTTP/1.1\r\n${headers}${HEAD_END}${body}`)
      }),
    close: () => socket.destroy(),
  }
}

const KIND_OF: { readonly [status: number]: 'offers' | 'withoutOffer' | 'refused' } = {
  200: 'offers',
  404: 'withoutOffer',
  503: 'refused',
}

const crowd = async (question: CrowdQuestion): Promise<CrowdAnswer> => {
  const { url, clients, venues, warmUpSeconds, seconds, quotesMax, isPatient } = question
  const port = Number(new URL(url).port)
  const countsFrom = performance.now() + warmUpSeconds * 1_000
  const endsAt = countsFrom + seconds * 1_000
  const counted = { offers: 0, withoutOffer: 0, refused: 0, failed: 0 }
  const [tookMs, ideals]: [number[], number[]] = [[], []]
  let quotes = 0
  const work = async (client: ReturnType<typeof createClient>): Promise<void> => {
    await pause((Math.random() * warmUpSeconds * 1_000) / 3)
    while (performance.now() < endsAt && quotes < quotesMax) {
      const quote = quotes
      quotes += 1
      const startedAt = performance.now()
      const { status, retryAfterSec } = await client.quote(bodyOf(quote))
      const now = performance.now()
      if (now >= countsFrom && now < endsAt) {
        counted[KIND_OF[status] ?? 'failed'] += 1
        if (status === 200 || status === 404) {
          tookMs.push(now - startedAt)
          ideals.push(idealMs(quote, venues))
        }
      }
      if (status === 503 && isPatient) await pause(Math.min(retryAfterSec * 1_000, Math.max(0, endsAt - now)))
    }
  }
  const all = Array.from({ length: clients }, () => createClient(port))
  await Promise.all(all.map(work))
  for (const client of all) client.close()
  return { ...counted, quotes, tookMs, idealMs: ideals }
}

answerParent(null, (question) => crowd(question as CrowdQuestion))
