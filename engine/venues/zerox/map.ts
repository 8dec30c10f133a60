import { PERMIT2 } from '../../chains/evm/permit2.ts'
import type { Address } from '../../core/address.ts'
import { bpsOf, parseAmount, toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { isSameAddress } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_OFFER } from '../kit/plain.ts'
import type { Repriced } from '../kit/reprice.ts'
import type { Static } from '../kit/shapes.ts'
import type { SlippageRule } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { Question } from './client.ts'
import { ALLOWANCE_HOLDER } from './protocol.ts'
import { isGasless } from './published.ts'
import { approvalShape, type WireGasless, type WireGaslessPrice, type WireNone, type WirePrice, type WireQuote } from './wire.ts'

/** The default of the API: https://docs.0x.org/evm/swap/api-reference, and .../gasless/api-reference for signed trades. */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 100, minBps: 0, maxBps: 10_000 }
export const SIGNED_SLIPPAGE_RULE: SlippageRule = { ...SLIPPAGE_RULE, minBps: 30 }

/** The maximum of all integrator fees together, by default (same pages). */
const FEE_BPS_MAX = 1_000

/** The documents state about 30 s for a price. No answer states it. */
const PRICE_MS = 30_000

/** The part of a request that the order does not state. */
export type Terms = { readonly slippageBps: number; readonly feeBps: number; readonly feeRecipient: Address | null }

export const quoteTermsOf = ({ slippageBps, feeBps }: VenueOrder, feeRecipient: Address | null): Terms => ({
  slippageBps,
  feeBps: feeRecipient === null ? 0 : Math.min(feeBps, FEE_BPS_MAX),
  feeRecipient,
})

/** A price request has the same fields as the request to sign or send. */
export const toQuestion = (
  { input, output, inputAmount, sender }: VenueOrder,
  { recipient }: Pick<Binding, 'recipient'>,
  { slippageBps, feeBps, feeRecipient }: Terms,
): Question => ({
  chainId: input.chainId.toString(),
  sellToken: input.address,
  buyToken: output.address,
  sellAmount: inputAmount.toString(),
  taker: sender,
  recipient,
  slippageBps: slippageBps.toString(),
  ...(feeBps > 0 && feeRecipient
    ? { swapFeeRecipient: feeRecipient, swapFeeBps: feeBps.toString(), swapFeeToken: output.address }
    : {}),
})

export type Answer = WirePrice | WireQuote | WireGaslessPrice | WireGasless

/** The way of execution: a trade to sign, or a call. */
export type How = { readonly feeBps: number; readonly isSigned: boolean; readonly holders: readonly Address[] }

/** The offer of an answer; throws for an answer without liquidity. */
export const availableOf = <A extends Answer>(answer: WireNone | A): A => {
  if (!answer.liquidityAvailable) throw new VenueError('noLiquidity', 'liquidityAvailable is false')
  return answer
}

/** Declines a token with a transfer tax: the Settler's minimum covers its payment, not the arriving amount. */
export const demandUntaxed = ({ tokenMetadata: { buyToken } }: Answer): void => {
  if (BigInt(buyToken.transferTaxBps ?? 0) > 0n)
    throw new VenueError('unsupportedPair', 'the bought token keeps some of each transfer', { reason: 'notSold' })
}

/**
 * The amounts of an answer; throws where it does not match the request. Its `sellAmount` is less than the sold amount by 0x's own
 * fee, where that is in the sold token.
 */
export const priceOf = (
  answer: Answer,
  order: VenueOrder,
  { feeBps, isSigned, holders }: How,
): Repriced & { readonly fee: bigint; readonly spender: Address | null } => {
  const { input, output, slippageBps } = order
  const { sellToken, buyToken, sellAmount, buyAmount, minBuyAmount, allowanceTarget, fees } = answer
  const { integratorFee } = fees
  const holder = holders.find((one) => isSameAddress(allowanceTarget ?? null, one)) ?? ALLOWANCE_HOLDER
  const spender = isSigned ? PERMIT2 : isNative(input) ? null : holder
  const [expected, minimum] = [BigInt(buyAmount), BigInt(minBuyAmount)]
  const { zeroExFee } = fees
  const kept = isSameAddress(zeroExFee?.token ?? null, input.address) ? BigInt(zeroExFee?.amount ?? 0) : 0n
  const isOfAll = [order.inputAmount, order.inputAmount - kept].includes(BigInt(sellAmount))
  demand('quote: not as asked', {
    sellToken: [isSameAddress(sellToken, input.address), sellToken],
    buyToken: [isSameAddress(buyToken, output.address), buyToken],
    sellAmount: [isOfAll, sellAmount],
    allowanceTarget: [isSameAddress(allowanceTarget ?? null, spender), allowanceTarget],
    minBuyAmount: minimum <= expected && (minimum > 0n || bpsOf(expected, 10_000 - slippageBps) === 0n),
    integratorFee: (integratorFee !== null) === feeBps > 0,
    'integratorFee.token': integratorFee === null || isSameAddress(integratorFee.token, output.address),
  })
  if (minimum === 0n) throw new VenueError('amountTooSmall', 'the output comes to nothing')
  return { expected, minimum, fee: BigInt(integratorFee?.amount ?? 0), spender }
}

