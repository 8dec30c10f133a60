import { createHash } from 'node:crypto'
import type { Table } from './tables.ts'

export type Row = { readonly [column: string]: string | number | null }

/** The row count and digest of a table, independent of the order of its rows. */
export type TableSum = { readonly table: string; readonly rows: number; readonly digest: string }

/** The amount booked on one side of one account in one token, in smallest units. */
export type LedgerSum = { readonly account: string; readonly side: string; readonly token: string; readonly amount: bigint }

const SIZE = 1n << 256n

/** PostgreSQL keeps no NUL in text. */
const asKept = (value: string | number | null | undefined) =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : (value ?? null)

/** Adds up rows: each by its SHA-256, as a number. */
export const createTableSum = ({ name, columns }: Table) => {
  let [rows, sum] = [0, 0n]
  return {
    add: (row: Row): void => {
      const text = JSON.stringify(columns.map((column) => asKept(row[column])))
      rows += 1
      sum = (sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)) % SIZE
    },
    sum: (): TableSum => ({ table: name, rows, digest: sum.toString(16) }),
  }
}

/** Adds up lines of the ledger. */
export const createLedgerSum = () => {
  const sums = new Map<string, LedgerSum>()
  return {
    add: ({ account, side, ecosystem, chain_id, token, amount }: Row): void => {
      const key = JSON.stringify([account, side, ecosystem, chain_id, token])
      const before = sums.get(key)?.amount ?? 0n
      const place = `${ecosystem}:${chain_id}:${token}`
      sums.set(key, { account: String(account), side: String(side), token: place, amount: before + BigInt(String(amount)) })
    },
    sums: (): readonly LedgerSum[] => [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum),
  }
}

/** The sums of all records. */
export type RecordsSum = { readonly tables: readonly TableSum[]; readonly ledger: readonly LedgerSum[] }

export const LEDGER_LINES = 'ledger_lines'

/** Describes the first difference between two sums; null if they are equal. */
export const differenceOf = (one: RecordsSum, other: RecordsSum): string | null => {
  for (const { table, rows, digest } of one.tables) {
    const there = other.tables.find((sum) => sum.table === table)
    if (there?.rows !== rows) return `${table} has ${rows} rows, and ${there?.rows ?? 0} there`
    if (there.digest !== digest) return `${table} has as many rows there, and not the same`
  }
  const [here, there] = [one.ledger, other.ledger].map((ledger) => ledger.map((sum) => `${Object.values(sum)}`))
  const off = here?.find((line, i) => line !== there?.[i])
  return off === undefined && here?.length === there?.length ? null : `the ledger differs at ${off ?? 'an account only there'}`
}

/** Identifies a set of records, independent of the file. */
export const digestOf = ({ tables }: RecordsSum): string =>
  createHash('sha256')
    .update(JSON.stringify(tables.map(({ table, rows, digest }) => [table, rows, digest])))
    .digest('hex')
