import type { Address } from '../core/address.ts'
import { isNative, isSameAsset } from '../core/asset.ts'
import { isEvmChainId } from '../core/chain.ts'
import type { Binding, ClaimedFee, Execution, Payload, PayloadClaims, SignaturePayload } from '../core/execution.ts'
import type { Order } from '../core/order.ts'
import type { SealedOffer } from '../core/swap.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { TrustRule, VenueProfile } from '../venues/venue.ts'
import { VenueError } from '../venues/venueError.ts'

/** Everything a payload is held against. */
type Expected = { readonly sealed: SealedOffer; readonly binding: Binding; readonly profile: VenueProfile; readonly now: number }

/** An approval by signature is given to the input token itself, or to a published contract that holds allowances. */
const approvalMismatches = ({ approvalData }: SignaturePayload, { input }: Order, profile: VenueProfile): string[] => {
  if (approvalData === null) return []
  const { chainId, verifyingContract } = approvalData.domain
  const contracts: readonly string[] = [input.address, ...(profile.contracts[input.chainId] ?? [])]
  return [
    ...(chainId === input.chainId ? [] : ['approvalData.domain.chainId']),
    ...(contracts.includes(verifyingContract ?? '') ? [] : ['approvalData.domain.verifyingContract']),
  ]
}

/** The parts of a payload a wallet acts on directly, which no decoder should be trusted to repeat. */
const envelopeMismatches = (payload: Payload, claims: PayloadClaims, { sealed: { order }, profile }: Expected): string[] => {
  const { input, inputAmount } = order
  switch (payload.executionType) {
    case 'TRANSACTION': {
      const { chainId, to, value, data, serialized } = payload.transaction
      const owed = isEvmChainId(chainId) && isNative(input) ? inputAmount : 0n
      return [
        ...(chainId === input.chainId ? [] : ['transaction.chainId']),
        ...(to === claims.pays ? [] : ['transaction.to']),
        ...(value === owed ? [] : ['transaction.value']),
        // A wallet takes either of the two: what was decoded from one must be what is signed from the other.
        ...(serialized === (isEvmChainId(chainId) ? undefined : data) ? [] : ['transaction.data']),
      ]
    }
    case 'DEPOSIT': {
      const { chainId, address, amount } = payload.deposit
      return [
        ...(chainId === input.chainId ? [] : ['deposit.chainId']),
        ...(address === claims.pays ? [] : ['deposit.address']),
        ...(amount === inputAmount ? [] : ['deposit.amount']),
      ]
    }
    case 'SIGNATURE':
      return [
        ...(payload.chainId === input.chainId ? [] : ['chainId']),
        ...(payload.typedData.domain.chainId === input.chainId ? [] : ['typedData.domain.chainId']),
        ...(payload.typedData.domain.verifyingContract === claims.pays ? [] : ['typedData.domain.verifyingContract']),
        ...approvalMismatches(payload, order, profile),
      ]
  }
}

/**
 * A fee in basis points must be the quoted one. A fee in token units was computed by the venue from its own rounding
 * of the output, so it is held between the fee on the guaranteed and the fee on the expected output.
 */
const isQuotedFee = (claimed: ClaimedFee, quotedBps: number, claims: PayloadClaims, execution: Execution): boolean => {
  if ('bps' in claimed) return claimed.bps === quotedBps
  // Without a proven minimum there is nothing to hold an amount against.
  if (claims.output.minimum === 'unproved') return false
  const bps = BigInt(quotedBps)
  const scaled = claimed.amount * 10_000n
  const least = (claims.output.minimum + claimed.amount) * bps - 10_000n
  const most = (execution.outputAmount + claimed.amount) * bps + 10_000n
  return claimed.amount > 0n && scaled >= least && scaled <= most
}

const feeMismatches = (claims: PayloadClaims, execution: Execution, { sealed, profile }: Expected): string[] => {
  const { bps } = sealed.offer.fee
  if (claims.fee === 'unproved') return isTakenOnTrust('fee', execution, sealed, profile) ? [] : ['fee']
  if (bps === 0) return claims.fee === null ? [] : ['fee']
  if (claims.fee === null) return ['fee']
  return [
    ...(claims.fee.recipient === profile.feeRecipient(sealed.order) ? [] : ['fee.recipient']),
    ...(isQuotedFee(claims.fee, bps, claims, execution) ? [] : ['fee.amount']),
  ]
}

