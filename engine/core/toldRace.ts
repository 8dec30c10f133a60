import type { Asset } from './asset.ts'
import type { VenueId } from './offer.ts'
import type { Order, RankingMode } from './order.ts'

/**
 * How a venue that was asked did. `offer`: in the running. `dropped`: its offer is not believed. `cut`: the race was decided
 * before it. `skipped`: it was not sent, because its breaker or its limit said so.
 */
export type RunOutcome = 'offer' | 'dropped' | 'decline' | 'rejected' | 'timeout' | 'failure' | 'cut' | 'skipped'

/** How one venue did, as it is told afterwards. Amounts are smallest units of the output token, as text. */
export type ToldRun = {
  readonly venue: VenueId
  readonly outcome: RunOutcome
  readonly elapsedMs: number
  /** Its place among the offers in the running, 1 the best; all but these have none. */
  readonly rank?: number
  /** Net of every fee that is taken from the output. */
  readonly amount?: string
  /** Left out where the venue gives no bound. */
  readonly minimum?: string
  /** What its fee beside the input costs of the output; null where nobody can price it, left out where it has none. */
  readonly feeCost?: string | null
  /** Fit for a preview only. */
  readonly isPreview?: true
  /** Of what is no offer: the venue's error. Of what was dropped: why. */
  readonly kind?: string
  /** The smallest and the largest input that the venue accepts, in smallest units of the input token, if it declines with one. */
  readonly inputMinimum?: string
  readonly inputMaximum?: string
  /** In the venue's own words or in ours, for the log alone. */
  readonly reason?: string
}

/** What a race came to, for whoever asks later why this venue. */
export type ToldRace = {
  readonly mode: RankingMode
  /** Offers first, by their rank. */
  readonly runs: readonly ToldRun[]
  /** Invited, but they do not serve the route. */
  readonly unwilling: readonly VenueId[]
  /** What the input is worth by the venues' published prices; null where none tells. */
  readonly reference: string | null
}

/** What was asked for, without whose it is. */
export type ToldRoute = {
  /** `<chain>:<token>` */
  readonly input: string
  readonly output: string
  readonly inputAmount: string
}

const written = ({ chainId, address }: Asset): string => `${chainId}:${address}`

export const toldRoute = ({ input, output, inputAmount }: Order): ToldRoute => ({
  input: written(input),
  output: written(output),
  inputAmount: inputAmount.toString(),
})

/** What a caller gets of an offer once its fee beside the input is paid; null where that cannot be told. */
const netOf = ({ amount, feeCost = '0' }: ToldRun): bigint | null =>
  amount === undefined || feeCost === null ? null : BigInt(amount) - BigInt(feeCost)

/** Basis points by which one is above another; null where that says nothing. */
const bpsAbove = (one: bigint | null, other: bigint | null): number | null =>
  one === null || other === null || other <= 0n ? null : Number(((one - other) * 10_000n) / other)

const ranked = ({ runs }: ToldRace, place: number): ToldRun | null => runs.find(({ rank }) => rank === place) ?? null

export type Lead = {
  /** By how much the winner is above the second; below 0 where the quickest wins. Null without a second. */
  readonly leadBps: number | null
  /** By how much it is above what the venues' published prices make of the input. */
  readonly referenceBps: number | null
}

/** By how much a race was won. */
export const leadOf = (race: ToldRace): Lead => {
  const [first, second] = [ranked(race, 1), ranked(race, 2)]
  const won = first && netOf(first)
  return {
    leadBps: bpsAbove(won, second && netOf(second)),
    referenceBps: bpsAbove(won, race.reference === null ? null : BigInt(race.reference)),
  }
}
