import { hashStruct } from '../../chains/evm/evmCodec.ts'
import { type Address, parseEvmAddress } from '../../core/address.ts'
import type { Hex, TypedData, TypedDataField } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import { VenueError } from '../venueError.ts'
import { PERMIT2, type Routing } from './published.ts'
import { type MessageOf, messageShapes, valuesShapes } from './wire.ts'

const fields = (solidity: string): readonly TypedDataField[] =>
  solidity.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

const typesOf = (witness: string, structs: TypedData['types']): TypedData['types'] => ({
  PermitWitnessTransferFrom: fields(
    `TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, ${witness} witness`,
  ),
  TokenPermissions: fields('address token, uint256 amount'),
  OrderInfo: fields(
    'address reactor, address swapper, uint256 nonce, uint256 deadline, address additionalValidationContract, bytes additionalValidationData',
  ),
  ...structs,
})

/** src/lib of Uniswap/UniswapX: V2DutchOrderLib, V3DutchOrderLib, PriorityOrderLib. */
const WITNESSES = { DUTCH_V2: 'V2DutchOrder', DUTCH_V3: 'V3DutchOrder', PRIORITY: 'PriorityOrder' } as const

export const ORDER_TYPES: { readonly [R in Routing]: TypedData['types'] } = {
  DUTCH_V2: typesOf(WITNESSES.DUTCH_V2, {
    V2DutchOrder: fields(
      'OrderInfo info, address cosigner, address baseInputToken, uint256 baseInputStartAmount, uint256 baseInputEndAmount, DutchOutput[] baseOutputs',
    ),
    DutchOutput: fields('address token, uint256 startAmount, uint256 endAmount, address recipient'),
  }),
  DUTCH_V3: typesOf(WITNESSES.DUTCH_V3, {
    V3DutchOrder: fields(
      'OrderInfo info, address cosigner, uint256 startingBaseFee, V3DutchInput baseInput, V3DutchOutput[] baseOutputs',
    ),
    V3DutchInput: fields(
      'address token, uint256 startAmount, NonlinearDutchDecay curve, uint256 maxAmount, uint256 adjustmentPerGweiBaseFee',
    ),
    V3DutchOutput: fields(
      'address token, uint256 startAmount, NonlinearDutchDecay curve, address recipient, uint256 minAmount, uint256 adjustmentPerGweiBaseFee',
    ),
    NonlinearDutchDecay: fields('uint256 relativeBlocks, int256[] relativeAmounts'),
  }),
  PRIORITY: typesOf(WITNESSES.PRIORITY, {
    PriorityOrder: fields(
      'OrderInfo info, address cosigner, uint256 auctionStartBlock, uint256 baselinePriorityFeeWei, PriorityInput input, PriorityOutput[] outputs',
    ),
    PriorityInput: fields('address token, uint256 amount, uint256 mpsPerPriorityFeeWei'),
    PriorityOutput: fields('address token, uint256 amount, uint256 mpsPerPriorityFeeWei, address recipient'),
  }),
}

/** One payment that an order makes. `least`: what the reactor holds the filler to, however long the order has decayed. */
export type OrderOutput = {
  readonly token: Address
  readonly recipient: Address
  readonly start: bigint
  readonly least: bigint
}

/** What an order does, whichever kind it is. */
export type OrderTerms = {
  readonly input: { readonly token: Address; readonly amount: bigint }
  /** The whole input is taken, whenever the order is filled. */
  readonly isInputFixed: boolean
  readonly outputs: readonly OrderOutput[]
}

const address = (text: string): Address => {
  const read = parseEvmAddress(text.toLowerCase())
  if (read === null) throw new VenueError('badResponse', 'an address of the order is none')
  return read
}

const output = (told: { readonly token: string; readonly recipient: string }, start: string, least: string): OrderOutput => ({
  token: address(told.token),
  recipient: address(told.recipient),
  start: BigInt(start),
  least: BigInt(least) < BigInt(start) ? BigInt(least) : BigInt(start),
})

