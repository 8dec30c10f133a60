import type { Selectable } from 'kysely'
import type { ChainId } from '../core/chain.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import type { Database, LedgerBalancesTable, LedgerLinesTable } from './schema.ts'

/**
 * Stored sums of what partners earned and were paid, written in the same transaction as the ledger lines. Transactions that book
 * run one after the other, so lines appear in the order of their ids.
 */

/** The balance of one partner in one token. `earned - paid` is still owed. */
export type Balance = {
  /** The ecosystem of the payout. */
  readonly ecosystem: PayoutEcosystem
  readonly chainId: ChainId
  readonly token: string
  /** Smallest units. */
  readonly earned: bigint
  readonly paid: bigint
}

type BalanceRow = Selectable<LedgerBalancesTable>

type Line = Omit<Selectable<LedgerLinesTable>, 'entry_id'> & { readonly kind: string }

export const PARTNER = 'partner:'

const keyOf = ({ partner_id, ecosystem, chain_id, token }: Omit<BalanceRow, 'earned' | 'paid' | 'last_line'>): string =>
  JSON.stringify([partner_id, ecosystem, chain_id, token])

/** The effect of an entry on a balance, by kind. A reversal reduces `earned`. */
const addLine = (rows: Map<string, BalanceRow>, line: Line): string => {
  const { ecosystem, chain_id, token } = line
  const place = { partner_id: line.account.slice(PARTNER.length), ecosystem, chain_id, token }
  const key = keyOf(place)
  const { earned, paid } = rows.get(key) ?? { earned: '0', paid: '0' }
  const owed = line.side === 'credit' ? BigInt(line.amount) : -BigInt(line.amount)
  const sums =
    line.kind === 'payout' ? { earned, paid: String(BigInt(paid) - owed) } : { earned: String(BigInt(earned) + owed), paid }
  rows.set(key, { ...place, ...sums, last_line: line.id })
  return key
}

const linesBeyond = (database: Database, partnerId: string, last: number): Promise<readonly Line[]> =>
  database
    .selectFrom('ledger_lines')
    .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
    .select(['ledger_lines.id', 'account', 'side', 'ecosystem', 'chain_id', 'token', 'amount', 'ledger_entries.kind'])
    .where('account', '=', `${PARTNER}${partnerId}`)
    .where('ledger_lines.id', '>', last)
    .orderBy('ledger_lines.id')
    .execute()

const storedOf = (database: Database, partnerId: string): Promise<BalanceRow[]> =>
  database.selectFrom('ledger_balances').selectAll().where('partner_id', '=', partnerId).execute()

/** Updates a partner's stored sums in the transaction that adds the lines. */
export const keepBalances = async (database: Database, partnerId: string): Promise<void> => {
  const stored = await storedOf(database, partnerId)
  const rows = new Map(stored.map((row) => [keyOf(row), row]))
  const added = await linesBeyond(database, partnerId, Math.max(0, ...stored.map(({ last_line }) => last_line)))
  const changed = new Set(added.map((line) => addLine(rows, line)))
  for (const [key, row] of rows)
    if (changed.has(key))
      await database
        .insertInto('ledger_balances')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['partner_id', 'ecosystem', 'chain_id', 'token'])
            .doUpdateSet({ earned: row.earned, paid: row.paid, last_line: row.last_line }),
        )
        .execute()
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0)

/** Ordered by ecosystem, chain and token. */
export const readBalances = async (database: Database, partnerId: string): Promise<readonly Balance[]> => {
  return (await storedOf(database, partnerId))
    .toSorted((a, b) => compare(a.ecosystem, b.ecosystem) || compare(a.chain_id, b.chain_id) || compare(a.token, b.token))
    .map(({ ecosystem, chain_id, token, earned, paid }) => ({
      ecosystem: ecosystem as PayoutEcosystem,
      chainId: chain_id as ChainId,
      token,
      earned: BigInt(earned),
      paid: BigInt(paid),
    }))
}

/** Partners with ledger lines, by id, after one of them. */
export const partnersWithLines = async (
  database: Database,
  afterPartnerId: string | null,
  limit: number,
): Promise<readonly string[]> => {
  const all = database
    .selectFrom('partners')
    .select('id')
    .where(({ exists, selectFrom, eb, val }) =>
      exists(
        selectFrom('ledger_lines')
          .select('ledger_lines.id')
          .where('account', '=', eb(val(PARTNER), '||', eb.ref('partners.id'))),
      ),
    )
    .orderBy('id')
    .limit(limit)
  const rows = await (afterPartnerId === null ? all : all.where('partners.id', '>', afterPartnerId)).execute()
  return rows.map(({ id }) => id)
}
