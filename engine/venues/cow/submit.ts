import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SignatureSubmitter, SignedPayload } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { BookAccess, CowClient } from './client.ts'
import { ownOrder } from './ownOrder.ts'
import type { OrderUid } from './protocol.ts'
import type { CowFamilies } from './published.ts'
import { type Evidence, evidenceShape, messageShape, type WireMessage } from './wire.ts'

type SignedOrder = { readonly message: WireMessage; readonly evidence: Evidence; readonly uid: OrderUid }

/** The order that was handed out for signing. */
const orderOf = async (families: CowFamilies, swap: ExecutedSwap): Promise<SignedOrder> => {
  const { payload, evidence } = swap.execution
  if (payload.executionType !== 'SIGNATURE') throw new VenueError('badRequest', 'this swap is sent on chain, not signed')
  const { domain, message } = payload.typedData
  const own = await ownOrder(families, swap)
  if (own === null)
    throw rejected('settlement', 'no setting names the settlement of the order any more', domain.verifyingContract)
  return { message: messageShape.read(message), evidence: evidenceShape.read(evidence), uid: own.uid }
}

/** POST /api/v1/orders: exactly the signed order, the full document, and the scheme of the signature. */
const toOrderCreation = ({ message, evidence }: SignedOrder, from: string, { signature, scheme }: SignedPayload) => ({
  ...message,
  signingScheme: scheme === 'eip1271' ? 'eip1271' : 'eip712',
  signature,
  from,
  quoteId: evidence.quoteId,
  appData: evidence.appData,
  appDataHash: message.appData,
})

/**
 * Posts signed orders. The UID is known beforehand, so an order that is already in the book is the same success. A different UID
 * means that the venue created another order than the signed one.
 */
export const createSubmitter = (bookOf: (swap: ExecutedSwap) => BookAccess): SignatureSubmitter => {
  const requireInBook = async (client: CowClient, uid: OrderUid, signal: AbortSignal): Promise<Hex> => {
    if (await client.order(uid, signal)) return uid
    throw rejected('duplicate', 'the order is called a duplicate, and is not in the book')
  }

  /**
   * The venue checks funds and time before the UID: it refuses a repeated order that is filled or about to end. Reporting that
   * refusal would make the caller sign, and pay, a second order.
   */
  const place = async (client: CowClient, body: object, uid: OrderUid, signal: AbortSignal): Promise<Hex> => {
    try {
      return (await client.placeOrder(body, signal)) ?? (await requireInBook(client, uid, signal))
    } catch (error) {
      if (error instanceof VenueError && error.isDecline && (await client.order(uid, signal))) return uid
      throw error
    }
  }

  return {
    submit: async (swap, signed, signal) => {
      const { network, client, families } = bookOf(swap)
      const order = await orderOf(families, swap)
      const uid = await place(client, toOrderCreation(order, swap.order.sender, signed), order.uid, signal)
      if (uid.toLowerCase() !== order.uid) throw rejected('uid', 'the order was created under another UID', uid)
      return { statusRef: `${network.path}:${order.uid}` }
    },
  }
}
