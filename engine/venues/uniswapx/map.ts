import { PERMIT2 } from '../../chains/evm/permit2.ts'
import type { Address } from '../../core/address.ts'
import { toAmount } from '../../core/amount.ts'
import type { Binding, Hex, SignaturePayload } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import type { Offer } from '../../core/offer.ts'
import type { VenueOrder } from '../../core/order.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { firm, PLAIN_OFFER } from '../kit/plain.ts'
import type { SlippageRule } from '../venue.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'
import { decodeOrder, type Ours, split } from './decode.ts'
import { orderTypedData } from './orders.ts'
import { networkOf, ROUTINGS, type Routing, type UniswapXNetwork } from './protocol.ts'
import { tokenOf } from './published.ts'
import { quoteShape } from './wire.ts'

/** The API's default gives no orders: half a percent is our own choice. The minimum of an order need not follow it. */
export const SLIPPAGE_RULE: SlippageRule = { defaultBps: 50, minBps: 1, maxBps: 5_000 }

/** The API's bound of `integratorFees`. */
const FEE_BPS_MAX = 500

/** How long a quote is assumed to hold: the API states no time. */
const QUOTE_MS = 30_000

/** A fee to the caller's own recipient is not requested: the two payments would be indistinguishable. */
const feeBpsOf = ({ feeBps }: VenueOrder, recipient: Address, feeRecipient: Address | null): number =>
  feeRecipient === null || feeRecipient === recipient ? 0 : Math.min(feeBps, FEE_BPS_MAX)

export type Asked = {
  readonly order: VenueOrder
  readonly binding: Binding
  readonly slippageBps: number
  readonly network: UniswapXNetwork
  readonly ours: Ours
  readonly protocol: UniswapXNetwork['protocols'][number]
}

/** POST /quote: exactly one kind of UniswapX, so that the API returns no other kind. */
export const toQuoteRequest = ({ order, binding, slippageBps, network, protocol, ours: { feeRecipient } }: Asked) => {
  const bips = feeBpsOf(order, binding.recipient, feeRecipient)
  return {
    type: 'EXACT_INPUT',
    amount: order.inputAmount.toString(),
    tokenInChainId: network.chainId,
    tokenOutChainId: network.chainId,
    tokenIn: tokenOf(order.input),
    tokenOut: tokenOf(order.output),
    swapper: order.sender,
    // An older document of the API lacks it.
    ...(binding.recipient === order.sender ? {} : { recipient: binding.recipient }),
    slippageTolerance: slippageBps / 100,
    protocols: [protocol],
    routingPreference: 'BEST_PRICE',
    ...(bips === 0 ? {} : { integratorFees: [{ bips, recipient: feeRecipient }] }),
  }
}

/** An answer that was read and matches the request. */
export type Priced = {
  readonly routing: Routing
  readonly payload: SignaturePayload
  readonly orderId: Hex
  readonly expected: bigint
  readonly minimum: bigint
  readonly fee: { readonly bps: number; readonly amount: bigint }
  /** Epoch ms. */
  readonly deadlineAt: number
  /** The data to post with the signature, unchanged. */
  readonly quote: Json
}

/** Other kinds of answers, without an order: `Routing` of the API's api.json. */
const OTHER_ROUTINGS = ['CLASSIC', 'DUTCH_LIMIT', 'LIMIT_ORDER', 'BRIDGE', 'WRAP', 'UNWRAP', 'QUICKROUTE', 'CHAINED']

const routingIn = (routing: string, { reactors }: UniswapXNetwork): Routing => {
  const kind = ROUTINGS.find((known) => known === routing)
  if (kind !== undefined && reactors[kind] !== undefined) return kind
  if (kind === undefined && !OTHER_ROUTINGS.includes(routing)) throw rejected('routing', 'another kind of order', routing)
  throw new VenueError('noLiquidity', `no order of UniswapX, but ${routing}`)
}

/** Reads an answer with all data to sign. `answer`: as read by `routedShape`. */
export const readPriced = async (answer: { readonly routing: string }, asked: Asked): Promise<Priced> => {
  const { order, binding, network, ours } = asked
  const { feeRecipient } = ours
  const routing = routingIn(answer.routing, network)
  const { quote, permitData } = quoteShape.read(answer)
  const typedData = orderTypedData(routing, network.chainId, permitData.values)
  const payload: SignaturePayload = { executionType: 'SIGNATURE', chainId: network.chainId, typedData, approvalData: null }
  const { order: signed, claims } = await decodeOrder(payload, ours)
  const { fees, expected, minimum } = split(signed, feeRecipient)
  const problems = claimProblems(claims, { order, binding, minimum, expected })
  // The documents do not state whether the API accepts another recipient than the swapper.
  const isSwappers = claims.recipient === order.sender && binding.recipient !== order.sender
  const unknown = problems.find((problem) => !(isSwappers && problem === 'another recipient'))
  if (unknown !== undefined) throw rejected(checkId(unknown), `the order: ${problems.join(', ')}`, problems)
  const bps = typeof claims.fee === 'object' && claims.fee !== null && 'bps' in claims.fee ? claims.fee.bps : 0
  demand('the order', {
    'the domain is of another chain': [permitData.domain.chainId === network.chainId, permitData.domain.chainId],
    'the domain is of another contract': permitData.domain.verifyingContract.toLowerCase() === PERMIT2.toLowerCase(),
    'it has another id': (quote.orderId ?? quote.orderHash)?.toLowerCase() === signed.orderId,
    'another swapper': [signed.info.swapper === order.sender, signed.info.swapper],
    'more fee than was asked for': bps <= feeBpsOf(order, binding.recipient, feeRecipient),
  })
  if (isSwappers) throw new VenueError('unsupportedPair', 'the venue pays the swapper alone', { reason: 'notSold' })
  const fee = { bps, amount: fees.reduce((sum, { start }) => sum + start, 0n) }
  const deadlineAt = claims.deadlineAt ?? 0
  return { routing, payload, orderId: signed.orderId, expected, minimum, fee, deadlineAt, quote: quote as unknown as Json }
}

export const toOffer = ({ routing, fee, deadlineAt, ...price }: Priced, now: number): Offer => ({
  ...PLAIN_OFFER,
  venue: 'uniswapx',
  executionType: 'SIGNATURE',
  ...firm(price),
  fee: { bps: fee.bps, amount: toAmount(fee.amount) },
  gasUnits: null,
  spender: PERMIT2,
  expiresAt: Math.min(now + QUOTE_MS, deadlineAt),
  carry: { v: 1, routing },
})

/** The settings of the input's chain. Throws VenueError for a chain without them. */
export const networkFor = ({ input }: Pick<VenueOrder, 'input'>): UniswapXNetwork => {
  const network = networkOf(input.chainId)
  if (network === null) throw new VenueError('unsupportedPair', `no quotes of UniswapX on chain ${input.chainId}`)
  return network
}
