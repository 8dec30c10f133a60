import type { SwapEventName } from '../core/partner.ts'
import type { Payment } from '../core/payment.ts'
import { factsOf, isTerminal, type SwapStatus } from '../core/swapStatus.ts'
import { bookFee, reverseFees } from '../ledger/feeEntry.ts'
import type { Store, StoreParts } from '../store/store.ts'
import type { SwapRecord } from '../store/swaps.ts'
import { swapEventBody, swapEventOf } from '../webhooks/swapEvent.ts'
import { isLookedAfter, isPaidOrSigned } from './lookedAfter.ts'
import { isOfExtra, openExtras } from './track/keptInputs.ts'

/** A write that belongs to a change of a swap. */
export type Effect =
  /** Notifies the partner of the execution: by webhook once, at the first end. */
  | { readonly kind: 'tell'; readonly partnerId: string; readonly event: SwapEventName; readonly isFirstEnd: boolean }
  /** Settlement follows the swap from now on, and reads it at once. */
  | { readonly kind: 'lookAfter'; readonly isPaid: boolean }
  /** Settlement stops following the swap: its end is final. */
  | { readonly kind: 'letGo' }
  /** Books the fee, unless it is booked. `orderId` names an extra payment; null is the swap itself. */
  | { readonly kind: 'book'; readonly orderId: string | null }
  /** Reverses booked fees, except those in `standing`. */
  | { readonly kind: 'reverse'; readonly standing: readonly (string | null)[] }

/** The current record of a swap, and its next status. */
export type Change = {
  readonly swap: SwapRecord
  readonly after: SwapStatus
  /** A reorganisation removed the evidence of the end. */
  readonly takesBackEnd: boolean
  /** The payments of the swap after the change. */
  readonly payments: readonly Payment[]
}

/**
 * True if the swap may change to this status. An end survives an older answer that arrives later. Exceptions: a payment that
 * appears after `expired`, and an end whose payment is missing.
 */
export const mayChange = ({ swap, after, takesBackEnd }: Omit<Change, 'payments'>): boolean => {
  if (!isTerminal(swap.status.state) || takesBackEnd) return true
  return swap.status.state === 'failed' && after.state !== 'failed' && (factsOf(after.state).isPaid || after.state === 'expired')
}

const areFinal = (deliveries: readonly Payment[]): boolean => deliveries.length > 0 && deliveries.every(({ isFinal }) => isFinal)

/** True if all deliveries of the swap are final. */
export const isSettledForGood = ({ after, payments }: Pick<Change, 'after' | 'payments'>): boolean =>
  after.state === 'success' && areFinal(payments.filter((payment) => payment.kind === 'output' && !isOfExtra(payment)))

/** True if more can happen after a final delivery: another payment to the address, or a payment beside the swap's own. */
export const mayBeMore = ({ swap }: Pick<SwapRecord, 'swap'>, payments: readonly Payment[]): boolean =>
  swap.execution.payload.executionType === 'DEPOSIT' || openExtras(payments).length > 0

/** Orders of this swap whose delivery is final; null is the swap itself. */
const settledOrders = ({ after, payments }: Pick<Change, 'after' | 'payments'>): readonly (string | null)[] => {
  const extras = payments.filter((payment) => payment.kind === 'output' && isOfExtra(payment))
  const orderIds = [...new Set(extras.map(({ orderId }) => orderId))]
  const settled = orderIds.filter((orderId) => areFinal(extras.filter((payment) => payment.orderId === orderId)))
  return isSettledForGood({ after, payments }) ? [null, ...settled] : settled
}

const tellOf = ({ swap, after }: Change): readonly Effect[] => {
  const event = swapEventOf(after.state)
  if (event === null || swap.isSandbox || swap.executedBy === null || after.state === swap.status.state) return []
  return [{ kind: 'tell', partnerId: swap.executedBy, event, isFirstEnd: swap.endedAt === null }]
}

const followOf = (change: Change): readonly Effect[] => {
  const { swap, after } = change
  if (!isLookedAfter(swap)) return []
  if (isSettledForGood(change) && !mayBeMore(swap, change.payments)) return [{ kind: 'letGo' }]
  return after.state === swap.status.state ? [] : [{ kind: 'lookAfter', isPaid: isPaidOrSigned(swap, after.state) }]
}

const earnOf = (change: Change): readonly Effect[] => {
  const { swap, takesBackEnd } = change
  if (swap.isSandbox || swap.swap.feeCustody === undefined) return []
  const standing = settledOrders(change)
  const books = standing.map((orderId) => ({ kind: 'book', orderId }) as const)
  return takesBackEnd ? [{ kind: 'reverse', standing }, ...books] : books
}

export const effectsOf = (change: Change): readonly Effect[] => [...tellOf(change), ...followOf(change), ...earnOf(change)]

