import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Stage } from '../kills/stage.ts'
import { addressOf, createCaller, type Seen, tokenOf } from './caller.ts'

export type RaceResult = {
  readonly executes: number
  readonly quotes: number
  /** Calls of the venue that open an address. */
  readonly opened: number
  readonly elapsedMs: number
  readonly problems: readonly string[]
}

const AMOUNT = 5_000_000n
/** Quotes that are raced for at the same time. */
const LANES = 4

const TRIES_MAX = 100
const PAUSE_MS = 100

/** Asks again, the very same, for as long as it is told that this may help: a machine that is too busy says so. */
const insist = async (ask: () => Promise<Seen>): Promise<Seen> => {
  for (let tries = 1; ; tries += 1) {
    const seen = await ask()
    if (seen.status < 500 && seen.code !== 'NO_LIQUIDITY') return seen
    if (tries === TRIES_MAX) return seen
    await sleep(PAUSE_MS)
  }
}

/** So many calls for each quote at once, over all replicas: one address each, the same for all, and its status is read anywhere. */
export const raceExecutes = async (stage: Stage, quotes: number, racers: number): Promise<RaceResult> => {
  const caller = createCaller(stage.lives)
  const problems: string[] = []
  const startedAt = performance.now()
  const amounts = Array.from({ length: quotes }, (_, i) => AMOUNT + BigInt(i))

  const race = async (amount: bigint): Promise<void> => {
    const quoted = await insist(() => caller.quote(amount))
    const token = tokenOf(quoted)
    if (token === null) return void problems.push(`${amount}: no quote, ${quoted.status} ${quoted.code}`)
    const seen = await Promise.all(Array.from({ length: racers }, () => insist(() => caller.execute(token))))
    for (const { status, code } of seen) if (status !== 200) problems.push(`${amount}: /execute answered ${status} ${code}`)
    const [first, ...others] = seen
    const address = first && addressOf(first)
    if (!address) return
    if (!others.every(({ data }) => isDeepStrictEqual(data, first.data))) problems.push(`${amount}: two answers differ`)
    for (let i = 0; i < 3; i += 1) {
      const { status, code } = await insist(() => caller.status(token, address))
      if (status !== 200) problems.push(`${amount}: /status answered ${status} ${code}`)
    }
  }

  const lane = async (): Promise<void> => {
    for (let amount = amounts.shift(); amount !== undefined; amount = amounts.shift()) await race(amount)
  }
  const openedBefore = stage.opened.posts.length
  await Promise.all(Array.from({ length: LANES }, lane))
  const opened = stage.opened.posts.length - openedBefore
  if (opened !== quotes) problems.push(`${opened} addresses were opened for ${quotes} quotes`)
  return { executes: quotes * racers, quotes, opened, elapsedMs: performance.now() - startedAt, problems }
}
