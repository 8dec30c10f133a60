import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Binding } from '../../core/execution.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { demand } from '../kit/demand.ts'
import type { SlippageRule } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { Question } from './client.ts'
import { ALLOWANCE_HOLDER, isGasless, PERMIT2 } from './published.ts'
import { approvalShape, type WireGasless, type WireNone, type WirePermit, type WirePrice, type WireQuote } from './wire.ts'

/** The default of the API: https://docs.0x.org/evm/swap/api-reference */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 100, minBps: 0, maxBps: 10_000 }
/** Of the Gasless API: https://docs.0x.org/evm/gasless/api-reference */
export const GASLESS_SLIPPAGE_BPS_MIN = 30

/** All fees of integrators together, unless agreed on otherwise. Likewise. */
export const FEE_BPS_MAX = 1_000

/** What the documents say of how long a price stands: about 30 s. No answer says it. */
export const PRICE_MS = 30_000

export const feeBpsOf = ({ feeBps }: VenueOrder, feeRecipient: Address | null): number =>
  feeRecipient === null ? 0 : Math.min(feeBps, FEE_BPS_MAX)

/** A price is asked in the same words as what is signed or sent. */
export const toQuestion = (
  { input, output, inputAmount, sender }: VenueOrder,
  { recipient }: Pick<Binding, 'recipient'>,
  { slippageBps, feeBps, feeRecipient }: { slippageBps: number; feeBps: number; feeRecipient: Address | null },
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

type Answer = WirePrice | WireQuote | WireGasless

/** What is offered; throws where that is nothing. */
export const availableOf = <A extends Answer>(answer: WireNone | A): A => {
  if (!answer.liquidityAvailable) throw new VenueError('noLiquidity', 'liquidityAvailable is false')
  // The Settler holds what it pays to the minimum, not what arrives.
  if (BigInt(answer.tokenMetadata.buyToken.transferTaxBps ?? 0) > 0n)
    throw new VenueError('unsupportedPair', 'the bought token keeps some of each transfer')
  return answer
}

export type Terms = { readonly expected: bigint; readonly minimum: bigint; readonly fee: bigint }

const isAddress = (text: string | null, expected: Address | null): boolean => text?.toLowerCase() === expected?.toLowerCase()

/**
 * What an answer promises; throws where it is not for what was asked. Its `sellAmount` is not looked at: it is less than what
 * is sold where 0x takes its fee in that. What is sold the payload says.
 */
export const termsOf = (answer: Answer, { input, output }: VenueOrder, feeBps: number): Terms => {
  const { sellToken, buyToken, buyAmount, minBuyAmount, allowanceTarget, fees } = answer
  const { integratorFee } = fees
  const spender = 'trade' in answer ? PERMIT2 : isNative(input) ? null : ALLOWANCE_HOLDER
  const [expected, minimum] = [BigInt(buyAmount), BigInt(minBuyAmount)]
  demand('quote: not as asked', {
    sellToken: isAddress(sellToken, input.address),
    buyToken: isAddress(buyToken, output.address),
    allowanceTarget: isAddress(allowanceTarget, spender),
    minBuyAmount: minimum > 0n && minimum <= expected,
    integratorFee: (integratorFee !== null) === feeBps > 0,
    'integratorFee.token': integratorFee === null || isAddress(integratorFee.token, output.address),
  })
  return { expected, minimum, fee: BigInt(integratorFee?.amount ?? 0) }
}

/**
 * The permit that lets Permit2 take the input: null where it may take it already, or an on-chain approval must come first;
 * 'other' where what is to be signed is no permit of exactly that, as once were permits without a limit.
 */
export const approvalOf = (
  { approval }: WireGasless,
  { input, inputAmount, sender }: VenueOrder,
): WirePermit | null | 'other' => {
  if (approval === null) return null
  if (approval.type !== 'permit') return 'other'
  const permit = approvalShape.read(approval)
  const { domain, message } = permit.eip712
  const isExact =
    isAddress(domain.verifyingContract, input.address) &&
    isAddress(message.owner, sender) &&
    isAddress(message.spender, PERMIT2) &&
    BigInt(message.value) === inputAmount
  return isExact ? permit : 'other'
}

/** Whether a signature is all that a wallet needs for this answer. */
export const isSignatureEnough = (answer: WireGasless, order: VenueOrder): boolean => {
  const approval = approvalOf(answer, order)
  return approval !== 'other' && (approval !== null || answer.issues.allowance === null)
}

export const mayBeSigned = (order: VenueOrder): boolean => isGasless(order) && order.slippageBps >= GASLESS_SLIPPAGE_BPS_MIN

const offerOf = ({ expected, minimum, fee }: Terms, feeBps: number, expiresAt: number) => ({
  venue: 'zerox',
  outputAmount: toAmount(expected),
  fee: { bps: feeBps, amount: toAmount(fee) },
  slippage: { isFirm: true, guaranteedMin: toAmount(minimum) },
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: null,
  expiresAt,
  decimals: { input: null, output: null },
  carry: null,
})

export const toSwapOffer = (answer: WirePrice, order: VenueOrder, { feeBps, now }: { feeBps: number; now: number }): Offer => ({
  ...offerOf(termsOf(answer, order, feeBps), feeBps, now + PRICE_MS),
  executionType: 'TRANSACTION',
  gasUnits: answer.gas === null ? null : BigInt(answer.gas),
  spender: isNative(order.input) ? null : ALLOWANCE_HOLDER,
})

export const toGaslessOffer = (
  answer: WireGasless,
  order: VenueOrder,
  { feeBps, now }: { feeBps: number; now: number },
): Offer => {
  const deadlineAt = Number(answer.trade.eip712.message.deadline) * 1_000
  return {
    ...offerOf(termsOf(answer, order, feeBps), feeBps, Math.min(now + PRICE_MS, deadlineAt)),
    executionType: 'SIGNATURE',
    gasUnits: null,
    spender: PERMIT2,
    ...(answer.approval === null ? {} : { isApprovedBySignature: true }),
  }
}
