import { paysAny } from '../chains/payees.ts'
import { hasModestFee } from '../chains/solana/harmlessInstructions.ts'
import { decodeSolanaTransaction } from '../chains/solana/solanaCodec.ts'
import { isNative, isSameAsset } from '../core/asset.ts'
import { isEvmChainId } from '../core/chain.ts'
import { type ReadClaim, readClaim } from '../core/claim.ts'
import type { Binding, ClaimedFee, Execution, Payload, PayloadClaims, Proven, SignaturePayload } from '../core/execution.ts'
import { failing } from '../core/failing.ts'
import type { Order } from '../core/order.ts'
import { leastAtPeg } from '../core/peg.ts'
import type { Assurance, Proof } from '../core/proof.ts'
import type { SealedOffer } from '../core/swap.ts'
import { isListed } from '../quoting/trust.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { TrustedPart, VenueProfile } from '../venues/venue.ts'
import { checkId, rejected, VenueError } from '../venues/venueError.ts'

/** What a payload is compared with. */
type Expected = { readonly sealed: SealedOffer; readonly binding: Binding; readonly profile: VenueProfile; readonly now: number }

/** A payload, its claims, and what they are compared with. */
type Judged = Expected & { readonly claims: PayloadClaims; readonly execution: Execution }

/** An approval by signature goes to the input token itself, or to a published contract that holds allowances. */
const approvalMismatches = ({ approvalData }: SignaturePayload, { input }: Order, profile: VenueProfile): readonly string[] => {
  if (approvalData === null) return []
  const { chainId, verifyingContract } = approvalData.domain
  const contracts: readonly string[] = [input.address, ...(profile.contracts[input.chainId] ?? [])]
  return failing({
    'approvalData.domain.chainId': chainId === input.chainId,
    'approvalData.domain.verifyingContract': contracts.includes(verifyingContract ?? ''),
  })
}

/** Checks the fields on which a wallet acts directly. No decoder needs to repeat them. */
const envelopeMismatches = (payload: Payload, { claims, sealed: { order }, binding, profile }: Judged): readonly string[] => {
  const { input, output, inputAmount, sender } = order
  switch (payload.executionType) {
    case 'TRANSACTION': {
      const { chainId, to, value, data, serialized } = payload.transaction
      const isEvm = isEvmChainId(chainId)
      const coins = isEvm && isNative(input) ? inputAmount : 0n
      return failing({
        'transaction.chainId': chainId === input.chainId,
        'transaction.to': to === claims.pays,
        'transaction.value': value === coins + (isEvm ? claims.nativeFee : 0n),
        // A wallet uses either field, so the decoded one must equal the signed one.
        'transaction.data': serialized === (isEvm ? undefined : data),
      })
    }
    case 'DEPOSIT': {
      const { chainId, address, amount } = payload.deposit
      return failing({
        'deposit.chainId': chainId === input.chainId,
        'deposit.address': address === claims.pays,
        'deposit.amount': amount > 0n && amount <= inputAmount && inputAmount - amount <= profile.amountCarriesReference(order),
        // A deposit to an address of the swap's own parties would never be swapped.
        'deposit.owner': !paysAny(payload.deposit, [sender, binding.recipient, binding.refundTo], [input, output]),
      })
    }
    case 'SIGNATURE': {
      const { domain } = payload.typedData
      const mismatches = failing({
        chainId: payload.chainId === input.chainId,
        'typedData.domain.chainId': domain.chainId === input.chainId,
        'typedData.domain.verifyingContract': domain.verifyingContract === claims.pays,
      })
      return [...mismatches, ...approvalMismatches(payload, order, profile)]
    }
  }
}

/** Only a transaction can carry a fee beside its input. The quote stated that fee. */
const isQuotedNativeFee = ({ claims: { nativeFee }, execution, sealed: { order, offer }, profile }: Judged): boolean => {
  if (nativeFee === 0n) return true
  const isWithin = nativeFee > 0n && nativeFee <= offer.nativeFee && nativeFee <= profile.nativeFeeMax(order)
  return isWithin && execution.payload.executionType === 'TRANSACTION'
}

/**
 * A fee in basis points must equal the quoted one. A fee in token units has the venue's rounding, so it must lie between the fee
 * on the guaranteed and on the expected output.
 */
