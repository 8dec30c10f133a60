import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../venueError.ts'

export type Party = NonNullable<VenueErrorOptions['party']>

/** What one of a venue's codes means: a kind, or a bad request and whose address or parameter was refused. */
export type Meaning = VenueErrorKind | readonly ['badRequest', Party]

/** By the venue's own code. */
export type Meanings = { readonly [code: string]: Meaning }

/** From what each kind is called by: codes, with spaces between them. */
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

/** The least input a venue names: one that is no more than was asked for contradicts the refusal, and is not passed on. */
export const minimumAbove = (asked: bigint | null, minimum: bigint | null): { readonly minimum?: bigint } =>
  asked !== null && minimum !== null && minimum > asked ? { minimum } : {}
