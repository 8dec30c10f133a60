import { isOfSwap, type Payment } from '../core/payment.ts'
import { isTerminal } from '../core/swapStatus.ts'
import type { TransactionId } from '../core/transactionId.ts'
import { SwapError } from '../errors.ts'
import { openExtras } from '../execution/track/keptInputs.ts'
import { isRemembered } from '../execution/track/readEvidence.ts'
import type { TrackRecordPorts } from '../execution/track/trackRecord.ts'
import { createTrackRecord } from '../execution/track/trackRecord.ts'
import { createWaitsForPayer } from '../execution/track/waitsForPayer.ts'
import { UNTIL_COMPARED } from '../health/clockReads.ts'
import { withDeadline } from '../net/deadline.ts'
import { bindSwap, type CallContext, markOf } from '../observe/callContext.ts'
import type { RequestEvent } from '../observe/observe.ts'
import { toldPayment } from '../observe/toldPayment.ts'
import type { QueuedSwap } from '../store/settlementQueue.ts'
import { StoreError } from '../store/storeError.ts'
import type { SwapRecord } from '../store/swaps.ts'
import { isOver, nextLookAt, soonest } from './nextLook.ts'

/**
 * The result of reading a swap. `ended`: it ended now. `failed`: an error of the service. `unheard`: calls of its venue are
 * paused, so it stays due. `searching`: a search of a chain continues.
 */
export type Sight = 'open' | 'ended' | 'failed' | 'unheard' | 'searching'

export type LookAtPorts = TrackRecordPorts & {
  readonly random: () => number
  readonly intervalMs: number
  /** See PassPorts. */
  readonly isClockRight: (waitMs?: number) => boolean
}

/** A venue call may wait a minute for its limit, and a swap with many payments needs many reads. */
const LOOK_MS_MAX = 180_000

/** The number of extra payments that one read follows. */
const EXTRAS_MAX = 8

/** What happened during a read, besides its result. */
type Met = { isUnheard: boolean; isUnwritten: boolean; isSearching: boolean; defect: string | null }

const meet = (met: Met, event: RequestEvent, venue: string): void => {
  // Other venues may be called about payments that they hold.
  if (event.event === 'venue.call' && event.outcome === 'skipped' && event.venue === venue) met.isUnheard = true
  if (event.event === 'search.unfinished') met.isSearching = true
  if (event.event === 'store.failed' && event.isDefect) met.defect = event.reason
  else if (event.event === 'store.failed') met.isUnwritten = true
}

type Changed = { readonly record: SwapRecord | null; readonly payments?: readonly Payment[] }
type PutOff = { readonly payments?: readonly Payment[]; readonly isSearching?: boolean }

const sightOf = ({ status }: SwapRecord, now: SwapRecord | null, { isSearching }: Met): Sight => {
  if (now !== null && isTerminal(now.status.state) && !isTerminal(status.state)) return 'ended'
  return isSearching ? 'searching' : 'open'
}

const groundsOf = ({ evidence, isClockRight }: LookAtPorts) => ({
  isTrusted: evidence === 'trustVenues',
  isSure: isClockRight(UNTIL_COMPARED),
})

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Reads the status of a swap. Returns whether more than the chain was read; a swap that only waits is unchanged. */
const createLook = (ports: LookAtPorts) => {
  const { store, clock } = ports
  const trackRecord = createTrackRecord(ports)
  const waitsForPayer = createWaitsForPayer(ports)

  /** The transactions of extra payments by the payload, where its contracts show their result. */
  const extrasOf = async ({ id, createdAt, swap }: SwapRecord): Promise<readonly TransactionId[]> => {
    if (swap.execution.payload.executionType !== 'TRANSACTION') return []
    const open = openExtras(await store.payments.ofSwap(id)).filter(({ paidAt }) => isRemembered(paidAt ?? createdAt, clock))
    return [...new Set(open.map(({ txHash }) => txHash))].slice(0, EXTRAS_MAX)
  }

  return async (record: SwapRecord, context: CallContext): Promise<boolean> => {
    if ((await waitsForPayer(record, context)) !== 'no') return isTerminal(record.status.state)
    await trackRecord(record, context)
    for (const txHash of await extrasOf(record)) await trackRecord(record, context, txHash)
    return true
  }
}

