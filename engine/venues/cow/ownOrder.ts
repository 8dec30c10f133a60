import { parseEvmAddress } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { Tracked } from '../kit/track.ts'
import { decodeCreateOrder, ethFlowUid, type OrderUid, orderTypedData, orderUid } from './protocol.ts'
import { type CowBook, type CowFamilies, familyOf, networkOf, sellTokenOf } from './published.ts'
import { messageShape, type WireOrder } from './wire.ts'

/** `validTo`: unix seconds, the last in which it may be placed or filled. `isPlaced`: by a transaction to EthFlow. `book`: by the payload. */
export type OwnOrder = { readonly uid: OrderUid; readonly validTo: number; readonly isPlaced: boolean; readonly book: CowBook }

/** The order that a payload signs or places, by its bytes. Null for any other payload, and for contracts of an unknown family. */
export const ownOrder = async (families: CowFamilies, swap: ExecutedSwap): Promise<OwnOrder | null> => {
  const { order, execution } = swap
  const { payload } = execution
  const [network, family] = [networkOf(order.input.chainId), familyOf(families, payload)]
  if (network === null || family === null) return null
  const book = { ...network, ...family }
  if (payload.executionType === 'SIGNATURE') {
    const { validTo } = messageShape.read(payload.typedData.message)
    return { uid: await orderUid(payload.typedData, order.sender, validTo), validTo, isPlaced: false, book }
  }
  const placed = payload.executionType === 'TRANSACTION' ? await decodeCreateOrder(payload.transaction.data as Hex) : null
  if (placed === null) return null
  return { uid: await ethFlowUid(book, placed), validTo: placed.validTo, isPlaced: true, book }
}

/** Whether the fields of the book's order are those of the swap. Absent fields count as equal. */
const fits = (found: WireOrder, { order, offer, executed }: Tracked, book: CowBook): boolean => {
  const same = (text: string | null | undefined, expected: string): boolean =>
    text === undefined || text === null || text.toLowerCase() === expected.toLowerCase()
  return (
    same(found.owner, isNative(order.input) ? book.ethFlow : order.sender) &&
    same(found.onchainUser, order.sender) &&
    same(found.sellToken, sellTokenOf(book, order.input)) &&
    same(found.buyToken, order.output.address) &&
    // A null receiver is the owner.
    same(found.receiver === null ? order.sender : found.receiver, executed?.binding.recipient ?? order.recipient) &&
    same(found.sellAmount, order.inputAmount.toString()) &&
    (!found.buyAmount || BigInt(found.buyAmount) >= (offer.slippage?.guaranteedMin ?? 1n))
  )
}

/** The UID of an order with these fields: a hash over all of them. Null when one is missing. */
const uidOf = async (found: WireOrder, { order }: Tracked, book: CowBook): Promise<OrderUid | null> => {
  const { sellAmount, buyAmount, validTo, appData } = found
  const [sellToken, buyToken, receiver] = [found.sellToken, found.buyToken, found.receiver].map((text) =>
    parseEvmAddress(text?.toLowerCase() ?? ''),
  )
  if (!(sellToken && buyToken && receiver && sellAmount && buyAmount && validTo && appData)) return null
  const amounts = { sellAmount: BigInt(sellAmount), buyAmount: BigInt(buyAmount) }
  const typedData = orderTypedData(book, { sellToken, buyToken, receiver, ...amounts, validTo, appData })
  return orderUid(typedData, order.sender, validTo)
}

/**
 * Whether an order of the book is this swap's. The UID identifies an order that we built. A signed order without our record needs
 * every field in the book's answer. The fields must hash to that UID in the domain of a known settlement.
 */
export const isOwnOrder = async (
  found: WireOrder,
  uid: OrderUid,
  tracked: Tracked,
  books: readonly CowBook[],
): Promise<boolean> => {
  for (const book of books)
    if (fits(found, tracked, book) && (tracked.executed !== null || (await uidOf(found, tracked, book)) === uid)) return true
  return false
}