const contractMismatches = (payload: Payload, claims: PayloadClaims, { sealed, profile }: Expected): string[] => {
  const published = profile.contracts[claims.chainId] ?? []
  const { spender } = sealed.offer
  return [
    // A deposit address is new for every swap: the venue's signature over it stands in for a published contract.
    ...(payload.executionType === 'DEPOSIT' || published.includes(claims.pays) ? [] : ['contract']),
    ...(claims.spender === spender && (spender === null || published.includes(spender)) ? [] : ['spender']),
  ]
}

/** Whether the profile says, with its reason, that a part cannot be proved on this route. */
const isTakenOnTrust = (
  part: TrustRule['part'],
  { payload }: Execution,
  { order }: SealedOffer,
  profile: VenueProfile,
): boolean =>
  profile.takesOnTrust.some((rule) => rule.part === part && rule.executionType === payload.executionType && rule.appliesTo(order))

/** Only a deposit leaves the wallet for an address that may keep it: there the refund must be known to come back. */
const isBoundRefund = (refundTo: Address | null, { executionType }: Payload, binding: Binding): boolean =>
  refundTo === null ? executionType !== 'DEPOSIT' : refundTo === binding.refundTo

/** Compares what a payload would do with what was quoted and bound: the names of all that differ, none when proved. */
export const compareClaims = (claims: PayloadClaims, execution: Execution, expected: Expected): readonly string[] => {
  const { sealed, binding, profile, now } = expected
  const { order, offer } = sealed
  // What was quoted, and what the venue said it built, which may be better: the bytes must hold to both.
  const least = [offer.slippage, execution.slippage].map((slippage) => slippage?.guaranteedMin ?? 1n)
  const lastDeadline = now + profile.deadlineMsMax
  const { minimum } = claims.output
  const onTrust = (part: TrustRule['part']) => isTakenOnTrust(part, execution, sealed, profile)
  const isMinimumProved = minimum === 'unproved' ? onTrust('minimum') : least.every((bound) => minimum >= bound)
  const isRecipientProved = claims.recipient === 'unproved' ? onTrust('recipient') : claims.recipient === binding.recipient
  const isRefundProved =
    claims.refundTo === 'unproved' ? onTrust('refund') : isBoundRefund(claims.refundTo, execution.payload, binding)
  return [
    ...envelopeMismatches(execution.payload, claims, expected),
    ...(execution.payload.executionType === offer.executionType ? [] : ['executionType']),
    ...(claims.chainId === order.input.chainId ? [] : ['chain']),
    ...contractMismatches(execution.payload, claims, expected),
    ...(isSameAsset(claims.input.asset, order.input) ? [] : ['input.token']),
    ...(claims.input.amount === order.inputAmount ? [] : ['input.amount']),
    ...(isSameAsset(claims.output.asset, order.output) ? [] : ['output.token']),
    ...(isMinimumProved ? [] : ['output.minimum']),
    ...(isRecipientProved ? [] : ['recipient']),
    ...(isRefundProved ? [] : ['refundTo']),
    ...feeMismatches(claims, execution, expected),
    ...(claims.deadlineAt === null || (claims.deadlineAt > now && claims.deadlineAt <= lastDeadline) ? [] : ['deadline']),
    ...claims.unread.map((part) => `unread: ${part}`),
  ]
}

/**
 * Decodes an execution and holds it against the sealed quote. Returns the names of all that does not match; an empty
 * list is the proof. An execution that cannot be decoded, for whatever reason, is one big mismatch.
 */
export const provePayload = async (
  venue: Pick<GuardedVenue, 'profile' | 'decode'>,
  execution: Execution,
  { sealed, binding, now }: Omit<Expected, 'profile'>,
): Promise<readonly string[]> => {
  try {
    const claims = await venue.decode(execution)
    return compareClaims(claims, execution, { sealed, binding, profile: venue.profile, now })
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    return [`undecodable: ${error.message}`]
  }
}
