import type { Clock } from '../core/clock.ts'
import type { Observe } from '../observe/observe.ts'
import type { PartnerEvent } from '../store/partnerEvents.ts'
import type { Store } from '../store/store.ts'
import { resealSecrets } from './resealSecrets.ts'
import { openTarget, type SendWebhook, type WebhookOutcome } from './sendWebhook.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'

/** For how long a partner can read what he was told. */
export const EVENTS_RETENTION_MS = 90 * 86_400_000

/** How many targets are posted to at once, one post to each. */
const LANES = 32
/** A pass looks for partners once; those who are told first meanwhile wait for the next. */
const PARTNERS_MAX = 10_000
/** From then on a pass begins no delivery, so that what else is to be done is not kept waiting by slow targets. */
const PASS_MS = 60_000

/** Tells partners of their swaps, and looks after what was told. One of all instances runs it at a time. */
export interface WebhookSender {
  /**
   * Delivers what is due: of each partner in the order of the feed, one after another, and of none while it waits for
   * another's target. Every event is tried once, whatever comes of it: it is taken as tried before a connection is opened.
   * Once the signal aborts nothing is begun any more. Answers with how many were tried.
   */
  deliverDue(signal: AbortSignal): Promise<number>
  /** Deletes what is past its retention. Answers with how many events were. */
  pruneEvents(): Promise<number>
}

export type WebhookSenderPorts = {
  readonly store: Pick<Store, 'partnerEvents' | 'webhooks'>
  readonly secrets: WebhookSecrets
  readonly send: SendWebhook
  readonly clock: Clock
  readonly observe: Observe
  /** Left out: 32. */
  readonly lanes?: number
}

export const createWebhookSender = (ports: WebhookSenderPorts): WebhookSender => {
  const { store, secrets, send, clock, observe, lanes = LANES } = ports
  let isResealed = false

  const deliver = async ({ id, partnerId, document }: PartnerEvent): Promise<boolean> => {
    // What may fail without a trace comes before the start: then the event is due as it was.
    const target = await openTarget(await store.webhooks.find(partnerId), secrets)
    const ts = await store.partnerEvents.start(id)
    if (ts === null) return false
    const outcome: WebhookOutcome = 'failure' in target ? target : await send(target, { ...document, ts })
    observe({ event: 'webhook.sent', partnerId, eventId: id, httpStatus: null, failure: null, ...told(outcome) })
    await store.partnerEvents.finish(id, outcome)
    return true
  }

  /** One delivery of a partner. False when he has no more of them, or is not to be tried again in this pass. */
  const deliverNext = async (partnerId: string): Promise<'tried' | 'over'> => {
    const event = await store.partnerEvents.nextDue(partnerId)
    return event !== null && (await deliver(event)) ? 'tried' : 'over'
  }

  return {
    deliverDue: async (signal) => {
      if (!isResealed) isResealed = await resealSecrets({ webhooks: store.webhooks, secrets, observe })
      const waiting = [...(await store.partnerEvents.partnersDue(PARTNERS_MAX))]
      const until = clock.now() + PASS_MS
      let tried = 0
      const runLane = async (): Promise<void> => {
        while (!signal.aborted && clock.now() < until) {
          const partnerId = waiting.shift()
          if (partnerId === undefined) return
          try {
            if ((await deliverNext(partnerId)) === 'over') continue
            tried += 1
            waiting.push(partnerId)
          } catch (error) {
            observe({ event: 'webhook.stuck', partnerId, reason: String(error) })
          }
        }
      }
      await Promise.all(Array.from({ length: lanes }, runLane))
      return tried
    },
    pruneEvents: () => store.partnerEvents.deleteBefore(clock.now() - EVENTS_RETENTION_MS),
  }
}

const told = (outcome: WebhookOutcome) =>
  'answered' in outcome ? { httpStatus: outcome.answered } : { failure: outcome.failure }