const tell = async (
  { partnerId, event, isFirstEnd }: Extract<Effect, { kind: 'tell' }>,
  { swap, after }: Change,
  { partners, partnerEvents, webhooks }: StoreParts,
): Promise<void> => {
  // An old swap may name a partner that this store does not have.
  if ((await partners.byId(partnerId)) === null) return
  const document = swapEventBody(event, swap, { partnerId, after })
  const isAwaited = isFirstEnd && (await webhooks.find(partnerId)) !== null
  await partnerEvents.add({ partnerId, swapId: swap.id, event, document, delivery: isAwaited ? 'due' : 'none' })
}

const writeEffect = async (effect: Effect, change: Change, parts: StoreParts): Promise<void> => {
  switch (effect.kind) {
    case 'tell':
      return tell(effect, change, parts)
    case 'lookAfter':
      return parts.settlement.hasten({ swapId: change.swap.id, isPaid: effect.isPaid })
    case 'letGo':
      return parts.settlement.remove(change.swap.id)
    case 'book':
      return bookFee({ ...change, orderId: effect.orderId }, parts.ledger)
    case 'reverse':
      return reverseFees(change.swap, effect.standing, parts.ledger)
  }
}

type Where = Pick<Payment, 'chainId' | 'txHash'>

export type TransitionOptions = {
  /** Default: false. */
  readonly takesBackEnd?: boolean
  /** Removes the payments of this transaction from the swap. Default: none. */
  readonly drops?: Where
  /** Called after the first end of the swap is stored. */
  readonly onFirstEnd?: (swap: SwapRecord) => void
}

export interface Lifecycle {
  /**
   * Changes the status and the ref of a swap, which happens nowhere else, together with all effects or not at all. Returns the
   * stored status: the given one, or the earlier end. A known ref is kept. Rejects with StoreError.
   */
  transition(id: number, after: SwapStatus, ref: string | null, how?: TransitionOptions): Promise<SwapStatus>
  /** Marks the payments of a transaction to a swap as final, with all effects. */
  setFinal(id: number, where: Where): Promise<void>
  /** Removes an extra payment after a reorganisation. */
  dropExtra(id: number, where: Where): Promise<void>
  /** Applies the effects of payments that were already final when they were claimed. */
  settleExtras(id: number): Promise<void>
}

export const createLifecycle = (store: Pick<Store, 'transaction'>): Lifecycle => {
  const writeEffects = async (change: Change, parts: StoreParts): Promise<void> => {
    for (const effect of effectsOf(change)) await writeEffect(effect, change, parts)
  }

  /** Changes the payments of a swap, but not its status. */
  const changePayments = (
    id: number,
    write: ((parts: StoreParts) => Promise<void>) | null,
    takesBackEnd = false,
  ): Promise<void> =>
    store.transaction(async (parts) => {
      const swap = await parts.swaps.byId(id)
      await write?.(parts)
      if (swap === null) return
      const payments = await parts.payments.ofSwap(id)
      await writeEffects({ swap, after: swap.status, takesBackEnd, payments }, parts)
    })

  return {
    transition: async (id, after, ref, { takesBackEnd = false, drops, onFirstEnd } = {}) => {
      const { stands, ended } = await store.transaction(async (parts) => {
        const swap = await parts.swaps.byId(id)
        if (swap === null) return { stands: after, ended: null }
        const change = { swap, after, takesBackEnd }
        if (!mayChange(change)) {
          // A payment claimed with this answer may already be final, and the end may have been written earlier.
          const payments = await parts.payments.ofSwap(id)
          await writeEffects({ swap, after: swap.status, takesBackEnd: false, payments }, parts)
          return { stands: swap.status, ended: null }
        }
        // The answer is about an earlier ref, not about the payment that the swap now has.
        if (swap.ref !== null && swap.ref !== ref) return { stands: after, ended: null }
        await parts.swaps.setStatus(id, after, ref)
        if (drops) await parts.payments.drop(id, drops)
        await writeEffects({ ...change, payments: await parts.payments.ofSwap(id) }, parts)
        return { stands: after, ended: isTerminal(after.state) && swap.endedAt === null ? swap : null }
      })
      if (ended !== null) onFirstEnd?.(ended)
      return stands
    },
    setFinal: (id, where) => changePayments(id, ({ payments }) => payments.setFinal(id, where)),
    dropExtra: (id, where) => changePayments(id, ({ payments }) => payments.drop(id, where), true),
    settleExtras: (id) => changePayments(id, null),
  }
}

/** Resets a swap to `processing`. `drops` names the payout that it no longer has. */
export const takeBackEnd = (
  store: Pick<Store, 'transaction'>,
  { id, status, ref }: SwapRecord,
  drops: NonNullable<TransitionOptions['drops']> | null,
): Promise<SwapStatus> => {
  const reopened: SwapStatus = { ...status, state: 'processing', deliveredAmount: null, txHash: null }
  return createLifecycle(store).transition(id, reopened, ref, { takesBackEnd: true, ...(drops && { drops }) })
}
