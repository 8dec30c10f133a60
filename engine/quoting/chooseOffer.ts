import type { Json } from '../core/json.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { SwapError } from '../errors.ts'
import type { ObserveRequest, VenueOutcome } from '../observe/observe.ts'
import type { Venue } from '../venues/venue.ts'
import type { VenueError } from '../venues/venueError.ts'
import { readNativeFeeWorth } from './nativeFeeWorth.ts'
import type { KnownTokens, QuoteReads } from './quoteReads.ts'
import type { RaceEntry } from './race.ts'
import { type Candidate, dropOutliers, type PublishedWorth, rank } from './rank.ts'
import { convertAtPrices } from './usdPrice.ts'

type Bounds = Pick<VenueError, 'minimum' | 'maximum' | 'reason'>

const declineOf = (venue: string, kind: string, retryable: boolean, { minimum, maximum, reason }: Bounds): Json => ({
  venue,
  kind,
  ...(minimum === null ? {} : { minimum: minimum.toString() }),
  ...(maximum === null ? {} : { maximum: maximum.toString() }),
  ...(reason === null ? {} : { reason }),
  retryable,
})

const UNBOUNDED: Bounds = { minimum: null, maximum: null, reason: null }

/** Why there is no offer of this venue, for the caller. */
const describeDecline = ({ venue: { profile }, outcome }: RaceEntry): Json => {
  switch (outcome.result) {
    case 'error':
      return declineOf(profile.id, outcome.error.kind, outcome.error.isRetryable, outcome.error)
    case 'skipped':
      return declineOf(profile.id, 'unavailable', true, UNBOUNDED)
    case 'cut':
      return declineOf(profile.id, 'timeout', true, UNBOUNDED)
    case 'offer':
      return declineOf(profile.id, 'badResponse', true, UNBOUNDED)
  }
}

const logOutcome = ({
  outcome,
}: RaceEntry): { readonly outcome: VenueOutcome; readonly kind?: string; readonly reason?: string } => {
  switch (outcome.result) {
    case 'offer':
      return { outcome: 'offer' }
    case 'skipped':
      return { outcome: 'skipped' }
    case 'cut':
      return { outcome: 'skipped', reason: 'the race was decided' }
    case 'error': {
      const { kind, message, isTrouble } = outcome.error
      return { outcome: kind === 'timeout' ? 'timeout' : isTrouble ? 'failure' : 'decline', kind, reason: message }
    }
  }
}

/** A venue that scales a token by other decimals than its chain does would be wrong by powers of ten. */
export const contradictsChain = ({ decimals }: Offer, { input, output }: KnownTokens): boolean =>
  (decimals.input !== null && input !== null && decimals.input !== input.decimals) ||
  (decimals.output !== null && output !== null && decimals.output !== output.decimals)

/** What each price list that knows both tokens makes of the input. Half a list is no witness: two might be half wrong each. */
const publishedWorths = async ({ inputAmount }: Order, reads: QuoteReads): Promise<readonly PublishedWorth[]> => {
  const [input, output, lists] = await Promise.all([reads.inputToken, reads.outputToken, reads.priceLists])
  if (!input.value || !output.value) return []
  const from = { amount: inputAmount, decimals: input.value.decimals }
  const to = { decimals: output.value.decimals }
  return lists.flatMap(({ venue, ...usd }) => {
    const amount = convertAtPrices({ ...from, usd: usd.input }, { ...to, usd: usd.output })
    return amount === null ? [] : [{ venue, amount }]
  })
}

export type RaceResult = {
  readonly order: Order
  readonly entries: readonly RaceEntry[]
  /** Invited, but they do not serve the route: named in the declines so that the caller sees every venue accounted for. */
  readonly unwilling: readonly Venue[]
  readonly reads: QuoteReads
}

/**
 * Picks the best believable offer and reports how every venue did. NO_LIQUIDITY, with a reason for each venue, when
 * there is none.
 */
export const chooseOffer = async (
  { order, entries, unwilling, reads }: RaceResult,
  { outlierFactor, observe }: { readonly outlierFactor: number; readonly observe: ObserveRequest },
): Promise<Candidate> => {
  const [input, output, published] = await Promise.all([reads.inputToken, reads.outputToken, publishedWorths(order, reads)])
  const tokens = { input: input.value, output: output.value }
  const candidates = entries.flatMap(({ outcome }) =>
    outcome.result === 'offer' && !contradictsChain(outcome.offer, tokens) ? [outcome] : [],
  )
  const { kept } = dropOutliers(candidates, { factor: outlierFactor, published, mode: order.rankingMode })
  for (const entry of entries) {
    const isDropped = entry.outcome.result === 'offer' && !kept.includes(entry.outcome)
    const told = isDropped
      ? { outcome: 'dropped' as const, reason: 'contradicts the chain or the other offers' }
      : logOutcome(entry)
    observe({ event: 'venue.quote', venue: entry.venue.profile.id, elapsedMs: entry.elapsedMs, ...told })
  }
  const offers = kept.map(({ offer }) => offer)
  const [winner] = rank(kept, order.rankingMode, await readNativeFeeWorth(order, offers, reads))
  if (winner) return winner
  const declines = [
    ...entries.map(describeDecline),
    ...unwilling.map(({ profile }) => declineOf(profile.id, 'unsupportedPair', false, UNBOUNDED)),
  ]
  throw new SwapError('NO_LIQUIDITY', 'No venue can quote this pair and amount. See details.declines for what each one said.', {
    details: { declines },
  })
}
