import { bpsBelow, toAmount } from '../core/amount.ts'
import type { Quote } from '../core/answers.ts'
import { missingApproval } from '../core/approval.ts'
import type { Asset, Token } from '../core/asset.ts'
import type { Offer } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { routeTypeOf } from '../core/route.ts'
import type { Approval } from '../core/swap.ts'
import { SwapError } from '../errors.ts'
import type { VenueProfile } from '../venues/venue.ts'
import { gasCost, venueFeeOf } from './gasCost.ts'
import type { QuoteReads, Read } from './quoteReads.ts'
import { expectProof } from './trust.ts'

/** Seconds assumed when the winner reports no duration; the quote then marks them as a guess. */
const GUESSED_SECONDS = 60

/** Called for each chain read the quote had to do without. */
export type ReportUnread = (chainId: number, what: string, error: Error) => void

/** Throws INTERNAL, to be repeated, where no source reports the token. */
const known = (token: Token | null, { chainId }: Asset): Token => {
  if (token !== null) return token
  const text = `A token on chain ${chainId} cannot be read now. Repeat the request.`
  throw new SwapError('INTERNAL', text, { details: { chainId, retryable: true } })
}

const valueOrReport = <T>(chainId: number, what: string, read: Read<T>, reportUnread: ReportUnread): T | null => {
  if ('error' in read) reportUnread(chainId, what, read.error)
  return read.value
}

const approvalFor = async (
  order: Order,
  { spender, isApprovedBySignature = false }: Offer,
  reads: QuoteReads,
  reportUnread: ReportUnread,
): Promise<Approval | null> => {
  const read = spender === null ? undefined : await reads.allowances.get(spender)
  if (!read || spender === null || isApprovedBySignature) return null
  const known = valueOrReport(order.input.chainId, 'allowance', read, reportUnread)
  return missingApproval(order.input, spender, order.inputAmount, known)
}

/** The range of a deposit whose amount carries a reference; null where the deposit is the input amount itself. */
const depositRange = (order: Order, { executionType }: Offer, profile: VenueProfile): Quote['depositAmount'] => {
  const less = executionType === 'DEPOSIT' ? profile.amountCarriesReference(order) : 0n
  const max = order.inputAmount
  return less === 0n ? null : { min: toAmount(max > less ? max - less : 1n), max }
}

/** Combines the winning offer and the chain reads. Waits for reads under way, which the race's deadline bounds. */
export const assembleQuote = async (
  {
    order,
    offer,
    profile,
    isExecutable,
    expiresAt,
  }: {
    readonly order: Order
    readonly offer: Offer
    readonly profile: VenueProfile
    readonly isExecutable: boolean
    readonly expiresAt: number
  },
  reads: QuoteReads,
  reportUnread: ReportUnread,
): Promise<Omit<Quote, 'quoteToken'>> => {
  const [inputRead, outputRead, feeRead, nativeUsd] = await Promise.all([
    reads.inputToken,
    reads.outputToken,
    reads.feePrice,
    reads.nativeUsd,
  ])
  const { input: paid, output: bought } = order
  const tokens = {
    input: valueOrReport(paid.chainId, 'inputToken', inputRead, reportUnread),
    output: valueOrReport(bought.chainId, 'outputToken', outputRead, reportUnread),
  }
  const [input, output] = [known(tokens.input, paid), known(tokens.output, bought)]
  if (offer.executionType === 'SIGNATURE') valueOrReport(paid.chainId, 'senderCode', await reads.senderCode, reportUnread)
  const feePrice = valueOrReport(paid.chainId, 'feePrice', feeRead, reportUnread)
  return {
    venue: { id: profile.id, name: profile.name },
    routeType: routeTypeOf(order),
    input: { token: input, amount: order.inputAmount },
    output: { token: output, amount: offer.outputAmount },
    fee: { ...offer.fee, token: output },
    isExecutable,
    slippage: offer.slippage && { ...offer.slippage, bps: bpsBelow(offer.outputAmount, offer.slippage.guaranteedMin) },
    gas: gasCost(order, offer, { feePrice, nativeUsd }),
    venueFee: venueFeeOf(order, offer),
    depositAmount: depositRange(order, offer, profile),
    expectedProof: expectProof(profile, offer.executionType, order),
    approval: await approvalFor(order, offer, reads, reportUnread),
    estimatedTimeSeconds: offer.estimatedTimeSeconds ?? GUESSED_SECONDS,
    estimatedTimeIsGuess: offer.estimatedTimeSeconds === null,
    expiresAt,
  }
}
