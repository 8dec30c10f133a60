import type { Selectable } from 'kysely'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import type { Database, LedgerEntriesTable, LedgerLinesTable } from './schema.ts'

/**
 * `payer`: what payers of fees have paid in, on a chain; `venue:<id>`: what a venue holds; `partner:<id>`: what a partner is owed.
 * `access`: what paid calls earned; `payTo:<address>`: what they paid in there.
 */
export type Account = 'operator' | 'payer' | 'access' | `payTo:${string}` | `venue:${string}` | `partner:${string}`

export type LedgerLine = {
  readonly account: Account
  readonly side: 'debit' | 'credit'
  /** Where it is paid out. */
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  /** Smallest units, above 0. */
  readonly amount: bigint
}

export type NewLedgerEntry = {
  /** What is to be booked once has one key. */
  readonly key: string
  readonly kind: 'fee' | 'reversal' | 'payout' | 'access'
  readonly swapId: number | null
  readonly document: { readonly [field: string]: Json }
  readonly lines: readonly LedgerLine[]
}

export type LedgerEntry = NewLedgerEntry & { readonly id: number; readonly createdAt: number }

/** Of one partner in one token. What is still owed is `earned - paid`. */
export type Balance = Pick<LedgerLine, 'ecosystem' | 'chainId' | 'token'> & { readonly earned: bigint; readonly paid: bigint }

export type PartnerBalance = Balance & { readonly partnerId: string }

/** An entry as it stands in the database, for a proof that believes nothing of it. */
export type RawEntry = {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly swapId: number | null
  readonly document: string
  readonly lines: readonly {
    readonly account: string
    readonly side: string
    readonly ecosystem: string
    readonly chainId: number
    readonly token: string
    readonly amount: string
  }[]
}

/** What is owed to whom. Append-only. Every call may reject when the database is in trouble. */
export interface LedgerStore {
  /** False, and nothing booked, where the key is. */
  book(entry: NewLedgerEntry): Promise<boolean>
  byKey(key: string): Promise<LedgerEntry | null>
  /** Of one swap, in the order they were booked. */
  ofSwap(swapId: number): Promise<readonly LedgerEntry[]>
  /** What a partner was paid, in the order it was recorded. */
  payoutsTo(partnerId: string): Promise<readonly LedgerEntry[]>
  /** What a partner earned and was paid, by token. */
  balancesOf(partnerId: string): Promise<readonly Balance[]>
  /** Of all partners, by their ids. */
  balances(): Promise<readonly PartnerBalance[]>
  /** Beyond an entry, in the order they were booked. */
  rawAfter(id: number, limit: number): Promise<readonly RawEntry[]>
  /** Those of these keys that are booked. */
  bookedOf(keys: readonly string[]): Promise<readonly string[]>
}

type LineRow = Selectable<LedgerLinesTable>
type EntryRow = Selectable<LedgerEntriesTable>

const PARTNER = 'partner:'
/** Lines read in one go. */
const PAGE = 1_000

/** What changes a balance by an entry of each kind: a reversal takes back what was earned. */
const addLine = (
  balances: Map<string, PartnerBalance>,
  line: Pick<LineRow, 'account' | 'side' | 'ecosystem' | 'chain_id' | 'token' | 'amount'> & { readonly kind: string },
): void => {
  const { account, kind, side, ecosystem, chain_id: chainId, token, amount } = line
  const key = JSON.stringify([account, ecosystem, chainId, token])
  const place = { ecosystem: ecosystem as PayoutEcosystem, chainId: chainId as ChainId, token }
  const before = balances.get(key) ?? { partnerId: account.slice(PARTNER.length), ...place, earned: 0n, paid: 0n }
  const owed = side === 'credit' ? BigInt(amount) : -BigInt(amount)
  const isPayout = kind === 'payout'
  balances.set(key, { ...before, earned: before.earned + (isPayout ? 0n : owed), paid: before.paid - (isPayout ? owed : 0n) })
}

const toLine = (row: LineRow): LedgerLine => ({
  account: row.account as Account,
  side: row.side as LedgerLine['side'],
  ecosystem: row.ecosystem as PayoutEcosystem,
  chainId: row.chain_id as ChainId,
  token: row.token,
  amount: BigInt(row.amount),
})

