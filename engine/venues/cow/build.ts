import { toAmount } from '../../core/amount.ts'
import { isNative } from '../../core/asset.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { Slippage } from '../../core/offer.ts'
import type { SealedOffer } from '../../core/swap.ts'
import { VenueError } from '../venueError.ts'
import { type AppDataDocument, writeAppData } from './appData.ts'
import type { CowClient } from './client.ts'
import { type CowSettings, refuseZeroRecipient, validToAt } from './map.ts'
import {
  type EthFlowOrder,
  encodeCreateOrder,
  ethFlowUid,
  type Gpv2Order,
  type OrderUid,
  orderTypedData,
  orderUid,
} from './protocol.ts'
import type { CowBook } from './published.ts'
import { type Evidence, type OfferCarry, offerCarryShape } from './wire.ts'

/** The inputs of an execution. */
export type Blueprint = {
  readonly sealed: SealedOffer
  readonly binding: Binding
  readonly network: CowBook
  readonly slippage: Slippage
  readonly carry: OfferCarry
  readonly appData: AppDataDocument
  /** Unix seconds. */
  readonly validTo: number
}

/** Writes the app data again from the sealed offer, so that the signed fee and slippage equal the quoted ones. */
const appDataOf = ({ order, offer }: SealedOffer, { appCode, feeRecipient }: CowSettings): AppDataDocument => {
  const { bps } = offer.fee
  if (bps > 0 && !feeRecipient)
    throw new VenueError('unavailable', 'the fee was quoted to a recipient that is no longer configured')
  const partnerFee = bps > 0 && feeRecipient ? { recipient: feeRecipient, bps } : null
  return writeAppData({ appCode, slippageBps: order.slippageBps, partnerFee })
}

export const blueprint = (
  sealed: SealedOffer,
  binding: Binding,
  { network, settings, now }: { network: CowBook; settings: CowSettings; now: number },
): Blueprint => {
  const { slippage } = sealed.offer
  if (!slippage) throw new VenueError('badResponse', 'the sealed offer has no minimum')
  refuseZeroRecipient(binding.recipient)
  return {
    sealed,
    binding,
    network,
    slippage,
    carry: offerCarryShape.read(sealed.offer.carry),
    appData: appDataOf(sealed, settings),
    validTo: validToAt(now),
  }
}

/** `minimum`: the minimum in the signed or placed order. */
const executionOf = (plan: Blueprint, payload: Execution['payload'], uid: OrderUid, minimum: bigint): Execution => ({
  payload,
  venueRef: `${plan.network.path}:${uid}`,
  evidence: { v: 1, appData: plan.appData.text, quoteId: plan.carry.quoteId } satisfies Evidence,
  outputAmount: plan.sealed.offer.outputAmount,
  slippage: { ...plan.slippage, guaranteedMin: toAmount(minimum) },
  carry: null,
})

/** An order to sign, without a call of the venue: the order's post includes the document. */
export const buildSignature = async (plan: Blueprint): Promise<Execution> => {
  const { sealed, binding, network, slippage, appData, validTo } = plan
  const { order } = sealed
  const gpv2Order: Gpv2Order = {
    sellToken: order.input.address,
    buyToken: order.output.address,
    receiver: binding.recipient,
    sellAmount: order.inputAmount,
    buyAmount: slippage.guaranteedMin,
    validTo,
    appData: appData.hash,
  }
  const { chainId } = network
  const typedData = orderTypedData(network, gpv2Order)
  const uid = await orderUid(typedData, order.sender, validTo)
  return executionOf(plan, { executionType: 'SIGNATURE', chainId, typedData, approvalData: null }, uid, slippage.guaranteedMin)
}

/** How many minimums are tried, one unit apart. */
const MINIMUMS_TRIED = 8n

type Placeable = { readonly order: EthFlowOrder; readonly uid: OrderUid }

/**
 * An order for a native coin belongs to the contract, and the same order cannot be placed twice: `createOrder` reverts. This
 * raises the minimum of an equal order by up to seven units, because the quoted minimum is a promise. It starts at a value of the
 * quote's id, because an order that is built but not sent is not in the book yet. The minimum never exceeds the expected amount.
 */
const placeable = async (
  base: EthFlowOrder,
  plan: Blueprint,
  isTaken: (uid: OrderUid) => Promise<boolean>,
): Promise<Placeable> => {
  for (let i = 0n; i < MINIMUMS_TRIED; i += 1n) {
    const order = { ...base, buyAmount: base.buyAmount + ((base.quoteId + i) % MINIMUMS_TRIED) }
    if (order.buyAmount > plan.sealed.offer.outputAmount) continue
    const uid = await ethFlowUid(plan.network, order)
    if (!(await isTaken(uid))) return { order, uid }
  }
  throw new VenueError('badRequest', 'orders like this one are in the book already; a new quote is needed')
}

/** A transaction that places the order on chain, after registering the document behind its hash. */
export const buildTransaction = async (plan: Blueprint, client: CowClient, signal: AbortSignal): Promise<Execution> => {
  const { sealed, binding, network, slippage, carry, appData, validTo } = plan
  const { inputAmount, output, input } = sealed.order
  if (carry.quoteId === null || !isNative(input)) throw new VenueError('badResponse', 'the sealed offer is for no on-chain order')
  await client.registerAppData(appData, signal)
  const base: EthFlowOrder = {
    buyToken: output.address,
    receiver: binding.recipient,
    sellAmount: inputAmount,
    buyAmount: slippage.guaranteedMin,
    appData: appData.hash,
    feeAmount: 0n,
    validTo,
    partiallyFillable: false,
    quoteId: BigInt(carry.quoteId),
  }
  const isTaken = async (uid: OrderUid) => (await client.order(uid, signal)) !== null
  const { order, uid } = await placeable(base, plan, isTaken)
  const transaction = { chainId: network.chainId, to: network.ethFlow, data: await encodeCreateOrder(order), value: inputAmount }
  return executionOf(plan, { executionType: 'TRANSACTION', transaction }, uid, order.buyAmount)
}
