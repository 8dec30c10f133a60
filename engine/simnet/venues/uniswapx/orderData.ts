import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { hashStruct } from '../../../chains/evm/evmCodec.ts'
import type { Hex } from '../../../core/execution.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { encodedArguments } from '../../kit/callData.ts'
import type { Kind } from './networks.ts'

/** What an order pays; `end` is the least it decays to. */
export type Output = { readonly token: string; readonly recipient: string; readonly start: bigint; readonly end: bigint }

/** An order before it is of a kind. */
export type Terms = {
  readonly kind: Kind
  readonly chainId: number
  readonly reactor: string
  readonly swapper: string
  readonly nonce: bigint
  /** Unix seconds. */
  readonly deadline: number
  readonly token: string
  readonly amount: bigint
  readonly outputs: readonly Output[]
}

type Field = { readonly name: string; readonly type: string }
type Types = { readonly [struct: string]: readonly Field[] }

const struct = (fields: string): readonly Field[] =>
  fields.split(',').map((field) => {
    const [name = '', type = ''] = field.trim().split(' ')
    return { name, type }
  })

const INFO = struct(
  'reactor address, swapper address, nonce uint256, deadline uint256, additionalValidationContract address, additionalValidationData bytes',
)

/** The name of what is signed beside the permit, and the structs that it is made of. */
export const WITNESS: { readonly [K in Kind]: string } = {
  DUTCH_V2: 'V2DutchOrder',
  DUTCH_V3: 'V3DutchOrder',
  PRIORITY: 'PriorityOrder',
}

const STRUCTS: { readonly [K in Kind]: Types } = {
  DUTCH_V2: {
    V2DutchOrder: struct(
      'info OrderInfo, cosigner address, baseInputToken address, baseInputStartAmount uint256, baseInputEndAmount uint256, baseOutputs DutchOutput[]',
    ),
    OrderInfo: INFO,
    DutchOutput: struct('token address, startAmount uint256, endAmount uint256, recipient address'),
  },
  DUTCH_V3: {
    V3DutchOrder: struct(
      'info OrderInfo, cosigner address, startingBaseFee uint256, baseInput V3DutchInput, baseOutputs V3DutchOutput[]',
    ),
    OrderInfo: INFO,
    V3DutchInput: struct(
      'token address, startAmount uint256, curve NonlinearDutchDecay, maxAmount uint256, adjustmentPerGweiBaseFee uint256',
    ),
    V3DutchOutput: struct(
      'token address, startAmount uint256, curve NonlinearDutchDecay, recipient address, minAmount uint256, adjustmentPerGweiBaseFee uint256',
    ),
    NonlinearDutchDecay: struct('relativeBlocks uint256, relativeAmounts int256[]'),
  },
  PRIORITY: {
    PriorityOrder: struct(
      'info OrderInfo, cosigner address, auctionStartBlock uint256, baselinePriorityFeeWei uint256, input PriorityInput, outputs PriorityOutput[]',
    ),
    OrderInfo: INFO,
    PriorityInput: struct('token address, amount uint256, mpsPerPriorityFeeWei uint256'),
    PriorityOutput: struct('token address, amount uint256, mpsPerPriorityFeeWei uint256, recipient address'),
  },
}

export const typesOf = (kind: Kind): Types => ({
  PermitWitnessTransferFrom: [
    ...struct('permitted TokenPermissions, spender address, nonce uint256, deadline uint256'),
    { name: 'witness', type: WITNESS[kind] },
  ],
  TokenPermissions: struct('token address, amount uint256'),
  ...STRUCTS[kind],
})

/** The key that fixes when an order begins to decay: of this network only. */
const COSIGNER_KEY = keccak_256(new TextEncoder().encode('the cosigner of the offline network'))

const addressOfKey = (key: Uint8Array): string =>
  `0x${bytesToHex(keccak_256(secp256k1.getPublicKey(key, false).subarray(1)).subarray(12))}`

/** After how many blocks the whole decay of a V3 order is over. */
const DECAY_BLOCKS = 64n

const infoOf = ({ reactor, swapper, nonce, deadline }: Terms) => ({
  reactor,
  swapper,
  nonce: nonce.toString(),
  deadline,
  additionalValidationContract: `0x${'0'.repeat(40)}`,
  additionalValidationData: '0x',
})

const witnessOf = (terms: Terms) => {
  const { kind, token, amount, outputs } = terms
  const own = { info: infoOf(terms), cosigner: addressOfKey(COSIGNER_KEY) }
  const [all, none] = [amount.toString(), '0']
  const curve = (less: bigint) => ({ relativeBlocks: DECAY_BLOCKS.toString(), relativeAmounts: [less.toString()] })
  switch (kind) {
    case 'DUTCH_V2':
      return {
        ...own,
        baseInputToken: token,
        baseInputStartAmount: all,
        baseInputEndAmount: all,
        baseOutputs: outputs.map(({ start, end, ...to }) => ({ ...to, startAmount: `${start}`, endAmount: `${end}` })),
      }
    case 'DUTCH_V3':
      return {
        ...own,
        startingBaseFee: '10000000',
        baseInput: { token, startAmount: all, curve: curve(0n), maxAmount: all, adjustmentPerGweiBaseFee: none },
        baseOutputs: outputs.map(({ start, end, ...to }) => ({
          ...{ ...to, startAmount: `${start}`, curve: curve(start - end) },
          ...{ minAmount: `${end}`, adjustmentPerGweiBaseFee: none },
        })),
      }
    case 'PRIORITY':
      return {
        ...own,
        auctionStartBlock: '1',
        // More than anybody tips here, so that an auction ends where it begins.
        baselinePriorityFeeWei: '100000000000',
        input: { token, amount: all, mpsPerPriorityFeeWei: none },
        outputs: outputs.map(({ end, start: _, ...to }) => ({ ...to, amount: `${end}`, mpsPerPriorityFeeWei: '1' })),
      }
  }
}

