import { type Selectable, sql } from 'kysely'
import type { PartnerKind } from '../core/partner.ts'
import { isTerminal, type SwapState } from '../core/swapStatus.ts'
import type { ToldRace } from '../core/toldRace.ts'
import { type LedgerEntry, type LedgerLine, payoutEntries } from './ledger.ts'
import { type PartnerEvent, toEvent } from './partnerEvents.ts'
import { type Contacts, type PartnerPage, partnersBeyond } from './partners.ts'
import type { Database, LedgerEntriesTable, LedgerLinesTable } from './schema.ts'
import { PASSED } from './settlementQueue.ts'
import { type SwapPage, type SwapSearch, searchSwaps } from './swapSearch.ts'
import type { SwapRecord } from './swaps.ts'

/** The records of a swap besides its row, payments and ledger entries. */
export type SwapHistory = {
  readonly events: readonly PartnerEvent[]
  /** Null if settlement does not follow the swap. */
  readonly queue: {
    readonly isPaid: boolean
    readonly dueAt: number
    readonly looks: number
    readonly abandonedAt: number | null
  } | null
}

/** Open swaps per token key and state. */
export type TokenKeyUse = {
  /** Null for swaps that are older than this column. */
  readonly tokenKey: string | null
  readonly state: SwapState
  readonly swaps: number
  /** When the newest of them was created. */
  readonly newestAt: number
}

/** Open swaps per state, without sandboxed ones. */
export type OpenSwaps = {
  readonly state: SwapState
  /** Capped at 100,000. */
  readonly count: number
  /** Null without open swaps. */
  readonly oldestAt: number | null
}

/** The progress of background work. */
export type Backlog = {
  readonly looks: { readonly open: number; readonly due: number; readonly oldestDueAt: number | null; readonly abandoned: number }
  /** When the oldest payload without a payment on chain was posted, or named to `/status`; null without one. */
  readonly oldestUnseenAt: number | null
  readonly deliveries: { readonly due: number; readonly oldestDueAt: number | null; readonly unfinished: number }
  readonly leases: readonly { readonly name: string; readonly holder: string; readonly until: number }[]
  /** When `npm run backup` last ended, by the wall clock; null if never. */
  readonly backedUpAt: number | null
  /** When a settlement pass last ended on any instance, by the wall clock; null if never. */
  readonly passedAt: number | null
}

/** Contact details of a partner. */
export type KeptContacts = { readonly partnerId: string; readonly kind: PartnerKind; readonly contacts: Contacts }

/** The name of the fact "time of the last backup", epoch ms. */
export const BACKED_UP = 'backedUpAt'

const OPEN_STATES = ['pending', 'processing', 'expired', 'not_found', 'unknown'] as const satisfies readonly SwapState[]

export type Page = { readonly beforeId: number | null; readonly limit: number }

/** All given conditions must hold. Times are epoch ms; `until` is exclusive. */
export type AccessSearch = {
  readonly from?: number
  readonly until?: number
  readonly operation?: string
  /** CAIP-2. */
  readonly network?: string
}

/** Reads for the operator only; serving requests needs none of them. Every call may reject with StoreError. */
export interface OperatorReads {
  /** Newest first. */
  swaps(search: SwapSearch, page: SwapPage): Promise<readonly SwapRecord[]>
  historyOf(swapId: number): Promise<SwapHistory>
  /** The race report of the quote of a swap; null if unknown. */
  raceOf(swapId: number): Promise<ToldRace | null>
  /** Open swaps per token key, without sandboxed ones. */
  tokenKeyUses(): Promise<readonly TokenKeyUse[]>
  /** Payouts, newest first, of one partner or of all. */
  payouts(page: Page, partnerId: string | null): Promise<readonly LedgerEntry[]>
  /** Ledger entries of paid calls, newest first. */
  accessPayments(search: AccessSearch, page: Page): Promise<readonly LedgerEntry[]>
  /** Failed deliveries, newest first, of one partner or of all. */
  failedDeliveries(page: Page, partnerId: string | null): Promise<readonly PartnerEvent[]>
  /** Contacts after a partner, oldest partner first. */
  contacts(page: PartnerPage): Promise<readonly KeptContacts[]>
  backlog(now: number): Promise<Backlog>
  /** One row for each state that is not final, from an index of open swaps. */
  openSwaps(): Promise<readonly OpenSwaps[]>
}

const toLine = (row: Selectable<LedgerLinesTable>): LedgerLine => ({
  account: row.account as LedgerLine['account'],
  side: row.side as LedgerLine['side'],
  ecosystem: row.ecosystem as LedgerLine['ecosystem'],
  chainId: row.chain_id as LedgerLine['chainId'],
  token: row.token,
  amount: BigInt(row.amount),
})

