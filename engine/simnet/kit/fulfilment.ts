import { createDeposits, type Deposits, type OnChain, type Payment, sumOf } from './deposits.ts'
import { type Fate, fails } from './fate.ts'
import { isWorthSending } from './payOut.ts'
import type { SimClock, World } from './world.ts'

/** What a venue promised for a deposit. */
export type Terms = {
  readonly input: OnChain
  /** With less the deposit is not complete. */
  readonly amountNeeded: bigint
  /** Taken out of what goes back. Smallest units of the input. */
  readonly refundCost: bigint
  /** How long a deposit may come. Epoch ms. */
  readonly openUntil: number
  /** How long the venue waits once it has seen the deposit in a block. */
  readonly settleMs: number
}

/** What will be done about a deposit that was complete at `completedAt`, or is not. */
type Decided = Fate & { readonly completedAt: number | null }

/** How the fulfilment of an order stands. The venue reads it; what changes it is `createFulfilment`. */
export type Progress = {
  paid: readonly Payment[]
  fate: Decided | null
  /** When enough of it was first seen in blocks. */
  confirmedAt: number | null
  /** How it ended, and by which transaction it was delivered. */
  end: (Fate & { readonly txHash: string | null }) | null
  /** Of the deposit, what was sent back or was too little to be: costs included. */
  returned: bigint
  /** What was sent back, each with its transaction. */
  refunds: readonly { readonly amount: bigint; readonly txHash: string }[]
  /** When the order is looked after next. */
  visitAt: number | null
}

export const untouched = (): Progress => ({
  paid: [],
  fate: null,
  confirmedAt: null,
  end: null,
  returned: 0n,
  refunds: [],
  visitAt: null,
})

/** What is a venue's own of the fulfilment. */
export type Rules<O> = {
  /** At the price of now. `completedAt` is null for a deposit that is short. */
  decide(order: O, completedAt: number | null): Fate
  /** Instead of a fill that the chain refused. */
  instead(order: O): Fate
  /** Pays the recipient, and gives the hash of that. Rejects where the chain refuses. */
  deliver(order: O, amount: bigint): Promise<string>
  /** Pays the depositor, likewise. */
  giveBack(order: O, amount: bigint): Promise<string>
  /** Nothing of the deposit is on its chain when it is looked for. It is looked for again, unless this ends the order. */
  vanished(order: O): void
}

export interface Fulfilment<O> extends Pick<Deposits, 'seen' | 'completedAt'> {
  /** Takes note of a payment, and sees it through: to its fill, or back to where it came from. */
  pay(order: O, payment: { readonly txHash: string; readonly amount: bigint }): void
  /** Calls back should a vanished payment in bitcoin return, of which nobody is told. */
  whenBack(payment: Payment, work: () => void): void
}

/** To the next look at a deposit that is not in a block yet. */
const UNCONFIRMED_MS = 60_000
/** To the next look for one whose transaction vanished. */
const VANISHED_MS = 10 * 60_000
/** How long after the last payment, or the last moment to pay, an order is looked after. */
const PATIENCE_MS = 3 * 24 * 3_600_000

/** Ends orders by transactions on the chains; both reject where a chain refuses. */
const createConclude = <O extends Terms & Progress>(rules: Rules<O>, confirmed: Deposits['confirmed'], clock: SimClock) => {
  /** What is confirmed of the deposit beyond what the venue keeps, less the cost of sending it. */
  const giveBack = async (order: O, keeps: bigint): Promise<void> => {
    const owed = confirmed(order) - keeps - order.returned
    if (owed <= 0n) return
    // Noted before it is tried, so that it is never sent twice.
    order.returned += owed
    const amount = owed - order.refundCost
    if (!isWorthSending(order.input, amount)) return
    try {
      order.refunds = [...order.refunds, { amount, txHash: await rules.giveBack(order, amount) }]
    } catch (error) {
      order.end ??= { ...fails(clock.now(), order.fate?.reason ?? null), txHash: null }
      throw error
    }
  }

  const deliver = async (order: O, { amount, completedAt }: Decided): Promise<string> => {
    try {
      return await rules.deliver(order, amount)
    } catch (error) {
      order.fate = { ...rules.instead(order), completedAt }
      throw error
    }
  }

  const conclude = async (order: O, fate: Decided): Promise<void> => {
    if (fate.ends === 'filled' && !fate.isClaim) order.end = { ...fate, txHash: await deliver(order, fate) }
    if (fate.keeps !== null) await giveBack(order, fate.keeps)
    order.end ??= { ...fate, txHash: null }
  }
  return { conclude, giveBack }
}

/** Looks after orders by the network's time. Each is visited when something is due, and until nothing can come any more. */
export const createFulfilment = <O extends Terms & Progress>(world: World, rules: Rules<O>): Fulfilment<O> => {
  const { clock, schedule, bitcoin } = world
  const { look, seen, confirmed, completedAt } = createDeposits(world)

  /** Anew, when the deposit became complete, or incomplete, since. */
  const decide = (order: O): void => {
    const at = completedAt(order)
    if (seen(order).length === 0) order.fate = null
    else if (!order.fate || order.fate.completedAt !== at) order.fate = { ...rules.decide(order, at), completedAt: at }
  }

  const { conclude, giveBack } = createConclude(rules, confirmed, clock)

  const isConfirmed = (order: O): boolean =>
    confirmed(order) >= (order.fate === null || order.fate.completedAt === null ? 1n : order.amountNeeded)

  const dueAt = ({ fate, confirmedAt, settleMs }: O): number => Math.max(fate?.at ?? 0, (confirmedAt ?? 0) + settleMs)

  const visit = async (order: O): Promise<void> => {
    await look(order)
    if (order.end) return order.end.keeps === null ? undefined : giveBack(order, order.end.keeps)
    if (order.paid.length > 0 && seen(order).length === 0) rules.vanished(order)
    decide(order)
    order.confirmedAt = isConfirmed(order) ? (order.confirmedAt ?? clock.now()) : null
    const { fate, confirmedAt, end } = order
    if (fate && !end && confirmedAt !== null && clock.now() >= dueAt(order)) await conclude(order, fate)
  }

  const nextVisitAt = (order: O): number | null => {
    const now = clock.now()
    const { paid, fate, confirmedAt, end, returned, openUntil } = order
    const isOver = now >= Math.max(openUntil, paid.at(-1)?.at ?? 0) + PATIENCE_MS
    const unsent = sumOf(seen(order)) - (end?.keeps ?? 0n) - returned
    if (end && (end.keeps === null || isOver)) return null
    if (end && unsent <= 0n) return end.ends === 'failed' ? now + VANISHED_MS : null
    const dueMs = dueAt(order)
    if (!end && fate && dueMs > now) return confirmedAt === null ? Math.min(dueMs, now + UNCONFIRMED_MS) : dueMs
    if (isOver || paid.length === 0) return null
    return now + (unsent > 0n ? UNCONFIRMED_MS : VANISHED_MS)
  }

  const comeBack = (order: O): void => {
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

  const whenBack = (payment: Payment, work: () => void, until = clock.now() + PATIENCE_MS): void =>
    schedule.at(clock.now() + VANISHED_MS, () => {
      if (bitcoin.confirmations(payment.txHash) !== null) work()
      else if (clock.now() < until) whenBack(payment, work, until)
    })

  const pay: Fulfilment<O>['pay'] = (order, { txHash, amount }) => {
    order.paid = [...order.paid, { txHash, amount, at: clock.now() }]
    if (!order.end) decide(order)
    comeBack(order)
  }

  return { pay, seen, completedAt, whenBack: (payment, work) => whenBack(payment, work) }
}
