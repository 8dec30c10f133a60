import { parseAbiParameters } from 'abitype'
import { hashTypedData } from '../../chains/evm/evmCodec.ts'
import type { Address } from '../../core/address.ts'
import type { ChainId } from '../../core/chain.ts'
import type { Hex, TypedData, TypedDataField } from '../../core/execution.ts'

/** The fields that vary between our orders; all of them are fill-or-kill sell orders without a signed fee. */
export type Gpv2Order = {
  readonly sellToken: Address
  readonly buyToken: Address
  readonly receiver: Address
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** Unix seconds. */
  readonly validTo: number
  /** Hash of the app data document. */
  readonly appData: Hex
}

/** GPv2Order.Data. https://docs.cow.fi/cow-protocol/reference/core/signing-schemes */
export const ORDER_FIELDS: readonly TypedDataField[] = parseAbiParameters([
  'address sellToken, address buyToken, address receiver, uint256 sellAmount, uint256 buyAmount, uint32 validTo',
  'bytes32 appData, uint256 feeAmount, string kind, bool partiallyFillable, string sellTokenBalance, string buyTokenBalance',
]).map(({ name, type }) => ({ name, type }))

export const DOMAIN_NAME = 'Gnosis Protocol'
export const DOMAIN_VERSION = 'v2'

export const orderTypedData = (
  { chainId, settlement }: { readonly chainId: ChainId; readonly settlement: Address },
  order: Gpv2Order,
): TypedData => ({
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION, chainId, verifyingContract: settlement },
  types: { Order: ORDER_FIELDS },
  primaryType: 'Order',
  message: {
    sellToken: order.sellToken,
    buyToken: order.buyToken,
    receiver: order.receiver,
    sellAmount: order.sellAmount.toString(),
    buyAmount: order.buyAmount.toString(),
    validTo: order.validTo,
    appData: order.appData,
    feeAmount: '0',
    kind: 'sell',
    partiallyFillable: false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  },
})

/** 56 bytes: digest, owner, validTo. Lower-case hex. */
export type OrderUid = Hex

export const ORDER_UID = /^0x[0-9a-f]{112}$/

/** The order book's id of an order: known as soon as the order is. */
export const orderUid = async (typedData: TypedData, owner: Address, validTo: number): Promise<OrderUid> => {
  const digest = await hashTypedData(typedData)
  return `${digest}${owner.slice(2)}${validTo.toString(16).padStart(8, '0')}`.toLowerCase() as OrderUid
}

export const isOwnedBy = (uid: OrderUid, owner: Address): boolean => uid.slice(66, 106) === owner.slice(2).toLowerCase()
