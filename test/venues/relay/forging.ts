import { encodeAbiParameters, getAddress, type Hex, hashStruct, parseAbiParameters, toEventHash } from 'viem'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { altered, alteredBy } from '../../support/venueKit/calls.ts'

/** A venue that lies consistently: the order altered, and everything else made for the altered order. */

/** Of an order, what a test reads. */
type Order = { readonly inputs: readonly { readonly refunds: readonly object[] }[] }
type Answer = { readonly protocol: { readonly v2: { readonly orderId: string; readonly orderData: Order } } }
export type Change = readonly [path: string, value: unknown]

export const orderIn = (answer: unknown): Order => (answer as Answer).protocol.v2.orderData

/** The answer with its order changed, and with the id of the changed order wherever the id of the other one was. */
export const forged = (answer: unknown, changes: readonly Change[], idOf: (order: never) => string = orderId): unknown => {
  const { v2 } = (answer as Answer).protocol
  const order = alteredBy(v2.orderData, changes)
  const text = JSON.stringify(altered(answer, 'protocol.v2.orderData', order))
  return JSON.parse(text.replaceAll(v2.orderId.slice(2), idOf(order as never).slice(2)))
}

const fields = (text: string) =>
  text.split(',').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { type, name }
  })

/** As the vendor's documents spell them, for orders between EVM chains alone: there `bytes` are the addresses as written. */
const TYPES = {
  Order: fields('string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees'),
  Fee: fields('string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount'),
  Input: fields('InputPayment payment,InputRefund[] refunds'),
  InputPayment: fields('string chainId,bytes currency,uint256 amount,uint256 weight'),
  InputRefund: fields('string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData'),
  Output: fields('string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData'),
  OutputPayment: fields('bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount'),
}

/** The id of an order between EVM chains, of whatever names. */
export const evmOrderId = (order: object): Hex => hashStruct({ types: TYPES, primaryType: 'Order', data: order } as never)

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
