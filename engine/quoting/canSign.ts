import type { SignerCode } from '../chains/evm/signerCode.ts'
import { isNative } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Route } from '../core/route.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'

const goesByCode = ({ signatureChecks }: VenueProfile): boolean => !signatureChecks?.every(({ by }) => by === 'scheme')

/** Whether an offer of the venue may depend on the sender's code. No signature takes a coin. */
export const needsSenderCode = ({ profile, submitter }: GuardedVenue, { input }: Route): boolean =>
  submitter !== null && !isNative(input) && goesByCode(profile)

const canSign = ({ signatureChecks }: VenueProfile, code: SignerCode | null): boolean =>
  // The length of a contract's signatures depends on the contract.
  code === 'contract' ? !signatureChecks?.some(({ bytes }) => bytes !== undefined) : code !== 'muteDelegate'

/**
 * Throws VenueError('unsupportedPair') where the venue takes no signature of a sender with this code. Waits for the code only where
 * the offer depends on it, and passes the offer where the code cannot be read.
 */
export const requireSignable = async (
  { executionType }: Offer,
  profile: VenueProfile,
  senderCode: Promise<{ readonly value: SignerCode | null }>,
): Promise<void> => {
  if (executionType !== 'SIGNATURE' || !goesByCode(profile)) return
  const { value: code } = await senderCode
  if (!canSign(profile, code))
    throw new VenueError('unsupportedPair', `the sender's code: ${code}`, { reason: 'senderCannotSign' })
}
