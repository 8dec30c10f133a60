import type { ApiKeyStore } from './apiKeys.ts'
import type { ArchiveStore } from './archive.ts'
import type { BroadcastStore } from './broadcasts.ts'
import type { BuildStore } from './builds.ts'
import type { LeaseStore } from './leases.ts'
import type { LedgerStore } from './ledger.ts'
import type { OperatorReads } from './operatorReads.ts'
import type { PaidCallStore } from './paidCalls.ts'
import type { PartnerEventStore } from './partnerEvents.ts'
import type { PartnerStore } from './partners.ts'
import type { PaymentStore } from './payments.ts'
import type { SettlementQueue } from './settlementQueue.ts'
import type { SwapKeyStore } from './swapKeys.ts'
import type { SwapStore } from './swaps.ts'
import type { TokenStore } from './tokens.ts'
import type { WebhookStore } from './webhooks.ts'

/** The records of the service, a part each. */
export type StoreParts = {
  readonly swaps: SwapStore
  readonly builds: BuildStore
  readonly swapKeys: SwapKeyStore
  readonly broadcasts: BroadcastStore
  readonly payments: PaymentStore
  readonly partners: PartnerStore
  readonly apiKeys: ApiKeyStore
  readonly webhooks: WebhookStore
  readonly partnerEvents: PartnerEventStore
  readonly ledger: LedgerStore
  readonly settlement: SettlementQueue
  readonly leases: LeaseStore
  readonly paidCalls: PaidCallStore
  readonly archive: ArchiveStore
  readonly tokens: TokenStore
  readonly operator: OperatorReads
}

/** What the service remembers. Every call rejects with StoreError when the disk or the database is in trouble. */
export interface Store extends StoreParts {
  /**
   * Runs work whose writes are all kept or none: its result, once they are kept; its error, and nothing kept. Only the
   * parts handed to it take part. It must wait for nothing but them, since others may wait for what it has locked: a swap
   * that it read by its id is its own until it ends, and no other transaction that reads it so comes in between. It may be
   * run again, as if it had not been before: of what is outside of the store it changes nothing.
   */
  transaction<T>(work: (parts: StoreParts) => Promise<T>): Promise<T>
  /** Writes a little of its own, and reads. Rejects when the store cannot do either. */
  probe(): Promise<void>
  close(): Promise<void>
}
