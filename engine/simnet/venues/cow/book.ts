import { bytesToHex } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { type ChainId, chainOf } from '../../../core/chain.ts'
import {
  BOOK_PATHS,
  DOMAIN_NAME,
  DOMAIN_VERSION,
  ETH_FLOW,
  ORDER_FIELDS,
  SETTLEMENT,
  VAULT_RELAYER,
} from '../../../venues/cow/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import type { SettlementFault } from '../../kit/fate.ts'
import { digestOf } from '../../kit/typedHash.ts'
import type { World } from '../../kit/world.ts'

/** All addresses and hashes in lower case. */
export const CONTRACTS = {
  settlement: SETTLEMENT.toLowerCase(),
  relayer: VAULT_RELAYER.toLowerCase(),
  ethFlow: ETH_FLOW.toLowerCase(),
} as const
export const NATIVE_MARKER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** The account that the settlement contract accepts settlements from. */
export const COW_SOLVER = '0x7a8e05726f2a6E799cb3D39fB185669Ad75f4ba0'

/** The order book of a chain. */
export type BookNetwork = {
  readonly path: string
  readonly chainId: number
  readonly wrappedNative: string
  /** What settling one order costs, in millionths of a US dollar. */
  readonly settlementUsdMicros: bigint
}

const COSTS: { readonly [chainId: string]: bigint } = { 1: 800_000n, 137: 20_000n, 8453: 20_000n, 42161: 40_000n, 59144: 30_000n }

export const BOOK_NETWORKS: readonly BookNetwork[] = Object.entries(BOOK_PATHS).map(([id, path]) => ({
  path,
  chainId: Number(id),
  wrappedNative: chainOf(Number(id) as ChainId).wrappedNative?.toLowerCase() ?? '',
  settlementUsdMicros: COSTS[id] ?? 60_000n,
}))

/** A sell order that is filled in full or not at all. */
export type OrderData = {
  readonly sellToken: string
  readonly buyToken: string
  readonly receiver: string
  readonly sellAmount: bigint
  readonly buyAmount: bigint
  /** Unix seconds. */
  readonly validTo: number
  readonly appData: string
  readonly feeAmount: bigint
  readonly partiallyFillable: boolean
}

const ORDER_TYPE = `Order(${ORDER_FIELDS.map(({ name, type }) => `${type} ${name}`).join()})`
const DOMAIN = { name: DOMAIN_NAME, version: DOMAIN_VERSION, contract: CONTRACTS.settlement }

/** What the owner signs. */
export const orderDigest = (chainId: number, order: OrderData): Uint8Array => {
  const { sellToken, buyToken, receiver, sellAmount, buyAmount, validTo, appData, feeAmount, partiallyFillable } = order
  const terms = [sellToken, buyToken, receiver, sellAmount, buyAmount, BigInt(validTo), appData, feeAmount]
  const manner = [keccakText('sell'), partiallyFillable ? 1n : 0n, keccakText('erc20'), keccakText('erc20')]
  return digestOf({ ...DOMAIN, chainId }, ORDER_TYPE, [...terms, ...manner])
}

/** The 56 bytes that identify an order. */
export const uidOf = (digest: Uint8Array, owner: string, validTo: number): string =>
  `0x${bytesToHex(digest)}${owner.slice(2)}${validTo.toString(16).padStart(8, '0')}`

export type AppData = {
  readonly hash: string
  readonly text: string
  /** All partner fees together, clipped to the protocol's maximum. */
  readonly partnerFeeBps: bigint
}

/** A price that an order may name. `amount`: of a sale, all that is spent; of a purchase, what is bought. */
export type StoredQuote = Pick<OrderData, 'sellToken' | 'buyToken' | 'buyAmount'> & {
  readonly kind: 'sell' | 'buy'
  readonly amount: bigint
}

/** Whether an order sells the tokens, and the amount, that were quoted. */
export const isQuoteOf = (quote: StoredQuote, order: OrderData): boolean =>
  quote.kind === 'sell' &&
  quote.sellToken === order.sellToken &&
  quote.buyToken === order.buyToken &&
  quote.amount === order.sellAmount

export type EthFlowPart = {
  readonly sender: string
  /** Unix seconds; the order itself never ends. */
  readonly userValidTo: number
  readonly quoteId: bigint
  readonly isRefundedByItself: boolean
  readonly placementError: string | null
  refundTxHash: string | null
}

/** An order as it was placed. */
export type Placed = {
  readonly uid: string
  readonly data: OrderData
  readonly owner: string
  readonly appData: AppData | null
  readonly signingScheme: 'eip712' | 'eip1271'
  readonly signature: string
  /** When it is in the book. Epoch ms. */
  readonly createdAt: number
  readonly ethFlow: EthFlowPart | null
}

export type Outcome =
  | { readonly status: 'fulfilled'; readonly buyAmount: bigint; readonly txHash: string }
  | { readonly status: 'cancelled' }

export type SimOrder = Placed & {
  fate: SettlementFault | null
  outcome: Outcome | null
  /** Why the last settlement failed. */
  obstacle: string | null
}

export type Book = {
  readonly world: World
  readonly network: BookNetwork
  readonly quotes: Map<number, StoredQuote>
  readonly orders: Map<string, SimOrder>
  readonly documents: Map<string, AppData>
  nextQuoteId: number
}

export const createBook = (world: World, network: BookNetwork): Book => ({
  ...{ world, network, nextQuoteId: 120_000_001 },
  ...{ quotes: new BoundedMap(), orders: new BoundedMap(), documents: new BoundedMap() },
})
