import type { Abi } from 'abitype'
import { type CallOf, namedArguments } from '../../chains/evm/abiFields.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import type { Address } from '../../core/address.ts'
import type { EvmChainId } from '../../core/chain.ts'
import type { Hex, PayloadClaims } from '../../core/execution.ts'
import type { CodeOf } from '../kit/spokePools.ts'
import {
  MULTIPLE,
  SINGLE,
  START_ACROSS,
  START_CCTP,
  START_INTENT,
  SWAP_AND_START_ACROSS,
  SWAP_AND_START_CCTP,
  SWAP_AND_START_INTENT,
} from './abi.ts'
import type { Pinned } from './published.ts'

/** Whether a chain's pinned diamond names a contract as fee contract. Throws VenueError where the chain cannot be read. */
export type Naming = (chainId: EvmChainId, contract: Address) => Promise<boolean>

/** Inputs of decoding besides the bytes. `now`, epoch ms, bounds the age of the quote inside. */
export type DecodePorts = { readonly now: number; readonly codeOf: CodeOf; readonly pinned: Pinned; readonly names: Naming }

/** The delivery of a call, and the refund address for the rest. */
export type Delivery = Pick<PayloadClaims, 'output' | 'recipient' | 'refundTo' | 'deadlineAt' | 'unread'>

/** One action of the diamond with its balance: an exchange, or a fee. */
export type Step = {
  readonly callTo: Address
  readonly approveTo: Address
  /** Zero for coins. */
  readonly sendingAssetId: Address
  readonly receivingAssetId: Address
  readonly fromAmount: bigint
  readonly callData: Hex
  /** Taken from the wallet first. */
  readonly requiresDeposit: boolean
}

type Kind = keyof typeof MULTIPLE

/** A swap within one chain. */
export type SwapCall = {
  readonly does: 'swap'
  readonly kind: Kind
  readonly transactionId: Hex
  readonly integrator: string
  readonly referrer: string
  readonly receiver: Address
  readonly minAmountOut: bigint
  readonly steps: readonly Step[]
  /** A single step, whose input the contract always takes, whatever the step states. */
  readonly isSingle: boolean
}

export type BridgeData = CallOf<typeof START_ACROSS>['bridgeData']
export type AcrossData = CallOf<typeof START_ACROSS>['data']
export type CctpData = CallOf<typeof START_CCTP>['data']
export type IntentData = CallOf<typeof START_INTENT>['data']

/** A swap to another chain. Without steps the contract bridges the wallet's token as it is. */
export type BridgeCall = {
  readonly does: 'bridge'
  readonly bridge: BridgeData
  readonly steps: readonly Step[] | null
} & (
  | { readonly facet: 'across'; readonly data: AcrossData }
  | { readonly facet: 'cctp'; readonly data: CctpData }
  | { readonly facet: 'intents'; readonly data: IntentData }
)

export type IntentCall = Extract<BridgeCall, { readonly facet: 'intents' }>

export type LifiCall = SwapCall | BridgeCall

type Reader = (data: Hex) => Promise<LifiCall | null>

const reader =
  <const A extends Abi>(abi: A, toCall: (args: CallOf<A>) => LifiCall): Reader =>
  async (data) => {
    const args = await readExactCall(abi as never, data)
    return args && toCall(namedArguments(abi, args))
  }

/** viem decoded addresses within lists, too, so they have our spelling. */
const stepsOf = (steps: unknown): readonly Step[] => steps as readonly Step[]

const single = (kind: Kind): Reader =>
  reader(SINGLE[kind], ({ swapData, ...head }) => ({ ...head, does: 'swap', kind, steps: [swapData], isSingle: true }))

const multiple = (kind: Kind): Reader =>
  reader(MULTIPLE[kind], ({ swapData, ...head }) => ({
    ...head,
    does: 'swap',
    kind,
    steps: stepsOf(swapData),
    isSingle: false,
  }))

/** By selector: the functions whose calls fix recipient and least amount. Other functions are not sold. */
const READERS: { readonly [selector: string]: Reader } = {
  '0x4666fc80': single('tokensToTokens'),
  '0x733214a3': single('tokensToCoins'),
  '0xaf7060fd': single('coinsToTokens'),
  '0x5fd9ae2e': multiple('tokensToTokens'),
  '0x2c57e884': multiple('tokensToCoins'),
  '0x736eac0b': multiple('coinsToTokens'),
  '0xa1f1ce43': reader(START_ACROSS, ({ bridgeData: bridge, data }) => ({
    ...{ does: 'bridge', facet: 'across', bridge, steps: null, data },
  })),
  '0x1794958f': reader(SWAP_AND_START_ACROSS, ({ bridgeData: bridge, swapData, data }) => ({
    ...{ does: 'bridge', facet: 'across', bridge, steps: stepsOf(swapData), data },
  })),
  '0xf434d6ca': reader(START_CCTP, ({ bridgeData: bridge, data }) => ({
    ...{ does: 'bridge', facet: 'cctp', bridge, steps: null, data },
  })),
  '0x17917a4e': reader(SWAP_AND_START_CCTP, ({ bridgeData: bridge, swapData, data }) => ({
    ...{ does: 'bridge', facet: 'cctp', bridge, steps: stepsOf(swapData), data },
  })),
  '0x7dbcf1d9': reader(START_INTENT, ({ bridgeData: bridge, data }) => ({
    ...{ does: 'bridge', facet: 'intents', bridge, steps: null, data },
  })),
  '0x6d21c5df': reader(SWAP_AND_START_INTENT, ({ bridgeData: bridge, swapData, data }) => ({
    ...{ does: 'bridge', facet: 'intents', bridge, steps: stepsOf(swapData), data },
  })),
}

/** Known, not sold: Stargate's assets are numbers. src/Facets/StargateFacetV2.sol of lifinance/contracts, 2026-08-21. */
export const isNotSold = (data: string): boolean => /^0x(?:14d53077|a6010a66)/i.test(data)

/** Whether a call opens an intent, by its selector alone. */
export const isIntent = (data: string): boolean => /^0x(?:7dbcf1d9|6d21c5df)/i.test(data)

/** Null for another function, and for data that is not the exact encoding of its arguments. */
export const readCall = async (text: string): Promise<LifiCall | null> => {
  const data = text.toLowerCase() as Hex
  const selector = data.slice(0, 10)
  return Object.hasOwn(READERS, selector) ? ((await READERS[selector]?.(data)) ?? null) : null
}

export const transactionIdOf = (call: LifiCall): Hex => (call.does === 'swap' ? call.transactionId : call.bridge.transactionId)
