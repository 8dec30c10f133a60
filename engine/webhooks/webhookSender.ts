import type { Clock } from '../core/clock.ts'
import { canOpen } from '../net/descriptors.ts'
import { pause } from '../net/pause.ts'
import { markOf } from '../observe/callContext.ts'
import type { Observe } from '../observe/observe.ts'
import type { PartnerEvent } from '../store/partnerEvents.ts'
import type { Store } from '../store/store.ts'
import { resealSecrets } from './resealSecrets.ts'
import { openTarget, type SendWebhook, type WebhookOutcome } from './sendWebhook.ts'
import type { WebhookSecrets } from './webhookSecrets.ts'

/** How long a partner can read its events. */
export const EVENTS_RETENTION_MS = 90 * 86_400_000

/** Concurrent targets, with one post to each. */
const LANES = 32
/** The most partners of one read; the rest waits for the next read. */
const PARTNERS_MAX = 10_000
/** During deliveries a pass reads newly due partners this often. */
const REREAD_MS = 1_000
/** After this time a pass starts no delivery, so that slow targets do not delay other tasks. */
const PASS_MS = 60_000
/** A target that took this long last time comes after the others. */
const SLOW_MS = 5_000
/** How many slow targets are remembered. */
const SLOW_MAX = 10_000
/** One of this many lanes takes slow targets first, so that they get their turn under any load. */
const LANES_TO_A_SLOW_ONE = 4

const STARVED = 'this process has no descriptor, port or memory left for a connection'

/** The result of a pass. `isCut`: time ran out before all deliveries. Those without a descriptor wait for the next interval. */
export type Delivered = { readonly tried: number; readonly isCut: boolean }

/** Delivers events to partners, and deletes old ones. One of all instances runs it at a time. */
export interface WebhookSender {
  /**
   * Delivers the due events: each partner's events one after another, in the order of the feed. No partner waits for another's
   * target. Every event is tried once, whatever the result: it counts as tried before a connection opens. An event stays due
   * where this process could not open a connection. After the signal aborts, and while the clock is wrong,
   * no delivery starts.
   */
  deliverDue(signal: AbortSignal, isClockRight?: () => boolean): Promise<Delivered>
  /** Deletes events past their retention. Returns their number. */
  pruneEvents(): Promise<number>
}

export type WebhookSenderPorts = {
  readonly store: Pick<Store, 'partnerEvents' | 'swaps' | 'webhooks'>
  readonly secrets: WebhookSecrets
  readonly send: SendWebhook
  readonly clock: Clock
  readonly observe: Observe
  /** Ms, never running backwards. Absent: the clock of the process. */
  readonly monotonic?: () => number
  /** Absent: 32. */
  readonly lanes?: number
}

/** The next partner of a pass. */
const createTurns = (isSlow: (partnerId: string) => boolean) => {
  const [quick, slow]: [string[], string[]] = [[], []]
  const known = new Set<string>()
  const put = (partnerId: string): void => void (isSlow(partnerId) ? slow : quick).push(partnerId)
  return {
    /** Adds partners that are neither waiting, nor in progress, nor done in this pass. */
    add: (partnerIds: readonly string[]): void => {
      for (const partnerId of partnerIds.filter((id) => !known.has(id))) {
        known.add(partnerId)
        put(partnerId)
      }
    },
    put,
    forget: (partnerId: string): void => void known.delete(partnerId),
    take: (lane: number): string | undefined =>
      lane % LANES_TO_A_SLOW_ONE === LANES_TO_A_SLOW_ONE - 1 ? (slow.shift() ?? quick.shift()) : (quick.shift() ?? slow.shift()),
    left: () => quick.length + slow.length,
  }
}

