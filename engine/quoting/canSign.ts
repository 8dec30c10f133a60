import type { SignerCode } from '../chains/evm/signerCode.ts'
import { isNative } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Route } from '../core/route.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'
import type { RaceEntry } from './race.ts'

const goesByCode = ({ signatureChecks }: VenueProfile): boolean => !signatureChecks?.every(({ by }) => by === 'scheme')

/** Whether an offer of the venue may depend on the sender's code. No signature takes a coin. */
export const needsSenderCode = ({ profile, submitter }: GuardedVenue, { input }: Route): boolean =>
  submitter !== null && !isNative(input) && goesByCode(profile)

/** False where the venue would take no signature of a sender with this code. True while the code is unknown. */
export const canSign = ({ executionType }: Offer, profile: VenueProfile, code: SignerCode | null): boolean => {
  if (executionType !== 'SIGNATURE') return true
  // How long a contract's signatures are depends on the contract.
  if (code === 'contract') return !profile.signatureChecks?.some(({ bytes }) => bytes !== undefined)
  return code !== 'muteDelegate' || !goesByCode(profile)
}

/** The entries of a race, with the offers that the sender cannot sign as declines. Waits for the code only where it matters. */
export const declineUnsignable = async (
  entries: readonly RaceEntry[],
  senderCode: Promise<{ readonly value: SignerCode | null }>,
): Promise<readonly RaceEntry[]> => {
  const isSigned = ({ outcome }: RaceEntry) => outcome.result === 'offer' && outcome.offer.executionType === 'SIGNATURE'
  const code = entries.some((entry) => isSigned(entry) && goesByCode(entry.venue.profile)) ? (await senderCode).value : null
  return entries.map((entry) => {
    const { venue, outcome } = entry
    if (outcome.result !== 'offer' || canSign(outcome.offer, venue.profile, code)) return entry
    const error = new VenueError('unsupportedPair', `the sender's code: ${code}`, { reason: 'senderCannotSign' })
    return { ...entry, outcome: { result: 'error', error } }
  })
}