/**
 * The permit that lets Permit2 take the input. Null where an allowance exists, or an on-chain approval must come first. 'other'
 * where the data to sign is no permit of exactly that, as earlier permits without a limit.
 */
export const approvalOf = (
  { approval }: WireGasless,
  { input, inputAmount, sender }: VenueOrder,
): Static<typeof approvalShape> | null | 'other' => {
  if (approval === null) return null
  if (approval.type !== 'permit') return 'other'
  const permit = approvalShape.read(approval)
  const { domain, message } = permit.eip712
  const isExact =
    isSameAddress(domain.verifyingContract, input.address) &&
    isSameAddress(message.owner, sender) &&
    isSameAddress(message.spender, PERMIT2) &&
    BigInt(message.value) === inputAmount
  return isExact ? permit : 'other'
}

/** Whether Permit2 needs an allowance for the input. */
export const needsPermit = ({ issues }: Pick<WireGasless, 'issues'>): boolean => issues.allowance !== null

/** The gas cost of a relayed trade, in the bought token; 0x may take it from the sold one. 0 without a value. */
const gasFeeOf = ({ fees: { gasFee }, buyAmount }: Answer, { input, output, inputAmount }: VenueOrder): bigint => {
  const fee = BigInt(gasFee?.amount ?? 0)
  if (isSameAddress(gasFee?.token ?? null, output.address)) return fee
  const isOfInput = isSameAddress(gasFee?.token ?? null, input.address) && fee < inputAmount
  return isOfInput ? (fee * BigInt(buyAmount)) / (inputAmount - fee) : 0n
}

export const mayBeSigned = (order: VenueOrder): boolean => isGasless(order) && order.slippageBps >= SIGNED_SLIPPAGE_RULE.minBps

const offerOf = (answer: WirePrice | WireGaslessPrice, order: VenueOrder, now: number, how: How) => {
  const { fee, spender, ...price } = priceOf(answer, order, how)
  demandUntaxed(answer)
  const terms = { ...PLAIN_OFFER, ...firm(price), venue: 'zerox', fee: { bps: how.feeBps, amount: toAmount(fee) } }
  return { ...terms, expiresAt: now + PRICE_MS, spender }
}

export const toSentOffer = (answer: WirePrice, order: VenueOrder, how: Omit<How, 'isSigned'>, now: number): Offer => ({
  ...offerOf(answer, order, now, { ...how, isSigned: false }),
  executionType: 'TRANSACTION',
  gasUnits: parseAmount(String(answer.gas)),
})

/** An offer by signature. `gas`: its gas cost in the bought token, which a transaction pays besides its output. */
export type SignedOffer = { readonly offer: Offer; readonly gas: bigint }

export const toSignedOffer = (answer: WireGaslessPrice, order: VenueOrder, feeBps: number, now: number): SignedOffer => ({
  offer: {
    ...offerOf(answer, order, now, { feeBps, isSigned: true, holders: [] }),
    ...{ executionType: 'SIGNATURE', gasUnits: null },
    ...(needsPermit(answer) ? { isApprovedBySignature: true } : {}),
  },
  gas: gasFeeOf(answer, order),
})

/** The most that reported gas counts, as a share of the output by a transaction: no payload binds it. */
const GAS_BPS_MAX = 500

/** The offer with more output, at the same gas cost by 0x's price. Of equals the signature: its wallet needs no coins. */
export const betterOf = ({ offer, gas }: SignedOffer, byTransaction: Offer): Offer => {
  const most = bpsOf(byTransaction.outputAmount, GAS_BPS_MAX)
  return offer.outputAmount + (gas < most ? gas : most) >= byTransaction.outputAmount ? offer : byTransaction
}
