import { type Selectable, sql, type Updateable } from 'kysely'
import { parseAmount } from '../core/amount.ts'
import type { Clock } from '../core/clock.ts'
import type { FeeOwner } from '../core/partner.ts'
import type { ExecutedSwap } from '../core/swap.ts'
import { isTerminal, type SwapState, type SwapStatus } from '../core/swapStatus.ts'
import type { ToldRace } from '../core/toldRace.ts'
import type { Database, SwapsTable } from './schema.ts'
import { readDocument, writeDocument } from './swapDocument.ts'

/** One executed quote with one pair of addresses. */
export type SwapRecord = {
  readonly id: number
  readonly quoteId: string
  /** The partner whose key requested the quote. */
  readonly partnerId: string | null
  /** The owner of the integrator fee. */
  readonly feeOf: FeeOwner
  /** The partner that is notified of the end: by the key of the execution, else of the quote. */
  readonly executedBy: string | null
  /** The request that executed the swap; empty in rows of earlier versions. */
  readonly requestId: string
  /** The key that sealed the executed quote token, which `/status` needs. Null in rows of earlier versions. */
  readonly tokenKey: string | null
  readonly isSandbox: boolean
  /** The swap's id at the venue: deposit address, order uid, or the recognised transaction; else null. */
  readonly ref: string | null
  readonly swap: ExecutedSwap
  /** The last recorded status; `pending` before the first. */
  readonly status: SwapStatus
  /** True once a status was recorded or the venue accepted the signed payload. */
  readonly isFollowed: boolean
  /** When the service first started to post the signed payload, which the venue may have accepted; else null. Epoch ms. */
  readonly postingAt: number | null
  /** When the venue accepted the signed payload; null until then. Epoch ms. */
  readonly submittedAt: number | null
  /** When the swap first ended; null until then. A reorganisation that removes the end leaves it unchanged. Epoch ms. */
  readonly endedAt: number | null
  /** The first transaction that a `/status` request named while no chain showed it. It may be invented. */
  readonly namedTx: string | null
  readonly createdAt: number
}

/** The parties that earn by a swap. */
export type SwapEarner = Pick<SwapRecord, 'partnerId' | 'feeOf'>

export type NewSwap = Pick<
  SwapRecord,
  'quoteId' | 'partnerId' | 'feeOf' | 'executedBy' | 'requestId' | 'tokenKey' | 'isSandbox' | 'ref' | 'swap'
> & {
  readonly bindingKey: string
  /** The race that its quote won, for operators: see OperatorReads. Omitted or null if unknown. */
  readonly race?: ToldRace | null
}

/** The swaps that were executed. Every call may reject when the disk is in trouble. */
export interface SwapStore {
  /** Stores a swap, or returns the one already stored for that quote and binding. */
  add(swap: NewSwap): Promise<SwapRecord>
  find(quoteId: string, bindingKey: string): Promise<SwapRecord | null>
  /** Null for an archived swap, too. */
  byId(id: number): Promise<SwapRecord | null>
  /** True if a swap of another quote has the ref. */
  isOfAnotherQuote(ref: string, quoteId: string): Promise<boolean>
  /** The state and earning parties of the swaps that exist. */
  earningsOf(ids: readonly number[]): Promise<ReadonlyMap<number, SwapEarner & { readonly state: SwapState }>>
  /** All executions of one quote, newest first. */
  ofQuote(quoteId: string): Promise<readonly SwapRecord[]>
  /** Reserves the swap for its signed payload before the service posts it. */
  setPosting(id: number): Promise<void>
  /** Records that the venue accepted the signed payload, and the swap's ref at the venue. */
  setSubmitted(id: number, ref: string): Promise<void>
  /**
   * Writes the last status and the swap's ref. The lifecycle decides whether the status may follow. Records the time of the first
   * end.
   */
  setStatus(id: number, status: SwapStatus, ref: string | null): Promise<void>
  /** Records a transaction that no chain shows, and the time. */
  setNamed(id: number, txHash: string): Promise<void>
}

export const toSwapRecord = (row: Selectable<SwapsTable>): SwapRecord => ({
  id: row.id,
  quoteId: row.quote_id,
  partnerId: row.partner_id,
  feeOf: row.fee_of as FeeOwner,
  executedBy: row.executed_by,
  requestId: row.request_id,
  tokenKey: row.token_key,
  isSandbox: row.is_sandbox === 1,
  ref: row.ref,
  swap: readDocument(row.document),
  status: {
    state: row.state as SwapState,
    venueStatus: row.venue_status,
    deliveredAmount: parseAmount(row.delivered_amount),
    txHash: row.tx_hash,
  },
  isFollowed: row.followed_at !== null,
  postingAt: row.posting_at,
  submittedAt: row.submitted_at,
  endedAt: row.ended_at,
  namedTx: row.named_tx,
  createdAt: row.created_at,
})