const isQuotedFee = (fee: ClaimedFee, quotedBps: number, { claims, execution }: Judged): boolean => {
  if ('bps' in fee) return fee.bps === quotedBps
  const { said: minimum } = readClaim(claims.output.minimum)
  // Without a minimum there is no lower bound for the amount.
  if (minimum === undefined) return false
  const bps = BigInt(quotedBps)
  const scaled = fee.amount * 10_000n
  const least = (minimum + fee.amount) * bps - 10_000n
  const most = (execution.outputAmount + fee.amount) * bps + 10_000n
  return fee.amount > 0n && scaled >= least && scaled <= most
}

const listed = (part: TrustedPart, { execution: { payload }, sealed: { order }, profile }: Judged): boolean =>
  isListed(profile, part, payload.executionType, order)

const feeMismatches = (judged: Judged): readonly string[] => {
  const { claims, sealed, profile } = judged
  const { bps } = sealed.offer.fee
  const { said: fee, isProved } = readClaim(claims.fee)
  const isOnTrust = !isProved && listed('fee', judged)
  if (!isProved && !isOnTrust) return ['fee']
  // The payload states no fee.
  if (fee === undefined) return []
  if (fee === null || bps === 0) return failing({ fee: fee === null && bps === 0 })
  return failing({
    'fee.recipient': fee.recipient === null ? isOnTrust : fee.recipient === profile.feeRecipient(sealed.order),
    'fee.amount': isQuotedFee(fee, bps, judged),
  })
}

/** A signed approval is for the quoted spender and the input only: it is valid without the order. */
const isOwnApproval = ({ claims: { approval = null }, execution: { payload }, sealed: { order, offer } }: Judged): boolean => {
  const isAsked = payload.executionType === 'SIGNATURE' && payload.approvalData !== null
  if (approval === null || !isAsked) return approval === null && !isAsked
  const { owner = order.sender, spender, amount } = approval
  return owner === order.sender && spender === offer.spender && amount === order.inputAmount
}

/** An unproved part must be in the profile's list, and the venue's report of it must match the quote. */
const isAsQuoted = <T>(part: TrustedPart, claim: Proven<T>, judged: Judged, isRight: (said: T) => boolean): boolean => {
  const { said, isProved }: ReadClaim<T> = readClaim(claim)
  if (!isProved && !listed(part, judged)) return false
  return said === undefined || isRight(said)
}

/** The refund address may be absent only if nothing leaves the wallet before the swap. */
const isBoundRefund = (refundTo: string | null, { execution, sealed: { order }, binding, profile }: Judged): boolean => {
  if (refundTo === null) return !profile.holdsInput(order, execution.payload.executionType)
  return binding.refundTo === (refundTo === 'payer' ? order.sender : refundTo)
}

/**
 * An exchange before the bridge cannot be decoded. The amount that the bytes guarantee to lock must be worth the minimum. Within
 * a peg class one unit is worth one; else the amount sealed in the quote decides.
 */
const isWorthOutput = ({ claims: { bridged = null, output }, sealed: { offer } }: Judged, least: readonly bigint[]): boolean => {
  if (bridged === null) return true
  const minimum = [readClaim(output.minimum).said ?? 0n, ...least].reduce((most, one) => (one > most ? one : most))
  const atPeg = leastAtPeg(bridged.asset, { asset: output.asset, amount: minimum })
  if (atPeg !== null) return bridged.amount >= atPeg
  const { bridgesLeast: due } = offer
  return due !== undefined && isSameAsset(bridged.asset, due.asset) && bridged.amount >= due.amount
}

