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
  /** Whose key the quote was asked with. */
  readonly partnerId: string | null
  /** Whose the integrator fee is. */
  readonly feeOf: FeeOwner
  /** Who is told how it ended: the key of the call that executed it, else the quote's. */
  readonly executedBy: string | null
  /** The request that executed it; empty in rows of before this was kept. */
  readonly requestId: string
  /** The key that the token it was executed with is sealed under: `/status` needs it. Null in rows of before this was kept. */
  readonly tokenKey: string | null
  readonly isSandbox: boolean
  /** What the venue knows the swap by: deposit address, order uid, or the transaction once it recognised one; else null. */
  readonly ref: string | null
  readonly swap: ExecutedSwap
  /** The last status that was seen; `pending` until one was. */
  readonly status: SwapStatus
  /** Whether one was, or the signed payload was taken. */
  readonly isFollowed: boolean
  /** When the signed payload was first about to be handed to the venue, which may have taken it since; else null. Epoch ms. */
  readonly postingAt: number | null
  /** When the signed payload was handed to the venue; null until then. Epoch ms. */
  readonly submittedAt: number | null
  /** When the swap first came to an end; null until it did. Stays, though the chain may take the end back. Epoch ms. */
  readonly endedAt: number | null
  /** The transaction that `/status` was first asked for while no chain showed it. It may be made up. */
  readonly namedTx: string | null
  readonly createdAt: number
}

/** What tells who earns by a swap. */
export type SwapEarner = Pick<SwapRecord, 'partnerId' | 'feeOf'>

export type NewSwap = Pick<
  SwapRecord,
  'quoteId' | 'partnerId' | 'feeOf' | 'executedBy' | 'requestId' | 'tokenKey' | 'isSandbox' | 'ref' | 'swap'
> & {
  readonly bindingKey: string
  /** The race that its quote won, kept for whoever asks later: see OperatorReads. Left out, or null, where that is not known. */
  readonly race?: ToldRace | null
}

/** The swaps that were executed. Every call may reject when the disk is in trouble. */
export interface SwapStore {
  /** Stores a swap, or answers with the one already stored for that quote and binding: the first one stands. */
  add(swap: NewSwap): Promise<SwapRecord>
  find(quoteId: string, bindingKey: string): Promise<SwapRecord | null>
  /** Null of one that was archived, too. */
  byId(id: number): Promise<SwapRecord | null>
  /** True when a ref is known to be that of a swap of another quote. */
  isOfAnotherQuote(ref: string, quoteId: string): Promise<boolean>
  /** How these stand and who earns by them, as far as they are there. */
  earningsOf(ids: readonly number[]): Promise<ReadonlyMap<number, SwapEarner & { readonly state: SwapState }>>
  /** All executions of one quote, newest first. */
  ofQuote(quoteId: string): Promise<readonly SwapRecord[]>
  /** Reserves the swap for its signed payload, before that is handed to the venue. */
  setPosting(id: number): Promise<void>
  /** Records that the venue took the signed payload, and what it knows the swap by. */
  setSubmitted(id: number, ref: string): Promise<void>
  /**
   * Writes the last status seen, and what the venue recognised the swap by. Whether it may follow is the lifecycle's to say.
   * The first end is noted with its time.
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
