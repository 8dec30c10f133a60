import { bpsOf, MAX_AMOUNT } from '../core/amount.ts'
import { isNative } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Order, VenueOrder } from '../core/order.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'
import { isExecutable } from './executable.ts'

/** The venues' own integer divisions may each lose a unit. */
const ROUNDING_UNITS = 2n
/** Some venues round the token to fewer digits, or take a withdrawal fee after the tolerance: real answers are off by less. */
const LEEWAY_BPS = 1

/** Far above what any chain lets one transaction use. */
const GAS_UNITS_MAX = 1_000_000_000_000n
/** What fits into a quote token beside the longest order. */
const CARRY_BYTES_MAX = 2_000

const isWithin = (value: bigint, max: bigint): boolean => typeof value === 'bigint' && value >= 0n && value <= max

/** Arithmetic gone wrong in one adapter (a NaN, a negative) would upset the ranking, the answer or the token for all. */
const numberProblem = ({ outputAmount, fee, gasUnits, estimatedTimeSeconds: seconds, expiresAt }: Offer): string | null => {
  if (!isWithin(outputAmount, MAX_AMOUNT) || outputAmount === 0n) return 'the output is nothing, or no amount'
  if (!Number.isInteger(fee.bps) || fee.bps < 0 || !isWithin(fee.amount, MAX_AMOUNT)) return 'the integrator fee is no fee'
  if (fee.bps === 0 && fee.amount !== 0n) return 'an amount is charged for a fee of nothing'
  if (gasUnits !== null && !isWithin(gasUnits, GAS_UNITS_MAX)) return 'the gas is out of range'
  if (seconds !== null && !(seconds >= 0 && seconds < Number.POSITIVE_INFINITY)) return 'the time is out of range'
  if (expiresAt !== null && !Number.isSafeInteger(expiresAt)) return 'the expiry is no time'
  return null
}

/** JSON.stringify itself throws for what is no JSON at all. */
const isCarryTooLarge = ({ carry }: Offer): boolean => Buffer.byteLength(JSON.stringify(carry)) > CARRY_BYTES_MAX

/** An offer, with all it is held against. */
type Checked = {
  readonly offer: Offer
  /** As the caller gave it. */
  readonly order: Order
  /** As the venue was asked it. */
  readonly asked: VenueOrder
  readonly profile: VenueProfile
  readonly now: number
}

const slippageProblem = ({ offer: { outputAmount, slippage }, order, profile }: Checked): string | null => {
  if (slippage === null) return isExecutable(profile, order) ? 'an executable offer has no guaranteed minimum' : null
  const isInRange = slippage.guaranteedMin > 0n && slippage.guaranteedMin <= outputAmount
  return isInRange ? null : 'the guaranteed minimum is out of range'
}

const problemOf = (checked: Checked): string | null => {
  const { offer, order, profile, now } = checked
  if (offer.venue !== profile.id) return 'the offer names another venue'
  const problem = numberProblem(offer)
  if (problem !== null) return problem
  if (offer.fee.bps > order.feeBps) return 'the integrator fee is higher than asked for'
  if (offer.expiresAt !== null && offer.expiresAt <= now) return 'the offer has already expired'
  if (offer.spender !== null && isNative(order.input)) return 'a native coin needs no spender'
  const contracts = profile.contracts[order.input.chainId] ?? []
  if (offer.spender !== null && !contracts.includes(offer.spender)) return 'the spender is no published contract of the venue'
  if (isCarryTooLarge(offer)) return `the carry is over ${CARRY_BYTES_MAX} bytes`
  return slippageProblem(checked)
}

/** The caller's tolerance binds whatever the venue was asked for, which may have to be more. */
const isBoundTooWide = ({ offer: { outputAmount, slippage }, order, asked }: Checked): boolean => {
  const bps = order.slippageBps ?? asked.slippageBps
  return slippage !== null && slippage.guaranteedMin < outputAmount - bpsOf(outputAmount, bps + LEEWAY_BPS) - ROUNDING_UNITS
}

/**
 * Holds every offer to what any offer must be, whatever its adapter checked. Throws VenueError: `badResponse` for what no
 * offer may be, and the decline `boundTooWide` for one that guarantees less than was asked for.
 */
export const checkOffer = (checked: Checked): Offer => {
  const problem = problemOf(checked)
  if (problem !== null) throw new VenueError('badResponse', problem)
  if (isBoundTooWide(checked))
    throw new VenueError('noLiquidity', 'the guaranteed minimum is below the tolerance asked for', { reason: 'boundTooWide' })
  return checked.offer
}
