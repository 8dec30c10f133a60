import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { SeenTransaction } from './seen.ts'

/** Whose payments are looked for. `since`: epoch ms, by the chain's own time. */
export type SearchQuery = { readonly asset: Asset; readonly recipient: Address; readonly since: number }

/** `isWhole` false: there may be more than were found, since the chain keeps no list of them or it was cut short. */
export type Found = { readonly hashes: readonly TransactionId[]; readonly isWhole: boolean }

/** The calls of ChainEvidence that every chain has, of one of them. */
export interface OneChain {
  transaction(hash: TransactionId, signal: AbortSignal): Promise<SeenTransaction | null>
  search(query: SearchQuery, signal: AbortSignal): Promise<Found>
  isUntouched(query: SearchQuery, signal: AbortSignal): Promise<boolean>
  confirmedTime(signal: AbortSignal): Promise<number>
}