const newRow = (
  { quoteId, bindingKey, partnerId, feeOf, executedBy, requestId, tokenKey, isSandbox, ref, swap, race = null }: NewSwap,
  now: number,
) => ({
  quote_id: quoteId,
  binding_key: bindingKey,
  venue: swap.offer.venue,
  partner_id: partnerId,
  fee_of: feeOf,
  executed_by: executedBy,
  request_id: requestId,
  token_key: tokenKey,
  execution_type: swap.execution.payload.executionType,
  is_sandbox: isSandbox ? 1 : 0,
  ref,
  document: writeDocument(swap),
  state: 'pending',
  venue_status: null,
  delivered_amount: null,
  tx_hash: null,
  submitted_at: null,
  posting_at: null,
  followed_at: null,
  ended_at: null,
  created_at: now,
  updated_at: now,
  race: race && JSON.stringify(race),
})

const readEarnings = async (
  database: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SwapEarner & { readonly state: SwapState }>> => {
  if (ids.length === 0) return new Map()
  const rows = await database.selectFrom('swaps').select(['id', 'state', 'partner_id', 'fee_of']).where('id', 'in', ids).execute()
  return new Map(
    rows.map((row) => [row.id, { state: row.state as SwapState, partnerId: row.partner_id, feeOf: row.fee_of as FeeOwner }]),
  )
}

export const createSwapStore = (database: Database, clock: Clock): SwapStore => {
  const find: SwapStore['find'] = async (quoteId, bindingKey) => {
    const row = await database
      .selectFrom('swaps')
      .selectAll()
      .where('quote_id', '=', quoteId)
      .where('binding_key', '=', bindingKey)
      .executeTakeFirst()
    return row ? toSwapRecord(row) : null
  }

  const byId: SwapStore['byId'] = async (id) => {
    const row = await database
      .selectFrom('swaps')
      .selectAll()
      .where('id', '=', id)
      .where('archived_at', 'is', null)
      .executeTakeFirst()
    return row ? toSwapRecord(row) : null
  }

  const add: SwapStore['add'] = async (swap) => {
    const { quoteId, bindingKey } = swap
    await database
      .insertInto('swaps')
      .values(newRow(swap, clock.now()))
      .onConflict((conflict) => conflict.columns(['quote_id', 'binding_key']).doNothing())
      .execute()
    const stored = await find(quoteId, bindingKey)
    if (!stored) throw new Error('a swap was stored and is not there')
    return stored
  }

  const isOfAnotherQuote: SwapStore['isOfAnotherQuote'] = async (ref, quoteId) => {
    const query = database.selectFrom('swaps').select('id').where('ref', '=', ref).where('quote_id', '!=', quoteId)
    return (await query.limit(1).executeTakeFirst()) !== undefined
  }

  const ofQuote: SwapStore['ofQuote'] = async (quoteId) => {
    const rows = await database.selectFrom('swaps').selectAll().where('quote_id', '=', quoteId).orderBy('id', 'desc').execute()
    return rows.map(toSwapRecord)
  }

  const update = async (id: number, values: Updateable<SwapsTable>): Promise<void> => {
    await database.updateTable('swaps').set(values).where('id', '=', id).execute()
  }

  const setPosting: SwapStore['setPosting'] = (id) => update(id, { posting_at: clock.now() })

  const setSubmitted: SwapStore['setSubmitted'] = async (id, ref) => {
    const now = clock.now()
    await update(id, { ref, submitted_at: now, followed_at: now, updated_at: now })
  }

  const setStatus: SwapStore['setStatus'] = async (id, { state, venueStatus, deliveredAmount, txHash }, ref) => {
    const now = clock.now()
    await database
      .updateTable('swaps')
      .set({
        ref,
        state,
        venue_status: venueStatus,
        delivered_amount: deliveredAmount === null ? null : deliveredAmount.toString(),
        tx_hash: txHash,
        followed_at: now,
        updated_at: now,
        ...(isTerminal(state) && { ended_at: sql<number>`coalesce(ended_at, ${now})` }),
      })
      .where('id', '=', id)
      .execute()
  }

  const setNamed: SwapStore['setNamed'] = (id, txHash) => update(id, { named_tx: txHash, named_at: clock.now() })

  const earningsOf: SwapStore['earningsOf'] = (ids) => readEarnings(database, ids)
  return { add, find, byId, isOfAnotherQuote, earningsOf, ofQuote, setPosting, setSubmitted, setStatus, setNamed }
}
