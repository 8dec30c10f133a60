import type { Abi } from 'abitype'
import type { Address } from '../../core/address.ts'
import type { SeenLog, SeenTransaction } from '../seen.ts'
import type { EventOf } from './abiFields.ts'

/** Null when the log is of another event than the one of `abi`, or does not decode. */
export const readEvent = async <const A extends Abi>(
  abi: A,
  { topics, data }: Pick<SeenLog, 'topics' | 'data'>,
): Promise<EventOf<A> | null> => {
  // viem is slow to import: see evmCodec.
  const { decodeEventLog } = await import('viem')
  const [topic, ...indexed] = topics
  if (topic === undefined) return null
  try {
    const { args } = decodeEventLog({ abi: abi as Abi, topics: [topic, ...indexed], data })
    return (args ?? {}) as EventOf<A>
  } catch {
    return null
  }
}

/** One contract, or several of one kind. */
export type Emitter = Address | readonly Address[]

/** Whether a contract emitted a log. */
export const isBy = ({ address }: Pick<SeenLog, 'address'>, by: Emitter): boolean =>
  [by].flat().some((contract) => address === contract.toLowerCase())

/** As `readEvent`, of the logs of these contracts. */
export const readEventBy = async <const A extends Abi>(by: Emitter, abi: A, log: SeenLog): Promise<EventOf<A> | null> =>
  isBy(log, by) ? readEvent(abi, log) : null

/** An event that a contract emitted, among the logs of its transaction. */
export type ToldLog<E> = {
  readonly log: SeenLog
  /** As `Movement.place`. */
  readonly place: string
  readonly event: E
  /** The logs since the previous event of its kind. */
  readonly before: readonly SeenLog[]
  /** The logs until the next event of its kind. */
  readonly after: readonly SeenLog[]
}

/** The events of a kind that these contracts emitted, in their order. */
export const eventsBy = async <const A extends Abi>(
  by: Emitter,
  abi: A,
  logs: readonly SeenLog[],
): Promise<readonly ToldLog<EventOf<A>>[]> => {
  const told: ToldLog<EventOf<A>>[] = []
  let between: SeenLog[] = []
  for (const log of logs) {
    const event = await readEventBy(by, abi, log)
    if (event === null) {
      between.push(log)
      continue
    }
    const [before, after]: readonly [SeenLog[], SeenLog[]] = [between, []]
    told.push({ log, place: `log:${log.index}`, event, before, after })
    between = after
  }
  return told
}

/** The places of the payments that an account makes in these logs of a transaction. */
export const paidIn = (logs: readonly SeenLog[], { movements }: SeenTransaction, by: Address | null): readonly string[] => {
  const places = new Set(logs.map(({ index }) => `log:${index}`))
  return movements.filter(({ place, from }) => from !== null && from === by && places.has(place)).map(({ place }) => place)
}
