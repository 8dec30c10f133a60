import type { Json } from './json.ts'

/**
 * The delivery of an event. `none`: no webhook applies; `due`: not tried yet; `started`: tried, with an unknown end (at most
 * once: no second try); `answered`, `failed`: the end.
 */
export type DeliveryState = 'none' | 'due' | 'started' | 'answered' | 'failed'

/** The current state of a delivery. */
export type Delivery = {
  readonly delivery: DeliveryState
  /** Epoch ms. */
  readonly attemptedAt: number | null
  /** The HTTP status of the answer; null without an answer. */
  readonly answered: number | null
  /** Why there was no answer, in our words. */
  readonly failure: string | null
}

/** One event of a partner's feed. */
export type FeedEvent = Delivery & {
  /** Its number in the feed, from 1. */
  readonly place: number
  readonly event: string
  /** The fields of the event: those of a webhook's body, except `ts` at the end of a swap. */
  readonly document: { readonly [field: string]: Json }
  readonly createdAt: number
}

export type FeedPage = { readonly events: readonly FeedEvent[]; readonly hasMore: boolean }

/** A test webhook that its owner requested. */
export type WebhookTest = Delivery & { readonly sent: { readonly [field: string]: Json } }
