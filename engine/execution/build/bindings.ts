import type { Binding } from '../../core/execution.ts'
import { invalidRequest, type SwapError } from '../../errors.ts'
import type { StoreParts } from '../../store/store.ts'

/** How many pairs of addresses one quote may be executed with: each opens something at its venue. */
export const BINDINGS_MAX = 8

const BETWEEN = '|'

/** What an execution is stored under, for a quote; neither kind of address has the sign in it. */
export const keyOf = ({ recipient, refundTo }: Binding): string => `${recipient}${BETWEEN}${refundTo}`

/** The key of what takes the place of an execution that can no longer be sent. */
export const keyOfRebuild = (key: string, rebuilds: number): string => (rebuilds === 0 ? key : `${key}${BETWEEN}${rebuilds}`)

type Parties = readonly [recipient: string, refundTo: string]

const partiesOf = (bindingKey: string): Parties => {
  const [recipient = '', refundTo = ''] = bindingKey.split(BETWEEN)
  return [recipient, refundTo]
}

const PATHS = ['destinationAddress', 'refundAddress'] as const

/** Names the addresses that no other execution of the quote has; both where each was used, with another beside it. */
const refusal = (own: Parties, others: readonly Parties[]): SwapError => {
  const isNew = PATHS.map((_path, at) => others.every((other) => other[at] !== own[at]))
  const named = isNew.includes(true) ? PATHS.filter((_path, at) => isNew[at]) : PATHS
  const reason = `the quote was executed with ${BINDINGS_MAX} other pairs of addresses: request a fresh one`
  return invalidRequest(named.map((path) => ({ path, reason })))
}

/**
 * Throws INVALID_REQUEST when a quote has as many pairs of addresses as it may have, those being built included. To be
 * called in one transaction with what makes it one more.
 */
export const requireRoom = async (
  { swaps, builds }: Pick<StoreParts, 'swaps' | 'builds'>,
  quoteId: string,
  bindingKey: string,
): Promise<void> => {
  const stored = (await swaps.ofQuote(quoteId)).map(({ swap }) => keyOf(swap.binding))
  const own = partiesOf(bindingKey)
  const pairs = new Set([...stored, ...(await builds.underWay(quoteId))].map((key) => partiesOf(key).join(BETWEEN)))
  pairs.delete(own.join(BETWEEN))
  if (pairs.size >= BINDINGS_MAX) throw refusal(own, [...pairs].map(partiesOf))
}
