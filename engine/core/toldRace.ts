import type { Asset } from './asset.ts'
import type { VenueId } from './offer.ts'
import type { Order, RankingMode } from './order.ts'

/**
 * The result of a venue in a race. `offer`: ranked. `dropped`: its offer failed a check of the engine. `cut`: the race ended
 * before its answer. `skipped`: no call was sent, because of its breaker or its limit.
 */
export type RunOutcome = 'offer' | 'dropped' | 'decline' | 'rejected' | 'timeout' | 'failure' | 'cut' | 'skipped'

/** One venue's result for reports. Amounts are smallest units of the output token, as text. */
export type ToldRun = {
  readonly venue: VenueId
  readonly outcome: RunOutcome
  readonly elapsedMs: number
  /** Its rank among the offers, 1 the best; absent for other outcomes. */
  readonly rank?: number
  /** Net of every fee on the output. */
  readonly amount?: string
  /** Absent where the venue gives no bound. */
  readonly minimum?: string
  /** The value of its fee beside the input, in the output token; null where it has no price, absent without such a fee. */
  readonly feeCost?: string | null
  /** Fit for a preview only. */
  readonly isPreview?: true
  /** Without an offer: the kind of the venue's error. For a dropped offer: the reason. */
  readonly kind?: string
  /** The smallest and the largest input that the venue accepts, in smallest units of the input token, if it declines with one. */
  readonly inputMinimum?: string
  readonly inputMaximum?: string
  /** In the venue's own words or in ours, for the log alone. */
  readonly reason?: string
}

/** The summary of a race, to explain the choice of the venue later. */
export type ToldRace = {
  readonly mode: RankingMode
  /** Offers first, by their rank. */
  readonly runs: readonly ToldRun[]
  /** Invited venues that do not serve the route. */
  readonly unwilling: readonly VenueId[]
  /** The value of the input by the venues' published prices; null without a price. */
  readonly reference: string | null
}

/** The requested route, without its caller. */
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

/** The net value of an offer after its fee beside the input; null where that is unknown. */
const netOf = ({ amount, feeCost = '0' }: ToldRun): bigint | null =>
  amount === undefined || feeCost === null ? null : BigInt(amount) - BigInt(feeCost)

/** Basis points by which one amount exceeds another; null where either is unknown or the other is not positive. */
const bpsAbove = (one: bigint | null, other: bigint | null): number | null =>
  one === null || other === null || other <= 0n ? null : Number(((one - other) * 10_000n) / other)

const ranked = ({ runs }: ToldRace, place: number): ToldRun | null => runs.find(({ rank }) => rank === place) ?? null

export type Lead = {
  /** How far the winner is above the second; below 0 where the quickest wins. Null without a second. */
  readonly leadBps: number | null
  /** How far it is above the value of the input by the venues' published prices. */
  readonly referenceBps: number | null
}

/** The lead of a race's winner. */
export const leadOf = (race: ToldRace): Lead => {
  const [first, second] = [ranked(race, 1), ranked(race, 2)]
  const won = first && netOf(first)
  return {
    leadBps: bpsAbove(won, second && netOf(second)),
    referenceBps: bpsAbove(won, race.reference === null ? null : BigInt(race.reference)),
  }
}