const termsOf: { readonly [R in Routing]: (witness: MessageOf<R>['witness']) => OrderTerms } = {
  DUTCH_V2: ({ baseInputToken, baseInputStartAmount: start, baseInputEndAmount: end, baseOutputs }) => ({
    input: { token: address(baseInputToken), amount: BigInt(end) },
    isInputFixed: start === end,
    outputs: baseOutputs.map((told) => output(told, told.startAmount, told.endAmount)),
  }),
  DUTCH_V3: ({ baseInput: { token, startAmount, maxAmount, curve, adjustmentPerGweiBaseFee }, baseOutputs }) => ({
    input: { token: address(token), amount: BigInt(maxAmount) },
    isInputFixed:
      startAmount === maxAmount && adjustmentPerGweiBaseFee === '0' && curve.relativeAmounts.every((change) => change === '0'),
    // Neither the curve nor the price of gas takes an output below its minimum.
    outputs: baseOutputs.map((told) => ({ ...output(told, told.startAmount, told.minAmount), least: BigInt(told.minAmount) })),
  }),
  PRIORITY: ({ input: { token, amount, mpsPerPriorityFeeWei }, outputs }) => ({
    input: { token: address(token), amount: BigInt(amount) },
    isInputFixed: mpsPerPriorityFeeWei === '0',
    outputs: outputs.map((told) => output(told, told.amount, told.amount)),
  }),
}

type Message = { readonly [R in Routing]: MessageOf<R> }[Routing]

/** An order as it is signed. */
export type SignedOrder = Pick<Message, 'permitted' | 'spender' | 'nonce' | 'deadline'> &
  OrderTerms & {
    readonly routing: Routing
    readonly info: Message['witness']['info']
    /** The hash of the order without its permit: what the reactor and the API know it by. */
    readonly orderId: Hex
  }

const readAs = async <R extends Routing>(routing: R, message: unknown): Promise<SignedOrder> => {
  const shape: { read(value: unknown): MessageOf<Routing> } = messageShapes[routing]
  const read = shape.read(message) as MessageOf<R>
  const { permitted, spender, nonce, deadline, witness } = read
  const orderId = await hashStruct(ORDER_TYPES[routing], WITNESSES[routing], witness)
  return { routing, permitted, spender, nonce, deadline, info: witness.info, orderId, ...termsOf[routing](witness) }
}

const isSameTypes = (types: TypedData['types'], own: TypedData['types']): boolean => {
  const names = Object.keys(own)
  const isSame = (of: readonly TypedDataField[] = [], as: readonly TypedDataField[] = []) =>
    of.length === as.length && as.every(({ name, type }, i) => of[i]?.name === name && of[i].type === type)
  return Object.keys(types).length === names.length && names.every((name) => isSame(types[name], own[name]))
}

/** Reads an order from what a wallet signs. Null where its types are those of no order. Throws badResponse. */
export const readOrder = async ({ types, primaryType, message }: TypedData): Promise<SignedOrder | null> => {
  const routing = (Object.keys(ORDER_TYPES) as Routing[]).find((kind) => isSameTypes(types, ORDER_TYPES[kind]))
  return routing === undefined || primaryType !== 'PermitWitnessTransferFrom' ? null : readAs(routing, message)
}

const asDigits = (value: Json | undefined): Json => {
  if (typeof value === 'object' && value !== null && 'hex' in value) return BigInt(String(value.hex)).toString()
  return String(value)
}

/** A value as it is signed: by its type alone, integers as digits, and nothing that the type does not name. */
const canonical = (types: TypedData['types'], type: string, value: Json | undefined): Json => {
  if (type.endsWith('[]')) return (value as readonly Json[]).map((one) => canonical(types, type.slice(0, -2), one))
  const struct = types[type]
  if (struct !== undefined) {
    const told = value as { readonly [field: string]: Json }
    return Object.fromEntries(struct.map(({ name, type: of }) => [name, canonical(types, of, told[name])]))
  }
  if (type === 'address') return address(String(value))
  return type.includes('int') ? asDigits(value) : String(value).toLowerCase()
}

/** What a wallet is to sign for the `values` of an answer. Throws badResponse. */
export const orderTypedData = (routing: Routing, chainId: number, values: unknown): TypedData => {
  const types = ORDER_TYPES[routing]
  const message = canonical(types, 'PermitWitnessTransferFrom', valuesShapes[routing].read(values) as Json)
  return {
    domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
    types,
    primaryType: 'PermitWitnessTransferFrom',
    message: message as TypedData['message'],
  }
}
