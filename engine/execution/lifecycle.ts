import type { SwapEventName } from '../core/partner.ts'
import type { Payment } from '../core/payment.ts'
import { factsOf, isTerminal, type SwapStatus } from '../core/swapStatus.ts'
import { bookFee, reverseFees } from '../ledger/feeEntry.ts'
import type { Store, StoreParts } from '../store/store.ts'
import type { SwapRecord } from '../store/swaps.ts'
import { swapEventBody, swapEventOf } from '../webhooks/swapEvent.ts'
import { isLookedAfter, isPaidOrSigned } from './lookedAfter.ts'
import { isOfExtra, openExtras } from './track/keptInputs.ts'

/** What must be written together with a change of a swap. */
export type Effect =
  /** The partner who executed it is told; by webhook once, at its first end. */
  | { readonly kind: 'tell'; readonly partnerId: string; readonly event: SwapEventName; readonly isFirstEnd: boolean }
  /** It is looked after from now on, and at once. */
  | { readonly kind: 'lookAfter'; readonly isPaid: boolean }
  /** Nothing becomes of it any more: it is looked after no longer. */
  | { readonly kind: 'letGo' }
  /** Its fee is booked, unless it is; `orderId`: that of an extra payment, null for the swap itself. */
  | { readonly kind: 'book'; readonly orderId: string | null }
  /** What was booked is taken back, but for what stands still. */
  | { readonly kind: 'reverse'; readonly standing: readonly (string | null)[] }

/** A swap as it stood, and the status it is to have. */
export type Change = {
  readonly swap: SwapRecord
  readonly after: SwapStatus
  /** The chain took back what the end rested on. */
  readonly takesBackEnd: boolean
  /** What is kept of its money once the change is made. */
  readonly payments: readonly Payment[]
}

/**
 * Whether a swap may change so. Of two answers under way at once the older may come last: an end survives it. But a payment
 * that is seen after all says more than that there was none, and an end without its payment is none.
 */
export const mayChange = ({ swap, after, takesBackEnd }: Omit<Change, 'payments'>): boolean => {
  if (!isTerminal(swap.status.state) || takesBackEnd) return true
  return swap.status.state === 'failed' && after.state !== 'failed' && (factsOf(after.state).isPaid || after.state === 'expired')
}

const areFinal = (deliveries: readonly Payment[]): boolean => deliveries.length > 0 && deliveries.every(({ isFinal }) => isFinal)

/** Whether the deliveries of a swap are such as nothing takes away any more. */
export const isSettledForGood = ({ after, payments }: Pick<Change, 'after' | 'payments'>): boolean =>
  after.state === 'success' && areFinal(payments.filter((payment) => payment.kind === 'output' && !isOfExtra(payment)))

/** Whether more may become of a swap whose delivery is final: another payment to its address, or what another paid beside it. */
export const mayBeMore = ({ swap }: Pick<SwapRecord, 'swap'>, payments: readonly Payment[]): boolean =>
  swap.execution.payload.executionType === 'DEPOSIT' || openExtras(payments).length > 0

/** Of what of a swap the delivery is final: the swap itself (null), and extra payments by their orders, whose end is their own. */
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
  // A swap of long ago may name a partner that this store never knew.
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
  /** Left out: false. */
  readonly takesBackEnd?: boolean
  /** A transaction whose payments are the swap's no more. Left out: none. */
  readonly drops?: Where
  /** Called once the swap came to its first end by it, and that is kept. */
  readonly onFirstEnd?: (swap: SwapRecord) => void
}

export interface Lifecycle {
  /**
   * Gives a swap its new status, and what it is known by from now on: the only way that a swap changes its state. All
   * that belongs to the change is written with it, or none of it. Answers with the status that stands: the one given,
   * or the end that the swap had come to before. What it is known by it keeps. Rejects when the store is in trouble.
   */
  transition(id: number, after: SwapStatus, ref: string | null, how?: TransitionOptions): Promise<SwapStatus>
  /** Marks what a transaction paid a swap as final, with all that rests on it. */
  setFinal(id: number, where: Where): Promise<void>
  /** Gives up what a transaction paid an extra payment of a swap: the chain took it back. */
  dropExtra(id: number, where: Where): Promise<void>
  /** Writes what rests on the payments of a swap that are final, where they were found to be so when they were claimed. */
  settleExtras(id: number): Promise<void>
}

export const createLifecycle = (store: Pick<Store, 'transaction'>): Lifecycle => {
  const writeEffects = async (change: Change, parts: StoreParts): Promise<void> => {
    for (const effect of effectsOf(change)) await writeEffect(effect, change, parts)
  }

  /** A change of a swap's money alone: how it stands stays. */
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
          // What was claimed with this word may be final already, and another has written the end before it was.
          const payments = await parts.payments.ofSwap(id)
          await writeEffects({ swap, after: swap.status, takesBackEnd: false, payments }, parts)
          return { stands: swap.status, ended: null }
        }
        // Judged before another ref was recognised: this is no word on the payment that the swap goes by now.
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

/** Puts a swap back to `processing`; `drops`: the payout that it does not have any more. */
export const takeBackEnd = (
  store: Pick<Store, 'transaction'>,
  { id, status, ref }: SwapRecord,
  drops: NonNullable<TransitionOptions['drops']> | null,
): Promise<SwapStatus> => {
  const reopened: SwapStatus = { ...status, state: 'processing', deliveredAmount: null, txHash: null }
  return createLifecycle(store).transition(id, reopened, ref, { takesBackEnd: true, ...(drops && { drops }) })
}
