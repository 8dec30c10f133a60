import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { toAmount } from '../../core/amount.ts'
import type { Execution, Hex, TypedData } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { hashOfPermit, permitToSign } from '../kit/permit.ts'
import { firm, PLAIN_EXECUTION } from '../kit/plain.ts'
import { openWithin, type Repriced } from '../kit/reprice.ts'
import type { SlippageRule, Venue } from '../venue.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import type { Question, ZeroxClient } from './client.ts'
import { createDecode, type Decoding, hashOfTrade, readSwap } from './decode.ts'
import {
  type Answer,
  approvalOf,
  availableOf,
  demandUntaxed,
  needsPermit,
  priceOf,
  SIGNED_SLIPPAGE_RULE,
  SLIPPAGE_RULE,
  toQuestion,
} from './map.ts'
import type { Permits } from './permits.ts'
import type { Evidence, WireNone } from './wire.ts'

type Ask<A> = (question: Question, signal: AbortSignal) => Promise<WireNone | A>
type Opened<A> = { readonly answer: A; readonly price: Repriced }
type Built = { readonly execution: Execution; readonly answer: Answer }

/** The Settler's address in a call. */
const settlerIn = async ({ payload }: Execution): Promise<unknown> =>
  payload.executionType === 'TRANSACTION' && (await readSwap(payload.transaction.data))?.target

export const createBuild = (client: ZeroxClient, decoding: Decoding, permits: Permits): Venue['execute'] => {
  const { feeRecipient } = decoding
  const decode = createDecode(decoding)

  /** A current price, by the slippage of the order or a tighter one, so that it still guarantees the quoted minimum. */
  const openedFor = async <A extends Answer>(
    [sealed, binding, signal]: Parameters<Venue['execute']>,
    rule: SlippageRule,
    ask: Ask<A>,
  ): Promise<Opened<A>> => {
    const { order, offer } = sealed
    const { bps: feeBps } = offer.fee
    if (feeBps > 0 && feeRecipient === null)
      throw new VenueError('unavailable', 'the fee was quoted to a recipient that is no longer configured')
    const holders = decoding.settlers.allowanceHolders(order.input.chainId)
    const open = async (slippageBps: number): Promise<Opened<A>> => {
      const answer = availableOf(await ask(toQuestion(order, binding, { slippageBps, feeBps, feeRecipient }), signal))
      return { answer, price: priceOf(answer, order, { feeBps, isSigned: offer.executionType === 'SIGNATURE', holders }) }
    }
    return openWithin(sealed, rule, { open, priceOf: ({ price }) => price })
  }

  /** GET /swap/allowance-holder/quote: the call to send. */
  const buildTransaction = async (...plan: Parameters<Venue['execute']>): Promise<Built> => {
    const { chainId } = plan[0].order.input
    const { answer, price } = await openedFor(plan, SLIPPAGE_RULE, client.quote)
    const { to, data, value } = answer.transaction
    const contract = addressIn(chainId, to.toLowerCase(), 'the contract')
    const transaction = { chainId, to: contract, data: data.toLowerCase(), value: toAmount(BigInt(value)) }
    return { answer, execution: { ...PLAIN_EXECUTION, ...firm(price), payload: { executionType: 'TRANSACTION', transaction } } }
  }

  /** GET /gasless/quote: the trade to sign, and a permit beside it where Permit2 lacks an allowance. */
  const buildSignature = async (...plan: Parameters<Venue['execute']>): Promise<Built> => {
    const { order } = plan[0]
    const { chainId, address: token } = order.input
    const { answer, price } = await openedFor(plan, SIGNED_SLIPPAGE_RULE, client.gaslessQuote)
    const { eip712 } = answer.trade
    const { spender } = eip712.message
    if (!decoding.settlers.isSettler('metaTransaction', chainId, spender))
      throw rejected('settler', 'an unknown Settler', spender)
    const approval = approvalOf(answer, order)
    if (approval === 'other')
      throw rejected('approval', 'what is to be signed now is no permit of exactly the input', answer.approval)
    if (approval === null && needsPermit(answer)) {
      permits.learn(order, 'wallet', false)
      permits.learn(order, 'token', null)
      throw new VenueError('noLiquidity', 'the trade comes without the permit that it was priced with')
    }
    // In the form that wallets accept: the chain ignores the case of addresses.
    const typedData: TypedData = { ...eip712, domain: { ...eip712.domain, verifyingContract: PERMIT2 } }
    const approvalData = approval && permitToSign(approval.eip712, token)
    const approvalHash = approval && (approval.hash.toLowerCase() as Hex)
    const evidence: Evidence = { v: 1, tradeHash: answer.trade.hash.toLowerCase() as Hex, approvalHash }
    demand('quote: what is signed is not what it is told to be', {
      'trade.hash': (await hashOfTrade(typedData)) === evidence.tradeHash,
      'approval.hash': approvalData === null || (await hashOfPermit(approvalData)) === evidence.approvalHash,
    })
    const payload = { executionType: 'SIGNATURE', chainId, typedData, approvalData } as const
    return { answer, execution: { ...PLAIN_EXECUTION, ...firm(price), payload, venueRef: evidence.tradeHash, evidence } }
  }

  /** Rejects here what the payload proof would reject. */
  return async (sealed, binding, signal) => {
    const build = sealed.offer.executionType === 'SIGNATURE' ? buildSignature : buildTransaction
    const { execution, answer } = await build(sealed, binding, signal)
    const { outputAmount: expected, slippage } = execution
    const asked = { order: sealed.order, binding, minimum: slippage?.guaranteedMin ?? 0n, expected }
    const problems = claimProblems(await decode(execution), asked)
    const [first = null] = problems
    const found = first === 'settler' ? await settlerIn(execution) : problems
    if (first !== null) throw rejected(checkId(first), `quote: a payload with ${problems.join(', ')}`, found)
    demandUntaxed(answer)
    return execution
  }
}
