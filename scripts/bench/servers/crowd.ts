import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'undici'
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
  /** Whether a refused client waits as long as `Retry-After` demands. */
  readonly isPatient: boolean
}

/** The answers in the time that counts. */
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

const HEADERS = { 'content-type': 'application/json' }

/** Status 0: the connection broke. */
const quoteBy = async (client: Client, body: string) => {
  try {
    const response = await client.request({ path: QUOTE_PATH, method: 'POST', headers: HEADERS, body })
    await response.body.dump()
    return { status: response.statusCode, retryAfterSec: Number(response.headers['retry-after'] ?? 1) }
  } catch {
    return { status: 0, retryAfterSec: 1 }
  }
}

const KIND_OF: { readonly [status: number]: 'offers' | 'withoutOffer' | 'refused' } = {
  200: 'offers',
  404: 'withoutOffer',
  503: 'refused',
}

const crowd = async (question: CrowdQuestion): Promise<CrowdAnswer> => {
  const { url, clients, venues, warmUpSeconds, seconds, quotesMax, isPatient } = question
  const countsFrom = performance.now() + warmUpSeconds * 1_000
  const endsAt = countsFrom + seconds * 1_000
  const counted = { offers: 0, withoutOffer: 0, refused: 0, failed: 0 }
  const [tookMs, ideals]: [number[], number[]] = [[], []]
  let quotes = 0
  const work = async (): Promise<void> => {
    const client = new Client(url)
    await pause((Math.random() * warmUpSeconds * 1_000) / 3)
    while (performance.now() < endsAt && quotes < quotesMax) {
      const quote = quotes
      quotes += 1
      const startedAt = performance.now()
      const { status, retryAfterSec } = await quoteBy(client, bodyOf(quote))
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
    await client.close()
  }
  await Promise.all(Array.from({ length: clients }, work))
  return { ...counted, quotes, tookMs, idealMs: ideals }
}

answerParent(null, (question) => crowd(question as CrowdQuestion))
