import type { Selectable } from 'kysely'
import type { ChainId } from '../core/chain.ts'
import type { Clock } from '../core/clock.ts'
import type { Json } from '../core/json.ts'
import type { PayoutEcosystem } from '../core/partner.ts'
import type { Database, LedgerLinesTable } from './schema.ts'

/** `payer`: what payers of fees have paid in, on a chain; `venue:<id>`: what a venue holds; `partner:<id>`: what a partner is owed. */
export type Account = 'operator' | 'payer' | `venue:${string}` | `partner:${string}`

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
  readonly kind: 'fee' | 'reversal' | 'payout'
  readonly swapId: number | null
  readonly document: { readonly [field: string]: Json }
  readonly lines: readonly LedgerLine[]
}

export type LedgerEntry = NewLedgerEntry & { readonly id: number; readonly createdAt: number }

/** Of one partner in one token. What is still owed is `earned - paid`. */
export type Balance = Pick<LedgerLine, 'ecosystem' | 'chainId' | 'token'> & { readonly earned: bigint; readonly paid: bigint }

/** What is owed to whom. Append-only. Every call may reject when the database is in trouble. */
export interface LedgerStore {
  /** False, and nothing booked, where the key is. */
  book(entry: NewLedgerEntry): Promise<boolean>
  byKey(key: string): Promise<LedgerEntry | null>
  /** What a partner earned and was paid, by token. */
  balancesOf(partnerId: string): Promise<readonly Balance[]>
}

/** What changes a balance by an entry of each kind: a reversal takes back what was earned. */
const sumByToken = (
  rows: readonly (Pick<Selectable<LedgerLinesTable>, 'side' | 'ecosystem' | 'chain_id' | 'token' | 'amount'> & {
    readonly kind: string
  })[],
) => {
  const balances = new Map<string, Balance>()
  for (const { kind, side, ecosystem, chain_id: chainId, token, amount } of rows) {
    const key = JSON.stringify([ecosystem, chainId, token])
    const place = { ecosystem: ecosystem as PayoutEcosystem, chainId: chainId as ChainId, token }
    const before = balances.get(key) ?? { ...place, earned: 0n, paid: 0n }
    const owed = side === 'credit' ? BigInt(amount) : -BigInt(amount)
    const isPayout = kind === 'payout'
    balances.set(key, { ...before, earned: before.earned + (isPayout ? 0n : owed), paid: before.paid - (isPayout ? owed : 0n) })
  }
  return [...balances.values()]
}

export const createLedgerStore = (database: Database, clock: Clock): LedgerStore => ({
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
  byKey: async (key) => {
    const entry = await database.selectFrom('ledger_entries').selectAll().where('key', '=', key).executeTakeFirst()
    if (entry === undefined) return null
    const rows = await database.selectFrom('ledger_lines').selectAll().where('entry_id', '=', entry.id).orderBy('id').execute()
    return {
      id: entry.id,
      key: entry.key,
      kind: entry.kind as LedgerEntry['kind'],
      swapId: entry.swap_id,
      document: JSON.parse(entry.document) as LedgerEntry['document'],
      createdAt: entry.created_at,
      lines: rows.map((row) => ({
        account: row.account as Account,
        side: row.side as LedgerLine['side'],
        ecosystem: row.ecosystem as PayoutEcosystem,
        chainId: row.chain_id as ChainId,
        token: row.token,
        amount: BigInt(row.amount),
      })),
    }
  },
  balancesOf: async (partnerId) => {
    const query = database.selectFrom('ledger_lines').innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
    const columns = ['ledger_entries.kind', 'side', 'ecosystem', 'chain_id', 'token', 'amount'] as const
    return sumByToken(
      await query.select(columns).where('account', '=', `partner:${partnerId}`).orderBy('ledger_lines.id').execute(),
    )
  },
})
