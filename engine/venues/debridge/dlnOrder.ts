import type { Address } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import type { ChainId } from '../../core/chain.ts'
import type { ClaimedFee, Hex, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { checkId, rejected, type VenueError } from '../venueError.ts'
import { addressOfBytes, assetOfBytes, fromWireChain, idOfOrder, type Order, toWireChain } from './protocol.ts'
import { isKnownTaker, type Pinned } from './published.ts'

/** The fields of an order, by the call that makes it. Addresses are bytes; `0x` is an absent one. */
export type DlnOrder = {
  readonly giveChain: ChainId
  readonly salt: bigint
  readonly giveToken: Hex
  /** Before the protocol's fee and the integrator's. */
  readonly giveAmount: bigint
  readonly takeChainId: bigint
  readonly takeToken: Hex
  readonly takeAmount: bigint
  readonly receiver: Hex
  readonly givePatchAuthority: Hex
  /** On the other chain: it may reduce the output, or cancel. */
  readonly orderAuthority: Hex
  readonly allowedTaker: Hex
  /** The refund address of the input; `0x`: the authority chooses it. */
  readonly cancelBeneficiary: Hex
  readonly externalCall: Hex
  readonly affiliate: { readonly beneficiary: Hex; readonly amount: bigint } | null
  readonly referralCode: number
  /** The share of the protocol: the id of an order contains it, no call does. */
  readonly feeBps: number
  readonly metadata: Hex
}

/** The error for a payload whose effect cannot be read. */
export const unreadable = (what: string, found?: unknown): VenueError =>
  rejected(checkId(what), `debridge: ${what} cannot be read`, found)

export const percentFeeOf = ({ giveAmount, feeBps }: DlnOrder): bigint => bpsOf(giveAmount, feeBps)

/** The solver's payment from the input. */
const netAmountOf = (order: DlnOrder): bigint => order.giveAmount - percentFeeOf(order) - (order.affiliate?.amount ?? 0n)

/** `maker`: on EVM chains the sender of the transaction, whatever it calls. Throws VenueError where fees leave no input. */
export const bookedOrder = (order: DlnOrder, maker: Hex): Order => {
  const net = netAmountOf(order)
  if (net <= 0n) throw unreadable('an order whose fees are more than it gives')
  return {
    makerOrderNonce: order.salt,
    makerSrc: maker,
    giveChainId: BigInt(toWireChain(order.giveChain)),
    giveTokenAddress: order.giveToken,
    giveAmount: net,
    takeChainId: order.takeChainId,
    takeTokenAddress: order.takeToken,
    takeAmount: order.takeAmount,
    receiverDst: order.receiver,
    givePatchAuthoritySrc: order.givePatchAuthority,
    orderAuthorityAddressDst: order.orderAuthority,
    allowedTakerDst: order.allowedTaker,
    allowedCancelBeneficiarySrc: order.cancelBeneficiary,
    externalCall: order.externalCall,
  }
}

/** The id of an order without an external call. Throws VenueError as `bookedOrder`. */
export const orderIdOf = (order: DlnOrder, maker: Hex): Hex => idOfOrder(bookedOrder(order, maker))

/** The order with the protocol's share that its id proves, or with the pinned one. */
export const atItsFee = (order: DlnOrder, { feeBps }: Pinned, orderId: string | null): DlnOrder =>
  feeBps.map((bps) => ({ ...order, feeBps: bps })).find((one) => orderIdOf(one, one.givePatchAuthority) === orderId) ?? order

/** The integrator's share of the input: the venue rounds the amount by less than a unit. */
const feeOf = ({ affiliate, giveAmount, giveChain }: DlnOrder): ClaimedFee | null | 'unread' => {
  if (affiliate === null) return null
  const recipient = addressOfBytes(giveChain, affiliate.beneficiary)
  const scaled = affiliate.amount * 10_000n
  const bps = giveAmount === 0n ? 0n : (scaled + giveAmount / 2n) / giveAmount
  const off = scaled - bps * giveAmount
  const isShare = bps > 0n && bps < 10_000n && off < 10_000n && off > -10_000n
  return recipient !== null && isShare ? { recipient, bps: Number(bps) } : 'unread'
}

/** `refundTo`: null where the order names no refund address, and no authority on the input's chain can choose one. */
type OrderClaims = Pick<PayloadClaims, 'output' | 'recipient' | 'fee' | 'deadlineAt' | 'unread'> & {
  readonly refundTo: Address | null
}

/** The effect of any order, on either kind of chain. Throws VenueError for an unreadable chain, token or recipient. */
export const claimsOf = (order: DlnOrder, pinned: Pinned, isProved: boolean): OrderClaims => {
  const { giveChain, takeChainId, receiver, orderAuthority, cancelBeneficiary, allowedTaker } = order
  const takeChain = fromWireChain(takeChainId)
  if (takeChain === null || takeChain === giveChain) throw unreadable('an order for a chain that is not served', takeChainId)
  const asset = assetOfBytes(takeChain, order.takeToken)
  const recipient = addressOfBytes(takeChain, receiver)
  // Without a named address the authority names it: the same key, on chains of one kind.
  const refundTo = addressOfBytes(giveChain, cancelBeneficiary === '0x' ? orderAuthority : cancelBeneficiary)
  if (asset === null || recipient === null) throw unreadable('what an order pays, or whom', [order.takeToken, receiver])
  const fee = feeOf(order)
  return {
    output: { asset, minimum: order.takeAmount },
    recipient,
    refundTo,
    fee: fee === 'unread' ? 'unproved' : fee,
    // An order remains valid until its authority cancels it.
    deadlineAt: null,
    unread: failing({
      'a stranger who may cancel': orderAuthority === receiver,
      'no refund address': refundTo !== null,
      'a call on delivery': order.externalCall === '0x',
      'a taker nobody knows': isProved || isKnownTaker(allowedTaker, takeChain, pinned),
      'the integrator fee': fee !== 'unread',
    }),
  }
}
