import { isSameAsset } from '../../core/asset.ts'
import { readClaim } from '../../core/claim.ts'
import type { PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'
import type { Ask, Terms } from './map.ts'

const decline = (why: string, cause?: unknown): VenueError =>
  new VenueError('unsupportedPair', `across answered with what cannot be proved: ${why}`, cause === undefined ? {} : { cause })

/** A transaction that cannot be read at quote is a route we do not sell. */
export const unprovable = (error: unknown): never => {
  throw error instanceof VenueError && error.kind === 'badResponse' ? decline(error.message, error) : error
}

/**
 * Holds the transaction that comes with a quote against the quote, as the engine will at execute. Throws a decline: an
 * answer that could not be executed is not sold, and nothing says that the venue is in trouble.
 */
export const demandProvable = (
  { unread, input, output, recipient, refundTo }: PayloadClaims,
  { slippage }: Terms,
  { order, binding }: Ask,
): void => {
  const { said: minimum } = readClaim(output.minimum)
  const others = failing({
    'another input token': isSameAsset(input.asset, order.input),
    'another input amount': input.amount === order.inputAmount,
    'another output token': isSameAsset(output.asset, order.output),
    'another output amount': minimum !== undefined && minimum >= slippage.guaranteedMin,
    'another recipient': recipient === binding.recipient,
    'another refund address': binding.refundTo === (refundTo === 'payer' ? order.sender : refundTo),
  })
  const problems = [...unread, ...others]
  if (problems.length > 0) throw decline(problems.join(', '))
}
