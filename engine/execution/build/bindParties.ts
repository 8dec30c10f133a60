import type { Address } from '../../core/address.ts'
import type { BuiltSwap } from '../../core/answers.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Party } from '../../core/order.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { readWalletAddress } from '../../core/walletAddress.ts'
import { type FieldProblem, invalidRequest } from '../../errors.ts'
import { bindsAtQuote } from '../../quoting/executable.ts'
import type { VenueProfile } from '../../venues/venue.ts'

/** The addresses of an execute request, as written. */
export type GivenAddresses = { readonly destinationAddress: string | null; readonly refundAddress: string | null }

/**
 * Resolves recipient and refund address. An address given now counts only if the venue binds it at execute time, a refund address
 * only if the payload holds the input. `ignored` lists fields that have no effect and differ from the quote. Throws
 * INVALID_REQUEST naming each missing or invalid field.
 */
export const bindParties = (
  { order, offer }: SealedOffer,
  profile: VenueProfile,
  given: GivenAddresses,
): { readonly binding: Binding } & Pick<BuiltSwap, 'ignored'> => {
  const problems: FieldProblem[] = []
  const ignored: (keyof GivenAddresses)[] = []
  const isFixed = (party: Party): boolean =>
    bindsAtQuote(profile, party, order) || (party === 'refundTo' && !profile.holdsInput(order, offer.executionType))
  const bind = (path: keyof GivenAddresses, party: Party, chainId: ChainId): Address => {
    const [quoted, raw] = [order[party], given[path]]
    if (raw === null) return quoted
    const read = readWalletAddress(chainId, raw)
    if ('problem' in read) problems.push({ path, reason: read.problem })
    else if (!isFixed(party)) return read.address
    else if (read.address !== quoted) ignored.push(path)
    return quoted
  }
  const recipient = bind('destinationAddress', 'recipient', order.output.chainId)
  const refundTo = bind('refundAddress', 'refundTo', order.input.chainId)
  if (given.destinationAddress === null && order.unnamed.includes('recipient'))
    problems.push({ path: 'destinationAddress', reason: 'is required: the quote named no recipient on the output chain' })
  if (problems.length > 0) throw invalidRequest(problems)
  return { binding: { recipient, refundTo }, ignored }
}