const withLines = async (
  database: Database,
  entries: readonly Selectable<LedgerEntriesTable>[],
): Promise<readonly LedgerEntry[]> => {
  if (entries.length === 0) return []
  const ids = entries.map(({ id }) => id)
  const lines = await database.selectFrom('ledger_lines').selectAll().where('entry_id', 'in', ids).orderBy('id').execute()
  return entries.map((entry) => ({
    id: entry.id,
    key: entry.key,
    kind: entry.kind as LedgerEntry['kind'],
    swapId: entry.swap_id,
    document: JSON.parse(entry.document) as LedgerEntry['document'],
    createdAt: entry.created_at,
    lines: lines.filter((line) => line.entry_id === entry.id).map(toLine),
  }))
}

const historyOf = async (database: Database, swapId: number): Promise<SwapHistory> => {
  const events = await database.selectFrom('partner_events').selectAll().where('swap_id', '=', swapId).orderBy('id').execute()
  const queue = await database.selectFrom('settlement').selectAll().where('swap_id', '=', swapId).executeTakeFirst()
  return {
    events: events.map(toEvent),
    queue: queue
      ? { isPaid: queue.is_paid === 1, dueAt: queue.due_at, looks: queue.looks, abandonedAt: queue.abandoned_at }
      : null,
  }
}

const raceOf = async (database: Database, swapId: number): Promise<ToldRace | null> => {
  const row = await database.selectFrom('swaps').select('race').where('id', '=', swapId).executeTakeFirst()
  return row?.race ? (JSON.parse(row.race) as ToldRace) : null
}

const tokenKeyUses = async (database: Database): Promise<readonly TokenKeyUse[]> => {
  const rows = await database
    .selectFrom('swaps')
    .select((select) => ['token_key', 'state', select.fn.countAll().as('swaps'), select.fn.max('created_at').as('newest')])
    .where('is_sandbox', '=', 0)
    .groupBy(['token_key', 'state'])
    .execute()
  return rows
    .map((row) => ({
      tokenKey: row.token_key,
      state: row.state as SwapState,
      swaps: Number(row.swaps),
      newestAt: Number(row.newest),
    }))
    .filter(({ state }) => !isTerminal(state))
}

const payouts = async (
  database: Database,
  { beforeId, limit }: Page,
  partnerId: string | null,
): Promise<readonly LedgerEntry[]> => {
  let query = payoutEntries(database, partnerId)
  if (beforeId !== null) query = query.where('id', '<', beforeId)
  return withLines(database, await query.orderBy('id', 'desc').limit(limit).execute())
}

/** A pattern for one field of an entry's document. JSON escapes quotes within values, so the match is unambiguous. */
const written = (field: string, word: string): string => `%"${field}":"${word.replaceAll(/[\\%_]/g, '\\$&')}"%`

const accessPayments = async (
  database: Database,
  { from, until, operation, network }: AccessSearch,
  { beforeId, limit }: Page,
): Promise<readonly LedgerEntry[]> => {
  let query = database.selectFrom('ledger_entries').selectAll().where('kind', '=', 'access')
  if (beforeId !== null) query = query.where('id', '<', beforeId)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<', until)
  for (const [field, word] of Object.entries({ operation, network }))
    if (word !== undefined) query = query.where(sql<boolean>`document like ${written(field, word)} escape '\\'`)
  return withLines(database, await query.orderBy('id', 'desc').limit(limit).execute())
}

const failedDeliveries = async (
  database: Database,
  { beforeId, limit }: Page,
  partnerId: string | null,
): Promise<readonly PartnerEvent[]> => {
  let query = database
    .selectFrom('partner_events')
    .selectAll()
    .where((where) =>
      where.or([
        where('delivery', 'in', ['failed', 'started']),
        where.and([where('delivery', '=', 'answered'), where.or([where('answered', '<', 200), where('answered', '>', 299)])]),
      ]),
    )
  if (beforeId !== null) query = query.where('id', '<', beforeId)
  if (partnerId !== null) query = query.where('partner_id', '=', partnerId)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toEvent)
}

const contacts = async (database: Database, page: PartnerPage): Promise<readonly KeptContacts[]> => {
  const rows = await partnersBeyond(database, page)
    .innerJoin('partner_contacts', 'partner_contacts.partner_id', 'partners.id')
    .select(['partners.id', 'partners.kind', 'partner_contacts.document'])
    .execute()
  return rows.map(({ id, kind, document }) => ({
    partnerId: id,
    kind: kind as PartnerKind,
    contacts: JSON.parse(document) as Contacts,
  }))
}

