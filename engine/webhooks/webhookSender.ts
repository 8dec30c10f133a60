import type { Clock } from '../core/clock.ts'
import { markOf } from '../observe/callContext.ts'
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
/** Who took so long last is told after those who did not. */
const SLOW_MS = 5_000
/** So many who are slow are remembered. */
const SLOW_MAX = 10_000
/** One lane of so many asks the slow ones first, so that these come to their turn whatever the others have. */
const LANES_TO_A_SLOW_ONE = 4

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
  readonly store: Pick<Store, 'partnerEvents' | 'swaps' | 'webhooks'>
  readonly secrets: WebhookSecrets
  readonly send: SendWebhook
  readonly clock: Clock
  readonly observe: Observe
  /** Left out: 32. */
  readonly lanes?: number
}

/** Whose turn it is, of those that a pass is about. */
const createTurns = (partnerIds: readonly string[], isSlow: (partnerId: string) => boolean) => {
  const [quick, slow]: [string[], string[]] = [[], []]
  const put = (partnerId: string): void => void (isSlow(partnerId) ? slow : quick).push(partnerId)
  for (const partnerId of partnerIds) put(partnerId)
  return {
    put,
    take: (lane: number): string | undefined =>
      lane % LANES_TO_A_SLOW_ONE === LANES_TO_A_SLOW_ONE - 1 ? (slow.shift() ?? quick.shift()) : (quick.shift() ?? slow.shift()),
    left: () => quick.length + slow.length,
  }
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

  const deliver = async ({ id, partnerId, swapId, document }: PartnerEvent): Promise<boolean> => {
    // What may fail without a trace comes before the start: then the event is due as it was.
    const target = await openTarget(await store.webhooks.find(partnerId), secrets)
    // For the log alone: a swap that cannot be read keeps nobody from being told.
    const swap = swapId === null ? null : await store.swaps.byId(swapId).catch(() => null)
    const about = swap && { requestId: swap.requestId, ...markOf(swap) }
    const ts = await store.partnerEvents.start(id)
    if (ts === null) return false
    const outcome: WebhookOutcome = 'failure' in target ? target : await send(target, { ...document, ts })
    remember(partnerId, clock.now() - ts)
    observe({ event: 'webhook.sent', partnerId, eventId: id, httpStatus: null, failure: null, ...told(outcome), ...about })
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
      let tried = 0
      const runLane = async (lane: number): Promise<void> => {
        while (!signal.aborted && clock.now() < until) {
          const partnerId = turns.take(lane)
          if (partnerId === undefined) return
          try {
            if ((await deliverNext(partnerId)) === 'over') continue
            tried += 1
            turns.put(partnerId)
          } catch (error) {
            observe({ event: 'webhook.stuck', partnerId, reason: String(error) })
          }
        }
      }
      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
      return { tried, isCut: turns.left() > 0 }
    },
    pruneEvents: () => store.partnerEvents.deleteBefore(clock.now() - EVENTS_RETENTION_MS),
  }
}

const told = (outcome: WebhookOutcome) =>
  'answered' in outcome ? { httpStatus: outcome.answered } : { failure: outcome.failure }
