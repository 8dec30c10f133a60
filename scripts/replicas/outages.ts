import { setTimeout as sleep } from 'node:timers/promises'
import type { SimRandom } from '../../engine/simnet/kit/world.ts'
import type { Stage } from '../kills/stage.ts'
import { addressOf, createCaller, type Seen, tokenOf } from './caller.ts'

/** What becomes of Redis or PostgreSQL while the replicas are used. */
type Outage = { readonly name: string; readonly begin: (stage: Stage) => unknown; readonly end: (stage: Stage) => unknown }

export const OUTAGES: readonly Outage[] = [
  { name: 'none', begin: () => undefined, end: () => undefined },
  { name: 'redis killed', begin: ({ redis }) => redis?.crash(), end: ({ redis }) => redis?.restart() },
  { name: 'redis paused', begin: ({ redis }) => redis?.pause(), end: ({ redis }) => redis?.resume() },
  { name: 'redis restarted', begin: ({ redis }) => redis?.restart(), end: () => undefined },
  { name: 'postgres killed', begin: ({ postgres }) => postgres?.crash(), end: ({ postgres }) => postgres?.restart() },
  { name: 'postgres paused', begin: ({ postgres }) => postgres?.pause(), end: ({ postgres }) => postgres?.resume() },
  { name: 'postgres restarted', begin: ({ postgres }) => postgres?.restart(), end: () => undefined },
]

/** What clients saw from the beginning of an outage until all was well again. */
export type OutageResult = {
  readonly name: string
  /** By what was asked: how often, by what was answered. */
  readonly answers: { readonly [asked: string]: { readonly [answer: string]: number } }
  readonly p50Ms: number
  readonly maxMs: number
  /** From the end of the outage to the first moment from which on everything succeeded. */
  readonly healedMs: number
  readonly problems: readonly string[]
}

export type OutageWish = { readonly outageMs: number; readonly afterMs: number; readonly clients: number }

type Done = Seen & { readonly asked: string; readonly endedAt: number }

/** One that was handed out, and must be handed out again the same. */
type Kept = { readonly token: string; readonly address: string }

const AMOUNT = 6_000_000n
const THINK_MS = 5

const at = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)

/** Uses all replicas in turn until it is told to stop; whoever is told so repeats nothing by himself. */
const useAll = (stage: Stage, random: SimRandom, clients: number, firstAmount: bigint) => {
  const caller = createCaller(stage.lives)
  const [done, kept, problems] = [[] as Done[], [] as Kept[], [] as string[]]
  const executes = new Map<bigint, number>()
  let amount = firstAmount
  let isOver = false

  const note = async (asked: string, work: Promise<Seen>): Promise<Seen> => {
    const seen = await work
    done.push({ ...seen, asked, endedAt: performance.now() })
    return seen
  }

  const begin = async (): Promise<void> => {
    amount += 1n
    const own = amount
    const token = tokenOf(await note('quote', caller.quote(own)))
    if (token === null) return
    // Whoever was told to repeat it does, once.
    for (let times = 1; times <= 2; times += 1) {
      executes.set(own, times)
      const address = addressOf(await note('execute', caller.execute(token)))
      if (address !== null) return void kept.push({ token, address })
    }
  }

  const again = async ({ token, address }: Kept): Promise<void> => {
    const seen = await note('execute again', caller.execute(token))
    const told = addressOf(seen)
    if (told !== null && told !== address) problems.push(`${address} became ${told}`)
  }

  const work = async (): Promise<void> => {
    while (!isOver) {
      const one = kept[random.integer(Math.max(1, kept.length))]
      const chance = random.integer(3)
      if (one === undefined || chance === 0) await begin()
      else if (chance === 1) await again(one)
      else await note('status', caller.status(one.token, one.address))
      await sleep(THINK_MS)
    }
  }
  const working = Promise.all(Array.from({ length: clients }, work))
  return {
    done,
    end: async (): Promise<readonly string[]> => {
      isOver = true
      await working
      for (const { token, address } of kept) {
        const told = addressOf(await caller.execute(token))
        if (told !== null && told !== address) problems.push(`${address} became ${told} after it`)
      }
      for (const [own, times] of executes) {
        const opened = stage.opened.posts.filter(({ body }) => (JSON.parse(body) as { amount?: string }).amount === String(own))
        if (opened.length > times) problems.push(`${own}: ${opened.length} addresses opened by ${times} calls`)
      }
      return problems
    },
  }
}

export const sufferOutage = async (
  stage: Stage,
  random: SimRandom,
  { name, begin, end }: Outage,
  { outageMs, afterMs, clients }: OutageWish,
): Promise<OutageResult> => {
  const use = useAll(stage, random, clients, AMOUNT + BigInt(OUTAGES.findIndex((one) => one.name === name) * 100_000))
  await sleep(outageMs / 4)
  const skipped = use.done.length
  await begin(stage)
  await sleep(outageMs)
  await end(stage)
  const endedAt = performance.now()
  await sleep(afterMs)
  const problems = await use.end()
  const seen = use.done.slice(skipped)
  const answers: { [asked: string]: { [answer: string]: number } } = {}
  for (const { asked, status, code } of seen) {
    const of = answers[asked] ?? {}
    answers[asked] = of
    const answer = code === null ? 'ok' : `${status} ${code}`
    of[answer] = (of[answer] ?? 0) + 1
  }
  const lastBad = seen.filter(({ code }) => code !== null).at(-1)
  return {
    name,
    answers,
    p50Ms: at(
      seen.map(({ ms }) => ms),
      0.5,
    ),
    maxMs: at(
      seen.map(({ ms }) => ms),
      1,
    ),
    healedMs: Math.round(Math.max(0, (lastBad?.endedAt ?? 0) - endedAt)),
    problems,
  }
}