/**
 * Reads one swap with the same effects as `/status`, and schedules the next read. Rejects with StoreError, and with the reason of
 * an aborted signal; the swap then stays due.
 */
export const createLookAt = (ports: LookAtPorts) => {
  const { store, clock, isClockRight, random, intervalMs } = ports
  const look = createLook(ports)

  /** While the clock is wrong, the swap stays due. */
  const putOff = async (queued: QueuedSwap, record: SwapRecord, { payments = [], isSearching = false }: PutOff = {}) => {
    if (!isClockRight()) return
    const timing = { now: clock.now(), random: random(), intervalMs, isSearching }
    await store.settlement.reschedule(queued, nextLookAt(record, queued, payments, timing))
  }

  /** Schedules by the current record: this read or others may have changed it. `payments` is absent if none were read. */
  const putOffChanged = async (id: number, { isSearching }: Met): Promise<Changed> => {
    const [record, queued] = [await store.swaps.byId(id), await store.settlement.find(id)]
    if (record === null || queued === null || !isClockRight()) return { record }
    const payments = isTerminal(record.status.state) ? await store.payments.ofSwap(id) : undefined
    if (isOver(record, payments ?? [], clock, groundsOf(ports))) await store.settlement.remove(id)
    else await putOff(queued, record, { isSearching, ...(payments && { payments }) })
    return { record, ...(payments && { payments }) }
  }

  const tryLook = async (record: SwapRecord, context: CallContext): Promise<'waiting' | 'looked'> => {
    const { signal } = context
    try {
      const hasAsked = await withDeadline(LOOK_MS_MAX, (left) => look(record, { ...context, signal: left }), signal)
      return hasAsked ? 'looked' : 'waiting'
    } catch (error) {
      signal.throwIfAborted()
      // The log of the venue call reports it.
      if (error instanceof SwapError) return 'looked'
      throw error
    }
  }

  const lookAt = async (queued: QueuedSwap, record: SwapRecord, met: Met, context: CallContext): Promise<Sight> => {
    const came = await tryLook(record, context)
    if (met.isUnwritten) throw new StoreError(`what was found of swap ${queued.swapId} could not be written`)
    if (met.defect !== null) throw new Error(met.defect)
    if (met.isUnheard) return 'unheard'
    if (came === 'waiting') {
      await putOff(queued, record)
      return 'open'
    }
    const { record: now, payments } = await putOffChanged(queued.swapId, met)
    tell(record, now ?? record, payments, context)
    return sightOf(record, now, met)
  }

  const tell = (
    { swap, status: { state: before } }: SwapRecord,
    now: SwapRecord,
    payments: readonly Payment[] | undefined,
    { observe }: CallContext,
  ): void => {
    const { state, venueStatus } = now.status
    const [venue, money] = [swap.offer.venue, payments && { payments: payments.filter(isOfSwap).map(toldPayment) }]
    observe({ event: 'swap.tracked', by: 'settlement', venue, before, state, venueStatus, ref: now.ref, ...money })
  }

  /** Logs an error of the service about a swap, and postpones the swap. */
  const giveUp = async (queued: QueuedSwap, record: SwapRecord | null, error: unknown, context: CallContext): Promise<void> => {
    const { swapId, venue } = queued
    context.observe({ event: 'settlement.failed', ...(record && markOf(record)), swapId, venue, reason: reasonOf(error) })
    if (record !== null) await putOff(queued, record)
    else if (isClockRight()) await store.settlement.reschedule(queued, clock.now() + soonest(intervalMs))
  }

  return async (queued: QueuedSwap, context: CallContext): Promise<Sight> => {
    const { swapId } = queued
    const met: Met = { isUnheard: false, isUnwritten: false, isSearching: false, defect: null }
    const observe: CallContext['observe'] = (event) => {
      meet(met, event, queued.venue)
      context.observe(event)
    }
    let record: SwapRecord | null = null
    try {
      record = await store.swaps.byId(swapId)
      if (record !== null) return await lookAt(queued, record, met, bindSwap({ ...context, observe }, markOf(record)))
      await store.settlement.remove(swapId)
      return 'open'
    } catch (error) {
      context.signal.throwIfAborted()
      if (error instanceof StoreError) throw error
      // An error of one swap must not hold back others.
      await giveUp(queued, record, error, context)
      return 'failed'
    }
  }
}

export type LookAt = ReturnType<typeof createLookAt>