/** Reads the due events, and again while lanes work on them. A lane without work starts again with each read. */
const runLanes = async (count: number, run: (lane: number) => Promise<void>, read: () => Promise<void>): Promise<void> => {
  const idle = Array.from({ length: count }, (_, lane) => lane)
  const underWay = new Set<Promise<void>>()
  const begin = (lane: number): void => {
    const work = run(lane).finally(() => {
      idle.push(lane)
      underWay.delete(work)
    })
    underWay.add(work)
  }
  try {
    do {
      await read()
      for (const lane of idle.splice(0).sort((a, b) => a - b)) begin(lane)
      const atEnd = new AbortController()
      void Promise.all(underWay).then(() => atEnd.abort())
      await pause(REREAD_MS, atEnd.signal)
    } while (underWay.size > 0)
  } finally {
    await Promise.all(underWay)
  }
}

export const createWebhookSender = (ports: WebhookSenderPorts): WebhookSender => {
  const { store, secrets, send, clock, observe, monotonic = () => performance.now(), lanes = LANES } = ports
  const slow = new Set<string>()
  let isResealed = false

  const remember = (partnerId: string, tookMs: number): void => {
    slow.delete(partnerId)
    if (tookMs >= SLOW_MS) slow.add(partnerId)
    const [oldest] = slow.size > SLOW_MAX ? slow : []
    if (oldest !== undefined) slow.delete(oldest)
  }

  const deliver = async ({ id, partnerId, swapId, document }: PartnerEvent): Promise<'tried' | 'over'> => {
    // Steps that may fail without a trace precede the start, so that the event stays due.
    const target = await openTarget(await store.webhooks.find(partnerId), secrets)
    // For the log alone: an unreadable swap does not prevent the delivery.
    const swap = swapId === null ? null : await store.swaps.byId(swapId).catch(() => null)
    const about = swap && { requestId: swap.requestId, ...markOf(swap) }
    const ts = await store.partnerEvents.start(id)
    if (ts === null) return 'over'
    const outcome: WebhookOutcome | 'starved' = 'failure' in target ? target : await send(target, { ...document, ts })
    if (outcome === 'starved') {
      await store.partnerEvents.putBack(id)
      throw new Error(STARVED)
    }
    remember(partnerId, clock.now() - ts)
    observe({ event: 'webhook.sent', partnerId, eventId: id, httpStatus: null, failure: null, ...told(outcome), ...about })
    await store.partnerEvents.finish(id, outcome)
    return 'tried'
  }

  /** One delivery of a partner. `over`: no event is due. */
  const deliverNext = async (partnerId: string): Promise<'tried' | 'over'> => {
    const event = await store.partnerEvents.nextDue(partnerId)
    return event === null ? 'over' : deliver(event)
  }

  return {
    deliverDue: async (signal, isClockRight = () => true) => {
      if (!isResealed) isResealed = await resealSecrets({ webhooks: store.webhooks, secrets, observe })
      const turns = createTurns((partnerId) => slow.has(partnerId))
      const until = monotonic() + PASS_MS
      let [tried, isStarved] = [0, false]
      const mayBegin = (): boolean => !signal.aborted && !isStarved && isClockRight() && monotonic() < until
      const runLane = async (lane: number): Promise<void> => {
        while (mayBegin()) {
          const partnerId = turns.take(lane)
          if (partnerId === undefined) return
          try {
            isStarved = !canOpen()
            if (isStarved) throw new Error(STARVED)
            if ((await deliverNext(partnerId)) === 'over') {
              turns.forget(partnerId)
              continue
            }
            tried += 1
            turns.put(partnerId)
          } catch (error) {
            observe({ event: 'webhook.stuck', partnerId, reason: String(error) })
          }
        }
      }
      await runLanes(lanes, runLane, async () => {
        if (mayBegin()) turns.add(await store.partnerEvents.partnersDue(PARTNERS_MAX))
      })
      return { tried, isCut: turns.left() > 0 && !isStarved }
    },
    pruneEvents: () => store.partnerEvents.deleteBefore(clock.now() - EVENTS_RETENTION_MS),
  }
}

const told = (outcome: WebhookOutcome) =>
  'answered' in outcome ? { httpStatus: outcome.answered } : { failure: outcome.failure }
