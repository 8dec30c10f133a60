import type { Clock } from '../core/clock.ts'
import type { FeedPage, WebhookTest } from '../core/partnerFeed.ts'
import { SwapError } from '../errors.ts'
import type { TargetPost } from '../net/targetPost.ts'
import type { Observe } from '../observe/observe.ts'
import type { SettlementTask } from '../settlement/settlementJob.ts'
import type { Store } from '../store/store.ts'
import { createSendWebhook, openTarget, type WebhookOutcome } from './sendWebhook.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'
import { createWebhookSender } from './webhookSender.ts'

/** The notifications of partners: by webhook, and by their feed. */
export interface Webhooks {
  /** Tasks of the settlement job in every pass. */
  readonly tasks: readonly SettlementTask[]
  /** The events of a partner after a number in its feed, oldest first. */
  feed(partnerId: string, page: { readonly afterPlace: number; readonly limit: number }): Promise<FeedPage>
  /** Sends a signed `webhook.test` to a partner's target, and returns the result. NOT_FOUND without a target. */
  test(partnerId: string, requestId: string): Promise<WebhookTest>
}

export type WebhookPorts = {
  readonly store: Pick<Store, 'partners' | 'partnerEvents' | 'swaps' | 'webhooks'>
  readonly secrets: WebhookSecrets
  readonly post: TargetPost
  readonly userAgent: string
  readonly clock: Clock
  readonly observe: Observe
}

const deliveryOf = (outcome: WebhookOutcome) =>
  'answered' in outcome
    ? ({ delivery: 'answered', answered: outcome.answered, failure: null } as const)
    : ({ delivery: 'failed', answered: null, failure: outcome.failure } as const)

export const createWebhooks = ({ store, secrets, post, userAgent, clock, observe }: WebhookPorts): Webhooks => {
  const send = createSendWebhook({ post, userAgent })
  const sender = createWebhookSender({ store, secrets, send, clock, observe })
  return {
    tasks: [
      { name: 'deliver webhooks', run: sender.deliverDue },
      {
        name: 'forget old events',
        isPruning: true,
        run: async () => {
          await sender.pruneEvents()
          return { isCut: false }
        },
      },
    ],
    feed: async (partnerId, { afterPlace, limit }) => {
      const events = await store.partnerEvents.ofPartner(partnerId, { afterPlace, limit: limit + 1 })
      return { events: events.slice(0, limit), hasMore: events.length > limit }
    },
    test: async (partnerId, requestId) => {
      const [partner, webhook] = await Promise.all([store.partners.byId(partnerId), store.webhooks.find(partnerId)])
      if (partner?.kind === 'enterprise')
        throw new SwapError('NOT_FOUND', 'An enterprise key has no webhook. Use a self-serve key for webhooks.')
      if (webhook === null)
        throw new SwapError('NOT_FOUND', 'No webhook is registered: set webhookUrl with PATCH /api/v1/keys first.')
      const target = await openTarget(webhook, secrets)
      const ts = clock.now()
      const body = { event: 'webhook.test', requestId, partnerId, venue: 'test', deliveredOut: null, slippageBps: null, ts }
      const result = 'failure' in target ? target : await send(target, body)
      if (result === 'starved') throw new SwapError('INTERNAL', 'The service could not open a connection. Repeat the request.')
      const outcome = deliveryOf(result)
      const { answered: httpStatus, failure } = outcome
      observe({ event: 'webhook.sent', partnerId, eventId: null, httpStatus, failure, requestId })
      return { sent: body, attemptedAt: ts, ...outcome }
    },
  }
}