const toEntry = (entry: EntryRow, lines: readonly LineRow[]): LedgerEntry => ({
  id: entry.id,
  key: entry.key,
  kind: entry.kind as LedgerEntry['kind'],
  swapId: entry.swap_id,
  document: JSON.parse(entry.document) as LedgerEntry['document'],
  createdAt: entry.created_at,
  lines: lines.filter(({ entry_id }) => entry_id === entry.id).map(toLine),
})

const createReads = (database: Database) => {
  const linesOf = async (entries: readonly Pick<EntryRow, 'id'>[]): Promise<readonly LineRow[]> => {
    const ids = entries.map(({ id }) => id)
    if (ids.length === 0) return []
    return database.selectFrom('ledger_lines').selectAll().where('entry_id', 'in', ids).orderBy('id').execute()
  }

  const withLines = async (entries: readonly EntryRow[]): Promise<readonly LedgerEntry[]> => {
    const lines = await linesOf(entries)
    return entries.map((entry) => toEntry(entry, lines))
  }

  /** Of one partner, or all (null), page by page: there may be a million swaps. In code, as amounts have more than 64 bits. */
  const sumUp = async (partnerId: string | null): Promise<readonly PartnerBalance[]> => {
    const balances = new Map<string, PartnerBalance>()
    for (let last = 0; ; ) {
      const page = await database
        .selectFrom('ledger_lines')
        .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
        .select(['ledger_lines.id', 'account', 'side', 'ecosystem', 'chain_id', 'token', 'amount', 'ledger_entries.kind'])
        .where('account', partnerId === null ? 'like' : '=', `${PARTNER}${partnerId ?? '%'}`)
        .where('ledger_lines.id', '>', last)
        .orderBy('ledger_lines.id')
        .limit(PAGE)
        .execute()
      for (const line of page) addLine(balances, line)
      const end = page.at(-1)
      if (end === undefined || page.length < PAGE) return [...balances.values()]
      last = end.id
    }
  }

  return { linesOf, withLines, sumUp }
}

export const createLedgerStore = (database: Database, clock: Clock): LedgerStore => {
  const { linesOf, withLines, sumUp } = createReads(database)
  const entries = () => database.selectFrom('ledger_entries').selectAll()

  return {
    book: async ({ key, kind, swapId, document, lines }) => {
      const entry = await database
        .insertInto('ledger_entries')
        .values({ key, kind, swap_id: swapId, document: JSON.stringify(document), created_at: clock.now() })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (entry === undefined) return false
      const rows = lines.map(({ account, side, ecosystem, chainId, token, amount }) => ({
        entry_id: entry.id,
        account,
        side,
        ecosystem,
        chain_id: chainId,
        token,
        amount: amount.toString(),
      }))
      await database.insertInto('ledger_lines').values(rows).execute()
      return true
    },
    byKey: async (key) => (await withLines(await entries().where('key', '=', key).execute()))[0] ?? null,
    ofSwap: async (swapId) => withLines(await entries().where('swap_id', '=', swapId).orderBy('id').execute()),
    payoutsTo: async (partnerId) => {
      const own = database.selectFrom('ledger_lines').select('entry_id').where('account', '=', `${PARTNER}${partnerId}`)
      return withLines(await entries().where('kind', '=', 'payout').where('id', 'in', own).orderBy('id').execute())
    },
    balancesOf: async (partnerId) => {
      const own = await sumUp(partnerId)
      return own.map(({ ecosystem, chainId, token, earned, paid }) => ({ ecosystem, chainId, token, earned, paid }))
    },
    balances: async () => {
      const all = await sumUp(null)
      return all.toSorted((a, b) => (a.partnerId < b.partnerId ? -1 : a.partnerId > b.partnerId ? 1 : 0))
    },
    rawAfter: async (after, limit) => {
      const page = await entries().where('id', '>', after).orderBy('id').limit(limit).execute()
      const lines = await linesOf(page)
      return page.map(({ id, key, kind, swap_id: swapId, document }) => ({
        id,
        key,
        kind,
        swapId,
        document,
        lines: lines.filter(({ entry_id }) => entry_id === id).map(({ chain_id: chainId, ...line }) => ({ chainId, ...line })),
      }))
    },
    bookedOf: async (keys) => {
      if (keys.length === 0) return []
      const rows = await database.selectFrom('ledger_entries').select('key').where('key', 'in', keys).execute()
      return rows.map(({ key }) => key)
    },
  }
}
