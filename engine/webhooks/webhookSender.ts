import type { Clock } from '../core/clock.ts'
import { pause } from '../net/pause.ts'
import type { Observe } from '../observe/observe.ts'
import type { PartnerEvent } from '../store/partnerEvents.ts'
import type { Store } from '../store/store.ts'
import { resealSecrets } from './resealSecrets.ts'
import { openTarget, type SendWebhook, type WebhookOutcome } from './sendWebhook.ts'
import { createTurns } from './turns.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'

/** For how long a partner can read what he was told. */
export const EVENTS_RETENTION_MS = 90 * 86_400_000

/** How many targets are posted to at once, one post to each. */
const LANES = 32
/** A pass looks for partners once; those who are told first meanwhile wait for the next. */
const PARTNERS_MAX = 10_000
/** From then on a pass begins no delivery, so that what else is to be done is not kept waiting by slow targets. */
const PASS_MS = 60_000
/** A post that takes longer gives its lane to the next, and goes on beside it: so many of them at once. */
const LANE_MS = 1_000
const BESIDE_MAX = 256
/** Who took so long last is told after those who did not. */
const SLOW_MS = 5_000
/** So many who are slow are remembered. */
const SLOW_MAX = 10_000

/** What came of a pass. `isCut`: somebody waits whom there was no time for. */
export type Delivered = { readonly tried: number; readonly isCut: boolean }

/** Tells partners of their swaps, and looks after what was told. One of all instances runs it at a time. */
export interface WebhookSender {
  /**
   * Delivers what is due: of each partner in the order of the feed, one after another, and of none while it waits for
   * another's target. Every event is tried once, whatever comes of it: it is taken as tried before a connection is opened.
   * Once the signal aborts nothing is begun any more.
   */
  deliverDue(signal: AbortSignal): Promise<Delivered>
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
  const slow = new Set<string>()
  let isResealed = false

  const remember = (partnerId: string, tookMs: number): void => {
    slow.delete(partnerId)
    if (tookMs >= SLOW_MS) slow.add(partnerId)
    const [oldest] = slow.size > SLOW_MAX ? slow : []
    if (oldest !== undefined) slow.delete(oldest)
  }

  const deliver = async ({ id, partnerId, document }: PartnerEvent): Promise<boolean> => {
    // What may fail without a trace comes before the start: then the event is due as it was.
    const target = await openTarget(await store.webhooks.find(partnerId), secrets)
    const ts = await store.partnerEvents.start(id)
    if (ts === null) return false
    const outcome: WebhookOutcome = 'failure' in target ? target : await send(target, { ...document, ts })
    remember(partnerId, clock.now() - ts)
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
      const turns = createTurns(await store.partnerEvents.partnersDue(PARTNERS_MAX), (partnerId) => slow.has(partnerId))
      const until = clock.now() + PASS_MS
      const beside = new Set<Promise<void>>()
      let tried = 0
      const tell = async (partnerId: string): Promise<void> => {
        try {
          if ((await deliverNext(partnerId)) === 'over') return
          tried += 1
          turns.put(partnerId)
        } catch (error) {
          observe({ event: 'webhook.stuck', partnerId, reason: String(error) })
        }
      }
      const runLane = async (lane: number): Promise<void> => {
        while (!signal.aborted && clock.now() < until) {
          const partnerId = turns.take(lane)
          if (partnerId !== undefined) {
            const telling = tell(partnerId).finally(() => beside.delete(telling))
            beside.add(telling)
            await orPause(telling, LANE_MS)
          } else if (beside.size > 0) await Promise.race(beside)
          else return
          while (beside.size >= lanes + BESIDE_MAX) await Promise.race(beside)
        }
      }
      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
      await Promise.all(beside)
      return { tried, isCut: turns.left() > 0 }
    },
    pruneEvents: () => store.partnerEvents.deleteBefore(clock.now() - EVENTS_RETENTION_MS),
  }
}

/** Until work is over, which never fails, and no longer than that. */
const orPause = async (work: Promise<void>, ms: number): Promise<void> => {
  const over = new AbortController()
  await Promise.race([work, pause(ms, over.signal)])
  over.abort()
}

const told = (outcome: WebhookOutcome) =>
  'answered' in outcome ? { httpStatus: outcome.answered } : { failure: outcome.failure }
