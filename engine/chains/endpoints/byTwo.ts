import { BITCOIN } from '../../core/chain.ts'
import { type Clock, isWithin } from '../../core/clock.ts'
import { ChainError } from '../chains.ts'
import { aloneAt, type Endpoints } from './endpoints.ts'

/** Reads one endpoint alone; `alone`: its URL, null where the chain has no other. `cannotTell`: it lacks the data. */
type ReadAlone<T> = (of: Endpoints, alone: string | null) => Promise<T | 'cannotTell'>

/**
 * Reads two endpoints of a chain at the same time, or `count`, each alone. The next one replaces an endpoint that fails or cannot
 * answer. `failure`: of an endpoint without an answer.
 */
export const askTwo = async <T>(endpoints: Endpoints, read: ReadAlone<T>, count = 2) => {
  const urls = await endpoints.urls()
  const left = endpoints.health.order(urls.length).values()
  const answers: { readonly position: number; readonly answer: T }[] = []
  let failure = null as ChainError | null
  const ask = async (): Promise<void> => {
    for (const position of left) {
      const url = urls.length === 1 ? null : (urls[position] ?? null)
      const of = url === null ? endpoints : aloneAt(endpoints, position, url)
      const answer = await read(of, url).catch((error: unknown) => {
        if (!(error instanceof ChainError)) throw error
        failure = error
        return 'cannotTell' as const
      })
      if (answer !== 'cannotTell') return void answers.push({ position, answer })
    }
  }
  await Promise.all(Array.from({ length: count }, ask))
  return { answers, failure }
}

/** The time of a chain: on Bitcoin the earlier of two endpoints, each alone. One that lags or fails yields to another. */
export const timeOf = async (
  endpoints: Endpoints,
  read: (of: Endpoints, alone: string | null) => Promise<number>,
): Promise<number> => {
  if (endpoints.chainId !== BITCOIN) return read(endpoints, null)
  const { answers, failure } = await askTwo(endpoints, read)
  const well = answers.filter(({ position }) => endpoints.health.isWell(position))
  if (answers.length === 0 && failure !== null) throw failure
  return Math.min(...timesIn(well.length > 0 ? well : answers))
}

/** How long one endpoint keeps an address from counting as unpaid against all others. */
const DISPUTE_MS = 3_600_000
const DISPUTES_MAX = 10_000

/** Null: it shows a payment, or nothing certain. */
export type Untouched = number | 'unfinished' | null

/** The endpoints of a chain, and the key of an address. */
export type OfAddress = { readonly endpoints: Endpoints; readonly key: string }

const timesIn = (answers: readonly { readonly answer: Untouched }[]): readonly number[] =>
  answers.flatMap(({ answer }) => (typeof answer === 'number' ? [answer] : []))

/**
 * The earlier time of two endpoints, each alone, or that of the only one. Null where one shows none: after an hour all others,
 * two or more, overrule it. One that is alone is reported; of two, both. Throws ChainError where one failed, and no two remain.
 */
export const createTimeByTwo = (clock: Clock) => {
  /** By address: since when an endpoint shows no time, and when that was reported. */
  const disputes = new Map<string, { readonly at: number; reportedAt: number | null }>()

  /** Null within the first hour. */
  const disputeOf = (key: string) => {
    const dispute = disputes.get(key) ?? { at: clock.now(), reportedAt: null }
    disputes.delete(key)
    disputes.set(key, dispute)
    const [oldest] = disputes.keys()
    if (disputes.size > DISPUTES_MAX && oldest !== undefined) disputes.delete(oldest)
    return isWithin(DISPUTE_MS, dispute.at, clock.now()) ? null : dispute
  }

  return async ({ endpoints, key }: OfAddress, read: ReadAlone<Untouched>): Promise<number | null> => {
    const { length } = await endpoints.urls()
    const { answers, failure } = await askTwo(endpoints, read)
    const times = timesIn(answers)
    if (times.length === answers.length) {
      disputes.delete(key)
      if (times.length >= Math.min(2, length)) return Math.min(...times)
      if (failure !== null) throw failure
      return null
    }
    const dispute = length === 1 ? null : disputeOf(key)
    if (dispute === null) return null
    const { answers: all } = await askTwo(endpoints, read, length)
    const paid = all.filter(({ answer }) => answer === null)
    const unpaid = all.filter(({ answer }) => typeof answer === 'number')
    const alone = [paid, unpaid].flatMap((side) => (side.length === 1 ? side : []))
    const isDisputed = paid.length > 0 && unpaid.length > 0 && paid.length + unpaid.length === all.length
    if (isDisputed && (dispute.reportedAt === null || !isWithin(DISPUTE_MS, dispute.reportedAt, clock.now()))) {
      dispute.reportedAt = clock.now()
      for (const { position } of alone) endpoints.health.contradicts(position)
    }
    return unpaid.length > 1 && all.length - unpaid.length === 1 ? Math.min(...timesIn(unpaid)) : null
  }
}
