import type { ExpressionBuilder, Selectable } from 'kysely'
import { parseAddress } from '../core/address.ts'
import { parseAsset } from '../core/asset.ts'
import { ecosystemOf, isChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Payment, PaymentKind } from '../core/payment.ts'
import { parseTransactionId } from '../core/transactionId.ts'
import type { Database, PaymentsTable, Schema } from './schema.ts'

/** A transaction. */
type Where = Pick<Payment, 'chainId' | 'txHash'>

/** A payment that belongs to another swap. */
export type Taken = {
  readonly swapId: number
  readonly place: string
  readonly token: string
  readonly recipient: string
}

/** The payments of swaps. A payment belongs to one swap only, and a recorded payment stays known. */
export interface PaymentStore {
  /**
   * Records payments for a swap, including those it already has. False, and nothing recorded, if one belongs to another swap. May
   * reject with StoreError.
   */
  claim(swapId: number, payments: readonly Payment[]): Promise<boolean>
  /** The payments of a swap, in the order of their recording. */
  ofSwap(swapId: number): Promise<readonly Payment[]>
  /** What a transaction paid to other swaps, and all places of other swaps that start with `placesUnder`. */
  takenFrom(swapId: number, where: Where, placesUnder: string): Promise<readonly Taken[]>
  /** Marks the payments of a transaction to a swap as final. */
  setFinal(swapId: number, where: Where): Promise<void>
  /** Deletes the payments of a transaction to a swap after a reorganisation. */
  drop(swapId: number, where: Where): Promise<void>
}

/** Null for a row that no version of this service writes. */
const toPayment = (row: Selectable<PaymentsTable>): Payment | null => {
  const { chain_id: chainId } = row
  if (!isChainId(chainId)) return null
  const txHash = parseTransactionId(chainId, row.tx_hash)
  const token = parseAsset(chainId, row.token)?.address ?? null
  const recipient = parseAddress(ecosystemOf(chainId), row.recipient)
  if (txHash === null || token === null || recipient === null) return null
  return {
    kind: row.kind as PaymentKind,
    chainId,
    txHash,
    place: row.place,
    token,
    recipient,
    amount: row.amount === null ? null : BigInt(row.amount),
    orderId: row.order_id,
    paidAt: row.paid_at,
    isFinal: row.is_final === 1,
  }
}

const rowOf = (swapId: number, payment: Payment, now: number) => ({
  swap_id: swapId,
  kind: payment.kind,
  chain_id: payment.chainId,
  tx_hash: payment.txHash,
  place: payment.place,
  token: payment.token,
  recipient: payment.recipient,
  amount: payment.amount === null ? null : payment.amount.toString(),
  order_id: payment.orderId,
  paid_at: payment.paidAt,
  is_final: payment.isFinal ? 1 : 0,
  created_at: now,
})

export const createPaymentStore = (database: Database, clock: Clock): PaymentStore => {
  const ownerOf = async ({ chainId, place }: Payment): Promise<number | null> => {
    const query = database.selectFrom('payments').select('swap_id')
    const row = await query.where('chain_id', '=', chainId).where('place', '=', place).executeTakeFirst()
    return row?.swap_id ?? null
  }

  return {
    claim: async (swapId, payments) => {
      if (payments.length === 0) return true
      // One statement: a crash keeps the payment with its fee evidence, or neither.
      const added = await database
        .insertInto('payments')
        .values(payments.map((payment) => rowOf(swapId, payment, clock.now())))
        .onConflict((conflict) => conflict.columns(['chain_id', 'place']).doNothing())
        .returning(['id', 'chain_id', 'place'])
        .execute()
      const isAdded = ({ chainId, place }: Payment) => added.some((row) => row.chain_id === chainId && row.place === place)
      for (const payment of payments) {
        if (isAdded(payment) || (await ownerOf(payment)) === swapId) continue
        const ids = added.map(({ id }) => id)
        if (ids.length > 0) await database.deleteFrom('payments').where('id', 'in', ids).execute()
        return false
      }
      return true
    },
    ofSwap: async (swapId) => {
      const rows = await database.selectFrom('payments').selectAll().where('swap_id', '=', swapId).orderBy('id').execute()
      return rows.map(toPayment).filter((payment) => payment !== null)
    },
    takenFrom: async (swapId, { chainId, txHash }, placesUnder) => {
      const query = database.selectFrom('payments').select(['swap_id', 'place', 'token', 'recipient'])
      const others = query.where('chain_id', '=', chainId).where('swap_id', '!=', swapId)
      const isUnder = (eb: ExpressionBuilder<Schema, 'payments'>) =>
        // A range that the index on places serves: no place has a higher character.
        eb.and([eb('place', '>=', placesUnder), eb('place', '<', `${placesUnder}\uffff`)])
      const rows = await others.where((eb) => eb.or([eb('tx_hash', '=', txHash), isUnder(eb)])).execute()
      return rows.map(({ swap_id: owner, ...rest }) => ({ swapId: owner, ...rest }))
    },
    setFinal: async (swapId, { chainId, txHash }) => {
      const update = database.updateTable('payments').set({ is_final: 1 }).where('swap_id', '=', swapId)
      await update.where('chain_id', '=', chainId).where('tx_hash', '=', txHash).execute()
    },
    drop: async (swapId, { chainId, txHash }) => {
      const rows = database.deleteFrom('payments').where('swap_id', '=', swapId)
      await rows.where('chain_id', '=', chainId).where('tx_hash', '=', txHash).execute()
    },
  }
}
