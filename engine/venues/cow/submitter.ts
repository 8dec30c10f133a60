import type { Hex } from '../../core/execution.ts'
import type { ExecutedSwap } from '../../core/swap.ts'
import { ShapeError } from '../kit/jsonShape.ts'
import type { SignatureSubmitter, SignedPayload } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import type { CowApi } from './api.ts'
import { type OrderUid, orderUid } from './gpv2Order.ts'
import type { CowNetwork } from './network.ts'
import { type Evidence, evidenceShape, messageShape, type WireMessage } from './wire.ts'

type SignedOrder = { readonly message: WireMessage; readonly evidence: Evidence; readonly uid: OrderUid }

/** The order as it was handed out for signing. */
const orderOf = async ({ order, execution }: ExecutedSwap): Promise<SignedOrder> => {
  const { payload } = execution
  if (payload.executionType !== 'SIGNATURE') throw new VenueError('badRequest', 'this swap is sent on chain, not signed')
  try {
    const message = messageShape.read(payload.typedData.message)
    const evidence = evidenceShape.read(execution.evidence)
    return { message, evidence, uid: await orderUid(payload.typedData, order.sender, message.validTo) }
  } catch (error) {
    if (error instanceof ShapeError) throw new VenueError('badResponse', `stored order: ${error.message}`, { cause: error })
    throw error
  }
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
export const createSubmitter = (networkFor: (swap: ExecutedSwap) => { network: CowNetwork; api: CowApi }): SignatureSubmitter => {
  const requireInBook = async (api: CowApi, uid: OrderUid, signal: AbortSignal): Promise<Hex> => {
    if (await api.order(uid, signal)) return uid
    throw new VenueError('badResponse', 'the order is called a duplicate, and is not in the book')
  }

  /**
   * The wallet's funds and the order's time are looked at before its UID: once it is filled, or about to end, the order
   * that an earlier post placed is refused for them, and whoever believed that would sign, and pay, a second one.
   */
  const place = async (api: CowApi, body: object, uid: OrderUid, signal: AbortSignal): Promise<Hex> => {
    try {
      return (await api.placeOrder(body, signal)) ?? (await requireInBook(api, uid, signal))
    } catch (error) {
      if (error instanceof VenueError && error.isDecline && (await api.order(uid, signal))) return uid
      throw error
    }
  }

  return {
    submit: async (swap, signed, signal) => {
      const { network, api } = networkFor(swap)
      const order = await orderOf(swap)
      const uid = await place(api, toOrderCreation(order, swap.order.sender, signed), order.uid, signal)
      if (uid.toLowerCase() !== order.uid) throw new VenueError('badResponse', 'the order was created under another UID')
      return { statusRef: `${network.path}:${order.uid}` }
    },
  }
}
