import type { Address } from './address.ts'
import type { PayoutEcosystem } from './partner.ts'

/**
 * Who has an integrator fee once the swap is done. `integrator`: an account of the integrator's on the chain. `creditedAtVenue`: it
 * is set down for the integrator in the venue's books, network or contract, and withdrawn from there. `venueAccount`: the venue
 * itself, which pays it out later by its own terms.
 */
export type FeeHolder = 'integrator' | 'creditedAtVenue' | 'venueAccount'

/** Where the integrator fee of a swap is taken from, and who has it then: by the venue's documents. */
export type FeeCustody = {
  readonly holder: FeeHolder
  /** `taken`: from what the venue took for its order, which is another token than the input where that was swapped first. */
  readonly from: 'input' | 'taken' | 'output'
  /** The asset that the venue sets it down in, where that is another, in a few words; null: it stays what it was. */
  readonly becomes: string | null
  /** The transaction that moves it, the one that pays the input in or the delivery, and to whom; null where none of the two does. */
  readonly seen: { readonly in: 'input' | 'output'; readonly payee: Address } | null
  /** Where it is paid out. Left out: by the chain of what it is taken from. */
  readonly ecosystem?: PayoutEcosystem
}

/** The fee of so many basis points of the output before the fee; `output` is net of it. */
export const feeShare = (output: bigint, bps: number): bigint => (output * BigInt(bps)) / (10_000n - BigInt(bps))

/** The venues' own roundings. */
export const ROUNDING_UNITS = 2n

/**
 * An integrator fee in units of the output. It uses the venue's figure, which nothing signs, if that is from half to twice the
 * fee's share. Else it uses the share. `output` is net of the fee. Partners are owed this amount.
 */
export const believedFee = (told: bigint, bps: number, output: bigint): bigint => {
  const share = feeShare(output, bps)
  return told * 2n + ROUNDING_UNITS >= share && told <= share * 2n + ROUNDING_UNITS ? told : share
}
