import type { ExpressionBuilder } from 'kysely'
import { parseAddress } from '../core/address.ts'
import type { SwapState } from '../core/swapStatus.ts'
import type { Database, Schema } from './schema.ts'
import { type SwapRecord, toSwapRecord } from './swaps.ts'

/** Filters of a search. An absent field matches every swap. */
export type SwapSearch = {
  readonly id?: number
  readonly quoteId?: string
  /** The request that executed it. */
  readonly requestId?: string
  /** The swap's ref, or a transaction that paid the swap or was broadcast for it. */
  readonly ref?: string
  /** The partner of the quote or of the execution. */
  readonly partnerId?: string
  readonly venue?: string
  readonly states?: readonly SwapState[]
  /** Epoch ms. */
  readonly createdFrom?: number
  readonly createdBefore?: number
  /** Only swaps that settlement abandoned. */
  readonly isAbandoned?: true
  /** Only those whose named transaction no chain shows. */
  readonly isUnseen?: true
}

export type SwapPage = { readonly beforeId: number | null; readonly limit: number }

type Where = ExpressionBuilder<Schema, 'swaps'>

/** The spellings of a ref: hexadecimal is stored in lower case, or with a checksum. */
const spellingsOf = (ref: string): readonly string[] => {
  const hex = /^0x[0-9a-f]+$/i.test(ref) ? [ref.toLowerCase(), parseAddress('evm', ref.toLowerCase()) ?? ref] : []
  return [...new Set([ref, ...hex])]
}

/** A union, so that each table uses its own index; an OR over several tables would not. */
const byRef = (where: Where, ref: string) => {
  const spellings = spellingsOf(ref)
  const named = where.selectFrom('swaps as named').select('named.id').where('named.ref', 'in', spellings)
  const paid = where.selectFrom('payments').select('payments.swap_id as id').where('payments.tx_hash', 'in', spellings)
  const sent = where.selectFrom('broadcasts').select('broadcasts.swap_id as id').where('broadcasts.tx_hash', 'in', spellings)
  return where('id', 'in', named.union(paid).union(sent))
}

const abandoned = (where: Where) =>
  where('id', 'in', where.selectFrom('settlement').select('swap_id').where('abandoned_at', 'is not', null))

/** Returns one page, newest first, without archived swaps. */
export const searchSwaps = async (
  database: Database,
  { id, quoteId, requestId, ref, partnerId, venue, states, createdFrom, createdBefore, isAbandoned, isUnseen }: SwapSearch,
  { beforeId, limit }: SwapPage,
): Promise<readonly SwapRecord[]> => {
  let query = database.selectFrom('swaps').selectAll('swaps').where('archived_at', 'is', null)
  if (beforeId !== null) query = query.where('id', '<', beforeId)
  if (id !== undefined) query = query.where('id', '=', id)
  if (quoteId !== undefined) query = query.where('quote_id', '=', quoteId)
  if (requestId !== undefined) query = query.where('request_id', '=', requestId)
  if (ref !== undefined) query = query.where((where) => byRef(where, ref))
  if (partnerId !== undefined)
    query = query.where((where) => where.or([where('partner_id', '=', partnerId), where('executed_by', '=', partnerId)]))
  if (venue !== undefined) query = query.where('venue', '=', venue)
  if (states !== undefined) query = query.where('state', 'in', states)
  if (createdFrom !== undefined) query = query.where('created_at', '>=', createdFrom)
  if (createdBefore !== undefined) query = query.where('created_at', '<', createdBefore)
  if (isUnseen) query = query.where('state', 'in', ['pending', 'not_found']).where('named_tx', 'is not', null)
  if (isAbandoned) query = query.where(abandoned)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toSwapRecord)
}
