import { isSameAsset } from '../../core/asset.ts'
import { readClaim } from '../../core/claim.ts'
import type { Binding, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'

export type ClaimsAsked = {
  readonly order: Pick<VenueOrder, 'input' | 'output' | 'inputAmount' | 'sender'>
  readonly binding: Binding
  /** The least output that the answer itself guarantees. */
  readonly minimum: bigint
  /** The expected output of the answer. */
  readonly expected: bigint
}

/**
 * The effects of a payload that the caller did not request, and its unreadable parts. The engine repeats this check before it
 * hands out the payload. A venue that checks at quote time offers only payloads that pass.
 */
export const claimProblems = (claims: PayloadClaims, { order, binding, minimum, expected }: ClaimsAsked): readonly string[] => {
  const { unread, input, output } = claims
  const { said: least } = readClaim(output.minimum)
  const { said: recipient } = readClaim(claims.recipient)
  const { said: refundTo } = readClaim(claims.refundTo)
  return [
    ...unread,
    ...failing({
      'another input token': isSameAsset(input.asset, order.input),
      'another input amount': input.amount === order.inputAmount,
      'another output token': isSameAsset(output.asset, order.output),
      'another output amount': least !== undefined && least >= minimum,
      // No relayer fills it, and the input stays locked until its refund.
      'a greater minimum than is expected': least === undefined || least <= expected,
      'another recipient': recipient === binding.recipient,
      // Null where no input leaves the wallet before the swap.
      'another refund address': refundTo === null || binding.refundTo === (refundTo === 'payer' ? order.sender : refundTo),
    }),
  ]
}

/** The offer's exchange before the bridge, by the payload of the venue's answer. */
export const bridgesIn = ({ bridged = null }: PayloadClaims): Pick<Offer, 'bridges'> =>
  bridged === null ? {} : { bridges: bridged }
