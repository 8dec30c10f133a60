import type { Binding } from '../../core/execution.ts'
import { invalidRequest, type SwapError } from '../../errors.ts'
import type { StoreParts } from '../../store/store.ts'

/** The maximum of address pairs per quote: each opens an order at the venue. */
export const BINDINGS_MAX = 8

const BETWEEN = '|'

/** The key of an execution within its quote. Addresses never contain the separator. */
export const keyOf = ({ recipient, refundTo }: Binding): string => `${recipient}${BETWEEN}${refundTo}`

/** The key of an execution that replaces one which can no longer be sent. */
export const keyOfRebuild = (key: string, rebuilds: number): string => (rebuilds === 0 ? key : `${key}${BETWEEN}${rebuilds}`)

type Parties = readonly [recipient: string, refundTo: string]

const partiesOf = (bindingKey: string): Parties => {
  const [recipient = '', refundTo = ''] = bindingKey.split(BETWEEN)
  return [recipient, refundTo]
}

const PATHS = ['destinationAddress', 'refundAddress'] as const

/** Names the address that no other execution of the quote uses; both if each was used with another. */
const refusal = (own: Parties, others: readonly Parties[]): SwapError => {
  const isNew = PATHS.map((_path, at) => others.every((other) => other[at] !== own[at]))
  const named = isNew.includes(true) ? PATHS.filter((_path, at) => isNew[at]) : PATHS
  const reason = `the quote was executed with ${BINDINGS_MAX} other pairs of addresses: request a fresh one`
  return invalidRequest(named.map((path) => ({ path, reason })))
}

/**
 * Throws INVALID_REQUEST if a quote has the maximum of address pairs, including those being built. Call it in the transaction
 * that adds one.
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