/** Compares a payload's effects with the quote and the binding. Returns the names of all differences; none means proved. */
export const compareClaims = (claims: PayloadClaims, execution: Execution, expected: Expected): readonly string[] => {
  const judged: Judged = { ...expected, claims, execution }
  const { sealed, binding, profile, now } = expected
  const { order, offer } = sealed
  const { payload } = execution
  const { input, output, spender, deadlineAt } = claims
  const published = profile.contracts[claims.chainId] ?? []
  const parties = [order.sender, binding.recipient, binding.refundTo]
  // The bytes must match the quote and the venue's report of the built payload, which may be better.
  const least = [offer.slippage, execution.slippage].map((slippage) => slippage?.guaranteedMin ?? 1n)
  const mismatches = failing({
    executionType: payload.executionType === offer.executionType,
    chain: claims.chainId === order.input.chainId,
    // A deposit address is new for each swap, so no published list contains it.
    contract: payload.executionType === 'DEPOSIT' || published.includes(claims.pays),
    // The paid contract must not be a party of the swap. The envelope checks deposit addresses.
    'contract.owner': payload.executionType === 'DEPOSIT' || !paysAny({ chainId: claims.chainId, address: claims.pays }, parties),
    spender: spender === offer.spender && (spender === null || published.includes(spender)),
    approval: isOwnApproval(judged),
    'input.token': isSameAsset(input.asset, order.input),
    // The envelope checks how far a deposit may be below the input.
    'input.amount': input.amount === (payload.executionType === 'DEPOSIT' ? payload.deposit.amount : order.inputAmount),
    nativeFee: isQuotedNativeFee(judged),
    'output.token': isSameAsset(output.asset, order.output),
    // An order that demands more than the venue expects to pay stays unfilled, and locks the input until its refund.
    'output.minimum': isAsQuoted(
      'minimum',
      output.minimum,
      judged,
      (minimum) => minimum <= execution.outputAmount && least.every((bound) => minimum >= bound),
    ),
    bridged: isWorthOutput(judged, least),
    recipient: isAsQuoted('recipient', claims.recipient, judged, (recipient) => recipient === binding.recipient),
    refundTo: isAsQuoted('refund', claims.refundTo, judged, (refundTo) => isBoundRefund(refundTo, judged)),
    deadline: deadlineAt === null || (deadlineAt > now && deadlineAt <= now + profile.deadlineMsMax),
  })
  const unread = claims.unread.map((part) => `unread: ${part}`)
  return [...envelopeMismatches(payload, judged), ...mismatches, ...feeMismatches(judged), ...unread]
}

/** Checks for Solana, beyond the decoder: the network fee cannot drain the paying wallet. */
const solanaMismatches = async (payload: Payload, { sender }: Order): Promise<readonly string[]> => {
  const serialized = payload.executionType === 'TRANSACTION' ? payload.transaction.serialized : undefined
  if (serialized === undefined) return []
  const transaction = await decodeSolanaTransaction(serialized)
  return failing({
    'transaction.feePayer': transaction?.feePayer === sender,
    'transaction.networkFee': transaction !== null && hasModestFee(transaction.instructions),
  })
}

const assuranceOf = (claim: Proven<unknown>): Assurance => {
  const { said, isProved } = readClaim(claim)
  if (!isProved) return 'taken-on-trust'
  return said === null ? 'not-applicable' : 'proved'
}

const proofOf = ({ recipient, output, refundTo }: PayloadClaims): Proof => ({
  recipient: assuranceOf(recipient),
  minimum: assuranceOf(output.minimum),
  refund: assuranceOf(refundTo),
})

/** What a payload proves, its deadline (epoch ms; null for none), and other possible refund addresses. */
export type Proved = Pick<PayloadClaims, 'deadlineAt' | 'refundsElsewhere'> & { readonly proof: Proof }

/** `proved` is valid only without mismatches. If decoding failed it is the error. */
export type Verdict = { readonly mismatches: readonly string[]; readonly proved: Proved | VenueError }

/** Decodes an execution and compares it with the sealed quote. A failure to decode counts as a mismatch. */
export const judgePayload = async (
  venue: Pick<GuardedVenue, 'profile' | 'decode'>,
  execution: Execution,
  { sealed, binding, now }: Omit<Expected, 'profile'>,
): Promise<Verdict> => {
  try {
    const claims = await venue.decode(execution)
    const compared = compareClaims(claims, execution, { sealed, binding, profile: venue.profile, now })
    const mismatches = [...compared, ...(await solanaMismatches(execution.payload, sealed.order))]
    const { deadlineAt, refundsElsewhere } = claims
    return { mismatches, proved: { proof: proofOf(claims), deadlineAt, ...(refundsElsewhere && { refundsElsewhere }) } }
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    return { mismatches: [`undecodable: ${error.message}`], proved: error }
  }
}

/** Whether a wrong clock of ours can be the reason of all mismatches. */
export const areByClock = (mismatches: readonly string[]): boolean => mismatches.every((one) => one === 'deadline')

/** The error of an unproved payload. Its check is the first mismatch, or that of the decoder. */
export const mismatchError = (mismatches: readonly string[], proved: Verdict['proved']): VenueError => {
  if (proved instanceof VenueError) return proved.kind === 'badResponse' ? rejected('payload', proved.message) : proved
  const [first = 'payload'] = mismatches
  return rejected(checkId(first.replace(/^unread: /, '')), 'the payload is not what was quoted', mismatches)
}
