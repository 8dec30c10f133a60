import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../venueError.ts'

export type Party = NonNullable<VenueErrorOptions['party']>

/** The meaning of a venue's code: a kind, or a bad request with the refused address or parameter. */
export type Meaning = VenueErrorKind | readonly ['badRequest', Party]

/** By the venue's own code. */
export type Meanings = { readonly [code: string]: Meaning }

/** A table from the codes of each kind, separated by spaces. */
export const meaningsBy = (...rows: readonly (readonly [Meaning, string])[]): Meanings =>
  Object.fromEntries(rows.flatMap(([meaning, codes]) => codes.split(' ').map((code) => [code, meaning])))

/** Undefined for an unlisted code. */
export const meaningOf = (meanings: Meanings, code: string): Meaning | undefined =>
  Object.hasOwn(meanings, code) ? meanings[code] : undefined

/** `message` is for the log, and may quote the venue. */
export const refused = (meaning: Meaning, message: string, bounds: Pick<VenueErrorOptions, 'minimum' | 'maximum'> = {}) =>
  typeof meaning === 'string'
    ? new VenueError(meaning, message, bounds)
    : new VenueError(meaning[0], message, { ...bounds, party: meaning[1] })

/** The least input by the venue. A bound that is not above the requested amount contradicts the refusal, and is dropped. */
export const minimumAbove = (asked: bigint | null, minimum: bigint | null): { readonly minimum?: bigint } =>
  asked !== null && minimum !== null && minimum > asked ? { minimum } : {}
