import type { Asset } from '../core/asset.ts'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Order } from '../core/order.ts'
import type { Exchange } from '../net/exchanges.ts'
import type { Observe } from '../observe/observe.ts'
import type { VenueError } from './venueError.ts'

export type AnswerCall = 'quote' | 'execute' | 'status'

/**
 * What became of an answer of a venue. `rejected`: a check of ours refuses it. `notSold`: a documented limit of the service.
 * `declined`: the venue declines, or the caller asked for what cannot be had. The last two are no evidence about the venue.
 */
export type AnswerOutcome = 'accepted' | 'rejected' | 'notSold' | 'declined'

/** Which call was answered, for whom and for which swap. */
export type Answered = {
  readonly call: AnswerCall
  readonly client: string
  readonly order: Pick<Order, 'input' | 'output' | 'inputAmount' | 'sender' | 'recipient'>
}

/** A rejected answer as it is kept for the operator. */
export type RejectedAnswer = {
  readonly venue: string
  readonly call: AnswerCall
  /** `<venue>.<check>`. */
  readonly check: string
  readonly found: string
  /** The swap. `sender` and `recipient` are wallet addresses. */
  readonly swap: { readonly [field: string]: unknown }
  readonly exchanges: readonly Exchange[]
}

/** Keeps rejected answers. Never throws and never waits. */
export type KeepSample = (rejected: RejectedAnswer) => void

/**
 * All recent answers of one call kind were rejected: of all swaps, or (`isWhole` false) of those from or to `chainId`. `chainId` is
 * null where the rejected swaps have no chain in common. `check`: that of the last one.
 */
export type Rejecting = {
  readonly call: AnswerCall
  readonly check: string
  readonly chainId: ChainId | null
  readonly isWhole: boolean
}

/** Counts what becomes of the answers of one venue. Decides about no call. */
export interface AnswerBook {
  /** `error`: null where the answer was accepted. Errors that are no answer count as nothing. */
  record(answered: Answered, error: VenueError | null, exchanges?: readonly Exchange[]): void
  readonly rejecting: readonly Rejecting[]
}

const ROW_MAX = 20
const RECENT_MS = 15 * 60_000
const RECENT_MIN = 5
const CLIENTS_MIN = 3
const PAIRS_MIN = 2
/** Different callers and pairs remembered since the last accepted answer. */
const SEEN_MAX = 60
const WARN_MS = 60_000
const CHECKS_MAX = 100

const outcomeOf = (error: VenueError | null): AnswerOutcome | null => {
  if (error === null) return 'accepted'
  if (error.kind === 'rejected') return 'rejected'
  if (error.kind === 'unsupportedPair' && error.reason === 'notSold') return 'notSold'
  return error.isSent && error.isDecline ? 'declined' : null
}

type Seen = {
  readonly client: string
  readonly pair: string
  readonly chains: readonly ChainId[]
  check: string
  times: number[]
}

const placeOf = ({ chainId, address }: Asset): string => `${chainId}:${address}`

/** The rejected answers of one call kind since the last accepted one. */
class Row {
  readonly #seen = new Map<string, Seen>()

  add({ client, order: { input, output } }: Answered, check: string, at: number): void {
    const pair = `${placeOf(input)} ${placeOf(output)}`
    const key = `${client} ${pair}`
    const { times = [] } = this.#seen.get(key) ?? {}
    this.#seen.delete(key)
    this.#seen.set(key, { client, pair, chains: [input.chainId, output.chainId], check, times: [...times, at].slice(-ROW_MAX) })
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > SEEN_MAX && oldest !== undefined) this.#seen.delete(oldest)
  }

  rejecting(now: number): { readonly check: string; readonly chainId: ChainId | null } | null {
    const seen = [...this.#seen.values()]
    const times = seen.flatMap((one) => one.times)
    const recent = times.filter((at) => now - at < RECENT_MS)
    if (times.length < ROW_MAX && recent.length < RECENT_MIN) return null
    const distinct = (of: (one: Seen) => string): number => new Set(seen.map(of)).size
    if (distinct(({ client }) => client) < CLIENTS_MIN || distinct(({ pair }) => pair) < PAIRS_MIN) return null
    const [shared = null] = (seen[0]?.chains ?? []).filter((chain) => seen.every(({ chains }) => chains.includes(chain)))
    return { check: seen.at(-1)?.check ?? '', chainId: shared }
  }
}

export type AnswerBookPorts = {
  readonly venue: string
  readonly clock: Clock
  readonly observe: Observe
  readonly keepSample: KeepSample
  /** Called when `rejecting` may have changed. */
  readonly onChange: () => void
}

export const createAnswerBook = ({ venue, clock, observe, keepSample, onChange }: AnswerBookPorts): AnswerBook => {
  /** By call kind, and by call kind and chain. */
  const rows = new Map<string, Row>()
  const warnedAt = new Map<string, number>()
  const unwarned = new Map<string, number>()

  const keysOf = ({ call, order: { input, output } }: Answered): readonly string[] => [
    call,
    ...new Set([`${call} ${input.chainId}`, `${call} ${output.chainId}`]),
  ]

  const warn = ({ call, order }: Answered, check: string, found: string): void => {
    const now = clock.now()
    unwarned.set(check, (unwarned.get(check) ?? 0) + 1)
    if (now - (warnedAt.get(check) ?? Number.NEGATIVE_INFINITY) < WARN_MS) return
    if (warnedAt.size >= CHECKS_MAX) warnedAt.clear()
    warnedAt.set(check, now)
    const chains = [order.input.chainId, order.output.chainId]
    observe({ event: 'venue.rejected', venue, call, check, found, chains, times: unwarned.get(check) ?? 1 })
    unwarned.delete(check)
  }

  const reject = (answered: Answered, error: VenueError, exchanges: readonly Exchange[]): string => {
    const check = `${venue}.${error.check ?? 'answer'}`
    const found = error.found ?? error.message
    for (const key of keysOf(answered)) {
      const row = rows.get(key) ?? new Row()
      row.add(answered, check, clock.now())
      rows.set(key, row)
    }
    warn(answered, check, found)
    const { input, output, inputAmount, sender, recipient } = answered.order
    const swap = { input, output, inputAmount: `${inputAmount}`, sender, recipient }
    keepSample({ venue, call: answered.call, check, found, swap, exchanges })
    return check
  }

  return {
    record: (answered, error, exchanges = []) => {
      const outcome = outcomeOf(error)
      if (outcome === null) return
      const isCleared = outcome === 'accepted' && keysOf(answered).filter((key) => rows.delete(key)).length > 0
      const check = error && outcome === 'rejected' ? reject(answered, error, exchanges) : ''
      observe({ event: 'venue.answer', venue, call: answered.call, outcome, check })
      if (check !== '' || isCleared) onChange()
    },
    get rejecting() {
      const now = clock.now()
      const found = [...rows].flatMap(([key, row]) => {
        const [call = '', chain = null] = key.split(' ')
        const rejecting = row.rejecting(now)
        if (rejecting === null) return []
        return [
          {
            ...rejecting,
            call: call as AnswerCall,
            isWhole: chain === null,
            ...(chain && { chainId: Number(chain) as ChainId }),
          },
        ]
      })
      const isWhole = (call: AnswerCall): boolean => found.some((one) => one.isWhole && one.call === call)
      return found.filter((one) => one.isWhole || !isWhole(one.call))
    },
  }
}
