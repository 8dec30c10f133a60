import type { PinClaim, Venue } from './venue.ts'

/** A claim whose two sides disagree. */
export type PinDifference = PinClaim

/** The result of one source. `failure`: why it could not be read; it then compared nothing. */
export type PinCheck = {
  readonly venue: string
  readonly source: string
  readonly compared: number
  readonly differences: readonly PinDifference[]
  readonly failure: string | null
}

/** Hex has no case of its own. */
const normalize = (value: string): string => (/^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value)

/** Whether the venue publishes a value that we lack, or none of ours any more. Old and new values stand together during a rotation. */
export const isDifferent = ({ pinned, published }: PinClaim): boolean => {
  const [ours, theirs] = [new Set(pinned.map(normalize)), new Set(published.map(normalize))]
  return [...theirs].some((value) => !ours.has(value)) || (ours.size > 0 && theirs.size === 0)
}

/** Compares the pinned values of a venue with all of its sources. Never rejects. */
export const checkPins = (
  { profile, pins }: Pick<Venue, 'profile' | 'pins'>,
  signal: AbortSignal,
): Promise<readonly PinCheck[]> =>
  Promise.all(
    pins.map(async ({ name, claims }) => {
      const check = { venue: profile.id, source: name }
      try {
        const found = await claims(signal)
        if (found.length === 0) throw new Error('nothing was compared')
        return { ...check, compared: found.length, differences: found.filter(isDifferent), failure: null }
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error)
        return { ...check, compared: 0, differences: [], failure }
      }
    }),
  )
