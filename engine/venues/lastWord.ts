import { createHash } from 'node:crypto'
import type { VenueWord } from './venue.ts'
import { VenueError } from './venueError.ts'

/** How many swaps' last words are kept. */
const WORDS_MAX = 1_000

/** What is asked about, whole: a ref alone may be asked of two swaps, whose answers differ. */
const keyOf = (ref: string, swap: object): string =>
  createHash('sha256')
    .update(JSON.stringify([ref, swap], (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)))
    .digest('base64')

/**
 * Keeps status asks about one swap so far apart as its venue wants. Whoever asks sooner, or while an answer is under way,
 * gets the venue's last word, which may be an error. Null: no such wish.
 */
export const createLastWord = (
  intervalMs: number | null,
  now: () => number = () => performance.now(),
): ((ref: string, swap: object, ask: () => Promise<VenueWord>) => Promise<VenueWord>) => {
  if (intervalMs === null) return (_ref, _swap, ask) => ask()
  const words = new Map<string, { readonly askedAt: number; readonly word: Promise<VenueWord> }>()
  return (ref, swap, ask) => {
    const key = keyOf(ref, swap)
    const last = words.get(key)
    if (last && now() - last.askedAt < intervalMs) return last.word
    const word = ask()
    // One client may have to wait where others need not: what was not sent is no word of the venue's.
    word.catch((error: unknown) => {
      if (error instanceof VenueError && error.nature === 'notSent' && words.get(key)?.word === word) words.delete(key)
    })
    words.delete(key)
    words.set(key, { askedAt: now(), word })
    const [oldest] = words.keys()
    if (words.size > WORDS_MAX && oldest !== undefined) words.delete(oldest)
    return word
  }
}
