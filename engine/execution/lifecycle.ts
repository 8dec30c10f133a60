import type { Payment } from '../core/payment.ts'
import { factsOf, isTerminal, type SwapStatus } from '../core/swapStatus.ts'
import type { Store, StoreParts } from '../store/store.ts'
import type { SwapRecord } from '../store/swaps.ts'

/** What must be written together with a change of a swap. There is no kind of it yet. */
export type Effect = { readonly kind: never }

/** A swap as it stood, and the status it is to have. */
export type Change = {
  readonly swap: SwapRecord
  readonly after: SwapStatus
  /** The chain took back what the end rested on. */
  readonly takesBackEnd: boolean
}

/**
 * Whether a swap may change so. Of two answers under way at once the older may come last: an end survives it. But a payment
 * that is seen after all says more than that there was none, and an end without its payment is none.
 */
export const mayChange = ({ swap, after, takesBackEnd }: Change): boolean => {
  if (!isTerminal(swap.status.state) || takesBackEnd) return true
  return swap.status.state === 'failed' && after.state !== 'failed' && (factsOf(after.state).isPaid || after.state === 'expired')
}

export const effectsOf = (_change: Change): readonly Effect[] => []

const writeEffect = async ({ kind }: Effect, _parts: StoreParts): Promise<void> => {
  switch (kind) {
    default:
      throw new Error(`no effect is of the kind ${kind}`)
  }
}

export type TransitionOptions = {
  /** Left out: false. */
  readonly takesBackEnd?: boolean
  /** A transaction whose payments are the swap's no more. Left out: none. */
  readonly drops?: Pick<Payment, 'chainId' | 'txHash'>
}

export interface Lifecycle {
  /**
   * Gives a swap its new status, and what it is known by from now on: the only way that a swap changes its state. All
   * that belongs to the change is written with it, or none of it. Answers with the status that stands: the one given,
   * or the end that the swap had come to before. What it is known by it keeps. Rejects when the store is in trouble.
   */
  transition(id: number, after: SwapStatus, ref: string | null, how?: TransitionOptions): Promise<SwapStatus>
}

export const createLifecycle = (store: Pick<Store, 'transaction'>): Lifecycle => ({
  transition: (id, after, ref, { takesBackEnd = false, drops } = {}) =>
    store.transaction(async (parts) => {
      const swap = await parts.swaps.byId(id)
      if (swap === null) return after
      const change = { swap, after, takesBackEnd }
      if (!mayChange(change)) return swap.status
      // Judged before another ref was recognised: this is no word on the payment that the swap goes by now.
      if (swap.ref !== null && swap.ref !== ref) return after
      await parts.swaps.setStatus(id, after, ref)
      if (drops) await parts.payments.drop(id, drops)
      for (const effect of effectsOf(change)) await writeEffect(effect, parts)
      return after
    }),
})

/** Puts a swap back to `processing`; `drops`: the payout that it does not have any more. */
export const takeBackEnd = (
  store: Pick<Store, 'transaction'>,
  { id, status, ref }: SwapRecord,
  drops: NonNullable<TransitionOptions['drops']> | null,
): Promise<SwapStatus> => {
  const reopened: SwapStatus = { ...status, state: 'processing', deliveredAmount: null, txHash: null }
  return createLifecycle(store).transition(id, reopened, ref, { takesBackEnd: true, ...(drops && { drops }) })
}
