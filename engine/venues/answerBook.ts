import type { Asset } from '../core/asset.ts'
import type { ChainId } from '../core/chain.ts'
import type { Order } from '../core/order.ts'
import type { Exchange } from '../net/exchanges.ts'
import type { Observe } from '../observe/observe.ts'
import type { VenueError } from './venueError.ts'

export type AnswerCall = 'quote' | 'execute' | 'status'

/**
 * The outcome of a venue's answer. `rejected`: a check of ours rejects it. `notSold`: a documented limit of the service.
 * `declined`: the venue declines, or the request cannot be met. The last two are no evidence about the venue.
 */
export type AnswerOutcome = 'accepted' | 'rejected' | 'notSold' | 'declined'

/** The answered call, its client and its swap. */
export type Answered = {
  readonly call: AnswerCall
  readonly client: string
  readonly order: Pick<Order, 'input' | 'output' | 'inputAmount' | 'sender' | 'recipient'>
}

/** A rejected answer as stored for the operator. */
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

/** Counts the outcomes of one venue's answers. It decides about no call. */
export interface AnswerBook {
  /** `error`: null where the answer was accepted. Errors without an answer do not count. */
  record(answered: Answered, error: VenueError | null, exchanges?: readonly Exchange[]): void
  readonly rejecting: readonly Rejecting[]
}

const LAST = 20
const RECENT_MS = 15 * 60_000
const RECENT_MIN = 5
const CLIENTS_MIN = 3
const PAIRS_MIN = 2
/** Bounds of remembered answers per client, and of clients. One busy client neither hides nor represents the others. */
const PER_CLIENT_MAX = 10
const CLIENTS_MAX = 60
const WARN_MS = 60_000
const CHECKS_MAX = 100

/** A refusal by an undocumented code is a rejected answer too: the venue has changed. */
const outcomeOf = (error: VenueError | null): AnswerOutcome | null => {
  if (error === null) return 'accepted'
  if (error.kind === 'rejected' || error.nature === 'unexplained') return 'rejected'
  if (error.kind === 'unsupportedPair' && error.reason === 'notSold') return 'notSold'
  return error.isSent && error.isDecline ? 'declined' : null
}

type Seen = { readonly client: string; readonly pair: string; readonly chains: readonly ChainId[]; readonly at: number }

const placeOf = ({ chainId, address }: Asset): string => `${chainId}:${address}`

/** The rejected answers of one call kind since the last accepted one. */
class Row {
  readonly #byClient = new Map<string, readonly Seen[]>()
  /** Set once enough answers were rejected. Only an accepted answer resets it. */
  rejecting: { readonly check: string; readonly chainId: ChainId | null } | null = null

  add({ client, order: { input, output } }: Answered, check: string, at: number): void {
    const seen = { client, pair: `${placeOf(input)} ${placeOf(output)}`, chains: [input.chainId, output.chainId], at }
    const own = [...(this.#byClient.get(client) ?? []), seen].slice(-PER_CLIENT_MAX)
    this.#byClient.delete(client)
    this.#byClient.set(client, own)
    const [oldest] = this.#byClient.keys()
    if (this.#byClient.size > CLIENTS_MAX && oldest !== undefined) this.#byClient.delete(oldest)
    const all = [...this.#byClient.values()].flat()
    const recent = all.filter((one) => at - one.at < RECENT_MS)
    const isEnough = (of: readonly Seen[], least: number): boolean =>
      of.length >= least &&
      new Set(of.map((one) => one.client)).size >= CLIENTS_MIN &&
      new Set(of.map((one) => one.pair)).size >= PAIRS_MIN
    const last = all.toSorted((one, other) => one.at - other.at).slice(-LAST)
    const met = isEnough(recent, RECENT_MIN) ? recent : isEnough(last, LAST) ? last : null
    if (met === null && this.rejecting === null) return
    const chains = (met ?? last)[0]?.chains ?? []
    const [shared = null] = chains.filter((chain) => (met ?? last).every((one) => one.chains.includes(chain)))
    this.rejecting = { check, chainId: shared }
  }
}

export type AnswerBookPorts = {
  readonly venue: string
  /** Ms, never running backwards. */
  readonly now: () => number
  readonly observe: Observe
  readonly keepSample: KeepSample
  /** Called when `rejecting` may have changed. */
  readonly onChange: () => void
}

export const createAnswerBook = ({ venue, now, observe, keepSample, onChange }: AnswerBookPorts): AnswerBook => {
  /** By call kind, and by call kind and chain. */
  const rows = new Map<string, Row>()
  const warnedAt = new Map<string, number>()
  const unwarned = new Map<string, number>()

  const keysOf = ({ call, order: { input, output } }: Answered): readonly string[] => [
    call,
    ...new Set([`${call} ${input.chainId}`, `${call} ${output.chainId}`]),
  ]

  const warn = ({ call, order }: Answered, check: string, found: string): void => {
    const at = now()
    unwarned.set(check, (unwarned.get(check) ?? 0) + 1)
    if (at - (warnedAt.get(check) ?? Number.NEGATIVE_INFINITY) < WARN_MS) return
    if (warnedAt.size >= CHECKS_MAX) warnedAt.clear()
    warnedAt.set(check, at)
    const chains = [order.input.chainId, order.output.chainId]
    observe({ event: 'venue.rejected', venue, call, check, found, chains, times: unwarned.get(check) ?? 1 })
    unwarned.delete(check)
  }

  const reject = (answered: Answered, error: VenueError, exchanges: readonly Exchange[]): string => {
    const check = `${venue}.${error.check ?? 'refusal'}`
    const found = error.found ?? error.message
    for (const key of keysOf(answered)) {
      const row = rows.get(key) ?? new Row()
      row.add(answered, check, now())
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
      const found = [...rows].flatMap(([key, { rejecting }]): readonly Rejecting[] => {
        const [call = '', chain = null] = key.split(' ')
        if (rejecting === null) return []
        const chainId = chain === null ? rejecting.chainId : (Number(chain) as ChainId)
        return [{ call: call as AnswerCall, check: rejecting.check, chainId, isWhole: chain === null }]
      })
      const isWhole = (call: AnswerCall): boolean => found.some((one) => one.isWhole && one.call === call)
      return found.filter((one) => one.isWhole || !isWhole(one.call))
    },
  }
}
