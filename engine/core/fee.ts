import type { Address } from './address.ts'
import type { PayoutEcosystem } from './partner.ts'

/**
 * The holder of an integrator fee once the swap is done. `integrator`: an account of the integrator on the chain.
 * `creditedAtVenue`: the venue's books, network or contract, from which the integrator withdraws it. `venueAccount`: the venue
 * itself, which pays it out later by its own terms.
 */
export type FeeHolder = 'integrator' | 'creditedAtVenue' | 'venueAccount'

/** The source of a swap's integrator fee, and its holder: by the venue's documents. */
export type FeeCustody = {
  readonly holder: FeeHolder
  /** `taken`: from the token that the venue took for its order, which differs from the input after a swap. */
  readonly from: 'input' | 'taken' | 'output'
  /** The asset of the venue's credit after a conversion, in a few words; null: no conversion. */
  readonly becomes: string | null
  /** The transaction that moves it, the input's or the delivery's, and its recipient; null where neither does. */
  readonly seen: { readonly in: 'input' | 'output'; readonly payee: Address } | null
  /** Where it is paid out. Absent: by the chain of the asset that it is taken from. */
  readonly ecosystem?: PayoutEcosystem
}

/** The fee of so many basis points of the output before the fee; `output` is net of it. */
export const feeShare = (output: bigint, bps: number): bigint => (output * BigInt(bps)) / (10_000n - BigInt(bps))

/** The rounding of venues. */
export const ROUNDING_UNITS = 2n

/**
 * An integrator fee in units of the output. It uses the venue's figure, which nothing signs, if that is from half to twice the
 * fee's share. Else it uses the share. `output` is net of the fee. Partners are owed this amount.
 */
export const believedFee = (told: bigint, bps: number, output: bigint): bigint => {
  const share = feeShare(output, bps)
  return told * 2n + ROUNDING_UNITS >= share && told <= share * 2n + ROUNDING_UNITS ? told : share
}
