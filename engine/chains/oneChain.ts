import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'
import { BITCOIN, type ChainId } from '../core/chain.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { SeenTransaction } from './seen.ts'

/**
 * Whose payments are looked for. `since`: epoch ms, by the service's own time. What a chain dates a little earlier is
 * found too, since its time is not ours.
 */
export type SearchQuery = { readonly asset: Asset; readonly recipient: Address; readonly since: number }

/** `isWhole` false: there may be more than were found, since the chain keeps no list of them or it was cut short. */
export type Found = { readonly hashes: readonly TransactionId[]; readonly isWhole: boolean }

/** How far a block's time and ours may be apart. Miners of Bitcoin may be hours off: https://en.bitcoin.it/wiki/Block_timestamp */
export const clocksApartMs = (chainId: ChainId): number => (chainId === BITCOIN ? 2 * 3_600_000 : 300_000)

/** The calls of ChainEvidence that every chain has, of one of them. */
export interface OneChain {
  transaction(hash: TransactionId, signal: AbortSignal): Promise<SeenTransaction | null>
  search(query: SearchQuery, signal: AbortSignal): Promise<Found>
  untouchedUntil(query: SearchQuery, signal: AbortSignal): Promise<number | null>
  confirmedTime(signal: AbortSignal): Promise<number>
}
