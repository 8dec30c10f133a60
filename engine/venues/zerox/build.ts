import { toAmount } from '../../core/amount.ts'
import type { Binding, Execution, Hex, Payload } from '../../core/execution.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { addressIn } from '../kit/addresses.ts'
import { demand } from '../kit/demand.ts'
import { openWithin } from '../kit/reprice.ts'
import type { SlippageRule } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { Question, ZeroxClient } from './client.ts'
import { approvalOf, availableOf, GASLESS_SLIPPAGE_BPS_MIN, SLIPPAGE_RULE, type Terms, termsOf, toQuestion } from './map.ts'
import { hashOfPermit, hashOfTrade, permitToSign, tradeToSign } from './typedData.ts'
import type { Evidence, WireGasless, WireNone, WireQuote } from './wire.ts'

export type Blueprint = {
  readonly sealed: SealedOffer
  readonly binding: Binding
  readonly client: ZeroxClient
  readonly feeRecipient: Parameters<typeof toQuestion>[2]['feeRecipient']
  readonly signal: AbortSignal
}

/** A price of now, by the tolerance of the order or a tighter one, as it is still to guarantee what was quoted. */
const openedFor = async <A extends WireQuote | WireGasless>(
  { sealed, binding, feeRecipient }: Blueprint,
  rule: SlippageRule,
  ask: (question: Question) => Promise<WireNone | A>,
): Promise<{ readonly answer: A; readonly terms: Terms }> => {
  const { order, offer } = sealed
  const { bps: feeBps } = offer.fee
  if (feeBps > 0 && feeRecipient === null)
    throw new VenueError('unavailable', 'the fee was quoted to a recipient that is no longer configured')
  return openWithin(sealed, rule, {
    open: async (slippageBps) => {
      const answer = availableOf(await ask(toQuestion(order, binding, { slippageBps, feeBps, feeRecipient })))
      return { answer, terms: termsOf(answer, order, feeBps) }
    },
    priceOf: ({ terms }) => terms,
  })
}

const executionOf = ({ expected, minimum }: Terms, built: Pick<Execution, 'payload' | 'venueRef' | 'evidence'>): Execution => ({
  ...built,
  outputAmount: toAmount(expected),
  slippage: { isFirm: true, guaranteedMin: toAmount(minimum) },
  carry: null,
})

/** GET /swap/allowance-holder/quote: the call as it is to be sent. */
export const buildTransaction = async (plan: Blueprint): Promise<Execution> => {
  const { sealed, client, signal } = plan
  const { chainId } = sealed.order.input
  const { answer, terms } = await openedFor(plan, SLIPPAGE_RULE, (question) => client.quote(question, signal))
  const { to, data, value } = answer.transaction
  const payload: Payload = {
    executionType: 'TRANSACTION',
    transaction: {
      chainId,
      to: addressIn(chainId, to.toLowerCase(), 'the contract'),
      data: data.toLowerCase(),
      value: toAmount(BigInt(value)),
    },
  }
  return executionOf(terms, { payload, venueRef: null, evidence: null })
}

/** GET /gasless/quote: the trade as it is to be signed, and a permit beside it where Permit2 may not take the input yet. */
export const buildSignature = async (plan: Blueprint): Promise<Execution> => {
  const { sealed, client, signal } = plan
  const { input } = sealed.order
  const rule = { ...SLIPPAGE_RULE, minBps: GASLESS_SLIPPAGE_BPS_MIN }
  const { answer, terms } = await openedFor(plan, rule, (question) => client.gaslessQuote(question, signal))
  const approval = approvalOf(answer, sealed.order)
  if (approval === 'other') throw new VenueError('noLiquidity', 'what is to be signed now is no permit of exactly the input')
  const typedData = tradeToSign(answer.trade.eip712)
  const approvalData = approval && permitToSign(approval.eip712, input.address)
  const hashes: Evidence = {
    v: 1,
    tradeHash: answer.trade.hash.toLowerCase() as Hex,
    approvalHash: (approval?.hash.toLowerCase() ?? null) as Hex | null,
  }
  demand('quote: what is signed is not what it is told to be', {
    'trade.hash': (await hashOfTrade(typedData)) === hashes.tradeHash,
    'approval.hash': approvalData === null || (await hashOfPermit(approvalData)) === hashes.approvalHash,
  })
  const payload: Payload = { executionType: 'SIGNATURE', chainId: input.chainId, typedData, approvalData }
  return executionOf(terms, { payload, venueRef: hashes.tradeHash, evidence: hashes })
}
