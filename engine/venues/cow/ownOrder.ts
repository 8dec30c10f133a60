import { parseEvmAddress } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { Tracked } from '../kit/track.ts'
import { decodeCreateOrder, ethFlowUid } from './ethFlow.ts'
import { type OrderUid, orderTypedData, orderUid } from './gpv2Order.ts'
import { type CowNetwork, ETH_FLOW, networkOf, sellTokenOf } from './published.ts'
import { messageShape, type WireOrder } from './wire.ts'

/** `validTo`: unix seconds, the last in which it may be placed or filled. `isPlaced`: by a transaction to EthFlow. */
type OwnOrder = { readonly uid: OrderUid; readonly validTo: number; readonly isPlaced: boolean }

/** The order that a payload signs or places, by its own bytes. Null for any other payload. */
export const ownOrder = async ({ order, execution: { payload } }: ExecutedSwap): Promise<OwnOrder | null> => {
  if (payload.executionType === 'SIGNATURE') {
    const { validTo } = messageShape.read(payload.typedData.message)
    return { uid: await orderUid(payload.typedData, order.sender, validTo), validTo, isPlaced: false }
  }
  const network = networkOf(order.input.chainId)
  const placed = payload.executionType === 'TRANSACTION' ? await decodeCreateOrder(payload.transaction.data as Hex) : null
  if (network === null || placed === null) return null
  const uid = await ethFlowUid(network.chainId, network.wrappedNative, placed)
  return { uid, validTo: placed.validTo, isPlaced: true }
}

/** Whether the fields that the book tells are those of the swap; what it leaves out is not held against it. */
const fits = (found: WireOrder, { order, offer, executed }: Tracked, network: CowNetwork): boolean => {
  const same = (text: string | null | undefined, expected: string): boolean =>
    text === undefined || text === null || text.toLowerCase() === expected.toLowerCase()
  return (
    same(found.owner, isNative(order.input) ? ETH_FLOW : order.sender) &&
    same(found.onchainUser, order.sender) &&
    same(found.sellToken, sellTokenOf(network, order.input)) &&
    same(found.buyToken, order.output.address) &&
    // A null receiver is the owner.
    same(found.receiver === null ? order.sender : found.receiver, executed?.binding.recipient ?? order.recipient) &&
    same(found.sellAmount, order.inputAmount.toString()) &&
    (!found.buyAmount || BigInt(found.buyAmount) >= (offer.slippage?.guaranteedMin ?? 1n))
  )
}

/** The UID that an order of these fields has: a hash over all of them. Null when one is missing. */
const uidOf = async (found: WireOrder, { order }: Tracked, { chainId }: CowNetwork): Promise<OrderUid | null> => {
  const { sellAmount, buyAmount, validTo, appData } = found
  const [sellToken, buyToken, receiver] = [found.sellToken, found.buyToken, found.receiver].map((text) =>
    parseEvmAddress(text?.toLowerCase() ?? ''),
  )
  if (!(sellToken && buyToken && receiver && sellAmount && buyAmount && validTo && appData)) return null
  const amounts = { sellAmount: BigInt(sellAmount), buyAmount: BigInt(buyAmount) }
  const typedData = orderTypedData(chainId, { sellToken, buyToken, receiver, ...amounts, validTo, appData })
  return orderUid(typedData, order.sender, validTo)
}

/**
 * Whether an order of the book is this swap's. What we built is known by its UID. Without a record of ours, of an order that
 * was signed, the book's word is what gives the UID its meaning, so every field of it must be there, and hash to that UID.
 */
export const isOwnOrder = async (found: WireOrder, uid: OrderUid, tracked: Tracked, network: CowNetwork): Promise<boolean> =>
  fits(found, tracked, network) && (tracked.executed !== null || (await uidOf(found, tracked, network)) === uid)
