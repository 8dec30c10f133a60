import type { Clock } from '../core/clock.ts'
import type { Offer, VenueId } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { leastAtPeg, leastInDollars, type Sum } from '../core/peg.ts'
import type { ListedPrice, VenueProfile } from '../venues/venue.ts'
import { rejected, VenueError } from '../venues/venueError.ts'
import type { QuoteReads, Witness } from './quoteReads.ts'
import { parseUsd } from './usdPrice.ts'

/** Older prices are no witness. */
const PRICE_AGE_MS_MAX = 10 * 60_000
/** What a bridge may keep, of the minimum and beside it, and how far two prices of one asset may lie apart. */
const TOLERANCE_PERCENT = 1n
const APART_PERCENT_MAX = 1n
const COST_CENTS_MAX = 200n
/** `parseUsd` counts in 10^-18 dollars. */
const CENT = 10n ** 16n

type Prices = { readonly locked: bigint; readonly output: bigint }

const priceIn = (price: ListedPrice | null, now: number): bigint | null => {
  if (price === null) return null
  const ageMs = now - price.readAt
  return ageMs >= 0 && ageMs <= PRICE_AGE_MS_MAX ? parseUsd(price.usd) : null
}

const isNear = (a: bigint, b: bigint): boolean => {
  const [low, high] = a < b ? [a, b] : [b, a]
  return high * 100n <= low * (100n + APART_PERCENT_MAX)
}

const agree = (a: Prices, b: Prices): boolean => isNear(a.locked, b.locked) && isNear(a.output, b.output)

export type Comparison = {
  /** Smallest units of the output. */
  readonly minimum: bigint
  readonly decimals: { readonly locked: number; readonly output: number }
  /** The venue's cost of the fill on the other chain, by its profile. At most 200 count. */
  readonly costCents: bigint
  /** The venue that offers, whose own list is no witness. */
  readonly venue: VenueId
  /** Epoch ms. */
  readonly now: number
}

/** At least 1, rounded up. */
const leastAt = ({ locked, output }: Prices, { minimum, decimals, costCents }: Comparison): bigint => {
  const outputUnit = 10n ** BigInt(decimals.output)
  const cost = (costCents < COST_CENTS_MAX ? costCents : COST_CENTS_MAX) * CENT
  const worth = minimum * output * (100n - TOLERANCE_PERCENT) - cost * outputUnit * 100n
  const unitWorth = locked * outputUnit * 100n
  return worth <= 0n ? 1n : (worth * 10n ** BigInt(decimals.locked) + unitWorth - 1n) / unitWorth
}

/**
 * The least of a locked asset that is worth a minimum of another, by price lists of other venues. Of those that agree with
 * another one on both assets, the strictest counts. Null where no two agree; `unlisted` where fewer than two have both. Pure.
 */
export const bridgedLeast = (
  comparison: Comparison,
  witnesses: readonly Witness[],
  unlisted: bigint | null = null,
): bigint | null => {
  const { venue, now } = comparison
  const lists = witnesses.flatMap((witness): readonly Prices[] => {
    const [locked, output] = [priceIn(witness.locked, now), priceIn(witness.output, now)]
    return witness.venue === venue || locked === null || output === null ? [] : [{ locked, output }]
  })
  if (lists.length < 2) return unlisted
  const agreed = lists.filter((list) => lists.some((other) => other !== list && agree(list, other)))
  const leasts = agreed.map((list) => leastAt(list, comparison))
  return leasts.reduce<bigint | null>((strictest, least) => (strictest !== null && strictest > least ? strictest : least), null)
}

/** The least amount that an offer must lock; `isSealed`: the offer seals it. Null when nothing can compare the assets. */
const readLeast = async (
  { venue, bridges, decimals, slippage, outputAmount }: Offer & { readonly bridges: Sum },
  { output }: Order,
  costCents: bigint,
  { reads, clock }: Asked,
): Promise<{ readonly amount: bigint; readonly isSealed: boolean } | null> => {
  const due: Sum = { asset: output, amount: slippage?.guaranteedMin ?? outputAmount }
  const atPeg = leastAtPeg(bridges.asset, due)
  if (atPeg !== null) return { amount: atPeg, isSealed: false }
  const [token, comparable] = await Promise.all([reads.outputToken, reads.comparable(bridges.asset)])
  const [outputDecimals, lockedDecimals] = [token.value?.decimals ?? decimals.output, comparable.token.value?.decimals]
  const inDollars = leastInDollars(bridges.asset, due)
  if (outputDecimals === null || lockedDecimals === undefined)
    return inDollars === null ? null : { amount: inDollars, isSealed: true }
  const amounts = { minimum: due.amount, decimals: { locked: lockedDecimals, output: outputDecimals } }
  const amount = bridgedLeast({ ...amounts, costCents, venue, now: clock.now() }, comparable.witnesses, inDollars)
  return amount === null ? null : { amount, isSealed: true }
}

type Asked = { readonly reads: Pick<QuoteReads, 'outputToken' | 'comparable'>; readonly clock: Clock }

/**
 * Checks that an offer whose input is exchanged before it is locked guarantees to lock enough. Seals the least amount where
 * prices compare the two assets. Throws VenueError: `rejected` where it locks less, `unsupportedPair` where nothing compares
 * them. Reads no price where the offer needs none.
 */
export const sealBridged = async (order: Order, offer: Offer, profile: VenueProfile, asked: Asked): Promise<Offer> => {
  const { bridges } = offer
  if (bridges === undefined) return offer
  const cost = profile.deliveryCostCents?.(order.output.chainId) ?? 0n
  const least = await readLeast({ ...offer, bridges }, order, cost, asked)
  if (least === null) {
    const why = 'no two price lists of other venues compare what is locked with the output'
    throw new VenueError('unsupportedPair', why, { reason: 'notSold' })
  }
  const { amount, isSealed } = least
  if (bridges.amount < amount) throw rejected('bridged', `locks ${bridges.amount} where ${amount} is due`)
  return isSealed ? { ...offer, bridgesLeast: { asset: bridges.asset, amount } } : offer
}
