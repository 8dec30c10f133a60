import type { Address } from '../core/address.ts'
import type { Asset } from '../core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../core/chain.ts'
import type { TransactionId } from '../core/transactionId.ts'
import type { Untouched } from './endpoints/byTwo.ts'
import type { SearchBudget } from './evm/searchCalls.ts'
import type { SeenTransaction } from './seen.ts'

/**
 * The payee of the search. `since`: epoch ms, by the service's own time. Transactions that a chain dates a little earlier are
 * found too, since its time differs.
 */
export type SearchQuery = Searching & {
  readonly asset: Asset
  readonly recipient: Address
  readonly since: number
  /** Smaller payments cost almost nothing to send: they do not hide payments of this amount. Solana's lists show no amounts. */
  readonly least?: bigint
}

/** Which budget of search calls is used. Left out: that of partners. */
export type Searching = { readonly budget?: SearchBudget }

/** `isUnfinished`: a later call of the same search goes on where this one ended. */
type Searched = { readonly isUnfinished?: true }

/** `isWhole` false: there may be more than were found, since the chain keeps no list of them or it was cut short. */
export type Found = Searched & { readonly hashes: readonly TransactionId[]; readonly isWhole: boolean }

/**
 * The payer of the search, and the asset it paid. `since` as above. `after`: the height, on Solana the slot, that an earlier
 * search reached; null: none did.
 */
export type SentQuery = Searching & {
  readonly asset: Asset
  readonly sender: Address
  readonly since: number
  readonly after: number | null
}

/** Those of less than enough come first. */
export const enoughLast = <T>(found: readonly T[], isEnough: (one: T) => boolean): readonly T[] => [
  ...found.filter((one) => !isEnough(one)),
  ...found.filter(isEnough),
]

export type SentTransaction = { readonly hash: TransactionId; readonly height: number }

/**
 * Transactions that may have paid, oldest first. `reached`: a later search may begin behind it; null where nothing is certain.
 * `at`: up to this time of the chain, epoch ms, none is missing; null where the search ended earlier.
 */
export type Sent = Searched & {
  readonly transactions: readonly SentTransaction[]
  readonly reached: number | null
  readonly at: number | null
}

/**
 * How far a block's time and ours may be apart. Miners of Bitcoin may be hours off: https://en.bitcoin.it/wiki/Block_timestamp. Solana's
 * time falls behind with slots that are slow, and catches up by and by: by half an hour on 2022-05-26,
 * https://cryptonews.net/editorial/news/solana-blockchain-is-30-minutes-behind-real-time/
 */
export const clocksApartMs = (chainId: ChainId): number => (chainId === BITCOIN || chainId === SOLANA ? 2 * 3_600_000 : 300_000)

/** The calls of ChainEvidence that every chain has, of one of them. */
export interface OneChain {
  transaction(hash: TransactionId, signal: AbortSignal): Promise<SeenTransaction | null>
  search(query: SearchQuery, signal: AbortSignal): Promise<Found>
  sentBy(query: SentQuery, signal: AbortSignal): Promise<Sent>
  /** `cannotTell`: the endpoint does not keep what would show it. */
  untouchedUntil(query: SearchQuery, signal: AbortSignal): Promise<Untouched | 'cannotTell'>
  confirmedTime(signal: AbortSignal): Promise<number>
}