/** Any caller can name an invented transaction, so a named transaction counts for this long at most. */
const NAMED_MS_MAX = 24 * 3_600_000

const oldestUnseenAt = async (database: Database, now: number): Promise<number | null> => {
  const { posted } = await database
    .selectFrom('settlement')
    .innerJoin('swaps', 'swaps.id', 'settlement.swap_id')
    .select((select) => select.fn.min('settlement.changed_at').as('posted'))
    .where('abandoned_at', 'is', null)
    .where('is_paid', '=', 1)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  const { named } = await database
    .selectFrom('swaps')
    .select((select) => select.fn.min('named_at').as('named'))
    .where('state', 'in', ['pending', 'not_found'])
    .where('named_at', '>', now - NAMED_MS_MAX)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('payments').select('id').whereRef('tx_hash', '=', 'named_tx'))))
    .executeTakeFirstOrThrow()
  const all = [posted, named].flatMap((at) => (at === null ? [] : [Number(at)]))
  return all.length === 0 ? null : Math.min(...all)
}

const backlog = async (database: Database, now: number): Promise<Backlog> => {
  const looks = database.selectFrom('settlement')
  const open = await looks
    .select((select) => [select.fn.countAll().as('count'), select.fn.min('due_at').as('oldest')])
    .where('abandoned_at', 'is', null)
    .executeTakeFirstOrThrow()
  const facts = await database.selectFrom('store_facts').selectAll().where('name', 'in', [BACKED_UP, PASSED]).execute()
  const timeOf = (fact: string): number | null => Number(facts.find(({ name }) => name === fact)?.value) || null
  const count = (select: { readonly count: string | number | bigint }): number => Number(select.count)
  const due = await looks
    .select((select) => select.fn.countAll().as('count'))
    .where('abandoned_at', 'is', null)
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow()
  const abandoned = await looks
    .select((select) => select.fn.countAll().as('count'))
    .where('abandoned_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const deliveries = await database
    .selectFrom('partner_events')
    .select((select) => ['delivery', select.fn.countAll().as('count'), select.fn.min('created_at').as('oldest')])
    .where('delivery', 'in', ['due', 'started'])
    .groupBy('delivery')
    .execute()
  const waiting = deliveries.find(({ delivery }) => delivery === 'due')
  const started = deliveries.find(({ delivery }) => delivery === 'started')
  return {
    looks: {
      open: count(open),
      due: count(due),
      oldestDueAt: count(due) === 0 ? null : Number(open.oldest),
      abandoned: count(abandoned),
    },
    oldestUnseenAt: await oldestUnseenAt(database, now),
    deliveries: {
      due: waiting ? count(waiting) : 0,
      oldestDueAt: waiting ? Number(waiting.oldest) : null,
      unfinished: started ? count(started) : 0,
    },
    leases: await database.selectFrom('leases').selectAll().orderBy('name').execute(),
    backedUpAt: timeOf(BACKED_UP),
    passedAt: timeOf(PASSED),
  }
}

/** Must equal the condition of the index of open swaps, or the index is not used. */
const IS_OPEN = sql<boolean>`is_sandbox = 0 AND state NOT IN ('success', 'refunded', 'failed')`

/** A cap that keeps counting within a few ms. */
const COUNTED_MAX = 100_000

const openSwapsIn = async (database: Database, state: SwapState): Promise<OpenSwaps> => {
  const open = database.selectFrom('swaps').where(IS_OPEN).where('state', '=', state)
  const counted = open.select('id').limit(COUNTED_MAX).as('counted')
  const { count } = await database
    .selectFrom(counted)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  const oldest = await open.select('created_at').orderBy('created_at').limit(1).executeTakeFirst()
  return { state, count: Number(count), oldestAt: oldest?.created_at ?? null }
}

const openSwaps = async (database: Database): Promise<readonly OpenSwaps[]> => {
  const told: OpenSwaps[] = []
  for (const state of OPEN_STATES) told.push(await openSwapsIn(database, state))
  return told
}

export const createOperatorReads = (database: Database): OperatorReads => ({
  swaps: (search, page) => searchSwaps(database, search, page),
  historyOf: (swapId) => historyOf(database, swapId),
  raceOf: (swapId) => raceOf(database, swapId),
  tokenKeyUses: () => tokenKeyUses(database),
  payouts: (page, partnerId) => payouts(database, page, partnerId),
  accessPayments: (search, page) => accessPayments(database, search, page),
  failedDeliveries: (page, partnerId) => failedDeliveries(database, page, partnerId),
  contacts: (page) => contacts(database, page),
  backlog: (now) => backlog(database, now),
  openSwaps: () => openSwaps(database),
})
