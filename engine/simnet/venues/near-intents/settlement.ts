import type { SimDeposit } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createConclude } from './conclude.ts'
import { decideOutcome, REFUND_MS, SETTLEMENT_FAULTS } from './decideOutcome.ts'
import type { DepositView } from './depositView.ts'
import type { Order } from './orders.ts'
import { ADDRESS_LIFE_MS, type HasFault } from './quoteCall.ts'

/** Looks after the orders by the network's time. What it pays out and gives back are transactions on the chains. */
export interface Settlement {
  /** Takes note of a payment to the deposit address of this order. */
  deposit(order: Order, deposit: SimDeposit): void
}

/** To the next look at a deposit that is not in a block yet. */
const UNCONFIRMED_MS = 60_000
/** To the next look for a deposit whose transaction vanished: it may come back, of which nobody is told. */
const VANISHED_MS = 10 * 60_000

/** When a deposit is swapped, or goes back. */
const dueAt = ({ decision, deadlineAt, timeEstimateMs }: Order): number => {
  if (!decision) return deadlineAt + REFUND_MS
  return decision.outcome.ends === 'REFUNDED' ? decision.outcome.at : decision.completedAt + timeEstimateMs
}

const keptBy = ({ end }: Order): bigint => (end?.status === 'SUCCESS' ? end.kept : 0n)

export const createSettlement = (world: World, view: DepositView, hasFault: HasFault): Settlement => {
  const { clock, schedule } = world
  const { conclude, giveBack } = createConclude(world, view)

  /** Anew, when the deposit became complete, or incomplete, since. */
  const decide = (order: Order): void => {
    const completedAt = view.completedAt(order)
    if (completedAt === (order.decision?.completedAt ?? null)) return
    if (completedAt === null) {
      order.decision = null
      return
    }
    const fault = SETTLEMENT_FAULTS.find((name) => hasFault(name)) ?? null
    order.decision = { completedAt, outcome: decideOutcome(order, clock.now(), fault) }
  }

  const nextVisitAt = (order: Order): number | null => {
    const now = clock.now()
    const { paid, deadlineAt, end, returned } = order
    const endsAt = Math.max(deadlineAt, paid.at(-1)?.at ?? 0) + ADDRESS_LIFE_MS
    const unsent = view.seenAmount(order) - keptBy(order) - returned
    if (end) return end.status !== 'FAILED' && unsent > 0n && now < endsAt ? now + UNCONFIRMED_MS : null
    if (unsent > 0n && dueAt(order) > now) return dueAt(order)
    if (now >= endsAt) return null
    return now + (unsent > 0n ? UNCONFIRMED_MS : VANISHED_MS)
  }

  const visit = async (order: Order): Promise<void> => {
    await view.look(order)
    if (order.end) return order.end.status === 'FAILED' ? undefined : giveBack(order, keptBy(order))
    decide(order)
    const needed = order.decision ? order.amountIn : 1n
    if (clock.now() >= dueAt(order) && view.confirmedAmount(order) >= needed) await conclude(order)
  }

  const comeBack = (order: Order): void => {
    const visitAt = nextVisitAt(order)
    if (visitAt === null || (order.visitAt !== null && order.visitAt <= visitAt)) return
    order.visitAt = visitAt
    schedule.at(visitAt, async () => {
      // An earlier visit took its place.
      if (order.visitAt !== visitAt) return
      order.visitAt = null
      try {
        await visit(order)
      } finally {
        comeBack(order)
      }
    })
  }

  return {
    deposit: (order, { amount, txHash }) => {
      order.paid.push({ amount, at: clock.now(), txHash })
      if (!order.end) decide(order)
      comeBack(order)
    },
  }
}
