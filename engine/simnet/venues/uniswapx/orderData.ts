import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { hashStruct } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import type { ChainId } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { KINDS, networkOf, ORDER_KINDS, PERMIT, type Routing } from '../../../venues/uniswapx/protocol.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { encodedArguments } from '../../kit/callData.ts'

/** A payment of an order. `end`: the least amount, at the end of its decay. */
export type Output = { readonly token: string; readonly recipient: string; readonly start: bigint; readonly end: bigint }

/** The terms of an order of any kind. */
export type Terms = {
  readonly kind: Routing
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

/** The type of order and the address of each reactor on a chain. */
export const reactorsOn = (chainId: number): readonly (readonly [order: string, address: string])[] =>
  Object.entries(networkOf(chainId as ChainId)?.reactors ?? {}).map(([kind, address]) => [
    KINDS[kind as Routing].witness,
    address,
  ])

/** The key of the offline network's cosigner, who states when an order begins to decay. */
const COSIGNER_KEY = keccak_256(new TextEncoder().encode('the cosigner of the offline network'))
const COSIGNER = `0x${bytesToHex(keccak_256(secp256k1.getPublicKey(COSIGNER_KEY, false).subarray(1)).subarray(12))}`

/** The blocks of the whole decay of a V3 order. */
const DECAY_BLOCKS = '64'

const witnessOf = ({ kind, token, amount, outputs, reactor, swapper, nonce, deadline }: Terms) => {
  const validation = { additionalValidationContract: ZERO_EVM_ADDRESS, additionalValidationData: '0x' }
  const own = { info: { reactor, swapper, nonce: `${nonce}`, deadline, ...validation }, cosigner: COSIGNER }
  const [all, none] = [amount.toString(), '0']
  const curve = (less: bigint) => ({ relativeBlocks: DECAY_BLOCKS, relativeAmounts: [less.toString()] })
  switch (kind) {
    case 'DUTCH_V2':
      return {
        ...{ ...own, baseInputToken: token, baseInputStartAmount: all, baseInputEndAmount: all },
        baseOutputs: outputs.map(({ start, end, ...to }) => ({ ...to, startAmount: `${start}`, endAmount: `${end}` })),
      }
    case 'DUTCH_V3':
      return {
        ...{ ...own, startingBaseFee: '10000000' },
        baseInput: { token, startAmount: all, curve: curve(0n), maxAmount: all, adjustmentPerGweiBaseFee: none },
        baseOutputs: outputs.map(({ start, end, ...to }) => ({
          ...{ ...to, startAmount: `${start}`, curve: curve(start - end), minAmount: `${end}`, adjustmentPerGweiBaseFee: none },
        })),
      }
    case 'PRIORITY':
      return {
        // The baseline is higher than any tip of this network, so an auction ends where it begins.
        ...{ ...own, auctionStartBlock: '1', baselinePriorityFeeWei: '100000000000' },
        input: { token, amount: all, mpsPerPriorityFeeWei: none },
        outputs: outputs.map(({ end, start: _, ...to }) => ({ ...to, amount: `${end}`, mpsPerPriorityFeeWei: '1' })),
      }
  }
}

/** The `values` of a quote's `permitData`. */
export const valuesOf = (terms: Terms) => ({
  permitted: { token: terms.token, amount: terms.amount.toString() },
  ...{ spender: terms.reactor, nonce: terms.nonce.toString(), deadline: terms.deadline, witness: witnessOf(terms) },
})

/** The id of an order. */
export const orderHash = (terms: Terms): Promise<Hex> =>
  hashStruct(ORDER_KINDS[terms.kind].types, KINDS[terms.kind].witness, witnessOf(terms))

/** The structs of a kind, without the permit around them. */
export const structsOf = (kind: Routing) => {
  const { [PERMIT]: _, ...structs } = ORDER_KINDS[kind].types
  return structs
}

const EXCLUSIVE = 'address exclusiveFiller; uint256 exclusivityOverrideBps; uint256 inputAmount; uint256[] outputAmounts;'
const COSIGNED: { readonly [K in Routing]: string } = {
  DUTCH_V2: `struct Cosigned { uint256 decayStartTime; uint256 decayEndTime; ${EXCLUSIVE} }`,
  DUTCH_V3: `struct Cosigned { uint256 decayStartBlock; ${EXCLUSIVE} }`,
  PRIORITY: 'struct Cosigned { uint256 auctionTargetBlock; }',
}

/** The layout of an order in calldata: the signed fields, with the input of V2 as a struct, and the cosigned ones. */
const layoutOf = (kind: Routing): readonly string[] => {
  const { [KINDS[kind].witness]: signed = [], TokenPermissions: _, ...structs } = structsOf(kind)
  const members = (fields: typeof signed): string => fields.map(({ name, type }) => `${type} ${name};`).join(' ')
  const order = signed.flatMap((field) => {
    if (field.name === 'baseInputToken') return [{ name: 'baseInput', type: 'DutchInput' }]
    return /^baseInput(Start|End)Amount$/.test(field.name) ? [] : [field]
  })
  return [
    COSIGNED[kind],
    'struct DutchInput { address token; uint256 startAmount; uint256 endAmount; }',
    ...Object.entries(structs).map(([name, fields]) => `struct ${name} { ${members(fields)} }`),
    `struct Order { ${members(order)} Cosigned cosignerData; bytes cosignature; }`,
  ]
}

/** The times of the decay: seconds for V2; for V3 the first block alone. */
export type Decay = { readonly start: bigint; readonly end: bigint }

const cosignedOf = ({ outputs }: Terms, { start, end }: Decay) => ({
  ...{ decayStartTime: start, decayEndTime: end, decayStartBlock: start, auctionTargetBlock: start },
  ...{ exclusiveFiller: ZERO_EVM_ADDRESS, exclusivityOverrideBps: 0n, inputAmount: 0n },
  outputAmounts: outputs.map(() => 0n),
})

const cosign = async (terms: Terms, decay: Decay): Promise<Hex> => {
  const { kind, chainId } = terms
  const data = await encodedArguments([COSIGNED[kind], 'function f(Cosigned data)'], [cosignedOf(terms, decay)])
  const chain = kind === 'DUTCH_V2' ? '' : wordOf(BigInt(chainId))
  const digest = keccak_256(hexToBytes(`${(await orderHash(terms)).slice(2)}${chain}${data.slice(2)}`))
  const [recovery = 0, ...rs] = secp256k1.sign(digest, COSIGNER_KEY, { prehash: false, format: 'recovered' })
  return `0x${bytesToHex(Uint8Array.from(rs))}${(27 + recovery).toString(16)}`
}

/** An order as the reactor receives it. `decay`: null before it is cosigned. */
export const encodeOrder = async (terms: Terms, decay: Decay | null): Promise<Hex> => {
  const { token, amount } = terms
  const order = {
    ...witnessOf(terms),
    ...(terms.kind === 'DUTCH_V2' && { baseInput: { token, startAmount: amount, endAmount: amount } }),
    cosignerData: cosignedOf(terms, decay ?? { start: 0n, end: 0n }),
    cosignature: decay === null ? '0x' : await cosign(terms, decay),
  }
  return encodedArguments([...layoutOf(terms.kind), 'function f(Order order)'], [order])
}
