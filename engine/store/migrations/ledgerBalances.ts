import type { Kysely } from 'kysely'
import { addLine, type BalanceRow, PARTNER } from '../balances.ts'
import type { Schema } from '../schema.ts'
import { required } from './words.ts'

const LINES = 5_000
const ROWS = 500

/** In code, as amounts have more than 64 bits. */
const sumUp = async (db: Kysely<Schema>): Promise<readonly BalanceRow[]> => {
  const rows = new Map<string, BalanceRow>()
  for (let last = 0; ; ) {
    const page = await db
      .selectFrom('ledger_lines')
      .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
      .select(['ledger_lines.id', 'account', 'side', 'ecosystem', 'chain_id', 'token', 'amount', 'ledger_entries.kind'])
      .where('ledger_lines.id', '>', last)
      .orderBy('ledger_lines.id')
      .limit(LINES)
      .execute()
    for (const line of page) if (line.account.startsWith(PARTNER)) addLine(rows, line)
    const end = page.at(-1)
    if (end === undefined || page.length < LINES) return [...rows.values()]
    last = end.id
  }
}

/**
 * What each partner's lines come to. The version before adds lines without it; so it says as far as which line it goes, and
 * what comes after that is added by whoever reads it.
 */
export const ledgerBalances = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('ledger_balances')
    .addColumn('partner_id', 'text', required)
    .addColumn('ecosystem', 'text', required)
    .addColumn('chain_id', 'bigint', required)
    .addColumn('token', 'text', required)
    .addColumn('earned', 'text', required)
    .addColumn('paid', 'text', required)
    .addColumn('last_line', 'bigint', required)
    .addPrimaryKeyConstraint('ledger_balances_token', ['partner_id', 'ecosystem', 'chain_id', 'token'])
    .execute()
  const typed = db as Kysely<Schema>
  const rows = await sumUp(typed)
  for (let at = 0; at < rows.length; at += ROWS)
    await typed
      .insertInto('ledger_balances')
      .values(rows.slice(at, at + ROWS))
      .execute()
}
