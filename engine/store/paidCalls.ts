import type { ExpressionBuilder, Selectable, UpdateObject } from 'kysely'
import type { Clock } from '../core/clock.ts'
import type { Database, PaidCallsTable, Schema } from './schema.ts'

export type NewPaidCall = {
  /** Identifies the payment, whatever request carries it. */
  readonly paymentKey: string
  /** Identifies one request with one payment. */
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
  /** JSON of the signed payment and its purpose. */
  readonly payment: string
}

export type PaidCall = Omit<NewPaidCall, 'payment'> & {
  /** Null after settlement. */
  readonly payment: string | null
  /**
   * `working`: settlement was not requested. `settling`: it may have been requested, and the answer is final. `settled`:
   * `transaction` paid it.
   */
  readonly state: 'working' | 'settling' | 'settled'
  /** The end of the holder's lease, epoch ms. */
  readonly until: number
  /** JSON; null before there is an answer, and after its retention. */
  readonly answer: string | null
  readonly transaction: string | null
  readonly createdAt: number
}

/** The holder of a call, and the length of its lease. */
export type Hold = { readonly holder: string; readonly leaseMs: number }

/** Payments of paid calls, one per request. Every call may reject with StoreError. */
export interface PaidCallStore {
  byKey(paymentKey: string): Promise<PaidCall | null>
  /** Adds a payment for a request as `working`. False if any request used the payment before. */
  add(call: NewPaidCall, hold: Hold): Promise<boolean>
  /**
   * Takes over an unsettled call whose lease expired. A lease that ends later than any possible one was taken before the clock
   * was set back, and counts as expired.
   */
  claim(paymentKey: string, hold: Hold): Promise<boolean>
  /** Like all calls below, only for the holder: false if the lease is lost. */
  prolong(paymentKey: string, hold: Hold): Promise<boolean>
  /** Releases the lease early. */
  release(paymentKey: string, holder: string): Promise<boolean>
  /** Stores the answer and allows the settlement. */
  setSettling(paymentKey: string, holder: string, answer: string): Promise<boolean>
  setSettled(paymentKey: string, holder: string, transaction: string): Promise<boolean>
  /** Deletes an unsettled call: its payment remains unused and may pay for another request. */
  drop(paymentKey: string, holder: string): Promise<boolean>
  /** Unsettled calls with an expired lease, longest waiting first. */
  left(limit: number, leaseMs: number): Promise<readonly PaidCall[]>
  /** Deletes answers of calls that were settled before this time. Returns their number. */
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

/** True if the lease expired, or was taken before the clock was set back. */
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
    // `now` rather than earlier: the call that was tried longest ago is next.
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
