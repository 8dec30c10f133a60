import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Binding } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'
import { readWalletAddress } from '../../core/walletAddress.ts'
import { type FieldProblem, invalidRequest } from '../../errors.ts'
import { bindsAtQuote } from '../../quoting/executable.ts'
import type { VenueProfile } from '../../venues/venue.ts'

/** The two addresses an execute request may bring, as written. */
export type GivenAddresses = { readonly destinationAddress: string | null; readonly refundAddress: string | null }

const readAddress = (path: string, raw: string, chainId: ChainId, problems: FieldProblem[]): Address | null => {
  const read = readWalletAddress(chainId, raw)
  if ('address' in read) return read.address
  problems.push({ path, reason: read.problem })
  return null
}

/**
 * Settles who receives and who is refunded. An address given now counts only where the venue binds it at execute time;
 * where it was fixed with the quote, it is ignored. Throws INVALID_REQUEST naming each field that cannot be taken, or
 * that is missing.
 */
export const bindParties = (order: Order, profile: VenueProfile, given: GivenAddresses): Binding => {
  const problems: FieldProblem[] = []
  const isLate = (party: 'recipient' | 'refundTo') => !bindsAtQuote(profile, party, order)
  const recipient =
    given.destinationAddress !== null && isLate('recipient')
      ? readAddress('destinationAddress', given.destinationAddress, order.output.chainId, problems)
      : null
  const refundTo =
    given.refundAddress !== null && isLate('refundTo')
      ? readAddress('refundAddress', given.refundAddress, order.input.chainId, problems)
      : null
  if (given.destinationAddress === null && order.unnamed.includes('recipient'))
    problems.push({ path: 'destinationAddress', reason: 'is required: the quote named no recipient on the output chain' })
  if (problems.length > 0) throw invalidRequest(problems)
  return { recipient: recipient ?? order.recipient, refundTo: refundTo ?? order.refundTo }
}
