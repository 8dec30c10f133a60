import { BoundedMap } from '../../kit/boundedMap.ts'
import type { SettlementFault } from '../../kit/fate.ts'
import type { World } from '../../kit/world.ts'
import type { Terms } from './orderData.ts'

export type Quoted = {
  readonly terms: Terms
  /** The quote to the letter, which must come back with the signature. */
  readonly text: string
}

export type Settled = { readonly txHash: string; readonly amounts: readonly bigint[] }

export type SimOrder = {
  readonly orderId: string
  readonly quoteId: string
  readonly encodedOrder: string
  readonly terms: Terms
  readonly signature: string
  /** Epoch ms. */
  readonly createdAt: number
  fate: SettlementFault | null
  status: 'open' | 'filled' | 'error' | 'insufficient-funds'
  settled: Settled | null
}

export type Book = {
  readonly world: World
  readonly quotes: Map<string, Quoted>
  readonly orders: Map<string, SimOrder>
}

export const createBook = (world: World): Book => ({ world, quotes: new BoundedMap(), orders: new BoundedMap() })
