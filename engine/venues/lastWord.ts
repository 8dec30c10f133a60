import { createHash } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import type { VenueWord } from '../core/swapStatus.ts'
import { untilAborted } from '../net/deadline.ts'
import { VenueError } from './venueError.ts'
import { LEFT_ALONE, NotAwaited } from './venueOutcome.ts'

/** How many swaps' last reports are kept. */
const WORDS_MAX = 1_000

/** Key of the whole question: two swaps may share a ref and have different answers. */
const keyOf = (ref: string, swap: object): string =>
  createHash('sha256')
    .update(JSON.stringify([ref, swap], (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)))
    .digest('base64')

type About = { readonly ref: string; readonly swap: object }

/** One call, and how many requests wait for it. `leave` aborts with the last of them. */
type Asked = { readonly askedAt: number; readonly word: Promise<VenueWord>; waiting: number; readonly leave: AbortController }

/** Calls that were not sent, or not awaited, are no report of the venue. */
const isNoWord = (error: unknown): boolean => error instanceof NotAwaited || (error instanceof VenueError && !error.isSent)

export type AskLastWord = (
  about: About,
  signal: AbortSignal,
  ask: (left: AbortSignal) => Promise<VenueWord>,
) => Promise<VenueWord>

/**
 * Spaces status calls about one swap by the venue's interval. An earlier request, or one during a running call, gets the venue's
 * last report, which may be an error. A call runs while a request waits for it. `intervalMs` null: no spacing.
 */
export const createLastWord = (intervalMs: number | null, clock: Clock): AskLastWord => {
  if (intervalMs === null) return (_about, signal, ask) => ask(signal)
  const words = new Map<string, Asked>()

  const begin = (key: string, ask: (left: AbortSignal) => Promise<VenueWord>): Asked => {
    const leave = new AbortController()
    const asked: Asked = { askedAt: clock.now(), word: ask(leave.signal), waiting: 0, leave }
    // Per-client throttling is not cached.
    asked.word.catch((error: unknown) => {
      if (isNoWord(error) && words.get(key) === asked) words.delete(key)
    })
    words.delete(key)
    words.set(key, asked)
    const [oldest] = words.keys()
    if (words.size > WORDS_MAX && oldest !== undefined) words.delete(oldest)
    return asked
  }

  return async ({ ref, swap }, signal, ask) => {
    const key = keyOf(ref, swap)
    const last = words.get(key)
    const sinceMs = last ? clock.now() - last.askedAt : null
    // Negative: the clock was set back.
    const isSoon = sinceMs !== null && sinceMs >= 0 && sinceMs < intervalMs
    const asked = last && isSoon ? last : begin(key, ask)
    asked.waiting += 1
    try {
      return await untilAborted(asked.word, signal, () => LEFT_ALONE)
    } finally {
      asked.waiting -= 1
      if (signal.aborted && asked.waiting === 0) {
        if (words.get(key) === asked) words.delete(key)
        asked.leave.abort()
      }
    }
  }
}
