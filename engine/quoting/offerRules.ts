import { bpsOf, MAX_AMOUNT, toAmount } from '../core/amount.ts'
import { isNative } from '../core/asset.ts'
import { failing } from '../core/failing.ts'
import { believedFee } from '../core/fee.ts'
import type { Offer } from '../core/offer.ts'
import type { Order, VenueOrder } from '../core/order.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { checkId, rejected, VenueError } from '../venues/venueError.ts'
import { isExecutable } from './executable.ts'

/** The venues' own integer divisions may each lose a unit. */
const ROUNDING_UNITS = 2n
/** Some venues round the token to fewer digits, or take a withdrawal fee after the tolerance: real answers are off by less. */
const LEEWAY_BPS = 1

/** Far above what any chain lets one transaction use. */
const GAS_UNITS_MAX = 1_000_000_000_000n
/** A week: the longest duration that the contract of the API allows in an answer. */
const SECONDS_MAX = 604_800
/** The room in a quote token beside the longest order. */
const CARRY_BYTES_MAX = 2_000

const isWithin = (value: bigint, max: bigint): boolean => typeof value === 'bigint' && value >= 0n && value <= max

/** Wrong arithmetic in one adapter (a NaN, a negative) would corrupt the ranking, the answer or the token for all. */
const numberProblems = (offer: Offer): readonly string[] => {
  const { outputAmount, fee, gasUnits, nativeFee, estimatedTimeSeconds: seconds, expiresAt } = offer
  return failing({
    'the output is nothing, or no amount': isWithin(outputAmount, MAX_AMOUNT) && outputAmount > 0n,
    'the integrator fee is no fee': Number.isInteger(fee.bps) && fee.bps >= 0 && isWithin(fee.amount, MAX_AMOUNT),
    'an amount is charged for a fee of nothing': fee.bps !== 0 || fee.amount === 0n,
    'the gas is out of range': gasUnits === null || isWithin(gasUnits, GAS_UNITS_MAX),
    'the fee beside the input is no amount': isWithin(nativeFee, MAX_AMOUNT),
    'the time is out of range': seconds === null || (seconds >= 0 && seconds <= SECONDS_MAX),
    'the expiry is no time': expiresAt === null || Number.isSafeInteger(expiresAt),
  })
}

/** Throws for a value that JSON cannot represent. */
const isCarryTooLarge = ({ carry }: Offer): boolean => Buffer.byteLength(JSON.stringify(carry)) > CARRY_BYTES_MAX

/** An offer, with all that it is checked against. */
type Checked = {
  readonly offer: Offer
  /** As the caller sent it. */
  readonly order: Order
  /** As the venue received it. */
  readonly asked: VenueOrder
  readonly profile: VenueProfile
  readonly now: number
}

/** A transaction proves this fee, and the venue's profile bounds it. */
const isNativeFeeKnown = ({ offer: { nativeFee, executionType }, order, profile }: Checked): boolean =>
  nativeFee === 0n || (executionType === 'TRANSACTION' && nativeFee <= profile.nativeFeeMax(order))

const termProblems = (checked: Checked): readonly string[] => {
  const { offer, order, profile, now } = checked
  const { outputAmount, slippage, spender, expiresAt } = offer
  const contracts = profile.contracts[order.input.chainId] ?? []
  return failing({
    'the integrator fee is higher than asked for': offer.fee.bps <= order.feeBps,
    'the fee beside the input is higher than the venue is known to take': isNativeFeeKnown(checked),
    'the offer has already expired': expiresAt === null || expiresAt > now,
    'a native coin needs no spender': spender === null || !isNative(order.input),
    'the spender is no published contract of the venue': spender === null || contracts.includes(spender),
    [`the carry is over ${CARRY_BYTES_MAX} bytes`]: !isCarryTooLarge(offer),
    'an executable offer has no guaranteed minimum': slippage !== null || !isExecutable(profile, order),
    'the guaranteed minimum is out of range':
      slippage === null || (slippage.guaranteedMin > 0n && slippage.guaranteedMin <= outputAmount),
  })
}

const problemsOf = (checked: Checked): readonly string[] => {
  const { offer, profile } = checked
  const problems = [...failing({ 'the offer names another venue': offer.venue === profile.id }), ...numberProblems(offer)]
  // Invalid amounts cannot be compared.
  return problems.length > 0 ? problems : termProblems(checked)
}

/** The caller's tolerance binds, even where the venue had to be asked for a wider one. */
const isBoundTooWide = ({ offer: { outputAmount, slippage }, order, asked }: Checked): boolean => {
  const bps = order.slippageBps ?? asked.slippageBps
  return slippage !== null && slippage.guaranteedMin < outputAmount - bpsOf(outputAmount, bps + LEEWAY_BPS) - ROUNDING_UNITS
}

const withBelievedFee = (offer: Offer): Offer => {
  const { fee, outputAmount } = offer
  const amount = believedFee(fee.amount, fee.bps, outputAmount)
  return amount === fee.amount ? offer : { ...offer, fee: { ...fee, amount: toAmount(amount) } }
}

/**
 * Checks every offer against the rules for all offers, beside the checks of its adapter. Throws VenueError: `rejected` for a
 * broken rule, and the decline `boundTooWide` for one that guarantees less than was asked for. A fee outside half to twice its
 * share is replaced by the share.
 */
export const checkOffer = (checked: Checked): Offer => {
  const problems = problemsOf(checked)
  if (problems.length > 0) throw rejected(checkId(problems[0] ?? ''), problems.join(', '))
  if (isBoundTooWide(checked))
    throw new VenueError('noLiquidity', 'the guaranteed minimum is below the tolerance asked for', { reason: 'boundTooWide' })
  return withBelievedFee(checked.offer)
}
