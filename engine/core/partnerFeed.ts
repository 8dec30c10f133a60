import type { Json } from './json.ts'

/**
 * What became of the delivery of an event. `none`: nobody was to be told; `due`: not tried yet; `started`: tried, and the end of
 * it is not known (at most once: it is not tried again); `answered`, `failed`: how it ended.
 */
export type DeliveryState = 'none' | 'due' | 'started' | 'answered' | 'failed'

/** A delivery as it stands. */
export type Delivery = {
  readonly delivery: DeliveryState
  /** Epoch ms. */
  readonly attemptedAt: number | null
  /** The HTTP status that was answered; null where none was. */
  readonly answered: number | null
  /** Why there is none, in our words. */
  readonly failure: string | null
}

/** One thing that a partner was told, or is to be. */
export type FeedEvent = Delivery & {
  /** In his feed, from 1. */
  readonly place: number
  readonly event: string
  /** Its fields, those of a webhook's body but for `ts` where it is the end of a swap. */
  readonly document: { readonly [field: string]: Json }
  readonly createdAt: number
}

export type FeedPage = { readonly events: readonly FeedEvent[]; readonly hasMore: boolean }

/** A webhook that was sent because its owner asked for it. */
export type WebhookTest = Delivery & { readonly sent: { readonly [field: string]: Json } }
