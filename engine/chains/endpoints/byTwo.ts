import { BITCOIN } from '../../core/chain.ts'
import { type Clock, isWithin } from '../../core/clock.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import { ChainError } from '../chains.ts'
import type { Found, Untouched } from '../oneChain.ts'
import { aloneAt, type Endpoints } from './endpoints.ts'

/** Reads one endpoint alone; `alone`: its URL, null where the chain has no other. `cannotTell`: it does not keep what would show the answer. */
type ReadAlone<T> = (of: Endpoints, alone: string | null) => Promise<T | 'cannotTell'>

type Answer<T> = { readonly position: number; readonly answer: T }

/**
 * Asks two endpoints of a chain at the same time, or `count`, each alone. The next one replaces an endpoint that fails or cannot tell. It also
 * answers a dispute. `failure`: of an endpoint without an answer.
 */
const askTwo = async <T>(
  endpoints: Endpoints,
  read: ReadAlone<T>,
  { count = 2, isDisputed }: { readonly count?: number; isDisputed?(answers: readonly Answer<T>[]): boolean } = {},
) => {
  const urls = await endpoints.urls()
  const left = endpoints.health.order(urls.length).values()
  const answers: Answer<T>[] = []
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
  if (isDisputed?.(answers)) await ask()
  return { answers, failure }
}

/** The time of a chain: on Bitcoin the earlier of two endpoints, each alone. One that lags or fails has no say beside another one. */
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

/** Lists of endpoints that are a block apart differ by less. */
const APART_MAX = 8
/** An endpoint that alone lists so many transactions, in blocks that the others have read, invents them. */
const INVENTED = 32

/** The transactions of one list that no other list has. */
const ownOf = (one: Answer<Found>, answers: readonly Answer<Found>[]): readonly TransactionId[] => {
  const others = new Set(answers.flatMap((other) => (other === one ? [] : other.answer.hashes)))
  return one.answer.hashes.filter((hash) => !others.has(hash))
}

/**
 * Searches two endpoints, each alone, and a third one where one of two finished lists has many transactions that the other one lacks.
 * When the third agrees with the other one, the list of the first is left out, and the endpoint is reported once an hour.
 */
export const createListsByTwo = (clock: Clock) => {
  const reports = new Map<string, number>()
  const isApart = (one: Answer<Found>, answers: readonly Answer<Found>[]) => ownOf(one, answers).length > APART_MAX
  const isDisputed = (answers: readonly Answer<Found>[]): boolean =>
    answers.every(({ answer }) => !answer.isUnfinished) && answers.some((one) => isApart(one, answers))

  const report = ({ chainId, health }: Endpoints, position: number): void => {
    const key = `${chainId} ${position}`
    if (isWithin(DISPUTE_MS, reports.get(key) ?? Number.NEGATIVE_INFINITY, clock.now())) return
    reports.set(key, clock.now())
    health.contradicts(position)
  }

  return async (endpoints: Endpoints, read: ReadAlone<Found>): Promise<readonly Found[]> => {
    const { answers, failure } = await askTwo(endpoints, read, { isDisputed })
    if (answers.length === 0 && failure !== null) throw failure
    const othersOf = (one: Answer<Found>) => answers.filter((other) => other !== one)
    const single = answers.find((one) => isApart(one, answers) && othersOf(one).filter(({ answer }) => answer.isWhole).length > 1)
    if (single === undefined) return answers.map(({ answer }) => answer)
    const others = othersOf(single).map(({ answer }) => answer)
    const own = new Set(ownOf(single, answers))
    const reached = Math.min(...others.map(({ head }) => head?.height ?? 0))
    const invented = (single.answer.logs ?? []).filter(({ hash, height }) => height <= reached && own.has(hash))
    if (invented.length >= INVENTED) report(endpoints, single.position)
    return others
  }
}

/** How long one endpoint keeps an address from counting as unpaid against all others. */
const DISPUTE_MS = 3_600_000
const DISPUTES_MAX = 10_000

/** The endpoints of a chain, and the key of an address. */
export type OfAddress = { readonly endpoints: Endpoints; readonly key: string }

const timesIn = (answers: readonly { readonly answer: Untouched }[]): readonly number[] =>
  answers.flatMap(({ answer }) => (typeof answer === 'number' ? [answer] : []))

/**
 * The earlier of the times that two endpoints show, each alone; that of the only one of a chain. Null where one shows none: after an hour two
 * others decide against a single one. The endpoint that is alone with its answer is reported; of two, both are. Throws ChainError where one failed, and no two are left.
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
    const { answers: all } = await askTwo(endpoints, read, { count: length })
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
