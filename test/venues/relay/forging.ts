import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { altered, alteredBy } from '../../support/venueKit/calls.ts'

/** A consistent forgery: an altered order with a matching id, deposit and answer. */

export type Change = readonly [path: string, value: unknown]
type Answer = { readonly protocol: { readonly v2: { readonly orderId: string; readonly orderData: object } } }

/** The id of the order that an answer, or the evidence of an execution, has. */
export const idOf = (order: unknown): string => orderId(order as object)

/** The answer with its order changed, and with the id of the changed order wherever the id of the other one was. */
export const forged = (answer: unknown, changes: readonly Change[]): unknown => {
  const { v2 } = (answer as Answer).protocol
  const order = alteredBy(v2.orderData, changes)
  const text = JSON.stringify(altered(answer, 'protocol.v2.orderData', order))
  return JSON.parse(text.replaceAll(v2.orderId.slice(2), idOf(order).slice(2)))
}
