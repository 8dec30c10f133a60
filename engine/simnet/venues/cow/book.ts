import { bytesToHex } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { type ChainId, chainOf } from '../../../core/chain.ts'
import * as protocol from '../../../venues/cow/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import type { SettlementFault } from '../../kit/fate.ts'
import { digestOf } from '../../kit/typedHash.ts'
import type { World } from '../../kit/world.ts'

/* All addresses and hashes are in lower case. */
export const SETTLEMENT = protocol.SETTLEMENT.toLowerCase()
export const RELAYER = protocol.VAULT_RELAYER.toLowerCase()
export const ETH_FLOW = protocol.ETH_FLOW.toLowerCase()
export const NATIVE_MARKER = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
/** The account that the settlement contract accepts settlements from. */
export const COW_SOLVER = '0x7a8e05726f2a6E799cb3D39fB185669Ad75f4ba0'

/** What settling one order costs, in millionths of a US dollar; 60,000 on other chains. */
const COSTS: { readonly [chainId: string]: bigint } = { 1: 800_000n, 137: 20_000n, 8453: 20_000n, 42161: 40_000n, 59144: 30_000n }

/** The order book of each chain. */
export const BOOK_NETWORKS = Object.entries(protocol.BOOK_PATHS).map(([id, path]) => ({
  path,
  chainId: Number(id),
  wrappedNative: chainOf(Number(id) as ChainId).wrappedNative?.toLowerCase() ?? '',
  costUsdMicros: COSTS[id] ?? 60_000n,
}))

/** The fields that vary between orders; all are fill-or-kill sales without a signed fee. `validTo`: Unix seconds. */
export type OrderData = { readonly [name in 'sellToken' | 'buyToken' | 'receiver' | 'appData']: string } & {
  readonly [name in 'sellAmount' | 'buyAmount']: bigint
} & { readonly validTo: number }

const ORDER_TYPE = `Order(${protocol.ORDER_FIELDS.map(({ name, type }) => `${type} ${name}`).join()})`
const DOMAIN = { name: protocol.DOMAIN_NAME, version: protocol.DOMAIN_VERSION, contract: SETTLEMENT }

/** What the owner signs. */
export const orderDigest = (chainId: number, order: OrderData): Uint8Array => {
  const { sellToken, buyToken, receiver, sellAmount, buyAmount, validTo, appData } = order
  const terms = [sellToken, buyToken, receiver, sellAmount, buyAmount, BigInt(validTo), appData, 0n]
  const manner = [keccakText('sell'), 0n, keccakText('erc20'), keccakText('erc20')]
  return digestOf({ ...DOMAIN, chainId }, ORDER_TYPE, [...terms, ...manner])
}

/** The 56 bytes that identify an order. */
export const uidOf = (digest: Uint8Array, owner: string, validTo: number): string =>
  `0x${bytesToHex(digest)}${owner.slice(2)}${validTo.toString(16).padStart(8, '0')}`

/** `partnerFeeBps`: all partner fees together, clipped to the protocol's maximum. */
export type AppData = { readonly hash: string; readonly text: string; readonly partnerFeeBps: bigint }

/** `of`: what is sold for what, as `saleOf` writes it; null for a purchase. */
export type StoredQuote = { readonly of: string | null; readonly buyAmount: bigint }
type Sale = Pick<OrderData, 'sellToken' | 'buyToken' | 'sellAmount'>
export const saleOf = ({ sellToken, buyToken, sellAmount }: Sale): string => [sellToken, buyToken, sellAmount].join()

type EthFlowPart = {
  readonly sender: string
  /** Unix seconds; the order itself never ends. */
  readonly userValidTo: number
  readonly quoteId: bigint
  readonly placementError: string | null
  refundTxHash: string | null
}

type Outcome =
  | { readonly status: 'fulfilled'; readonly buyAmount: bigint; readonly txHash: string }
  | { readonly status: 'cancelled' }

export type SimOrder = {
  readonly uid: string
  readonly data: OrderData
  readonly owner: string
  readonly appData: AppData | null
  readonly signingScheme: 'eip712' | 'eip1271'
  readonly signature: string
  /** When it is in the book. Epoch ms. */
  readonly createdAt: number
  readonly ethFlow: EthFlowPart | null
  fate: SettlementFault | null
  outcome: Outcome | null
  hasFailed: boolean
}

export type Book = {
  readonly world: World
  readonly network: (typeof BOOK_NETWORKS)[number]
  readonly quotes: Map<number, StoredQuote>
  readonly orders: Map<string, SimOrder>
  readonly documents: Map<string, AppData>
  nextQuoteId: number
}

export const createBook = (world: World, network: Book['network']): Book => ({
  ...{ world, network, nextQuoteId: 120_000_001 },
  ...{ quotes: new BoundedMap(), orders: new BoundedMap(), documents: new BoundedMap() },
})
