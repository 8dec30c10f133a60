import { isDeepStrictEqual } from 'node:util'
import { hashStruct } from '../../chains/evm/evmCodec.ts'
import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { isTypedAs } from '../../chains/evm/typedKind.ts'
import { type Address, parseEvmAddress } from '../../core/address.ts'
import type { Hex, TypedData } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import { rejected } from '../venueError.ts'
import { KINDS, ORDER_KINDS, PERMIT, ROUTINGS, type Routing } from './protocol.ts'
import { valuesShapes } from './wire.ts'

/** One payment of an order. `least`: the reactor's minimum for the filler, however long the order has decayed. */
export type OrderOutput = {
  readonly token: Address
  readonly recipient: Address
  readonly start: bigint
  readonly least: bigint
}

/** The effect of an order of any kind. */
export type OrderTerms = {
  readonly input: { readonly token: Address; readonly amount: bigint }
  /** A fill takes the whole input at any time. */
  readonly isInputFixed: boolean
  readonly outputs: readonly OrderOutput[]
}

type Fields<N extends string> = { readonly [name in N]: string }
type Curved = Fields<'token' | 'startAmount' | 'adjustmentPerGweiBaseFee'> & {
  readonly curve: Fields<'relativeBlocks'> & { readonly relativeAmounts: readonly string[] }
}

/** The fields of each kind that decide its effect. */
type Witnesses = {
  readonly DUTCH_V2: Fields<'baseInputToken' | 'baseInputStartAmount' | 'baseInputEndAmount'> & {
    readonly baseOutputs: readonly Fields<'token' | 'startAmount' | 'endAmount' | 'recipient'>[]
  }
  readonly DUTCH_V3: {
    readonly baseInput: Curved & Fields<'maxAmount'>
    readonly baseOutputs: readonly (Curved & Fields<'minAmount' | 'recipient'>)[]
  }
  readonly PRIORITY: {
    readonly input: Fields<'token' | 'amount' | 'mpsPerPriorityFeeWei'>
    readonly outputs: readonly Fields<'token' | 'amount' | 'recipient'>[]
  }
}

/** The common fields of all kinds. */
type Permit = Fields<'spender' | 'nonce' | 'deadline'> & {
  readonly permitted: Fields<'token' | 'amount'>
  readonly witness: Fields<'cosigner'> & {
    readonly info: Fields<
      'reactor' | 'swapper' | 'nonce' | 'deadline' | 'additionalValidationContract' | 'additionalValidationData'
    >
  }
}

const address = (text: string): Address => {
  const read = parseEvmAddress(text.toLowerCase())
  if (read === null) throw rejected('address', 'an address of the order is none', text)
  return read
}

const output = (told: { readonly token: string; readonly recipient: string }, start: string, least: string): OrderOutput => ({
  token: address(told.token),
  recipient: address(told.recipient),
  start: BigInt(start),
  least: BigInt(least) < BigInt(start) ? BigInt(least) : BigInt(start),
})

const termsOf: { readonly [R in Routing]: (witness: Witnesses[R]) => OrderTerms } = {
  DUTCH_V2: ({ baseInputToken, baseInputStartAmount: start, baseInputEndAmount: end, baseOutputs }) => ({
    input: { token: address(baseInputToken), amount: BigInt(end) },
    isInputFixed: start === end,
    outputs: baseOutputs.map((told) => output(told, told.startAmount, told.endAmount)),
  }),
  DUTCH_V3: ({ baseInput: { token, startAmount, maxAmount, curve, adjustmentPerGweiBaseFee }, baseOutputs }) => ({
    input: { token: address(token), amount: BigInt(maxAmount) },
    isInputFixed:
      startAmount === maxAmount && adjustmentPerGweiBaseFee === '0' && curve.relativeAmounts.every((change) => change === '0'),
    // Neither the curve nor the gas price reduces an output below its minimum.
    outputs: baseOutputs.map((told) => ({ ...output(told, told.startAmount, told.minAmount), least: BigInt(told.minAmount) })),
  }),
  PRIORITY: ({ input: { token, amount, mpsPerPriorityFeeWei }, outputs }) => ({
    input: { token: address(token), amount: BigInt(amount) },
    isInputFixed: mpsPerPriorityFeeWei === '0',
    outputs: outputs.map((told) => output(told, told.amount, told.amount)),
  }),
}

/** The signed order. */
export type SignedOrder = Omit<Permit, 'witness'> &
  OrderTerms &
  Permit['witness'] & {
    readonly routing: Routing
    /** The hash of the order without its permit: its id at the reactor and the API. */
    readonly orderId: Hex
  }

const asDigits = (value: Json | undefined): Json => {
  if (typeof value !== 'object' || value === null || !('hex' in value)) return String(value)
  const hex = String(value.hex)
  return String(hex.startsWith('-') ? -BigInt(hex.slice(1)) : BigInt(hex))
}

/** The signed form of a value: by its type alone, integers as digits, without other fields. */
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

/** The message to sign for these values. Throws `rejected`. */
const messageOf = (routing: Routing, values: unknown): Json =>
  canonical(ORDER_KINDS[routing].types, PERMIT, valuesShapes[routing].read(values))

/** The typed data to sign for the `values` of an answer. Throws `rejected`. */
export const orderTypedData = (routing: Routing, chainId: number, values: unknown): TypedData => ({
  domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2 },
  types: ORDER_KINDS[routing].types,
  primaryType: PERMIT,
  message: messageOf(routing, values) as TypedData['message'],
})

const readAs = async <R extends Routing>(routing: R, message: unknown): Promise<SignedOrder> => {
  const own = messageOf(routing, message)
  if (!isDeepStrictEqual(own, message)) throw rejected('spelling', 'the order is not spelt as it is signed', message)
  // The message uses the same types as the order.
  const { witness, ...permit } = own as unknown as Permit & { readonly witness: Witnesses[R] }
  const orderId = await hashStruct(ORDER_KINDS[routing].types, KINDS[routing].witness, witness).catch(() => {
    throw rejected('orderHash', 'the order cannot be hashed as it is written', witness)
  })
  return { routing, ...permit, info: witness.info, cosigner: witness.cosigner, orderId, ...termsOf[routing](witness) }
}

/** Reads an order from its typed data. Null for another kind. Throws `rejected`. */
export const readOrder = async (typedData: TypedData): Promise<SignedOrder | null> => {
  const routing = ROUTINGS.find((kind) => isTypedAs(typedData, ORDER_KINDS[kind]))
  return routing === undefined ? null : readAs(routing, typedData.message)
}
