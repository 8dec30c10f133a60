import type { Selectable } from 'kysely'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import { type Balance, keepBalances, PARTNER, partnersWithLines, readBalances } from './balances.ts'
import type { Database, LedgerBalancesTable, LedgerEntriesTable, LedgerLinesTable } from './schema.ts'

/**
 * `payer`: fees that payers paid on a chain. `venue:<id>`: the amount that a venue holds. `partner:<id>`: the amount owed to a
 * partner. `access`: revenue of paid calls. `payTo:<address>`: the amount that these calls paid to that address.
 */
export type Account = 'operator' | 'payer' | 'access' | `payTo:${string}` | `venue:${string}` | `partner:${string}`

export type LedgerLine = {
  readonly account: Account
  readonly side: 'debit' | 'credit'
  /** The ecosystem of the payout. */
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  /** Smallest units, above 0. */
  readonly amount: bigint
}

export type NewLedgerEntry = {
  /** An entry with the same key is booked once. */
  readonly key: string
  readonly kind: 'fee' | 'reversal' | 'payout' | 'access'
  readonly swapId: number | null
  readonly document: { readonly [field: string]: Json }
  readonly lines: readonly LedgerLine[]
}

export type LedgerEntry = NewLedgerEntry & { readonly id: number; readonly createdAt: number }

export type PartnerBalance = Balance & { readonly partnerId: string }

/** An entry as stored, for a proof that trusts no derived value. */
export type RawEntry = {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly swapId: number | null
  readonly document: string
  readonly lines: readonly {
    readonly id: number
    readonly account: string
    readonly side: string
    readonly ecosystem: string
    readonly chainId: number
    readonly token: string
    readonly amount: string
  }[]
}

/** A stored balance, for the same proof. */
export type RawBalance = {
  readonly partnerId: string
  readonly ecosystem: string
  readonly chainId: number
  readonly token: string
  readonly earned: string
  readonly paid: string
  /** The last ledger line that it includes. */
  readonly lastLine: number
}

/** The append-only ledger of debts. Every call may reject with StoreError. */
export interface LedgerStore {
  /** Books an entry, in a transaction only. False, without booking, if its key exists. */
  book(entry: NewLedgerEntry): Promise<boolean>
  byKey(key: string): Promise<LedgerEntry | null>
  /** The entries of one swap, in booking order. */
  ofSwap(swapId: number): Promise<readonly LedgerEntry[]>
  /** The payouts to a partner, in the order of their recording. */
  payoutsTo(partnerId: string): Promise<readonly LedgerEntry[]>
  /** The payouts to an address, of all partners. */
  payoutsAt(address: string): Promise<readonly LedgerEntry[]>
  /** The balances of a partner, by token. */
  balancesOf(partnerId: string): Promise<readonly Balance[]>
  /** The balances of up to `partners` partners after an id, of those with ledger lines. */
  balances(afterPartnerId: string | null, partners: number): Promise<readonly PartnerBalance[]>
  /** The entries after an id, in booking order. */
  rawAfter(id: number, limit: number): Promise<readonly RawEntry[]>
  /** All stored balances. */
  rawBalances(): Promise<readonly RawBalance[]>
  /** The subset of the keys that is booked. */
  bookedOf(keys: readonly string[]): Promise<readonly string[]>
}

type LineRow = Selectable<LedgerLinesTable>
type EntryRow = Selectable<LedgerEntriesTable>

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

const toRawBalance = (row: Selectable<LedgerBalancesTable>): RawBalance => ({
  partnerId: row.partner_id,
  ecosystem: row.ecosystem,
  chainId: row.chain_id,
  token: row.token,
  earned: row.earned,
  paid: row.paid,
  lastLine: row.last_line,
})

/** The key of a payout to a partner, by its number. */
export const payoutKeyOf = (partnerId: string, number: number): string => `payout:${partnerId}:${number}`

/** Payouts to one partner, or to all (null). The query uses keys, since most lines of a partner are fees. */
export const payoutEntries = (database: Database, partnerId: string | null) => {
  const all = database.selectFrom('ledger_entries').selectAll()
  if (partnerId === null) return all.where('kind', '=', 'payout')
  // In ASCII the semicolon follows the colon, so this is a prefix search.
  return all.where('key', '>', `payout:${partnerId}:`).where('key', '<', `payout:${partnerId};`)
}

const partnersIn = (lines: readonly LedgerLine[]): ReadonlySet<string> =>
  new Set(
    lines
      .map(({ account }) => account)
      .filter((account) => account.startsWith(PARTNER))
      .map((account) => account.slice(PARTNER.length)),
  )

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

  return { linesOf, withLines }
}

export const createLedgerStore = (database: Database, clock: Clock): LedgerStore => {
  const { linesOf, withLines } = createReads(database)
  const entries = () => database.selectFrom('ledger_entries').selectAll()

  return {
    book: async ({ key, kind, swapId, document, lines }) => {
      if (!database.isTransaction) throw new TypeError('an entry of the ledger is booked in a transaction')
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
      for (const partnerId of partnersIn(lines)) await keepBalances(database, partnerId)
      return true
    },
    byKey: async (key) => (await withLines(await entries().where('key', '=', key).execute()))[0] ?? null,
    ofSwap: async (swapId) => withLines(await entries().where('swap_id', '=', swapId).orderBy('id').execute()),
    payoutsTo: async (partnerId) => withLines(await payoutEntries(database, partnerId).orderBy('id').execute()),
    payoutsAt: async (address) => {
      // Addresses need no escaping in JSON or in a pattern.
      const named = entries().where('kind', '=', 'payout').where('document', 'like', `%"address":"${address}"%`)
      return (await withLines(await named.orderBy('id').execute())).filter(({ document }) => document['address'] === address)
    },
    balancesOf: (partnerId) => readBalances(database, partnerId),
    balances: async (after, partners) => {
      const all: PartnerBalance[] = []
      for (const partnerId of await partnersWithLines(database, after, partners))
        for (const balance of await readBalances(database, partnerId)) all.push({ partnerId, ...balance })
      return all
    },
    rawBalances: async () =>
      (await database.selectFrom('ledger_balances').selectAll().orderBy('partner_id').orderBy('last_line').execute()).map(
        toRawBalance,
      ),
    rawAfter: async (after, limit) => {
      const page = await entries().where('id', '>', after).orderBy('id').limit(limit).execute()
      const byEntry = Map.groupBy(await linesOf(page), ({ entry_id }) => entry_id)
      return page.map(({ id, key, kind, swap_id: swapId, document }) => ({
        id,
        key,
        kind,
        swapId,
        document,
        lines: (byEntry.get(id) ?? []).map(({ chain_id: chainId, ...line }) => ({ chainId, ...line })),
      }))
    },
    bookedOf: async (keys) => {
      if (keys.length === 0) return []
      const rows = await database.selectFrom('ledger_entries').select('key').where('key', 'in', keys).execute()
      return rows.map(({ key }) => key)
    },
  }
}