/** The `values` of a quote's `permitData`. */
export const valuesOf = (terms: Terms) => ({
  permitted: { token: terms.token, amount: terms.amount.toString() },
  spender: terms.reactor,
  nonce: terms.nonce.toString(),
  deadline: terms.deadline,
  witness: witnessOf(terms),
})

/** What an order is known by: the hash of all that is signed of it but the permit. */
export const orderHash = (terms: Terms): Promise<Hex> => hashStruct(STRUCTS[terms.kind], WITNESS[terms.kind], witnessOf(terms))

const COSIGNED: { readonly [K in Kind]: string } = {
  DUTCH_V2:
    'uint256 decayStartTime; uint256 decayEndTime; address exclusiveFiller; uint256 exclusivityOverrideBps; uint256 inputAmount; uint256[] outputAmounts;',
  DUTCH_V3:
    'uint256 decayStartBlock; address exclusiveFiller; uint256 exclusivityOverrideBps; uint256 inputAmount; uint256[] outputAmounts;',
  PRIORITY: 'uint256 auctionTargetBlock;',
}

const cosignedLine = (kind: Kind): string => `struct Cosigned { ${COSIGNED[kind]} }`

/** As the contract lays an order out: what is signed, but for the input of V2, which is a struct there, and what is cosigned. */
const layoutOf = (kind: Kind): readonly string[] => {
  const { [WITNESS[kind]]: signed = [], ...structs } = STRUCTS[kind]
  const members = (fields: readonly Field[]): string => fields.map(({ name, type }) => `${type} ${name};`).join(' ')
  const order = signed.flatMap((field) => {
    if (field.name === 'baseInputToken') return [{ name: 'baseInput', type: 'DutchInput' }]
    return /^baseInput(Start|End)Amount$/.test(field.name) ? [] : [field]
  })
  return [
    cosignedLine(kind),
    'struct DutchInput { address token; uint256 startAmount; uint256 endAmount; }',
    ...Object.entries(structs).map(([name, fields]) => `struct ${name} { ${members(fields)} }`),
    `struct Order { ${members(order)} Cosigned cosignerData; bytes cosignature; }`,
  ]
}

/** When the decay is said to begin and end: seconds for V2; only the beginning, a block, for V3. */
export type Decay = { readonly start: bigint; readonly end: bigint }

const cosignedOf = ({ kind, outputs }: Terms, { start, end }: Decay) => {
  const nobody = { exclusiveFiller: `0x${'0'.repeat(40)}`, exclusivityOverrideBps: 0n, inputAmount: 0n }
  const outputAmounts = outputs.map(() => 0n)
  switch (kind) {
    case 'DUTCH_V2':
      return { decayStartTime: start, decayEndTime: end, ...nobody, outputAmounts }
    case 'DUTCH_V3':
      return { decayStartBlock: start, ...nobody, outputAmounts }
    case 'PRIORITY':
      return { auctionTargetBlock: start }
  }
}

const cosign = async (terms: Terms, decay: Decay): Promise<Hex> => {
  const data = await encodedArguments([cosignedLine(terms.kind), 'function f(Cosigned data)'], [cosignedOf(terms, decay)])
  const chain = terms.kind === 'DUTCH_V2' ? '' : wordOf(BigInt(terms.chainId))
  const digest = keccak_256(hexToBytes(`${(await orderHash(terms)).slice(2)}${chain}${data.slice(2)}`))
  const [recovery = 0, ...rs] = secp256k1.sign(digest, COSIGNER_KEY, { prehash: false, format: 'recovered' })
  return `0x${bytesToHex(Uint8Array.from(rs))}${(27 + recovery).toString(16)}`
}

const NOT_COSIGNED: Decay = { start: 0n, end: 0n }

/** An order as the reactor takes it; with no cosignature as long as nobody has said when it begins to decay. */
export const encodeOrder = async (terms: Terms, decay: Decay | null): Promise<Hex> => {
  const witness = witnessOf(terms)
  const { token, amount } = terms
  const args = {
    ...witness,
    ...(terms.kind === 'DUTCH_V2' && { baseInput: { token, startAmount: amount, endAmount: amount } }),
    cosignerData: cosignedOf(terms, decay ?? NOT_COSIGNED),
    cosignature: decay === null ? '0x' : await cosign(terms, decay),
  }
  return encodedArguments([...layoutOf(terms.kind), 'function f(Order order)'], [args])
}
