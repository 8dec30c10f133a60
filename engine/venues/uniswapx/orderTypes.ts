import { typedFields } from '../../chains/evm/typedKind.ts'
import type { TypedData } from '../../core/execution.ts'
import type { Json } from '../../core/json.ts'
import {
  amount,
  closed,
  count,
  either,
  evmAddress,
  list,
  literal,
  object,
  type Schema,
  type Shape,
  shape,
  text,
} from '../kit/shapes.ts'
import { KINDS, ROUTINGS, type Routing } from './published.ts'

export const PERMIT = 'PermitWitnessTransferFrom'

const typesOf = (routing: Routing, structs: TypedData['types']): TypedData['types'] => ({
  [PERMIT]: typedFields(
    `TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, ${KINDS[routing].witness} witness`,
  ),
  TokenPermissions: typedFields('address token, uint256 amount'),
  OrderInfo: typedFields(
    'address reactor, address swapper, uint256 nonce, uint256 deadline, address additionalValidationContract, bytes additionalValidationData',
  ),
  ...structs,
})

/** src/lib of Uniswap/UniswapX: V2DutchOrderLib, V3DutchOrderLib, PriorityOrderLib. */
export const ORDER_TYPES: { readonly [R in Routing]: TypedData['types'] } = {
  DUTCH_V2: typesOf('DUTCH_V2', {
    V2DutchOrder: typedFields(
      'OrderInfo info, address cosigner, address baseInputToken, uint256 baseInputStartAmount, uint256 baseInputEndAmount, DutchOutput[] baseOutputs',
    ),
    DutchOutput: typedFields('address token, uint256 startAmount, uint256 endAmount, address recipient'),
  }),
  DUTCH_V3: typesOf('DUTCH_V3', {
    V3DutchOrder: typedFields(
      'OrderInfo info, address cosigner, uint256 startingBaseFee, V3DutchInput baseInput, V3DutchOutput[] baseOutputs',
    ),
    V3DutchInput: typedFields(
      'address token, uint256 startAmount, NonlinearDutchDecay curve, uint256 maxAmount, uint256 adjustmentPerGweiBaseFee',
    ),
    V3DutchOutput: typedFields(
      'address token, uint256 startAmount, NonlinearDutchDecay curve, address recipient, uint256 minAmount, uint256 adjustmentPerGweiBaseFee',
    ),
    NonlinearDutchDecay: typedFields('uint256 relativeBlocks, int256[] relativeAmounts'),
  }),
  PRIORITY: typesOf('PRIORITY', {
    PriorityOrder: typedFields(
      'OrderInfo info, address cosigner, uint256 auctionStartBlock, uint256 baselinePriorityFeeWei, PriorityInput input, PriorityOutput[] outputs',
    ),
    PriorityInput: typedFields('address token, uint256 amount, uint256 mpsPerPriorityFeeWei'),
    PriorityOutput: typedFields('address token, uint256 amount, uint256 mpsPerPriorityFeeWei, address recipient'),
  }),
}

/** An integer as ethers writes it. */
const hexNumber = (pattern: string) => closed({ type: literal('BigNumber'), hex: text({ pattern }) })
/** int256, as far as amounts go. */
const signedDigits = text({ pattern: '^(0|-?[1-9][0-9]{0,75})$' })
const safeInteger: Schema<number> = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
}

const BASIC = { address: evmAddress, bytes: text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 1024 }) }
/** As we write them; and as they come: as digits, JSON numbers, or as ethers writes them. */
const OWN = { ...BASIC, uint256: amount, int256: signedDigits }
const FOREIGN = {
  ...BASIC,
  uint256: either(either(amount, count()), hexNumber('^0x[0-9a-fA-F]{1,64}$')),
  int256: either(either(signedDigits, safeInteger), hexNumber('^-?0x[0-9a-fA-F]{1,62}$')),
}

type Leaves = { readonly [type: string]: Schema<unknown> }

const schemaOf = (types: TypedData['types'], type: string, leaves: Leaves, struct: typeof object): Schema<unknown> => {
  if (type.endsWith('[]')) return list(schemaOf(types, type.slice(0, -2), leaves, struct), { maxItems: 16 })
  const fieldsOf = types[type]
  if (fieldsOf === undefined) return leaves[type] ?? literal('nothing')
  return struct(Object.fromEntries(fieldsOf.map(({ name, type: of }) => [name, schemaOf(types, of, leaves, struct)])))
}

const shapesOf = <T>(name: string, leaves: Leaves, struct: typeof object) =>
  Object.fromEntries(
    ROUTINGS.map((routing) => [routing, shape(name, schemaOf(ORDER_TYPES[routing], PERMIT, leaves, struct))]),
  ) as { readonly [R in Routing]: Shape<T> }

/** `values` of an answer's `permitData`, strict about what is signed of them. */
export const valuesShapes = shapesOf<Json>('permit values', FOREIGN, object)

/** The message of the typed data that was handed out, as it comes back from the store. */
export const messageShapes = shapesOf<unknown>('order message', OWN, closed)
