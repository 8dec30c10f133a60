import type { SolanaPrepared } from './solanaPrepare.ts'
import type { VmOutcome } from './solanaVm.ts'

export type TokenBalance = {
  /** In the keys of the transaction. */
  readonly index: number
  readonly mint: string
  readonly owner: string
  readonly program: string
  readonly amount: bigint
  readonly decimals: number
}

/** Balances of the accounts of a transaction at one moment: lamports by key, and the token accounts among them. */
export type SolanaBalances = { readonly lamports: readonly bigint[]; readonly tokens: readonly TokenBalance[] }

/** A transaction that is in a block, whether it did what it should or only paid its fee. */
export type LandedTransaction = SolanaPrepared & {
  readonly slot: number
  /** Unix seconds. */
  readonly blockTime: number
  readonly fee: bigint
  readonly outcome: VmOutcome
  readonly before: SolanaBalances
  readonly after: SolanaBalances
  /** Those of its addresses that are wallets afterwards: accounts of the system program without data. */
  readonly wallets: ReadonlySet<string>
}

/** The transactions that landed. Remembers so many, the latest. */
export interface SolanaLedger {
  add(transaction: LandedTransaction): void
  find(signature: string): LandedTransaction | null
  /** Those that name an address, newest first. */
  naming(address: string): readonly LandedTransaction[]
  count(): number
}

const REMEMBERED = 10_000

export const createSolanaLedger = (): SolanaLedger => {
  const landed = new Map<string, LandedTransaction>()
  let count = 0
  return {
    add: (transaction) => {
      count += 1
      landed.set(transaction.signature, transaction)
      const oldest = landed.size > REMEMBERED ? landed.keys().next().value : undefined
      if (oldest !== undefined) landed.delete(oldest)
    },
    find: (signature) => landed.get(signature) ?? null,
    naming: (address) => [...landed.values()].filter(({ keys }) => keys.some((key) => key.address === address)).reverse(),
    count: () => count,
  }
}
