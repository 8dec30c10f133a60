import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import type { SignatureSubmitter, SignedPayload } from '../venue.ts'
import { rejected, VenueError } from '../venueError.ts'
import type { CowClient } from './client.ts'
import { type CowFamilies, familyOf } from './families.ts'
import { type OrderUid, orderUid } from './gpv2Order.ts'
import type { CowNetwork } from './published.ts'
import { type Evidence, evidenceShape, messageShape, type WireMessage } from './wire.ts'

type SignedOrder = { readonly message: WireMessage; readonly evidence: Evidence; readonly uid: OrderUid }

/** The order as it was handed out for signing. */
const orderOf = async (families: CowFamilies, { order, execution }: ExecutedSwap): Promise<SignedOrder> => {
  const { payload, evidence } = execution
  if (payload.executionType !== 'SIGNATURE') throw new VenueError('badRequest', 'this swap is sent on chain, not signed')
  const contract = payload.typedData.domain.verifyingContract
  if (familyOf(families, payload) === null)
    throw rejected('settlement', 'the order is for a settlement that no setting names any more', contract)
  const message = messageShape.read(payload.typedData.message)
  const uid = await orderUid(payload.typedData, order.sender, message.validTo)
  return { message, evidence: evidenceShape.read(evidence), uid }
}

/** POST /api/v1/orders: exactly what was signed, the document in full, and how the signature is to be checked. */
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
 * Posts signed orders. The UID is known beforehand, so an order that is in the book already is the same success, and a
 * UID that is not ours means another order was created than the one that was signed.
 */
export const createSubmitter = (
  bookOf: (swap: ExecutedSwap) => { network: CowNetwork; client: CowClient },
  families: CowFamilies,
): SignatureSubmitter => {
  const requireInBook = async (client: CowClient, uid: OrderUid, signal: AbortSignal): Promise<Hex> => {
    if (await client.order(uid, signal)) return uid
    throw rejected('duplicate', 'the order is called a duplicate, and is not in the book')
  }

  /**
   * The wallet's funds and the order's time are looked at before its UID: once it is filled, or about to end, the order
   * that an earlier post placed is refused for them, and whoever believed that would sign, and pay, a second one.
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
      const { network, client } = bookOf(swap)
      const order = await orderOf(families, swap)
      const uid = await place(client, toOrderCreation(order, swap.order.sender, signed), order.uid, signal)
      if (uid.toLowerCase() !== order.uid) throw rejected('uid', 'the order was created under another UID', uid)
      return { statusRef: `${network.path}:${order.uid}` }
    },
  }
}
