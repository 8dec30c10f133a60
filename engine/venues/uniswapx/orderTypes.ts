import { type TypedKind, typedKind } from '../../chains/evm/typedKind.ts'
import type { TypedData } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import * as shapes from '../kit/shapes.ts'
import { KINDS, ROUTINGS, type Routing } from './published.ts'

const { amount, closed, count, either, evmAddress, hex, list, literal, object, shape, text } = shapes
type Schema<T> = shapes.Schema<T>

export const PERMIT = 'PermitWitnessTransferFrom'

const DOMAIN = 'string name, uint256 chainId, address verifyingContract'
const OWN = 'OrderInfo info, address cosigner'

const kindOf = (routing: Routing, structs: { readonly [name: string]: string }): TypedKind =>
  typedKind(PERMIT, DOMAIN, {
    [PERMIT]: `TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, ${KINDS[routing].witness} witness`,
    TokenPermissions: 'address token, uint256 amount',
    OrderInfo:
      'address reactor, address swapper, uint256 nonce, uint256 deadline, address additionalValidationContract, bytes additionalValidationData',
    ...structs,
  })

/** src/lib of Uniswap/UniswapX: V2DutchOrderLib, V3DutchOrderLib, PriorityOrderLib. */
export const ORDER_KINDS: { readonly [R in Routing]: TypedKind } = {
  DUTCH_V2: kindOf('DUTCH_V2', {
    V2DutchOrder: `${OWN}, address baseInputToken, uint256 baseInputStartAmount, uint256 baseInputEndAmount, DutchOutput[] baseOutputs`,
    DutchOutput: 'address token, uint256 startAmount, uint256 endAmount, address recipient',
  }),
  DUTCH_V3: kindOf('DUTCH_V3', {
    V3DutchOrder: `${OWN}, uint256 startingBaseFee, V3DutchInput baseInput, V3DutchOutput[] baseOutputs`,
    V3DutchInput:
      'address token, uint256 startAmount, NonlinearDutchDecay curve, uint256 maxAmount, uint256 adjustmentPerGweiBaseFee',
    V3DutchOutput:
      'address token, uint256 startAmount, NonlinearDutchDecay curve, address recipient, uint256 minAmount, uint256 adjustmentPerGweiBaseFee',
    NonlinearDutchDecay: 'uint256 relativeBlocks, int256[] relativeAmounts',
  }),
  PRIORITY: kindOf('PRIORITY', {
    PriorityOrder: `${OWN}, uint256 auctionStartBlock, uint256 baselinePriorityFeeWei, PriorityInput input, PriorityOutput[] outputs`,
    PriorityInput: 'address token, uint256 amount, uint256 mpsPerPriorityFeeWei',
    PriorityOutput: 'address token, uint256 amount, uint256 mpsPerPriorityFeeWei, address recipient',
  }),
}

/** An integer in ethers' format. */
const hexNumber = (pattern: string) => closed({ type: literal('BigNumber'), hex: text({ pattern }) })
const safeInteger: Schema<number> = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Integers are digits, JSON numbers, or in ethers' format. int256: within the range of amounts. */
const LEAVES: { readonly [type: string]: Schema<unknown> } = {
  address: evmAddress,
  bytes: hex(1024),
  uint256: either(either(amount, count()), hexNumber('^0x[0-9a-fA-F]{1,64}$')),
  int256: either(either(text({ pattern: '^(0|-?[1-9][0-9]{0,75})$' }), safeInteger), hexNumber('^-?0x[0-9a-fA-F]{1,62}$')),
}

const schemaOf = (types: TypedData['types'], type: string): Schema<unknown> => {
  if (type.endsWith('[]')) return list(schemaOf(types, type.slice(0, -2)), { maxItems: 16 })
  const fieldsOf = types[type]
  if (fieldsOf === undefined) return LEAVES[type] ?? literal('nothing')
  return object(Object.fromEntries(fieldsOf.map(({ name, type: of }) => [name, schemaOf(types, of)])))
}

/** `values` of an answer's `permitData`, strict about the signed ones. */
export const valuesShapes = Object.fromEntries(
  ROUTINGS.map((routing) => [routing, shape('permit values', schemaOf(ORDER_KINDS[routing].types, PERMIT) as Schema<Json>)]),
) as { readonly [R in Routing]: shapes.Shape<Json> }
