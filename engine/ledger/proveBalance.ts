import type { RawEntry } from '../store/ledger.ts'
import type { Store } from '../store/store.ts'
import { compareBalances } from './compareBalances.ts'
import { earnerOf, reversalKeyOf } from './feeEntry.ts'

/** A problem of an entry or a balance, for the operator. */
export type LedgerProblem = {
  /** Null: a problem of a stored balance, which `key` identifies. */
  readonly entryId: number | null
  readonly key: string
  readonly what: string
}

export type LedgerProof = {
  readonly isBalanced: boolean
  readonly entries: number
  /** The number of problems; `problems` holds the first ones. */
  readonly problemCount: number
  readonly problems: readonly LedgerProblem[]
}

const PAGE = 500
const PROBLEMS_MAX = 100

const AMOUNT = /^[1-9][0-9]*$/
const KINDS = ['fee', 'reversal', 'payout', 'access']

/** Debits less credits by token; null with an invalid amount. */
const sumsOf = ({ lines }: RawEntry): ReadonlyMap<string, bigint> | null => {
  const sums = new Map<string, bigint>()
  for (const { side, ecosystem, chainId, token, amount } of lines) {
    if (!AMOUNT.test(amount) || (side !== 'debit' && side !== 'credit')) return null
    const place = JSON.stringify([ecosystem, chainId, token])
    sums.set(place, (sums.get(place) ?? 0n) + (side === 'debit' ? BigInt(amount) : -BigInt(amount)))
  }
  return sums
}

const problemOf = (entry: RawEntry): string | null => {
  if (!KINDS.includes(entry.kind)) return `is of no known kind: ${entry.kind}`
  if (entry.lines.length === 0) return 'has no lines'
  const sums = sumsOf(entry)
  if (sums === null) return 'has an amount or a side that is none'
  const off = [...sums].find(([, sum]) => sum !== 0n)
  return off ? `debits and credits differ by ${off[1]} of ${off[0]}` : null
}

const isOfExtra = ({ document }: RawEntry): boolean => {
  try {
    return typeof (JSON.parse(document) as { orderId?: unknown }).orderId === 'string'
  } catch {
    return false
  }
}

/**
 * Proves the ledger beside a running service, page by page. In every entry, and so in every token, debits equal credits, and
 * amounts are positive integers. A fee is credited to the partner that its swap earns for. The swap of an unreversed fee has
 * succeeded, except for an extra payment, whose end is its own. The stored balances are the sums of the lines.
 */
export const proveBalance = async (
  { ledger, swaps }: Pick<Store, 'ledger' | 'swaps'>,
  signal?: AbortSignal,
): Promise<LedgerProof> => {
  const problems: LedgerProblem[] = []
  let [entries, problemCount] = [0, 0]
  const tell = ({ id, key }: { readonly id: number | null; readonly key: string }, what: string): void => {
    problemCount += 1
    if (problems.length < PROBLEMS_MAX) problems.push({ entryId: id, key, what })
  }
  // Read before the lines, so that the lines include every line of the balances.
  const balances = compareBalances(await ledger.rawBalances())

  /** Reads swap states before reversals: a transaction that reopens a swap writes both at once. */
  const checkSwaps = async (page: readonly RawEntry[]): Promise<void> => {
    const fees = page.filter(({ kind }) => kind === 'fee')
    const earnings = await swaps.earningsOf([...new Set(fees.flatMap(({ swapId }) => swapId ?? []))])
    const reversed = await ledger.bookedOf(fees.map(({ key }) => reversalKeyOf(key)))
    for (const entry of fees) {
      const swap = earnings.get(entry.swapId ?? -1) ?? null
      const state = swap?.state ?? 'missing'
      if (state !== 'success' && !isOfExtra(entry) && !reversed.includes(reversalKeyOf(entry.key)))
        tell(entry, `is of a swap that is ${state}`)
      const stranger = swap && entry.lines.find(({ side, account }) => side === 'credit' && account !== earnerOf(swap))
      if (swap && stranger) tell(entry, `credits ${stranger.account}, and its swap earns for ${earnerOf(swap)}`)
    }
  }

  for (let last = 0; ; ) {
    signal?.throwIfAborted()
    const page = await ledger.rawAfter(last, PAGE)
    entries += page.length
    for (const entry of page) {
      const what = problemOf(entry)
      if (what !== null) tell(entry, what)
      balances.add(entry)
    }
    await checkSwaps(page)
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) break
    last = end.id
  }
  for (const { key, what } of balances.problems()) tell({ id: null, key }, what)
  return { isBalanced: problemCount === 0, entries, problemCount, problems }
}
