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

/** The records of the service, by part. */
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

/** The store. Every call rejects with StoreError if the disk or the database fails. */
export interface Store extends StoreParts {
  /**
   * Runs work in a transaction over the parts that it receives: all writes are kept, or none. Work must await only these parts. A
   * swap that it reads by id is locked until the end. The store may run work again after a conflict, so work must not change
   * anything outside of the store.
   */
  transaction<T>(work: (parts: StoreParts) => Promise<T>): Promise<T>
  /** Proves that the store can write and read. Rejects otherwise. */
  probe(): Promise<void>
  close(): Promise<void>
}
