import type { ExpressionBuilder, Selectable, UpdateObject } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Database, PaidCallsTable, Schema } from './schema.ts'

export type NewPaidCall = {
  /** Of one payment, whatever it is presented with. */
  readonly paymentKey: string
  /** Of one request with one payment. */
  readonly requestKey: string
  readonly requestId: string
  readonly operation: string
  /** CAIP-2. */
  readonly network: string
  readonly asset: string
  /** Smallest units. */
  readonly amount: bigint
  readonly payTo: string
  readonly payer: string
  /** JSON: what was signed, and for what. */
  readonly payment: string
}

export type PaidCall = Omit<NewPaidCall, 'payment'> & {
  /** Null once it is settled. */
  readonly payment: string | null
  /**
   * `working`: nobody was asked to settle it. `settling`: somebody may have been, and the answer stands. `settled`: it was paid,
   * by `transaction`.
   */
  readonly state: 'working' | 'settling' | 'settled'
  /** Until when it is its holder's alone, epoch ms. */
  readonly until: number
  /** JSON; null before there is one, and once it is kept no more. */
  readonly answer: string | null
  readonly transaction: string | null
  readonly createdAt: number
}

/** Who works on a call, and for how long it is nobody else's. */
export type Hold = { readonly holder: string; readonly leaseMs: number }

/** The payments of paid calls, one for each request. Every call may reject when the database is in trouble. */
export interface PaidCallStore {
  byKey(paymentKey: string): Promise<PaidCall | null>
  /** Takes a payment for a request, `working`. False where the payment was taken before, by whatever request. */
  add(call: NewPaidCall, hold: Hold): Promise<boolean>
  /**
   * Takes an unsettled call over from a holder whose time is up. A lease that lasts longer than any does was taken by a clock
   * that has since been set back.
   */
  claim(paymentKey: string, hold: Hold): Promise<boolean>
  /** All of these are its holder's alone to do, and answer false where it holds it no more. */
  prolong(paymentKey: string, hold: Hold): Promise<boolean>
  /** Gives a hold up before its time. */
  release(paymentKey: string, holder: string): Promise<boolean>
  /** Keeps the answer, and says that the payment may be settled from here on. */
  setSettling(paymentKey: string, holder: string, answer: string): Promise<boolean>
  setSettled(paymentKey: string, holder: string, transaction: string): Promise<boolean>
  /** Forgets an unsettled call: its payment was not used, and may be used for another. */
  drop(paymentKey: string, holder: string): Promise<boolean>
  /** Unsettled, their holders' time being up as for `claim`, the longest waiting first. */
  left(limit: number, leaseMs: number): Promise<readonly PaidCall[]>
  /** Gives up the answers of what was settled before. Answers with how many. */
  dropAnswers(settledBefore: number): Promise<number>
}

const toCall = (row: Selectable<PaidCallsTable>): PaidCall => ({
  paymentKey: row.payment_key,
  requestKey: row.request_key,
  requestId: row.request_id,
  operation: row.operation,
  network: row.network,
  asset: row.asset,
  amount: BigInt(row.amount),
  payTo: row.pay_to,
  payer: row.payer,
  payment: row.payment,
  state: row.state as PaidCall['state'],
  until: row.until,
  answer: row.answer,
  transaction: row.tx_hash,
  createdAt: row.created_at,
})

const rowOf = (call: NewPaidCall, { holder, leaseMs }: Hold, now: number) => ({
  payment_key: call.paymentKey,
  request_key: call.requestKey,
  request_id: call.requestId,
  operation: call.operation,
  network: call.network,
  asset: call.asset,
  amount: call.amount.toString(),
  pay_to: call.payTo,
  payer: call.payer,
  payment: call.payment,
  state: 'working',
  holder,
  until: now + leaseMs,
  answer: null,
  tx_hash: null,
  created_at: now,
  settled_at: null,
})

/** Whose lease is over, or was taken by a clock that has since been set back. */
const isFree = (where: ExpressionBuilder<Schema, 'paid_calls'>, now: number, leaseMs: number) =>
  where.or([where('until', '<=', now), where('until', '>', now + 2 * leaseMs)])

export const createPaidCallStore = (database: Database, clock: Clock): PaidCallStore => {
  const held = async (paymentKey: string, holder: string, change: UpdateObject<Schema, 'paid_calls'>): Promise<boolean> => {
    const own = database.updateTable('paid_calls').set(change).where('payment_key', '=', paymentKey)
    const update = own.where('holder', '=', holder).where('state', '!=', 'settled')
    return (await update.executeTakeFirst()).numUpdatedRows > 0n
  }
  const calls = () => database.selectFrom('paid_calls').selectAll()

  return {
    byKey: async (paymentKey) => {
      const row = await calls().where('payment_key', '=', paymentKey).executeTakeFirst()
      return row ? toCall(row) : null
    },
    add: async (call, hold) => {
      const row = await database
        .insertInto('paid_calls')
        .values(rowOf(call, hold, clock.now()))
        .onConflict((conflict) => conflict.column('payment_key').doNothing())
        .returning('payment_key')
        .executeTakeFirst()
      return row !== undefined
    },
    claim: async (paymentKey, { holder, leaseMs }) => {
      const now = clock.now()
      const update = database
        .updateTable('paid_calls')
        .set({ holder, until: now + leaseMs })
        .where('payment_key', '=', paymentKey)
        .where('state', '!=', 'settled')
        .where((where) => isFree(where, now, leaseMs))
      return (await update.executeTakeFirst()).numUpdatedRows > 0n
    },
    prolong: (paymentKey, { holder, leaseMs }) => held(paymentKey, holder, { until: clock.now() + leaseMs }),
    // Not before now: of those that are left, the one that was looked at longest ago is the next.
    release: (paymentKey, holder) => held(paymentKey, holder, { until: clock.now() }),
    setSettling: (paymentKey, holder, answer) => held(paymentKey, holder, { state: 'settling', answer }),
    setSettled: (paymentKey, holder, transaction) =>
      held(paymentKey, holder, { state: 'settled', tx_hash: transaction, settled_at: clock.now(), payment: null }),
    drop: async (paymentKey, holder) => {
      const own = database.deleteFrom('paid_calls').where('payment_key', '=', paymentKey).where('holder', '=', holder)
      return (await own.where('state', '!=', 'settled').executeTakeFirst()).numDeletedRows > 0n
    },
    left: async (limit, leaseMs) => {
      const open = calls().where('state', 'in', ['working', 'settling'])
      const free = open.where((where) => isFree(where, clock.now(), leaseMs))
      return (await free.orderBy('until').limit(limit).execute()).map(toCall)
    },
    dropAnswers: async (settledBefore) => {
      const old = database.updateTable('paid_calls').set({ answer: null }).where('settled_at', '<', settledBefore)
      return Number((await old.where('answer', 'is not', null).executeTakeFirst()).numUpdatedRows)
    },
  }
}
