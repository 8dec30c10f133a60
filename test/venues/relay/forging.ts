import { encodeAbiParameters, getAddress, parseAbiParameters, toEventHash } from 'viem'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { altered, alteredBy } from '../../support/venueKit/calls.ts'

/** A venue that lies consistently: the order altered, and everything else made for the altered order. */

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

const depositLog =
  (event: string, fields: string) =>
  (depository: string, deposit: readonly unknown[]): SimLog => ({
    address: getAddress(depository),
    topics: [toEventHash(`event ${event}`)],
    data: encodeAbiParameters(parseAbiParameters(fields), deposit as never),
  })

/** The events RelayDepository.sol leaves of deposits. */
export const erc20DepositLog = depositLog(
  'RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
  'address, address, uint256, bytes32',
)
export const nativeDepositLog = depositLog(
  'RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'address, uint256, bytes32',
)
